"""What follows from the numbers, lists and names of one record: a table for each rule, with both sides."""

import pytest

from tests.unit.gates.gate_cases import check, records
from veracord.grounding.plain_amounts import with_plain_amounts

SIZES = {
    "productId": "K-7",
    "grossWeight": {"value": 6, "unit": "kg"},
    "netWeight": {"value": 3000, "unit": "g"},
    "length": {"value": 120, "unit": "mm"},
    "width": {"value": 6, "unit": "cm"},
    "height": {"value": 60, "unit": "mm"},
    "thickness": "about 3 mm",
    "maxTemperature": {"value": 40, "unit": "°C"},
    "minTemperature": {"value": 20, "unit": "°C"},
    "storageTemperature": {"operator": "<", "value": 60, "unit": "°C"},
    "tareWeight": {"value": 3, "unit": "kg", "tolerance": {"value": 1, "unit": "kg"}},
    "land": "5 ha (0.05 km2)",
    "water": "2 ha",
    "packaging": {"mass": {"value": 2, "unit": "kg"}},
    "screws": 12,
    "nuts": 8,
    "voltage": 12,
    "current": 8,
    "lid": {"rivets": 20},
}
COUNTS = {
    "productId": "K-7",
    "numberOfCells": 18,
    "number_of_ports": 4,
    "numberOfLanguages": 3,
    "No. of events": 16,
    "minimumNumberOfBolts": 3,
    "numberOfSpares": {"operator": ">=", "value": 4},
    "suppliers": ["Alpha AG", "Beta AG"],
    "labels": ["Isle", "Harbour", "Pier"],
    "genres": ["folk", "jazz"],
    "colours": ["red", "blue"],
    "sealTypes": ["flat", "flat"],
    "lid": {"numberOfScrews": 5},
}
TEAMS = {
    "productId": "K-7",
    "designTeam": ["Ada Berg", "Chair: Bo Ek", "Di Fenn"],
    "council": ["Alpha AG", "Beta AG"],
    "panel": ["Ada Berg", "Bo Ek and Cy Orr"],
    "board": ["formerly Ada Berg", "Bo Ek"],
    "producedBy": ["Alpha AG", "Beta Ltd"],
    "directedBy": ["Ada Berg", "Bo Ek"],
    "starring": ["Ada Berg", "Bo Ek"],
}
MIXED = {"productId": "K-7", "composition": ["64% steel", "30% glass", "6% others"]}
HALVED = {"productId": "K-7", "composition": ["50% steel", "50% glass"]}
PEOPLE = {"title": "Republic of Orvo", "Ethnic groups (2012)": ["64% Orvan", "36% other"], "Religion": ["None"]}
HOLDERS = {
    "productId": "K-7",
    "manufacturer": "Alpha AG",
    "importer": "Alpha AG",
    "supplier": "Beta Ltd",
    "owner": "Alpha",
    "operator": "ABC",
    "builder": "Ada Berg",
    "designer": "Ada Berg",
    "distributors": ["Alpha AG", "Beta Ltd"],
    "trainer": "formerly Alpha AG",
    "publisher": "Gamma AG, Delta AG",
    "packaging": {"supplier": "Alpha AG"},
}
ROLES = {
    "productId": "K-7",
    "manufacturer": "Alpha AG",
    "distributors": ["Alpha AG", "Beta Ltd"],
    "suppliers": ["Beta Ltd", "Gamma AG"],
    "owner": "Alpha",
    "importers": ["Alpha AG and Delta AG", "Beta Ltd"],
    "operators": ["Alpha AG (until 2020)", "Beta Ltd"],
    "directedBy": "Ada Berg",
    "writtenBy": ["Ada Berg", "Bo Ek"],
    "editedBy": ["Bo Ek", "Cy Orr"],
}
EVENTS = {
    "title": "Orvo Pump",
    "builtOn": "2025-01-10",
    "testDate": "2025-03-20",
    "deliveryDate": "2026-01-02",
    "designed": "Ulm, Germany",
    "moulded": "Bonn, Germany",
    "assembled": "Lyon, France",
    "painted": "Springfield",
}
AMOUNTS = {
    "productId": "K-7",
    "price": {"value": 500000, "unit": "EUR"},
    "population": "1,600,000",
    "screws": 12,
    "nuts": 30,
    "bolts": 18,
}
FILM = {
    "title": "Low Tide",
    "Directed by": "Ada Berg",
    "Produced by": ["Bo Ek", "Cy Orr"],
    "Running time": "128 minutes",
    "Starring": "Di Fenn",
    "Budget": "$4 million",
    "Box office": "$9 million",
}
HORSE = {"title": "Bay Star", "Sire": "Moon", "Dam": "Sun", "Earnings": "$1,500,000"}

