"""What follows from a record: a table for each rule, with what holds and what does not."""

import pytest

from tests.unit.gates.gate_cases import check, records

PRODUCT = {
    "productId": "K-7",
    "mass": {"value": 5, "unit": "kg"},
    "netMass": {"value": 4, "unit": "kg"},
    "leadContent": {"operator": "<", "value": 12, "unit": "%"},
    "heft": "about 9 kg",
    "length": {"value": 120, "unit": "mm"},
    "suppliers": ["Alpha AG", "Beta AG"],
    "makers": ["Gamma AG, Delta AG", "Epsilon AG"],
    "builtOn": "2025-01-10",
    "testDate": "2025-01-20",
    "suggestion": {"status": "unverified", "rating": {"value": 7, "unit": "W"}},
}
FILM = {
    "title": ["Low Tide"],
    "Directed by": ["Ada Berg"],
    "Written by": ["Ada Berg"],
    "Produced by": ["Bo Ek", "Cy Orr"],
    "Edited by": ["Cy Orr"],
    "Starring": ["Di Fenn", "Eli Grau"],
    "Release date": ["4 May 1998 (1998-05-04)"],
    "Running time": ["128 minutes"],
    "Country": ["Sweden"],
    "Budget": ["$4 million"],
    "Box office": ["$9 million"],
}
PERSON = {
    "title": ["Ada Berg"],
    "Born": ["6 October 1952 (1952-10-06)  Ulm, Germany"],
    "Died": ["4 May 2012 (2012-05-04) (aged 59)  Austin, Texas, U.S."],
    "Years active": ["1975 - 2004"],
    "Spouse(s)": ["Bo Ek ( m. 1975;  div. 1980)", "Cy Orr ( m. 1985)"],
    "Awards": ["Blue Star", "Red Star", "White Star"],
}
BAND = {
    "title": ["Orvo"],
    "Origin": ["Leeds, England"],
    "Genres": ["Folk rock", "pop"],
    "Years active": ["1995 - present"],
    "Labels": ["Isle", "Harbour", "Pier"],
}
DRINK = {"title": ["Fizz"], "Type": ["Soft drink"], "Country of origin": ["United States"], "Introduced": ["1911"]}
PAINTING = {
    "title": ["Harbour"],
    "Artist": ["Ada B. Berg"],
    "Year": ["1862"],
    "Medium": ["Oil on canvas"],
    "Dimensions": ["90 cm"],
}
ALBUM = {"title": ["Orvo Live"], "Length": ["39 : 05"], "Released": ["21 October 2016"]}
WINNER = {
    "title": ["Ada Berg"],
    "Birth name": ["Ada Maria Berg"],
    "Also known as": ["Wolf"],
    "Born": ["6 October 1952 (1952-10-06)  Ulm, Germany"],
    "Years active": ["1970 - present"],
    "Spouse(s)": ["Bo Ek ( m. 1975)"],
    "Awards": ["Blue Star (1995)", "Red Star (1999)"],
    "Instruments": ["Piano", "guitar", "drums", "vocals"],
}


def verdict(record, claim):
    return check(records(record), f"{claim} [e1].").verdict


