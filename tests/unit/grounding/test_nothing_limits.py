"""Names, remarks, counts and sources: what may limit a value keeps it from passing, and what says it again does not."""

import pytest

from tests.unit.gates.gate_cases import check


def verdict(contents, claim):
    evidence = [
        {"id": f"e{number}", "text" if isinstance(one, str) else "content": one}
        for number, one in enumerate(contents, 1)
    ]
    return check(evidence, f"{claim} [e1].").verdict


def product(**fields):
    return {"productId": "K-7", **fields}


LIMITS = [
    {"former": True}, {"until": 2020}, {"terminated": True}, {"applies": False}, {"role": "former"},
    {"type": "candidate"}, {"productId": "K-9"},
    {"kind": "rejected"}, {"for": "lids"}, {"product": "K-9"}, {"probability": 0.2}, {"share_pct": 0},
    {"share": "0 %"}, {"contract": {"ended": True}}, {"nobodyForesaw": "this"},
]  # fmt: skip
HARMLESS = [
    {"id": "x-1"}, {"type": ["Entity"]}, {"registeredId": "90"},
    {"address": {"city": "Ulm"}}, {"email": "a@b.example"}, {"legalForm": "AG"}, {"isActive": True},
    {"status": "active"}, {"deleted": None}, {"withdrawn": False}, {"share_pct": 40},
]  # fmt: skip


@pytest.mark.parametrize("beside", LIMITS)
def test_what_stands_beside_a_name_may_limit_it(beside):
    record = product(supplier={"name": "Alpha AG", **beside})
    assert verdict([record], "The supplier of K-7 is Alpha AG") != "supported"


@pytest.mark.parametrize("beside", HARMLESS)
def test_what_only_describes_the_named_limits_nothing(beside):
    record = product(supplier={"name": "Alpha AG", **beside})
    assert verdict([record], "The supplier of K-7 is Alpha AG") == "supported"


REMARKS = ["rejected", "disputed", "candidate", "K-9", "lid", "50%", "?", "until 2020", "OLD", "2019"]


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize(
    ("field", "value", "claim"),
    [
        ("designer", "Ada Berg", "K-7 was designed by Ada Berg"),
        ("mass", "5 kg", "K-7 weighs 5 kg"),
        ("mass", "5 kg", "The mass of K-7 is more than 4 kg"),
        ("testDate", "2018-05-01", "K-7 was tested before 2020"),
        ("countryOfOrigin", "Germany", "K-7 is from Europe"),
    ],
)
def test_a_remark_in_brackets_may_limit_what_stands_in_front(field, value, claim, remark):
    assert verdict([product(**{field: f"{value} ({remark})"})], claim) != "supported"


@pytest.mark.parametrize(
    ("record", "claim"),
    [
        (product(designer="World Tide Office (WTO)"), "K-7 was designed by World Tide Office"),
        (product(mass="5 kg (5000 g)"), "The mass of K-7 is more than 4 kg"),
        (product(testDate="1 May 2018 (2018-05-01)"), "K-7 was tested before 2020"),
        (
            {"title": ["Ada Berg"], "Born": ["6 May 1952"], "Awards": ["Blue Star (1995)", "Red Star (1999)"]},
            "Ada Berg won the Blue Star",
        ),
        ({"title": ["Ada Berg"], "Born": ["6 May 1952 (age 66) , Ulm, Germany"]}, "Ada Berg was born in Ulm"),
    ],
)
def test_a_remark_that_says_the_same_again_limits_nothing(record, claim):
    assert verdict([record], claim) == "supported"


def test_two_amounts_that_do_not_agree_limit_each_other():
    assert verdict([product(mass="5 kg (9000 g)")], "The mass of K-7 is more than 4 kg") != "supported"


FILLERS = [
    "", "n/a", "TBD", "none", "etc.", "3 more", "and others", "various", "not Beta AG", "Beta AG (former)", "Beta AG?",
    "Alpha AG", "alpha ag", "Beta AG, Gamma AG", "Beta and Gamma", "ex-Beta", "see annex", "-", "u.a.",
]  # fmt: skip


