"""Writes the decision table, ``decisions.csv``, from the rules of the pipeline's specification.

It imports nothing of the package: it is a second opinion, written by hand from sections 2 to 5 of the specification.
``python tests/golden/make_decisions.py`` writes the file anew; a test compares the two.

One line is one case, and its columns are:

* ``script``: what happens in each attempt, between ``|``; the last one happens again in every later attempt.  Either
  one letter for each validator (``P`` passes, ``R`` rejects, ``F`` fails to execute; ``-``: there is no validator), or
  what happens to the producer instead of a candidate: ``structural``, ``foreign`` (an exception of its own),
  ``nothing`` (what it returns is no candidate), ``truncated``, ``refused``, ``unavailable``, ``limited`` (asked to
  wait too long), ``ceiling``.
* ``retries``: the budget.
* ``declares``: whether the producer declares the correction protocol; ``correction``: the mode of its binding;
  ``response``: whether a candidate names the response that controlled it.
* ``policy``: ``f`` (fail_run) or ``w`` (warn_continue) for structural_failure, rejection,
  validator_execution_failure, refusal, truncation, transport_failure.
* ``outcome``, ``disposition`` (``-``: nothing to decide), ``requests`` (one letter for each attempt: ``o`` ordinary,
  ``c`` bears a correction), ``incomplete`` (the numbers of the validators that could not check the last candidate),
  ``advances`` (whether the value goes on).
"""

from itertools import product
from pathlib import Path

TARGET = Path(__file__).resolve().with_name("decisions.csv")
COLUMNS = (
    "script,retries,declares,correction,response,policy",
    "outcome,disposition,requests,incomplete,advances",
)

#: Ends of an attempt that are followed by an ordinary one while a retry is left.
STRUCTURAL = ("structural", "foreign", "nothing")
#: Ends that no attempt follows, with the outcome and the place of its policy.
TERMINAL = {
    "truncated": ("truncated", 4),
    "refused": ("refused", 3),
    "unavailable": ("transport_failure", 5),
    "limited": ("transport_failure", 5),
}
WORDS = {"f": "fail_run", "w": "warn_continue"}
DEFAULT = "ffwfff"

CAPABLE = ("yes", "auto", "given")
EVERY_CAPABILITY = tuple(product(("yes", "no"), ("auto", "off"), ("given", "none")))


def expect(script, retries, capability, policy):
    """Return outcome, disposition, requests, incomplete and advances of a case."""
    is_correctable = capability in {("yes", "auto", "given"), ("yes", "required", "given")}
    events = script.split("|")
    events += events[-1:] * retries
    requests = "o"
    for event, is_last in zip(events, (*(False,) * retries, True), strict=False):
        if event == "ceiling":
            return "cancelled", "-", requests, "", "no"
        if event in TERMINAL:
            outcome, place = TERMINAL[event]
            return outcome, WORDS[policy[place]], requests, "", "no"
        if event in STRUCTURAL:
            if is_last:
                return "structural_failure", WORDS[policy[0]], requests, "", "no"
            requests += "o"
            continue
        if "R" in event and is_correctable and not is_last:
            requests += "c"
            continue
        return judge(event, policy, requests)
    raise AssertionError


def judge(event, policy, requests):
    """Return the same for a candidate that is not corrected."""
    failed = "".join(str(number) for number, letter in enumerate(event, 1) if letter == "F")
    if "R" in event:
        return "rejected", WORDS[policy[1]], requests, failed, "no"
    if not failed:
        return "accepted", "-", requests, "", "yes"
    if policy[2] == "w":
        return "accepted_incomplete", "warn_continue", requests, failed, "yes"
    return "validation_unavailable", "fail_run", requests, failed, "no"


def verdicts(most):
    """Return every combination of what up to so many validators do."""
    return ["".join(letters) or "-" for count in range(most + 1) for letters in product("PRF", repeat=count)]


def cases():
    """Yield script, retries, capability and policy of every case."""
    # Everything, with the same verdicts in every attempt.
    candidate_policies = [f"f{rejection}{execution}fff" for rejection, execution in product("fw", "fw")]
    yield from product(verdicts(3), range(3), EVERY_CAPABILITY, candidate_policies)
    # Verdicts that change with the second attempt, or with the third.
    changes = [f"{first}|{second}" for first, second in product(verdicts(2)[1:], repeat=2)]
    changes = [script for script in changes if script.index("|") * 2 == len(script) - 1]
    yield from product(changes, (1, 2), (CAPABLE, ("yes", "off", "given")), candidate_policies)
    thrice = [f"{a}|{b}|{c}" for a, b, c in product("PRF", repeat=3)]
    yield from product(thrice, range(3), (("yes", "required", "given"),), (DEFAULT, "fwffff"))
    # No candidate: at once, after a rejection, and after another attempt without a candidate.
    for event in (*STRUCTURAL, *TERMINAL, "ceiling"):
        scripts = (event, f"R|{event}", f"structural|{event}", f"{event}|P", f"{event}|R", f"{event}|F", f"{event}|R|P")
        capabilities = (CAPABLE, ("no", "auto", "none"))
        yield from product(scripts, range(3), capabilities, (DEFAULT, *single_changes(event)))


def single_changes(event):
    """Return the policies in which the field for an event, or each other one, differs from the default."""
    place = TERMINAL[event][1] if event in TERMINAL else 0
    others = "".join("f" if number == place else "w" for number in range(len(DEFAULT)))
    return f"{DEFAULT[:place]}w{DEFAULT[place + 1 :]}", others


def table():
    """Return the text of the file."""
    lines = [",".join(COLUMNS)]
    seen = set()
    for script, retries, capability, policy in cases():
        given = (script, str(retries), *capability, policy)
        if given not in seen:
            seen.add(given)
            lines.append(",".join((*given, *expect(script, retries, capability, policy))))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(table(), encoding="utf-8")
