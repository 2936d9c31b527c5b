"""The decision table: every case of ``decisions.csv`` through a real pipeline.

What the columns mean stands in ``make_decisions.py``, which wrote the file without any code of the package.  Each case
is run as it is, and with a second producer behind it, which must be asked exactly when the value advances.
"""

import ast
import asyncio
import csv
import importlib.util
from itertools import groupby

import pytest

from tests.golden.runner import GOLDEN
from veracord.errors import (
    ModelCeilingError,
    ModelOutputError,
    ModelRateLimitedError,
    ModelRefusedError,
    ModelTruncatedError,
    ModelUnavailableError,
    RunFailedError,
    RunInterruptedError,
)
from veracord.pipeline import (
    SINGLE_RESPONSE_V1,
    AsyncPipeline,
    Defect,
    Disposition,
    Policy,
    ProducerBinding,
    Unit,
    ValidatorBinding,
)
from veracord.testing import MemoryStore

TABLE = GOLDEN / "decisions.csv"
MAKER = GOLDEN / "make_decisions.py"
FIELDS = (
    "structural_failure",
    "rejection",
    "validator_execution_failure",
    "refusal",
    "truncation",
    "transport_failure",
)
DISPOSITIONS = {"f": Disposition.FAIL_RUN, "w": Disposition.WARN_CONTINUE}
ERRORS = {
    "structural": ModelOutputError,
    "truncated": ModelTruncatedError,
    "refused": ModelRefusedError,
    "unavailable": ModelUnavailableError,
    "limited": ModelRateLimitedError,
    "ceiling": ModelCeilingError,
    "foreign": KeyError,
}
EXECUTION_RETRIES = 1


def read_rows():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def grouped(rows):
    """Return the rows of each script that stands together in the file."""
    return [pytest.param(list(group), id=script) for script, group in groupby(rows, lambda row: row["script"])]


class Script:
    """A producer that does what a case says, and the validators that read it from the candidate."""

    def __init__(self, row):
        self.correction_protocol = SINGLE_RESPONSE_V1 if row["declares"] == "yes" else None
        self.is_named = row["response"] == "given"
        self.events = row["script"].split("|")
        self.attempts = []
        self.validations = []

    async def produce(self, attempt):
        self.attempts.append(attempt)
        event = self.events[min(attempt.number, len(self.events)) - 1]
        if event == "nothing":
            return {"event": event}
        if event in ERRORS:
            raise ERRORS[event]("scripted")
        value = {"event": event, "attempt": attempt.number}
        return attempt.candidate(value, controlling_response=f"response {attempt.number}" if self.is_named else None)

    def validators(self):
        count = max(len(event) if set(event) <= set("PRF") else 0 for event in self.events)
        return [
            ValidatorBinding(str(number), self.validator(number), execution_retries=EXECUTION_RETRIES)
            for number in range(1, count + 1)
        ]

    def validator(self, number):
        def check(value):
            self.validations.append((value["attempt"], number))
            letter = value["event"][number - 1]
            if letter == "F":
                message = "a text that no model sees"
                raise RuntimeError(message)
            return [Defect(f"code{number}", "/event", f"fact {number}")] if letter == "R" else None

        return check


class Successor:
    """The producer behind, which keeps what it is given."""

    correction_protocol = None

    def __init__(self):
        self.given = []

    async def produce(self, attempt):
        self.given.append(attempt.previous)
        return attempt.candidate("done")


async def run(row, *successors):
    """Run a case and return its script, its result, its receipts, and what the run raised."""
    script, store = Script(row), MemoryStore()
    policy = Policy(**{name: DISPOSITIONS[letter] for name, letter in zip(FIELDS, row["policy"], strict=True)})
    binding = ProducerBinding(
        "first",
        script,
        script.validators(),
        retries=int(row["retries"]),
        correction=row["correction"],
        policy=policy,
    )
    behind = [ProducerBinding(f"next{number}", producer) for number, producer in enumerate(successors)]
    pipeline = AsyncPipeline([binding, *behind])
    raised = None
    try:
        await pipeline.run([Unit("key", "input")], store=store)
    except (RunFailedError, RunInterruptedError) as error:
        raised = error
    (result,) = [result async for result in store.results()]
    return script, result, store.receipts, raised


