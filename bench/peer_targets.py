"""The targets that the bench of retry libraries sets, held against what it says of us."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

OURS: Final = "veracord"

_ABOVE_FLOOR_AT_MOST_MS: Final = 0.25
_TIMES_FLOOR_AT_MOST: Final = 3.0
#: Of what the next best costs.
_SHARE_AT_MOST: Final = 1 / 3
_KINDS: Final = ("semantic", "structural")
#: What a call of ours may raise, by the name that the edge table shows.
_OUR_ERROR: Final = "!RunFailedError"
#: The one edge case that is no wrong form; a refusal is not asked again.
_REFUSAL: Final = "refusal"

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tables:
    """What the bench says.

    Attributes:
        growth: Of us, for each kind of bad answer and number of them.
        failure: Of us, for each way to fail.
        endings: Our outcome, attempts and requests for each way to fail.
        edges: Of us, for each awkward text.
        processor_ms: Of everybody, for each round.
        calls_per_s: Of everybody, for each round.
        floor: Who is the floor.
        least_growth: As `growth`, recorded of the shape of two messages.
    """

    growth: Table
    failure: Table
    endings: Table
    edges: Table
    processor_ms: Mapping[str, list[float]]
    calls_per_s: Mapping[str, list[float]]
    floor: str
    least_growth: Table

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Target:
    """One target.

    Attributes:
        name: What is wanted.
        holds: Whether it is so.
        detail: What was found.
    """

    name: str
    holds: bool
    detail: str


def targets(tables: Tables) -> Iterator[Target]:
    """Yield every target."""
    yield from _growth_targets(tables)
    yield from _failure_targets(tables)
    yield from _edge_targets(tables)
    yield from _speed_targets(tables)


def _growth_targets(tables: Tables) -> Iterator[Target]:
    rows = tables.growth
    grown = [
        case
        for case, row in rows.items()
        if not row["ok"] or row["messages"] != [1] + [3] * int(case.rpartition("-")[2])
    ]
    yield Target("every request after the first is base + 2", not grown, _found(grown))
    for kind in _KINDS:
        bytes_sent = [row["prompt_bytes"] for case, row in rows.items() if case.startswith(kind)]
        steps = {after - before for before, after in itertools.pairwise(bytes_sent)}
        yield Target(f"prompt bytes are linear, {kind}", len(steps) == 1, f"{bytes_sent}, steps of {sorted(steps)}")
    larger = [case for case, row in rows.items() if row["prompt_bytes"] > tables.least_growth[case]["prompt_bytes"]]
    yield Target("prompt bytes at most those of two_message", not larger, _found(larger))


def _failure_targets(tables: Tables) -> Iterator[Target]:
    leaks = [
        f"{case}: {name}"
        for case, row in tables.failure.items()
        for name, value in row.items()
        if name.startswith(("raw_in_", "key_")) and value is not False
    ]
    yield Target("the raw answer and the key are nowhere", not leaks, _found(leaks))
    foreign = [case for case, row in tables.failure.items() if not row["result"].startswith("veracord.errors.")]
    yield Target("every failure is an error of ours", not foreign, _found(foreign))
    crash, busy = tables.endings["validator fails"], tables.endings["HTTP 429"]
    yield Target(
        "a validator that fails costs one request and is no rejection",
        tables.failure["validator-KeyError"]["requests"] == 1 and crash["outcome"] == "validation_unavailable",
        f"{crash}",
    )
    yield Target(
        "HTTP 429 is not charged to the budget of corrections",
        busy == {"outcome": "transport_failure", "attempts": 1, "requests": 1},
        f"{busy}",
    )


def _edge_targets(tables: Tables) -> Iterator[Target]:
    texts = {case: told for case, told in tables.edges.items() if isinstance(told, list)}
    unhandled = [case for case, (_, result) in texts.items() if result.startswith("!") and result != _OUR_ERROR]
    yield Target("no awkward text is an unhandled error", not unhandled, _found(unhandled))
    lost = [case for case, (_, result) in texts.items() if result == _OUR_ERROR and case != _REFUSAL]
    yield Target("every awkward text is accepted or corrected", not lost, _found(lost))
    same = tables.edges["feedback_same_twice"] is True
    yield Target("the same defects give the same text", same, f"{same}")


def _speed_targets(tables: Tables) -> Iterator[Target]:
    # The least of all rounds, as the bench itself takes the least of its own: what is more is the machine's.
    least = {name: min(took) for name, took in tables.processor_ms.items()}
    ours, floor = least.pop(OURS), least.pop(tables.floor)
    above, times = ours - floor, ours / floor
    yield Target(
        f"at most {_ABOVE_FLOOR_AT_MOST_MS} ms above the floor", above <= _ABOVE_FLOOR_AT_MOST_MS, f"{above:.3f} ms"
    )
    yield Target(f"at most {_TIMES_FLOOR_AT_MOST:g} times the floor", times <= _TIMES_FLOOR_AT_MOST, f"{times:.2f}")
    if least:
        best = min(least, key=least.__getitem__)
        share = ours / least[best]
        yield Target("less than a third of the next best", share < _SHARE_AT_MOST, f"{share:.2f} of {best}")


def _found(wrong: list[str]) -> str:
    return ", ".join(wrong) or "all"
