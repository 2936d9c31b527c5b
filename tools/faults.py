"""What a planted fault is."""

from typing import NamedTuple

GOLDEN = ("tests/golden",)
LAWS = ("tests/properties/test_repair_laws.py",)


class Mutant(NamedTuple):
    """One fault.

    Attributes:
        name: What is wrong then.
        file: Where, below ``src/veracord``.
        old: The text that is replaced; it stands there exactly once.
        new: The fault.
        tests: Test files or folders, at least one of whose tests must fail.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = GOLDEN
