"""Groups of digits: what a run of digits, marks and spaces can mean as a plain decimal.

The rule: a run that fits one convention only has one meaning, whatever the locale; one that fits two needs a locale.
"""

import re
from typing import Final

from veracord.language.locales import Locale

#: Digits of a group.
_GROUP: Final = 3
_SPACES: Final = re.compile(r"[ \u00a0\u2009\u202f\u2007'’]")


def readings_of(body: str, start: int, locale: Locale) -> tuple[tuple[str, ...], int]:
    """Return what a run of digits and marks can mean, as plain decimal strings, and where the run ends."""
    end = start + len(body)
    if body.isdigit():
        return (body,), end
    if body.startswith("."):
        return ("0" + body,), end
    plain = " " in body
    spaced = _SPACES.split(body)
    if len(spaced) > 1:
        grouped = _grouped_by_space(spaced)
        if grouped is None:
            # No grouping: the first run stands alone.
            return readings_of(spaced[0], start, locale)
        # "2 500 g": a group after a plain space could be a number of its own.
        if plain and len(spaced) == 2:  # noqa: PLR2004 - one group
            return (grouped, readings_of(spaced[0], start, locale)[0][0]), end
        return (grouped,), end
    return _by_marks(body, locale), end


def _grouped_by_space(parts: list[str]) -> str | None:
    whole, mark, decimals = parts[-1].replace(",", ".").partition(".")
    if not parts[0].isdigit() or len(parts[0]) > _GROUP or parts[0].startswith("0") or "." in decimals:
        return None
    groups = [*parts[1:-1], whole]
    if any(len(group) != _GROUP or not group.isdigit() for group in groups):
        return None
    return parts[0] + "".join(groups) + mark + decimals


def _by_marks(body: str, locale: Locale) -> tuple[str, ...]:
    marks = [c for c in body if c in ".,"]
    if len(set(marks)) == 2:  # noqa: PLR2004 - both marks: the last one starts the decimals
        last = marks[-1]
        whole, _, decimals = body.rpartition(last)
        other = "," if last == "." else "."
        return (whole.replace(other, "") + "." + decimals,) if last not in whole and _is_grouped(whole, other) else ()
    mark = marks[0]
    grouped = _is_grouped(body, mark)
    if len(marks) > 1:
        return (body.replace(mark, ""),) if grouped else ()
    decimal = body.replace(mark, ".")
    if not grouped:
        return (decimal,)
    joined = body.replace(mark, "")
    if locale == "unknown":
        return (joined, decimal)
    return (joined,) if (mark == ",") == (locale == "en") else (decimal,)


def _is_grouped(whole: str, mark: str) -> bool:
    first, *groups = whole.split(mark)
    return (
        bool(groups) and 0 < len(first) <= _GROUP and first[0] != "0" and all(len(group) == _GROUP for group in groups)
    )