def last_event(row):
    events = row["script"].split("|")
    return events[min(len(row["requests"]), len(events)) - 1]


def check_result(row, script, result, raised):
    assert result.outcome.value == row["outcome"]
    assert (result.disposition.value if result.disposition else "-") == row["disposition"]
    assert result.attempts == len(row["requests"])
    assert "".join("c" if attempt.correction else "o" for attempt in script.attempts) == row["requests"]
    assert result.incomplete == tuple(f"first/{number}" for number in row["incomplete"])
    rejected = {str(n): (f"code{n}",) for n, letter in enumerate(last_event(row), 1) if letter == "R"}
    assert dict(result.rejected_by) == rejected
    value = {"event": last_event(row), "attempt": len(row["requests"])}
    assert result.value == (value if row["advances"] == "yes" else None)
    if row["outcome"] == "cancelled":
        assert isinstance(raised, RunInterruptedError)
        assert raised.code == "cost_ceiling"
    else:
        assert isinstance(raised, RunFailedError) is (row["disposition"] == "fail_run")


def check_attempts(row, script, receipts):
    """Every attempt is recorded, all validators ran, and a correction tells the rejections of the attempt before."""
    assert [receipt.is_correction for receipt in receipts] == [letter == "c" for letter in row["requests"]]
    expected = []
    for attempt, receipt in zip(script.attempts, receipts, strict=True):
        event = script.events[min(attempt.number, len(script.events)) - 1]
        letters = "" if event in {"-", "nothing", *ERRORS} else event
        assert [check.status[0] for check in receipt.checks] == [{"P": "p", "R": "r", "F": "e"}[x] for x in letters]
        for number, letter in enumerate(letters, 1):
            expected += [(attempt.number, number)] * (1 + EXECUTION_RETRIES if letter == "F" else 1)
    assert script.validations == expected
    for before, attempt in zip(script.attempts, script.attempts[1:], strict=False):
        if attempt.correction is None:
            continue
        letters = script.events[min(before.number, len(script.events)) - 1]
        rejected = [f"code{number}" for number, letter in enumerate(letters, 1) if letter == "R"]
        assert attempt.correction.response == f"response {before.number}"
        assert [defect.code for defect in attempt.correction.defects] == rejected
        assert attempt.correction.unchecked == letters.count("F")


@pytest.mark.parametrize("rows", grouped(read_rows()))
def test_every_case_ends_as_the_table_says(rows):
    async def all_rows():
        for row in rows:
            script, result, receipts, raised = await run(row)
            check_result(row, script, result, raised)
            check_attempts(row, script, receipts)

    asyncio.run(all_rows())


@pytest.mark.parametrize("rows", grouped(row for row in read_rows() if row["retries"] != "1"))
def test_the_next_producer_is_given_the_value_that_advances_and_no_other(rows):
    async def all_rows():
        for row in rows:
            successor = Successor()
            script, result, _, _ = await run(row, successor)
            value = {"event": last_event(row), "attempt": len(row["requests"])}
            assert successor.given == ([value] if row["advances"] == "yes" else [])
            assert result.outcome.value == row["outcome"]
            assert result.value == ("done" if row["advances"] == "yes" else None)
            assert result.incomplete == tuple(f"first/{number}" for number in row["incomplete"])
            assert len(script.attempts) == len(row["requests"])

    asyncio.run(all_rows())


@pytest.mark.parametrize("retries", ["0", "2"])
def test_what_the_policy_says_of_an_incomplete_unit_does_not_depend_on_the_steps_behind(retries):
    given = f"F,{retries},yes,auto,given,ffwfff"
    (row,) = (row for row in read_rows() if ",".join(list(row.values())[:6]) == given)
    _, result, _, _ = asyncio.run(run(row, Successor(), Successor()))
    assert result.outcome.value == row["outcome"] == "accepted_incomplete"
    assert result.disposition is Disposition.WARN_CONTINUE


