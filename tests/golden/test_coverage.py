"""The cases of this repository alone reach every outcome, every reason and every rule."""

from collections import Counter

from tests.golden.runner import GOLDEN, own_cases, read_cases

CASES = own_cases()

OUTCOMES = {
    "not_settable",
    "caller_controlled",
    "no_identity",
    "conflict",
    "source_invalid",
    "source_placeholder",
    "context_mismatch",
    "row_mismatch",
    "level_mismatch",
    "no_source",
}
DETAILS = {"not_jointly_valid", "search_bound"}
REASONS = {
    None,
    "other_product",
    "weaker_key_only",
    "identity_conflict",
    "no_identity",
    "self",
    "level",
    "not_structured",
}
#: What each rule is about, and how many cases it takes at least.
RULES = {
    "1": ("violations and where they stand", 30),
    "3.0": ("the deciding key and how its values compare", 12),
    "3.1": ("what counts as absent, and records without a complete key", 8),
    "3.2": ("sources that match by a weaker key only, and variants", 8),
    "3.3": ("identity members first, then matching anew", 6),
    "3.4": ("the record itself", 4),
    "3.5": ("levels", 15),
    "3.6": ("the list of sources", 1),
    "4": ("the order of outcomes", 8),
    "4.1": ("leaf by leaf, containers of the wrong kind", 20),
    "4.2": ("rows", 50),
    "4.3": ("context", 20),
    "4.4": ("missing objects", 15),
    "4.5": ("conflicts, empty values and ranks", 30),
    "4.6": ("fills judged together, masked violations", 50),
    "4.7": ("administrative pointers", 7),
    "4.8": ("nothing made up, placeholders", 20),
    "7": ("origins", 8),
}


def rows():
    return [row for case in CASES for row in case["expect"]["unresolved"]]


def choices(expected):
    return expected if isinstance(expected, list) else [expected]


def test_every_outcome_is_expected_without_an_alternative():
    strict = {
        row["outcome"]
        for case in CASES
        if "also_ok" not in case
        for row in case["expect"]["unresolved"]
        if isinstance(row["outcome"], str)
    }
    assert strict == OUTCOMES
    assert sum(len(case["expect"]["fills"]) for case in CASES) > 200


def test_every_detail_and_every_uncovered_kind_is_expected():
    assert {row["detail"] for row in rows() if "detail" in row} >= DETAILS
    uncovered = {outcome for row in rows() if "uncovered_by" in row for outcome in choices(row["outcome"])}
    assert uncovered >= {"not_settable", "no_source", "source_invalid", "conflict", "caller_controlled"}


def test_every_reason_is_expected():
    found = {
        reason
        for case in CASES
        for reason in case["expect"].get("sources", {}).values()
        if not isinstance(reason, list)
    }
    assert found == REASONS


def test_every_rule_has_its_cases():
    counted = Counter(case["rule"] for case in CASES)
    assert counted.keys() == RULES.keys()
    assert {rule: counted[rule] for rule, (_, least) in RULES.items() if counted[rule] < least} == {}


def test_every_profile_is_used():
    names = {path.stem for path in (GOLDEN / "profiles").glob("*.toml")}
    assert {case["profile"] for case in CASES} == names


def test_ids_are_unique_and_every_case_says_why():
    files = sorted(GOLDEN.glob("cases_*.jsonl"))
    assert len(files) == 3
    for cases in [CASES, *(read_cases(path) for path in files)]:
        assert len({case["id"] for case in cases}) == len(cases)
        assert all(case["why"].endswith(".") and case["rule"] for case in cases)
