"""Seeds cut from real published passports: assembly rebuilds what the sources hold, and nothing else."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.golden.make_syntheses import cases_of, is_known, make_cases
from veracord import RecordComposer
from veracord.composer.seeds import survival_problems
from veracord.composer.verification import verify_result
from veracord.composer.verified_seed import GivenSeed
from veracord.errors import RecordGenerationError
from veracord.records.pointers import get, join
from veracord.records.values import MISSING, copy, equal, leaves
from veracord.records.writing import write_json
from veracord.testing import ScriptedModel

DATA = "data/passports"


def held(case):
    """Return the leaves of the passport that the seed or a source has, by place; rows in the order of the passport."""
    return {
        at: value
        for at, value in leaves(case.truth)
        if is_known(case.profile, at) and any(get(holder, at) is not MISSING for holder in (case.seed, *case.sources))
    }


def in_truth(case, record):
    """Return the record with the rows of declared arrays in the order of the passport."""
    turned = dict(record)
    for at, (member,) in case.profile.rows.items():
        rows, true = get(record, at), get(case.truth, at)
        if isinstance(rows, list) and isinstance(true, list):
            order = {row[member[0]]: number for number, row in enumerate(true)}
            node = turned
            for token in at[:-1]:
                node[token] = dict(node[token])
                node = node[token]
            node[at[-1]] = sorted(rows, key=lambda row, order=order, member=member: order[row[member[0]]])
    return turned


def synthesized(case):
    try:
        return RecordComposer(case.profile).synthesize(case.seed, case.pack)
    except RecordGenerationError as error:
        return error


@pytest.mark.slow  # some hundred published schemas are compiled
@pytest.mark.shared(DATA)
def test_records_are_rebuilt_from_published_passports(shared):
    counts, leaves_of, problems = Counter(), Counter(), []
    families = set()
    for case in make_cases(shared / DATA):
        counts["seeds"] += 1
        counts[case.kind] += 1
        families.add(case.family)
        ended = synthesized(case)
        if not case.succeeds:
            if not isinstance(ended, RecordGenerationError):
                problems.append(f"{case.kind} of {case.family} did not fail")
            continue
        wanted = held(case)
        leaves_of["held"] += len(wanted)
        if isinstance(ended, RecordGenerationError):
            counts["refused"] += 1
            problems.append(f"{case.kind} of {case.family}: {ended}")
            continue
        counts["whole"] += 1
        record = in_truth(case, ended.record)
        leaves_of["rebuilt"] += sum(equal(get(record, at), value) for at, value in wanted.items())
        # Rows go back to the order of the passport, so each leaf must be the passport's own.
        wrong = [join(at) for at, value in leaves(record) if not equal(get(case.truth, at), value)]
        problems += [f"{case.kind} of {case.family}: {path} is not the passport's" for path in wrong]
        assert survival_problems(case.profile, case.seed, ended.record) == []
        anew = verify_result(ended.to_dict(), case.pack, profile=case.profile, seed=GivenSeed(case.seed))
        assert (anew.ok, anew.not_checked) == (True, ()), [row for row in anew.rows if not row.ok]
    share = leaves_of["rebuilt"] / leaves_of["held"]
    print(f"{dict(counts)}, families {sorted(families)}, leaves {dict(leaves_of)}, share {share:.4f}")  # noqa: T201 - figures for the reader
    print("\n".join(problems[:20]))  # noqa: T201 - the same
    assert counts["seeds"] >= 500
    assert len(families) >= 5
    assert counts["two sources"] >= 100
    assert counts["rows"] >= 100
    assert counts["missing"] + counts["conflict"] >= 50
    assert share >= 0.99
    assert [problem for problem in problems if "did not fail" in problem or "not the passport's" in problem] == []


BATTERY = "data/passports/catenax/io.catenax.battery.battery_pass/4.0.0/gen"
PREDECESSOR = ("metadata", "predecessor")


@pytest.fixture
def either(shared):
    """A battery passport whose predecessor has two names, either of which its schema admits, but not both."""
    case = next(case for case in cases_of(shared / DATA, shared / BATTERY / "BatteryPass-schema.json"))
    left = get(case.truth, PREDECESSOR)
    register = copy(case.truth)
    register["metadata"]["predecessor"] = {"right": "SN-4711"}
    seed = copy(case.seed)
    seed.get("metadata", {}).pop("predecessor", None)
    return replace(case, seed=seed, sources=(case.truth, register)), left, {"right": "SN-4711"}


def with_predecessor(case, value):
    record = copy(case.truth)
    record["metadata"]["predecessor"] = value
    return write_json(record).decode()


@pytest.mark.shared(BATTERY)
def test_assembly_does_not_choose_between_exclusive_branches(either):
    case, _, _ = either
    error = synthesized(case)
    assert isinstance(error, RecordGenerationError)
    rows = {(row["path"], row["rule"]) for row in error.details["violations"]}
    assert ("/metadata/predecessor", "required") in rows
    assert ("/metadata/predecessor", "source_invalid") in rows
    assert {path for path, _ in rows} == {"/metadata/predecessor"}


@pytest.mark.shared(BATTERY)
@pytest.mark.parametrize("number", [1, 2])
def test_a_model_may_choose_one_of_them(either, number):
    case, chosen = either[0], either[number]
    model = ScriptedModel([with_predecessor(case, chosen)])
    with RecordComposer(case.profile, model) as composer:
        result = composer.synthesize(case.seed, case.pack)
    assert (result.method, result.requests) == ("model", 1)
    assert get(result.record, PREDECESSOR) == chosen
    rows = {row.path: row.evidence_id for row in result.support}
    assert rows[f"/metadata/predecessor/{'left' if number == 1 else 'right'}"] == f"s{number - 1}"
    assert verify_result(result.to_dict(), case.pack, profile=case.profile, seed=GivenSeed(case.seed)).ok


@pytest.mark.shared(BATTERY)
def test_a_model_may_not_choose_both_or_another(either):
    case, left, right = either
    answers = [with_predecessor(case, {**left, **right}), with_predecessor(case, {"right": "SN-4712"})]
    model = ScriptedModel(answers)
    with RecordComposer(case.profile, model) as composer, pytest.raises(RecordGenerationError) as caught:
        composer.synthesize(case.seed, case.pack)
    assert [(row["path"], row["rule"]) for row in caught.value.details["violations"]] == [
        ("/metadata/predecessor/right", "ungrounded")
    ]
    assert "oneOf" not in str(caught.value.details)
    assert len(model.requests) == 2