@pytest.mark.parametrize("filler", FILLERS)
@pytest.mark.parametrize(
    "claim", ["K-7 has two suppliers", "K-7 has two different suppliers", "K-7 has more than one supplier",
              "There are two suppliers of K-7"],
)  # fmt: skip
def test_only_plain_names_are_counted(filler, claim):
    assert verdict([product(suppliers=["Alpha AG", filler])], claim) != "supported"


@pytest.mark.parametrize("claim", ["K-7 has two different suppliers", "K-7 has more than one supplier"])
def test_plain_names_are_counted(claim):
    assert verdict([product(suppliers=["Alpha AG", "Beta AG"])], claim) == "supported"


@pytest.mark.parametrize("value", ["unknown", "tbd", "?", "-", "confidential", "various", "other", "see annex", "none"])
def test_two_fields_that_name_nobody_do_not_name_the_same(value):
    record = product(manufacturer=value, importer=value)
    assert verdict([record], "The manufacturer of K-7 is also its importer") != "supported"


@pytest.mark.parametrize(("field", "value"), [("warranty", "n/a"), ("seller", "None"), ("dealer", "to be named")])
def test_what_says_that_there_is_no_value_is_none(field, value):
    assert verdict([product(**{field: value})], f"The {field} of K-7 is {value}") != "supported"


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Beta AG is the distributor of K-7", False),
        ("K-7 has the distributor Beta AG", False),
        ("Beta AG is a distributor of K-7", True),
    ],
)
def test_one_of_a_list_is_not_the_one(claim, expected):
    record = product(distributors=["Alpha AG", "Beta AG"])
    assert (verdict([record], claim) == "supported") is expected


TWO, THREE = {"suppliers": ["Alpha AG", "Beta AG"]}, {"suppliers": ["Alpha AG", "Beta AG", "Gamma AG"]}
ORIGIN, MIX = product(countryOfOrigin="DE"), product(composition="64% steel, 36% wood")
HYDRA = {"title": "Hydra", "Type": "Pump", "Country": "Germany"}


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ([product(**TWO), product(**THREE)], "K-7 has two suppliers"),
        ([product(**TWO), THREE], "K-7 has fewer than three suppliers"),
        ([product(**TWO), product(**THREE)], "The suppliers of K-7 are Alpha AG and Beta AG"),
        ([product(**TWO), "The suppliers of K-7 are Alpha AG, Beta AG and Gamma AG."], "K-7 has two suppliers"),
        ([MIX, "K-7 is mostly glass."], "K-7 is mostly steel"),
        ([ORIGIN, "K-7 is not from Europe."], "K-7 is from the EU"),
        ([ORIGIN, "The product is made in China."], "K-7 is from Germany"),
        (["K-7 is from Germany.", "K-7 is from China."], "K-7 is from Germany"),
        ([HYDRA, {**HYDRA, "Type": "Fan", "Country": "China"}], "Hydra is a German pump"),
    ],
)
def test_what_is_told_otherwise_does_not_follow(evidence, claim):
    assert verdict(evidence, claim) != "supported"


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ([product(**TWO), product(**TWO)], "K-7 has two suppliers"),
        ([product(**TWO), {"productId": "K-9", **THREE}], "K-7 has two suppliers"),
        ([MIX, "K-9 is mostly glass."], "K-7 is mostly steel"),
        ([ORIGIN, "K-9 is from China."], "K-7 is from the EU"),
        ([ORIGIN, "K-7 is from Germany."], "K-7 is from the EU"),
        ([ORIGIN, "K-7 is not from China."], "K-7 is from the EU"),
        ([HYDRA, HYDRA], "Hydra is a German pump"),
    ],
)
def test_what_is_told_alike_or_of_another_follows(evidence, claim):
    assert verdict(evidence, claim) == "supported"