CASES = {
    "ratios": (
        SIZES,
        ["The gross weight is twice the net weight", "The gross weight of K-7 is twice its net weight",
         "The net weight is half of the gross weight",
         "The gross weight is at least 1.5 times as high as the net weight",
         "The net weight is less than two thirds of the gross weight", "The length is more than 1.5 times the width"],
        ["The gross weight is half the net weight", "The gross weight is almost twice the net weight",
         "The gross weight is about twice the net weight", "The gross weight is more than twice the net weight",
         "The gross weight is at least twice the net weight", "The gross weight is not twice the net weight",
         "The gross weight may be twice the net weight", "The gross weight will be twice the net weight",
         "The gross weight of K-8 is twice its net weight", "The max temperature is twice the min temperature",
         "The max temperature is less than three times the min temperature",
         "The max temperature is lower than three times the min temperature", "The net weight is the same as twice it",
         "The gross weight is three times more than the net weight", "The gross weight is twice the tare weight",
         "The mass of the packaging is less than half of the gross weight"],
    ),
    "differences": (
        SIZES,
        ["The gross weight of K-7 is 3 kg more than its net weight",
         "The net weight is 3 kg lower than the gross weight",
         "The gross weight is 3000 g higher than the net weight",
         "The gross weight is more than 2 kg higher than the net weight"],
        ["The gross weight is 3 kg less than the net weight", "The gross weight is 4 kg more than the net weight",
         "The gross weight is about 3 kg more than the net weight", "The gross weight is 3 g more than the net weight",
         "The gross weight is 3 more than the net weight", "The gross weight is 3 kg more than the tare weight",
         "The gross weight is more than 3 kg higher than the net weight"],
    ),
    "sizes": (
        SIZES,
        ["K-7 is longer than it is wide", "K-7 is narrower than it is long",
         "The product is twice as long as it is wide",
         "The product is exactly as wide as it is high", "K-7 has more land area than water area",
         "K-7 has a larger land than water area", "K-7 has less water than land", "K-7 has more screws than nuts",
         "The product has fewer nuts than screws", "K-7 has a higher gross weight than net weight",
         "K-7 has a heavier gross than net weight"],
        ["K-7 is wider than it is long", "K-7 is wider than it is high", "K-7 is twice as wide as it is long",
         "K-7 is longer than it is thick", "K-7 has more water than land", "K-7 has more nuts than screws",
         "K-7 has more voltage than current", "K-7 has more current than land",
         "K-7 has a longer gross than net weight",
         "K-7 has more steel screws than nuts", "K-7 does not have more screws than nuts",
         "K-7 has more screws than nuts in the lid", "K-7 has more rivets than nuts", "K-8 has more screws than nuts",
         "K-7 has more gross weight than packaging mass", "K-7 is almost as wide as it is high"],
    ),
    "counts": (
        COUNTS,
        ["The product has 18 cells", "K-7 contains 18 cells", "There are 18 cells in K-7", "K-7 has more than 10 cells",
         "K-7 has four ports", "K-7 has 16 different events", "K-7 has three different languages",
         "There are two suppliers of K-7", "There are two different colours of K-7", "K-7 was released on three labels",
         "K-7 has been on more than two record labels", "K-7 has made music on multiple different record labels",
         "K-7's music belongs to more than one musical genre", "The lid of K-7 has 5 screws"],
        ["K-7 has 19 cells", "K-7 has more than 18 cells", "K-7 has 18 different cells", "K-7 has about 18 cells",
         "K-7 has 18 cells in the lid", "K-8 has 18 cells", "K-7 may have 18 cells", "K-7 does not have 18 cells",
         "K-7 has only 18 cells", "K-7 has 18 steel cells", "K-7 has 3 bolts", "K-7 has 4 spares", "K-7 has 5 screws",
         "K-7 has a total of 18 cells", "K-7 has two different seal types", "There are three suppliers of K-7",
         "There were once 18 cells in K-7", "K-7 was released on two labels", "K-7 was released on only three labels",
         "K-7 was released on fewer than three labels", "K-7 has made music for more than three labels",
         "K-7's music belongs to more than two genres"],
    ),
    "people": (
        TEAMS,
        ["K-7 has three people on the design team", "K-7 has more than two people that are on the design team",
         "K-7 was produced by two companies", "K-7 was directed by two people", "K-7 has two starring actors"],
        ["K-7 has four people on the design team", "K-7 has fewer than three people on the design team",
         "K-7 has two people on the council", "K-7 has two people on the panel", "K-7 has two people on the board",
         "K-7 has three people on the team", "K-7 has three women on the design team",
         "K-7 has only three people on the design team", "K-7 was produced by two people",
         "K-7 was directed by two companies", "K-7 was directed by two men", "K-7 has three starring actors"],
    ),
    "shares": (
        MIXED,
        ["K-7 is mostly steel", "The product is mainly made of steel", "K-7 consists mainly of steel",
         "Most of K-7 is steel", "More than half of K-7 is steel", "Less than half of K-7 is glass",
         "The main material of K-7 is steel", "K-7's main material is steel", "Steel is the largest component of K-7",
         "K-7 is predominantly steel by composition"],
        ["K-7 is mostly glass", "K-8 is mostly steel", "K-7 is not mostly steel", "K-7 is mostly recycled steel",
         "K-7 is mostly steel by race", "Less than half of K-7 is steel", "The lid of K-7 is mostly steel",
         "Most of K-7 is steel and glass", "K-7 is almost entirely steel", "Glass is the main material of K-7",
         "K-7 will be mostly steel", "Most K-7 are steel", "K-7 is mostly aluminium"],
    ),
    "halves": (HALVED, [], ["K-7 is mostly steel", "Less than half of K-7 is steel", "K-7's main material is steel"]),
    "shares of people": (
        PEOPLE,
        ["The Republic of Orvo is mostly Orvan", "The Republic of Orvo is mostly Orvan as far as ethnic groups go"],
        ["The Republic of Orvo is mostly other", "The Republic of Orvo is mostly Orvan by religion"],
    ),
    "same holders": (
        HOLDERS,
        ["The manufacturer of K-7 is also its importer", "K-7 was imported by the company that manufactured it",
         "The manufacturer and the importer of K-7 are the same company", "K-7 was designed by the person who built it",
         "The manufacturer and importer of the product are the same",
         "The manufacturer and the supplier of K-7 are different companies"],
        ["The manufacturer of K-7 is also its supplier", "The manufacturer of K-7 is also its owner",
         "The manufacturer and the owner of K-7 are different companies", "The manufacturer of K-7 is also its trainer",
         "The manufacturer and the operator of K-7 are different companies",
         "The manufacturer of K-7 is also its distributor", "The manufacturer of K-8 is also its importer",
         "The manufacturer of K-7 is not also its importer", "The manufacturer of K-7 may also be its importer",
         "The sole manufacturer of K-7 is also its importer", "K-7 was supplied by the company that manufactured it",
         "K-7 was imported by the person that manufactured it", "K-7 was designed by the company that built it",
         "The manufacturer and the publisher of K-7 are different", "K-7 was built and designed by the same company",
         "The supplier of the packaging of K-7 is also its importer", "K-7 was built and designed by the same woman"],
    ),
    "overlaps": (
        ROLES,
        ["The manufacturer of K-7 is also one of its distributors", "The manufacturer of K-7 is also a distributor",
         "One of the distributors of K-7 is also its manufacturer",
         "One of the distributors of K-7 is also one of its suppliers", "Someone both directed and wrote K-7",
         "At least one person both wrote and edited K-7",
         "In at least one case, the same person was involved with writing and editing K-7"],
        ["The manufacturer of K-7 is also its distributor", "The manufacturer of K-7 is also one of its suppliers",
         "The owner of K-7 is also one of its distributors", "The distributor of K-7 is also one of its suppliers",
         "One of the distributors of K-7 is also its supplier", "At least one company both wrote and edited K-7",
         "One of the importers of K-7 is also one of its distributors",
         "One of the operators of K-7 is also one of its distributors",
         "At least one person both directed and edited K-7", "Two people both wrote and edited K-7",
         "The same person was involved with writing and editing K-7", "The same person wrote and edited K-7",
         "The manufacturer of K-8 is also one of its distributors",
         "The manufacturer of K-7 is not also one of its distributors",
         "The manufacturer of K-7 is also one of its only distributors",
         "The manufacturer of K-7 was once also one of its distributors",
         "One of the distributors of K-7 may also be its manufacturer",
         "One of the distributors of K-7 is also the sole manufacturer"],
    ),
    "same events": (
        EVENTS,
        ["Orvo Pump was built in the same year as it was tested", "Orvo Pump was built and tested in the same year",
         "Orvo Pump was built in a different year than it was delivered",
         "Orvo Pump was designed in the same country as it was moulded",
         "Orvo Pump was designed and assembled in different countries"],
        ["Orvo Pump was built in the same year as it was delivered",
         "Orvo Pump was built and tested in different years",
         "Orvo Pump was built and repaired in the same year", "Orvo Pump was built in the same month as it was tested",
         "Orvo Pump was designed in the same country as it was assembled",
         "Orvo Pump was designed in a different country than it was painted",
         "Orvo Pump was not built and tested in the same year"],
    ),
    "same sizes": (
        SIZES,
        ["The width and the height of K-7 are the same", "The length and the height of K-7 are different"],
        ["The length and the height of K-7 are the same", "The width and the height of K-7 are different",
         "The width and the height of K-7 are almost the same", "The nuts and the current of K-7 are the same"],
    ),
    "amounts": (
        AMOUNTS,
        ["The price is half a million euros", "The population is more than one and a half million",
         "The population is less than two and a half million", "K-7 has a dozen screws",
         "K-7 has more than two dozen nuts", "K-7 has one and a half dozen bolts",
         "The price is more than a quarter of a million euros", "The price is about half a million euros"],
        ["The price is over half a million euros", "The price is half a million dollars",
         "The price is not half a million euros", "The population is less than one and a half million",
         "K-7 has dozens of nuts", "K-7 has a baker's dozen screws", "K-7 has half a dozen screws",
         "The price is less than a quarter of a million euros", "The price is nearly half a million euros"],
    ),
    "subjects": (
        FILM,
        ["The film was produced by two people", "The film has two producers", "Low Tide earned 2.25 times its budget",
         "The film earned more than 2 times its budget",
         "The box office of Low Tide is $5 million more than its budget",
         "Low Tide made more than twice as much as it cost to make"],
        ["The album was produced by two people", "The film was produced by three people",
         "The film was not produced by two people", "The film earned more than 3 times its budget",
         "Low Tide earned almost 3 times its budget", "Low Tide made twice as much as it cost to make",
         "The box office of Low Tide is $6 million more than its budget"],
    ),
    "earnings": (
        HORSE,
        ["Bay Star earned less than two million dollars in its career", "Bay Star earned more than 1 million dollars"],
        ["Bay Star earned less than one million dollars in its career",
         "Bay Star earned less than two million dollars in its first year",
         "Bay Star earned less than two million euros in its career"],
    ),
}  # fmt: skip

