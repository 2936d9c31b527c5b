"""Kinds that the fields of a record tell, names that end like a sentence, and further wordings of a field."""

import pytest

from tests.unit.gates.gate_cases import check, records
from veracord.grounding.marked_names import is_marked_name


def verdict(record, claim):
    return check(records(record), f"{claim} [e1].").verdict


HORSE = {
    "title": ["Dart"], "Sire": ["Hop"], "Dam": ["Lady"], "Foaled": ["April 1, 2009"], "Country": ["Ireland"],
    "Sex": ["Mare"], "Earnings": ["$5,000"], "Trainer": ["Cy Fenn"], "Owner": ["1) Ada B. Low , 2) Bo E. Orr"],
}  # fmt: skip
PICTURE = {
    "title": ["Harbour"], "Artist": ["Ada Berg"], "Year": ["1862"], "Type": ["Oil on wood"], "Dimensions": ["9 cm"],
    "Location": ["Town Museum, Leeds"],
}  # fmt: skip
MARKED = {
    "title": ["Hop, Hop, Stop!"], "Artist": ["Ada Berg"], "Year": ["1888"], "Medium": ["Oil on canvas"],
    "Dimensions": ["9 cm"],
}  # fmt: skip
PUMP = {"productName": "Hop!", "mass": {"value": 5, "unit": "kg"}}
SENTENCE = {"productName": "Soap. It is safe.", "mass": {"value": 5, "unit": "kg"}}
DOTTED = {
    "title": ["ORV"], "Also known as": ["O.R.V"], "Origin": ["Leeds, England"], "Genres": ["Death metal", "Pop"],
    "Years active": ["1995 - 2001"], "Labels": ["Isle"], "Instruments": ["Drums"],
}  # fmt: skip
AWARD = {"title": ["Star Awards"], "First awarded": ["1995"], "Last awarded": ["2014"]}
PERSON = {"title": ["Ada Berg"], "Born": ["1950"], "Occupation": ["Singer", "actor"], "Spouse": ["Bo Orr"]}
TEST = {"productId": "P-1", "testDate": "2025-04-20"}
EVENT = {"title": ["Hall Fire"], "Date": ["15 April 1989"]}

