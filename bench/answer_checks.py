"""Checks of answers: five claims against a record of 20 kB, evidence of 1 MiB, and how the time grows with evidence."""

import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Final

from bench.figures import Figure, expect
from bench.timing import exponent
from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack

_P95_MS: Final = 20.0
_LARGE_S: Final = 1.0
_EXPONENT: Final = 1.2
_KIB: Final = 1024
_CLAIMS: Final = 5
_P95: Final = 0.95
_SUPPORTED: Final = "supported"
_LARGEST: Final = 1024
_PARTS: Final = ("frame", "lid", "busbar", "cover", "plate", "housing", "clamp", "bracket", "tray", "cable")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done.

    Attributes:
        answers: Answers of five claims against 20 kB.
        rounds: Checks of each larger size.
    """

    answers: int
    rounds: int


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Yield the figures; every answer that is timed is right, and has to be found supported."""
    pick = random.Random(7)
    times = sorted(_seconds(20 * _KIB, pick) for _ in range(sizes.answers))
    p95 = 1000 * times[min(len(times) - 1, int(_P95 * len(times)))]
    detail = f"median {1000 * median(times):.2f} ms; {sizes.answers} answers, evidence read anew each time"
    yield Figure("five claims against 20 kB, p95", p95, "ms", at_most=_P95_MS, detail=detail)
    lengths = [16, 64, 256, _LARGEST]
    costs = [median(_seconds(length * _KIB, pick) for _ in range(sizes.rounds)) for length in lengths]
    detail = f"five claims, evidence read anew; median of {sizes.rounds}"
    yield Figure("five claims against 1 MiB", costs[-1], "s", at_most=_LARGE_S, detail=detail)
    series = {"kib": lengths, "seconds": costs}
    power = exponent(lengths, costs)
    yield Figure(
        "exponent of growth, 16 kB to 1 MiB", power, at_most=_EXPONENT, detail="half records, half text", data=series
    )


def _seconds(size: int, pick: random.Random) -> float:
    """Check one right answer of five claims against evidence of a size; return its processor time."""
    items, facts = _evidence(size, pick)
    answer = " ".join(pick.sample(facts, _CLAIMS))
    began = time.process_time()
    verifier = Verifier()
    view = verifier.view(EvidencePack.from_items(items).items)
    verdict = verifier.check(answer, view).verdict
    took = time.process_time() - began
    expect(holds=verdict == _SUPPORTED, what="a right answer is supported")
    return took


def _evidence(size: int, pick: random.Random) -> tuple[list[dict[str, object]], list[str]]:
    """Return one record and one text of half the size each, and sentences that they support."""
    rows: list[dict[str, object]] = []
    sentences: list[str] = []
    facts: list[str] = []
    for number in range(size // 320 or _CLAIMS):
        name, mass, torque = f"{pick.choice(_PARTS)} {number}", pick.randrange(1, 9999), pick.randrange(1, 999)
        rows.append(
            {
                "name": name,
                "mass": {"value": mass, "unit": "unit:gram"},
                "material": "steel",
                "colour": "grey",
                "count": 2,
            }
        )
        facts.append(f"The mass of {name} is {mass} g [r1].")
        sentences.append(
            f"The torque of screw S-{number:05d} is {torque} Nm, and its head is made of brass; turn it with care."
        )
        sentences.append(f"The pitch of screw S-{number:05d} is {torque + 1} mm.")
        facts.append(f"The pitch of screw S-{number:05d} is {torque + 1} mm [t1].")
    record = json.loads(json.dumps({"productId": "B-1", "components": rows}))
    return [{"id": "r1", "content": record}, {"id": "t1", "text": " ".join(sentences)}], facts