#: Records of which nobody can tell that the thing is mostly of steel.
NO_SHARES = [
    {"recycledContent": ["64% steel", "36% glass"]},
    {"composition": ["up to 64% steel", "36% glass"]},
    {"composition": ["64% steel", "20% glass"]},
    {"composition": ["64% steel (estimated)", "36% glass"]},
    {"composition": ["64% recycled steel", "36% glass"]},
    {"composition": ["64% steel", "36% glass"], "compositionNote": "lid only"},
    {"composition": ["64% steel", "36% glass"], "status": "unverified"},
    {"composition": ["64% steel", "36% glass"], "material": "aluminium"},
    {"composition (2012)": ["64% steel", "36% glass"]},
    {"lid": {"composition": ["64% steel", "36% glass"]}},
    {"packaging": {"composition": ["64% steel", "36% glass"]}},
    {"target": {"composition": ["64% steel", "36% glass"]}},
]


def verdict(record, claim):
    return check(records(record), f"{claim} [e1].").verdict


@pytest.mark.parametrize(("rule", "claim"), [(rule, claim) for rule, case in CASES.items() for claim in case[1]])
def test_what_follows_is_supported(rule, claim):
    assert verdict(CASES[rule][0], claim) == "supported"


@pytest.mark.parametrize(("rule", "claim"), [(rule, claim) for rule, case in CASES.items() for claim in case[2]])
def test_what_does_not_follow_is_not_supported(rule, claim):
    assert verdict(CASES[rule][0], claim) in ("unsupported", "undecided")