CASES = {
    "horses": (
        HORSE,
        ["Dart is an Irish racehorse", "Dart was a female racehorse", "Dart is an Irish mare"],
        ["Dart is an American racehorse", "Dart is a male racehorse", "Dart is an Irish stallion", "Dart is a dog",
         "Dart is not an Irish racehorse", "Dart is the only Irish racehorse", "Dart is a famous Irish racehorse"],
    ),
    "no horse": (
        {**HORSE, "Foaled": None, "Sire": None}, [], ["Dart is an Irish racehorse"],
    ),
    "seasons of a plain date": (
        HORSE,
        ["Dart was foaled in the spring", "Dart was born in the spring of 2009"],
        ["Dart was foaled in the fall", "Dart was foaled in the spring of 2008", "Dart was not foaled in the spring",
         "Dart died in the spring"],
    ),
    "seasons of products": (
        TEST, ["It was tested in the spring of 2025"],
        ["It was tested in the fall of 2025", "The spring was tested on 20 April 2025",
         "The spring was tested in 2025", "It was painted in the spring"],
    ),
    "events": (
        EVENT, ["The Hall Fire happened in the spring time", "The Hall Fire took place on 15 April 1989"],
        ["The Hall Fire happened in the summer time", "The Barn Fire happened in the spring time"],
    ),
    "numbered names": (
        HORSE,
        [],
        ["Dart is owned by Ada B. Low and Bo E. Orr", "Dart is owned by Ada B. Low and Cy Fenn",
         "Dart was owned by Ada C. Low", "Dart was trained by Ada B. Low"],
    ),
    "pictures": (
        PICTURE,
        ["Harbour is an oil painting", "Harbour is an oil painting created by Ada Berg",
         "Harbour is an oil painting hanging in the Town Museum"],
        ["Harbour is a watercolour painting", "Harbour is an oil painting created by Bo Orr",
         "Harbour is an oil painting hanging in the City Museum"],
    ),
    "something of a kind": (
        PICTURE,
        ["Ada Berg painted a picture in 1862", "Ada Berg painted at least one oil painting"],
        ["Ada Berg painted a picture in 1863", "Bo Orr painted a picture in 1862", "Ada Berg painted two pictures",
         "Ada Berg painted a fresco in 1862", "Ada Berg painted at least two oil paintings",
         "Ada Berg never painted a picture", "Ada Berg only painted a picture in 1862", "An oil painting has 9 cm",
         "Ada Berg painted a large picture in 1862"],
    ),
    "a name that ends like a sentence": (
        MARKED,
        ["Hop, Hop, Stop! was created in 1888", "Hop, Hop, Stop! is a 19th century work of art",
         "Ada Berg painted Hop, Hop, Stop! in 1888"],
        ["Hop, Hop, Stop! was created in 1889", "Hop, Hop, Stop! is an 18th century work of art",
         "Hop, Hop, Stop! It is red", "Hop, Hop, Stop! is red", "Hop, Hop, Stop! was created in 1888! it is red",
         "Hop, Hop, Go! was created in 1888"],
    ),
    "a product whose name ends like a sentence": (
        PUMP, ["Hop! has a mass of 5 kg"],
        ["It is Hop! its mass is 5 kg", "The product is Hop! the mass is 5 kg", "Hop! the mass is 5 kg",
         "Hop! has a mass of 6 kg", "Hop! It has a mass of 6 kg", "Hop! contains lead", "Stop! has a mass of 5 kg"],
    ),
    "a name that is a sentence": (
        SENTENCE, [],
        ["Soap. It is safe. has a mass of 5 kg", "The mass is 5 kg. Soap. It is safe. the mass is 5 kg"],
    ),
    "abbreviations": (
        DOTTED, ["O.R.V. comes from Leeds", "O.R.V comes from Leeds"],
        ["O.R.V. comes from Hull", "O.R.W. comes from Leeds", "O.R.V. comes from Leeds. it is loud"],
    ),
    "origins": (
        DOTTED, ["Leeds is the origin of the death metal band ORV", "Leeds is the origin of ORV"],
        ["Hull is the origin of ORV", "Leeds is the origin of the jazz band ORV", "ORV is the origin of Leeds",
         "Leeds is not the origin of ORV"],
    ),
    "labels": (
        DOTTED, ["ORV is under the Isle label", "ORV was signed to the Isle record label"],
        ["ORV is under the Pier label", "ORV is not under the Isle label", "ORV left the Isle label"],
    ),
    "turned": (
        {"productId": "P-1", "title": "Hopper", "manufacturer": "Acme", "colour": "red", "supplier": "Alpha AG"},
        ["Acme is the manufacturer of Hopper", "The manufacturer of Hopper is Acme", "The colour of Hopper is red",
         "Hopper has the colour of red"],
        ["Hopper is the manufacturer of Acme", "The manufacturer of Acme is Hopper",
         "Hopper is the supplier of Alpha AG", "Hopper is a supplier of Alpha AG",
         "Hopper is manufacturer of Acme",
         "The supplier of the Alpha AG is Hopper"],
    ),
    "notes are no negation": (
        {"productId": "P-1", "notes": {"colour": "red", "timestamp": "2026-01-26T14:36:26Z"}, "note": "heavy"}, [],
        ["The colour is not red", "The colour of P-1 is not red", "The product is not heavy",
         "The timestamp is not 2026-01-26"],
    ),
    "types of": (
        {"title": "Hopper", "Type": "Pump", "Place of origin": "Ulm"},
        ["Hopper is a type of pump", "Hopper is a type of pump from Ulm"],
        ["Hopper is a type of valve", "Hopper is a type of pump from Bonn"],
    ),
    "who did it, and where": (
        {"productId": "P-1", "manufacturer": "Acme, Ulm, Germany"}, [],
        ["It was manufactured by Acme in Germany", "It was manufactured by Acme in Ulm", "It was manufactured by Acme"],
    ),
    "numbers of things": (
        {"productId": "P-1", "numberOfCells": 96, "module": {"numberOfBolts": 8},
         "numberOfFuses": {"value": 5, "unit": "kg"}},
        ["The product has 96 cells", "P-1 contains 96 cells", "The product has more than 90 cells",
         "The module of P-1 has 8 bolts"],
        ["The product has 95 cells", "The product has more than 96 cells", "The product has 96 different cells",
         "The product has 96 lithium cells", "The product may have 96 cells", "The product does not have 96 cells",
         "Product P-2 has 96 cells", "The product has only 96 cells", "P-1 has 8 bolts", "The product has 5 fuses",
         "The product has 96 spare cells", "The product has about 90 cells"],
    ),
    "bounded numbers of things": (
        {"productId": "P-1", "numberOfCells": {"operator": ">", "value": 4}, "maximumNumberOfBolts": 8,
         "packaging": {"numberOfBoxes": 3}},
        ["The product has more than 4 cells"],
        ["The product has 4 cells", "The product has 8 bolts", "The product has 3 boxes"],
    ),
    "addresses": (
        {"title": ["Orvo"], "Website": ["www .orvo .com"], "Shop": ["http://shop.orvo.com/A/"]},
        ["The website of Orvo is www.orvo.com", "Orvo's website is www.orvo.com"],
        ["The website of Orvo is orvo.com", "The website of Orvo is www.orvo.org", "The shop of Orvo is shop.orvo.com",
         "The shop of Orvo is http://shop.orvo.com/A", "The website of Orvo is shop.orvo.com/A",
         "The website of Orva is www.orvo.com", "The website of Orvo is not www.orvo.com"],
    ),
    "event dates": (
        {"title": ["Curling at the Games"], "Dates": ["7-19 February"]},
        ["Curling at the Games took place in February", "Curling at the Games was held from 7 to 19 February",
         "Curling at the Games was played between the 7th and the 19th of February",
         "Curling at the Games was held from 7 February to 19 February"],
        ["Curling at the Games took place in March", "Curling at the Games was held from 7 to 18 February",
         "Curling at the Games took place in February 1984", "Curling at the Fair took place in February",
         "Curling at the Games did not take place in February", "Curling at the Games took place in early February",
         "Curling at the Games was held from 7 to 19 February 1984", "Curling at the Games started in February 7"],
    ),
    "event dates in two months": (
        {"title": ["Fair"], "Dates": ["28 July - 3 August 2012"]},
        ["Fair was held from 28 July to 3 August 2012", "Fair ran from 28 July to 3 August"],
        ["Fair took place in July 2012", "Fair took place in August", "Fair ran from 28 to 3 August",
         "Fair ran from 28 July to 3 August 2011"],
    ),
    "awards": (
        AWARD,
        ["The Star Awards first award was handed out in 1995", "The Star Awards was first given in 1995",
         "The Star Awards last award was given in 2014"],
        ["The Star Awards first award was handed out in 2014", "The Star Awards last award was given in 1995",
         "The Sun Awards first award was handed out in 1995"],
    ),
    "work": (
        PERSON, ["Ada Berg is known for her work as a singer"],
        ["Ada Berg is known for her work as a painter", "Bo Orr is known for his work as a singer",
         "Ada Berg is not known for her work as a singer", "Ada Berg is known for her work as a jazz singer"],
    ),
}  # fmt: skip
HOLDS = [(name, claim) for name, case in CASES.items() for claim in case[1]]
HOLDS_NOT = [(name, claim) for name, case in CASES.items() for claim in case[2]]


@pytest.mark.parametrize(("name", "claim"), HOLDS)
def test_what_a_record_tells_is_supported(name, claim):
    assert verdict(CASES[name][0], claim) == "supported"


@pytest.mark.parametrize(("name", "claim"), HOLDS_NOT)
def test_what_it_does_not_tell_is_not(name, claim):
    assert verdict(CASES[name][0], claim) in ("unsupported", "undecided")


@pytest.mark.parametrize("text", ["Hop, Hop, Stop!", "Hop! Stop!", "Acme Bros.", "Isle of Man Co."])
def test_a_name_may_end_like_a_sentence(text):
    assert is_marked_name(text)


@pytest.mark.parametrize(
    "text",
    ["Soap. It is safe.", "Soap. Safe.", "Contains Lead!", "Soap! Buy it!", "The Lid Is Red!", "IT IS SAFE.",
     "No Lead!", "May Burn!", "Soap", "a lid!", "x" * 90 + "!"],
)  # fmt: skip
def test_what_may_be_a_sentence_is_no_name(text):
    assert not is_marked_name(text)