CASES = {
    "bounds": (
        PRODUCT,
        ["The mass is more than 4 kg", "The mass is between 4 and 6 kg", "The mass is less than 6000 g",
         "The product is heavier than 4 kg", "The product has more than one supplier",
         "The product has fewer than 3 suppliers"],
        ["The mass is more than 5 kg", "The mass is less than 4 kg", "The mass is more than 4 V",
         "The mass is more than 4", "The lead content is less than 13 %", "The heft is more than 8 kg",
         "The rating is more than 6 W", "The mass is not more than 4 kg", "The mass may be more than 4 kg",
         "The mass of product K-8 is more than 4 kg", "The volume is more than 4 kg",
         "The product has more than two suppliers", "The product has fewer than 4 makers"],
    ),
    "dates": (
        PRODUCT,
        ["It was tested before 2026", "It was tested after 19 January 2025", "It was tested in early 2025",
         "It was tested in the 2020s"],
        ["It was tested before 20 January 2025", "It was tested before 2025", "It was tested after 2025",
         "It was tested in late 2025", "It was not tested before 2026", "It was painted before 2026"],
    ),
    "order": (
        PRODUCT,
        ["It was tested after it was built", "It was tested 10 days after it was built",
         "It was built before it was tested"],
        ["It was tested before it was built", "It was tested 11 days after it was built",
         "It was tested 10 days before it was built", "It was painted after it was built"],
    ),
    "fields": (
        FILM,
        ["The box office of Low Tide is higher than its budget", "Low Tide made more than two times its budget",
         "Low Tide earned more money than it cost to make"],
        ["The box office of Low Tide is lower than its budget", "Low Tide made more than three times its budget",
         "Low Tide earned less money than it cost to make", "The box office of High Tide is higher than its budget"],
    ),
    "roles": (
        FILM,
        ["Low Tide was written and directed by the same person", "Ada Berg both wrote and directed Low Tide",
         "Low Tide was directed and edited by two different people"],
        ["Low Tide was written and directed by different people", "Low Tide was edited and directed by the same person",
         "Low Tide was edited and produced by the same person", "Bo Ek both wrote and directed Low Tide"],
    ),
    "people": (
        FILM,
        ["Low Tide was produced by two people", "Low Tide was produced by more than one person",
         "Low Tide has multiple producers", "Low Tide stars two actors"],
        ["Low Tide was produced by three people", "Low Tide was produced by less than two people",
         "Low Tide was directed by two people", "High Tide was produced by two people"],
    ),
    "lists": (
        FILM,
        ["Low Tide was produced by Bo Ek and Cy Orr", "Low Tide stars Di Fenn and Eli Grau"],
        ["Low Tide was produced by Bo Ek and Ada Berg", "Low Tide stars Di Fenn or Eli Grau",
         "Low Tide was not produced by Bo Ek and Cy Orr"],
    ),
    "kinds": (
        FILM,
        ["Low Tide is a Swedish film", "Low Tide is a 1998 movie", "Low Tide is a late 1990s Swedish film",
         "Low Tide is a film directed by Ada Berg", "Low Tide is a Swedish film that was released in 1998",
         "Low Tide is a film starring Di Fenn and Eli Grau"],
        ["Low Tide is a Danish film", "Low Tide is a 1999 movie", "Low Tide is a Swedish short film",
         "Low Tide is a Swedish album", "Low Tide is a Swedish film directed by Bo Ek", "High Tide is a Swedish film",
         "Low Tide is not a Swedish film", "Low Tide is the only Swedish film"],
    ),
    "kinds of bands": (
        BAND,
        ["Orvo is a British folk rock band", "Orvo is an English pop group from Leeds", "Orvo is a rock band"],
        ["Orvo is a Scottish folk rock band", "Orvo is a jazz band", "Orvo is an English pop group from Hull"],
    ),
    "kinds by type": (
        DRINK,
        ["Fizz is an American soft drink", "Fizz is a soft drink that was introduced before 1920"],
        ["Fizz is a Belgian soft drink", "Fizz is an American hard drink", "Fizz is a soft drink introduced in 1912"],
    ),
    "kinds of art": (
        PAINTING,
        ["Harbour is an oil painting", "Harbour is a 19th century work of art", "Ada B. Berg painted Harbour in 1862"],
        ["Harbour is a watercolour painting", "Harbour is an 18th century work of art",
         "Ada B. Berg painted Harbour in 1863", "Bo Ek painted Harbour in 1862"],
    ),
    "ages": (
        PERSON,
        ["Ada Berg died at the age of 59", "Ada Berg was 59 years old when she died", "Ada Berg died before turning 60",
         "Ada Berg died in her fifties", "Ada Berg became active when she was 22 or 23"],
        ["Ada Berg died at the age of 60", "Ada Berg was over 59 when she died", "Ada Berg died before turning 59",
         "Ada Berg died in her sixties", "Ada Berg became active when she was 22", "Bea Berg died at the age of 59",
         "Ada Berg married at the age of 59"],
    ),
    "durations": (
        PERSON,
        ["Ada Berg was active for more than 25 years", "Ada Berg was active for less than three decades"],
        ["Ada Berg was active for more than 29 years", "Ada Berg was active for less than 20 years",
         "Bea Berg was active for more than 25 years"],
    ),
    "starts": (
        BAND,
        ["Orvo has been active since 1995", "Orvo has been active since the 1990s"],
        ["Orvo has been active since 1994", "Orvo has been active since the 1980s", "Orva has been active since 1995"],
    ),
    "marriages": (
        PERSON,
        ["Ada Berg was married twice", "Ada Berg has been married more than once", "Ada Berg got divorced once"],
        ["Ada Berg was married three times", "Ada Berg was divorced twice", "Bea Berg was married twice"],
    ),
    "countries": (
        PERSON,
        ["Ada Berg died in the United States", "Ada Berg died in a different country than she was born in"],
        ["Ada Berg died in the United Kingdom", "Ada Berg died in the same country that she was born in"],
    ),
    "predicates": (
        PERSON,
        ["Ada Berg was born in Ulm and died at the age of 59", "Ada Berg died in 2012 and was married twice"],
        ["Ada Berg was born in Bonn and died at the age of 59", "Ada Berg was born in Ulm and died at the age of 58"],
    ),
    "rewordings": (
        PERSON,
        ["The fall of 1952 is when Ada Berg was born", "Ada Berg's birthday is in the fall",
         "The death of Ada Berg took place in 2012", "Ada Berg won more than two awards"],
        ["The fall of 1953 is when Ada Berg was born", "Ada Berg's birthday is in the spring",
         "The death of Ada Berg took place in 2011", "Ada Berg won more than three awards"],
    ),
    "clocks": (
        ALBUM,
        ["Orvo Live is less than an hour long", "Orvo Live runs for more than 39 minutes",
         "Orvo Live's run time is under 40 minutes long"],
        ["Orvo Live is less than 39 minutes long", "Orvo Live runs for more than 40 minutes",
         "Orvo Live is more than 39 cm long", "Orvo Dead is less than an hour long"],
    ),
    "dated items": (
        WINNER,
        ["Ada Berg won the Blue Star when she was 42 or 43", "Ada Berg won the Blue Star in the 1990s",
         "Ada Berg was awarded the Blue Star before 1996",
         "Ada Berg won the Blue Star in the second half of the 1990s"],
        ["Ada Berg won the Blue Star when she was 42", "Ada Berg won the Blue Star in the 1980s",
         "Ada Berg won the Blue Star before 1995", "Ada Berg won the Red Star before 1996",
         "Ada Berg won the Green Star in the 1990s", "Ada Berg won the Blue Star in the first half of the 1990s"],
    ),
    "weddings": (
        WINNER,
        ["Ada Berg got married in 1975", "Ada Berg got married when she was 22 or 23",
         "Ada Berg married Bo Ek in her early twenties", "Ada Berg got married in the 1970s"],
        ["Ada Berg got married in 1976", "Ada Berg got married when she was 22", "Ada Berg married Cy Orr in 1975",
         "Ada Berg married Bo Ek in her late twenties", "Ada Berg got divorced in 1975",
         "Ada Berg did not get married in 1975"],
    ),
    "one of two weddings": (PERSON, [], ["Ada Berg got married in 1975", "Ada Berg got married in 1985"]),
    "careers": (
        WINNER,
        ["Ada Berg began her career in her teens", "Ada Berg started her career in 1970",
         "Ada Berg became active in the year she turned 18", "Ada Berg has been active since she was a teenager"],
        ["Ada Berg began her career in her twenties", "Ada Berg started her career in 1971",
         "Ada Berg became active in the year she turned 17", "Ada Berg began her musical career in 1970",
         "Ada Berg ended her career in 1970"],
    ),
    "names": (
        WINNER,
        ["Berg was born in Ulm", "Ada was born in 1952"],
        ["Ek was born in Ulm", "Berg was born in Bonn", "Maria was born in Ulm", "Fox was born in Ulm"],
    ),
    "least counts": (
        WINNER,
        ["Ada Berg plays several instruments", "Ada Berg plays at least four instruments",
         "Ada Berg plays 4 or more instruments", "Ada Berg has a number of instruments"],
        ["Ada Berg plays at least five instruments", "Ada Berg plays 5 or more instruments",
         "Ada Berg has several awards", "Ada Berg plays several trombones"],
    ),
    "differences": (
        FILM,
        ["Low Tide made over $4 million more than it cost",
         "Low Tide made over 4 million dollars more at the box office than it cost to make"],
        ["Low Tide made over $5 million more than it cost", "Low Tide made over $4 million less than it cost",
         "Low Tide made over 4 million euros more than it cost", "High Tide made over $4 million more than it cost"],
    ),
    "names in one text": (
        {"title": ["Low Tide"], "Produced by": ["Bo Ek , Cy Orr , Di Fenn"], "Edited by": ["Ek, Orr, Fenn"]},
        ["Low Tide was produced by three people", "Low Tide was produced by more than one person"],
        ["Low Tide was produced by two people", "Low Tide was edited by three people",
         "Low Tide was produced by more than three people"],
    ),
    "lengths": (
        FILM,
        ["Low Tide has over a 2 hour run time", "The run time of Low Tide is over two hours long"],
        ["Low Tide has over a 3 hour run time", "The run time of Low Tide is over three hours long",
         "Low Tide earned less than ten million dollars in its career"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "claim"), [(rule, claim) for rule, case in CASES.items() for claim in case[1]])
def test_what_follows_is_supported(rule, claim):
    assert verdict(CASES[rule][0], claim) == "supported"


@pytest.mark.parametrize(("rule", "claim"), [(rule, claim) for rule, case in CASES.items() for claim in case[2]])
def test_what_does_not_follow_is_not_supported(rule, claim):
    assert verdict(CASES[rule][0], claim) in ("unsupported", "undecided")


@pytest.mark.parametrize(("rule", "claim"), [(rule, claim) for rule, case in CASES.items() for claim in case[1]])
def test_nothing_follows_for_another_subject(rule, claim):
    record = dict(CASES[rule][0])
    if "title" not in record:
        record["productId"] = "K-9"
        claim = f"For product K-7, {claim[0].lower()}{claim[1:]}"
    else:
        record["title"] = ["Somebody Else"]
    assert verdict(record, claim) != "supported"


def test_two_events_of_one_record_are_not_made_one():
    film = {"title": ["Low Tide"], "Release date": ["1 May 2016 (Norway)", "2 June 2016 (Sweden)"]}
    assert verdict(film, "Low Tide was released on 1 May 2016 in Norway") == "supported"
    assert verdict(film, "Low Tide was released on 1 May 2016 in Sweden") != "supported"


def test_a_source_that_says_otherwise_keeps_a_bound_from_passing():
    evidence = records({"productId": "K-7", "mass": "5 kg"}, {"productId": "K-7", "mass": "3 kg"})
    assert check(evidence, "The mass is more than 4 kg [e1].").verdict != "supported"


@pytest.mark.parametrize("name", ["Wolf", "Ada Maria Berg"])
def test_another_name_of_the_record_stands_for_its_title(name):
    assert verdict(WINNER, f"{name} was born in Ulm") == "supported"
    assert verdict(WINNER, f"{name} was born in Bonn") != "supported"


def test_a_name_that_somebody_else_has_stands_for_nobody():
    spouse = {**WINNER, "Spouse(s)": ["Bo Berg ( m. 1975)"]}
    assert verdict(spouse, "Berg was born in Ulm") != "supported"
    both = records(WINNER, {"title": ["Cy Berg"], "Born": ["1950"]})
    assert check(both, "Berg was born in Ulm [e1].").verdict != "supported"


def test_a_clock_that_may_show_minutes_or_hours_holds_only_where_both_do():
    song = {"title": ["Orvo Live"], "Length": ["3:20"]}
    assert verdict(song, "Orvo Live runs for less than 5 minutes") != "supported"
    assert verdict(song, "Orvo Live runs for more than 3 minutes") == "supported"