@pytest.mark.parametrize("record", NO_SHARES, ids=str)
def test_shares_that_are_not_the_whole_of_the_thing_say_nothing(record):
    for subject in ("K-7", "The product", "It"):
        assert verdict({"productId": "K-7", **record}, f"{subject} is mostly steel") != "supported"


@pytest.mark.parametrize(
    "claim", ["K-7 has more screws than nuts", "K-7 is mostly steel", "K-7 is longer than it is wide"]
)
def test_a_source_that_says_otherwise_keeps_a_comparison_from_passing(claim):
    own = {
        "productId": "K-7", "screws": 12, "nuts": 8, "composition": ["64% steel", "36% glass"],
        "length": {"value": 9, "unit": "cm"}, "width": {"value": 7, "unit": "cm"},
    }  # fmt: skip
    other = {**own, "screws": 5, "composition": ["64% glass", "36% steel"], "length": {"value": 6, "unit": "cm"}}
    assert check(records(own, {**own, "productId": "K-8"}), f"{claim} [e1].").verdict == "supported"
    assert check(records(own, other), f"{claim} [e1].").verdict != "supported"
    assert check(records(own, {**own, "productId": "K-8"}), f"{claim} [e2].").verdict != "supported"


def test_the_film_is_nobody_where_two_records_are_of_films():
    evidence = records(FILM, {**FILM, "title": "High Tide"})
    assert check(evidence, "The film was produced by two people [e1].").verdict != "supported"


def test_a_company_earns_nothing_in_a_career():
    assert verdict({"title": "Orvo", "Earnings": "$1,500,000"}, "Orvo earned $1,500,000 in its career") != "supported"


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("half of a million", "500000"),
        ("two and a half million", "2500000"),
        ("a million and a half", "1500000"),
        ("three quarters of a million", "750000"),
        ("a quarter of a dozen", "3"),
        ("twenty-two and a half million", "twenty-two and a half million"),
        ("one hundred and two and a half million", "one hundred and two and a half million"),
        ("2.5 and a half million", "2.5 and a half million"),
        ("half a millionaire", "half a millionaire"),
        ("the first half million", "the first half million"),
    ],
)
def test_amounts_in_words_are_written_exactly_or_not_at_all(said, plain):
    assert with_plain_amounts(said) == plain
