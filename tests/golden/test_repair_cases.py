"""Every repair case, and what must hold for each of them under another order and in a second repair."""

import json
from decimal import Decimal

import pytest

from tests.golden.runner import (
    differences,
    in_other_orders,
    load_profile,
    own_cases,
    own_profile,
    repair,
    same,
    shuffled_members,
)
from veracord import EvidencePack, read_record
from veracord.composer.explanation import explain
from veracord.composer.verification import verify_result
from veracord.records.writing import write_json

OWN = [pytest.param(case, id=case["id"]) for case in own_cases()]
SHARED = pytest.mark.shared("cases/repair/cases.jsonl")
SHARED_PROFILES = {"passport": "profile.toml", "other": "other/profile.toml"}


def shared_profile(shared, case):
    return load_profile(shared / "cases" / "repair" / SHARED_PROFILES[case["profile"]])


def check_expectation(case, profile):
    _, found = differences(case, profile)
    assert not found, "\n".join([case["why"], *found])


def check_order(case, profile):
    expected = repair(case, profile).to_dict()
    for evidence in in_other_orders(case["evidence"]):
        assert same(repair(case, profile, evidence=evidence).to_dict(), expected)
    for seed in range(2):
        record = shuffled_members(case["record"], seed)
        evidence = [shuffled_members(item, seed) for item in case["evidence"]]
        assert same(repair(case, profile, record, evidence).to_dict(), expected)


def check_repetition(case, profile):
    first = repair(case, profile)
    second = repair(case, profile, record=first.record)
    assert second.fills == ()
    assert [row.path for row in second.unresolved] == [row.path for row in first.unresolved]
    assert same(second.record, first.record)


def check_text(case, profile):
    text = write_json(case["record"])
    from_text = repair(case, profile, record=read_record(text))
    in_memory = repair(case, profile)
    assert same(from_text.to_dict(), in_memory.to_dict())
    assert same(read_record(from_text.record_text()).value, in_memory.record)
    if not from_text.fills:
        assert from_text.record_text() == text


def check_told(case, profile):
    result = repair(case, profile)
    told = json.loads(result.to_json(), parse_float=Decimal)
    assert same(told, result.to_dict())
    pack = EvidencePack.from_items(case["evidence"])
    verification = verify_result(told, pack)
    assert verification.ok
    assert len(verification.rows) == len(result.fills)
    anew = verify_result(told, pack, profile=profile)
    assert anew.ok, [row for row in anew.rows if not row.ok]
    for path in {row.path for row in (*result.fills, *result.unresolved)}:
        assert explain(told, path).lines()


CHECKS = [check_expectation, check_order, check_repetition, check_text, check_told]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("case", OWN)
def test_own_case(case, check):
    check(case, own_profile(case["profile"]))


@SHARED
@pytest.mark.parametrize("check", CHECKS)
def test_shared_case(shared, shared_case, check):
    check(shared_case, shared_profile(shared, shared_case))