def maker():
    spec = importlib.util.spec_from_file_location("make_decisions", MAKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_rules_of_the_maker_give_the_table():
    assert TABLE.read_text(encoding="utf-8") == maker().table()
    assert TABLE.stat().st_size < 400_000


def test_the_maker_knows_no_code_of_the_package():
    tree = ast.parse(MAKER.read_text(encoding="utf-8"))
    imported = [
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    assert sorted(imported) == ["itertools", "pathlib"]
    assert "importlib" not in MAKER.read_text(encoding="utf-8")


def test_the_table_is_complete():
    rows = read_rows()
    same = [row for row in rows if "|" not in row["script"] and not row["script"].islower()]
    # 1 + 3 + 9 + 27 sets of verdicts, 3 budgets, 8 capabilities, 4 policies.
    assert len({tuple(list(row.values())[:6]) for row in same if row["script"] != "-"}) == 39 * 3 * 8 * 4
    assert sum(row["script"] == "-" for row in same) == 3 * 8 * 4
    assert {row["outcome"] for row in rows} == {
        "accepted",
        "accepted_incomplete",
        "rejected",
        "structural_failure",
        "validation_unavailable",
        "truncated",
        "refused",
        "transport_failure",
        "cancelled",
    }


#: Cases written out by hand, so that a slip in the rules of the maker does not pass for a rule.
@pytest.mark.parametrize(
    ("given", "ends"),
    [
        ("-,1,yes,auto,given,ffwfff", "accepted,-,o,,yes"),
        ("P,0,yes,auto,given,ffwfff", "accepted,-,o,,yes"),
        ("R,0,yes,auto,given,ffwfff", "rejected,fail_run,o,,no"),
        ("R,2,yes,auto,given,ffwfff", "rejected,fail_run,occ,,no"),
        ("R,2,yes,auto,none,ffwfff", "rejected,fail_run,o,,no"),
        ("R,2,no,auto,given,fwwfff", "rejected,warn_continue,o,,no"),
        ("R,2,yes,off,given,ffwfff", "rejected,fail_run,o,,no"),
        ("F,2,yes,auto,given,ffwfff", "accepted_incomplete,warn_continue,o,1,yes"),
        ("F,2,yes,auto,given,ffffff", "validation_unavailable,fail_run,o,1,no"),
        ("FRP,1,yes,auto,given,ffwfff", "rejected,fail_run,oc,1,no"),
        ("R|P,1,yes,auto,given,ffwfff", "accepted,-,oc,,yes"),
        ("R|F,1,yes,auto,given,ffwfff", "accepted_incomplete,warn_continue,oc,1,yes"),
        ("F|P,1,yes,auto,given,ffwfff", "accepted_incomplete,warn_continue,o,1,yes"),
        ("structural,2,no,auto,none,ffwfff", "structural_failure,fail_run,ooo,,no"),
        ("structural,1,yes,auto,given,wfwfff", "structural_failure,warn_continue,oo,,no"),
        ("foreign,1,yes,auto,given,ffwfff", "structural_failure,fail_run,oo,,no"),
        ("R|structural,2,yes,auto,given,ffwfff", "structural_failure,fail_run,oco,,no"),
        ("truncated,2,yes,auto,given,ffwfff", "truncated,fail_run,o,,no"),
        ("refused,2,yes,auto,given,ffwwff", "refused,warn_continue,o,,no"),
        ("R|unavailable,2,yes,auto,given,ffwffw", "transport_failure,warn_continue,oc,,no"),
        ("ceiling,2,yes,auto,given,ffwfff", "cancelled,-,o,,no"),
    ],
)
def test_the_rules_of_the_maker_agree_with_cases_written_by_hand(given, ends):
    script, retries, declares, correction, response, policy = given.split(",")
    found = maker().expect(script, int(retries), (declares, correction, response), policy)
    assert ",".join(found) == ends
