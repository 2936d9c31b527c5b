"""What a validator says of a candidate: facts, never what is to be done about them.

Source: ADR-0014 (validators report facts and bounded guidance, and never decide disposition).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from veracord.pipeline.texts import clean, clean_name

#: The most defects of one validator that are kept; the others are counted.
MAX_DEFECTS: Final = 50


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing that is wrong with a candidate.

    Texts are bounded and cleaned when a defect is made.

    Attributes:
        code: A short name for its kind: letters, digits, ``_``, ``.``, ``:``, ``-``.  Receipts hold it.
        path: The pointer of the place; "" for the whole.
        fact: What is wrong there, at most 300 characters.
        guidance: What would be right, at most 300 characters, or None.
    """

    code: str
    path: str
    fact: str
    guidance: str | None = None

    def __post_init__(self) -> None:
        """Bound and clean the texts.

        Raises:
            TypeError: One of them is no text.
        """
        for name in ("code", "path", "fact", "guidance"):
            text = getattr(self, name)
            if isinstance(text, str):
                object.__setattr__(self, name, clean_name(text) if name == "code" else clean(text))
            elif text is not None or name != "guidance":
                message = f"{name} of a defect is no text"
                raise TypeError(message)
        if not self.guidance:
            object.__setattr__(self, "guidance", None)

    @property
    def order(self) -> tuple[str, str, str, str]:
        """What defects of one validator are sorted by."""
        return self.path, self.code, self.fact, self.guidance or ""


class Status(Enum):
    """How the check of a candidate by one validator ended."""

    PASSED = "passed"
    REJECTED = "rejected"
    EXECUTION_FAILED = "execution_failed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one validator says of one candidate.

    Attributes:
        status: Passed, rejected, or, made by the pipeline alone, execution failed.
        defects: Why it is rejected, by path and code, each once; at most 50.
        more: How many further defects there were.
        code: Why the validator could not check; "" where it could.
    """

    status: Status
    defects: tuple[Defect, ...] = ()
    more: int = 0
    code: str = ""

    @classmethod
    def passed(cls) -> "Verdict":
        """Return the verdict of a validator that found nothing wrong."""
        return _PASSED

    @classmethod
    def rejected(cls, defects: Iterable[Defect | str]) -> "Verdict":
        """Return the verdict of a validator that found something wrong.

        Args:
            defects: At least one; a text is a defect of the whole with the code ``rejected``.

        Raises:
            ValueError: There is none.
            TypeError: One is neither a defect nor a text.
        """
        found = {_defect(item) for item in defects}
        if not found:
            message = "a rejection needs a defect"
            raise ValueError(message)
        ordered = sorted(found, key=lambda defect: defect.order)
        return cls(Status.REJECTED, tuple(ordered[:MAX_DEFECTS]), max(0, len(ordered) - MAX_DEFECTS))

    @classmethod
    def execution_failed(cls, code: str) -> "Verdict":
        """Return the verdict on a validator that could not check, with the code of the reason."""
        return cls(Status.EXECUTION_FAILED, code=code)


_PASSED: Final = Verdict(Status.PASSED)


def _defect(item: object) -> Defect:
    if isinstance(item, Defect):
        return item
    if isinstance(item, str):
        return Defect("rejected", "", item)
    message = "a defect is a Defect or a text"
    raise TypeError(message)
