"""Renders every correction of ``cases.jsonl``: ``python render.py SEED`` prints them as JSON, with the Python version.

A case holds ``verdicts``, one for each validator: ``passed``, ``failed``, or its defects, in an order that the seed
decides.  A defect is a text, or code, path, fact and guidance; ``times`` stands for as many defects, whose texts hold
their number ``n``, and a text of three parts is the first one, filled up with the second to the length of the third.
"""

import json
import platform
import random
import sys
from pathlib import Path

from veracord.pipeline import Defect, Verdict
from veracord.pipeline.corrections import correction_of
from veracord.promptkit.wording import correction_text

CASES = Path(__file__).resolve().with_name("cases.jsonl")


def read_cases():
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").split("\n") if line]


def text_of(text, number):
    if isinstance(text, list):
        start, filling, length = text
        return start.format(n=number).ljust(length, filling)
    return text.format(n=number)


def defects_of(said):
    """Return the defects of one validator, in the order in which they are written down."""
    if isinstance(said, dict):
        numbers = range(said["from"], said["from"] + said["times"])
        return [Defect(*(text_of(text, number) for text in said["defect"])) for number in numbers]
    return [defect if isinstance(defect, str) else Defect(*defect) for defect in said]


def verdict_of(said, order):
    if said == "passed":
        return Verdict.passed()
    if said == "failed":
        return Verdict.execution_failed("raised:KeyError")
    defects = defects_of(said)
    order.shuffle(defects)
    return Verdict.rejected(defects)


def render(case, seed):
    """Return the text of a case, its defects in another order for each seed."""
    order = random.Random(seed)
    verdicts = [verdict_of(said, order) for said in case["verdicts"]]
    return correction_text(correction_of("the response", verdicts))


def main():
    texts = {case["id"]: render(case, int(sys.argv[1])) for case in read_cases()}
    sys.stdout.write(json.dumps({"python": platform.python_version(), "texts": texts}))


if __name__ == "__main__":
    main()
