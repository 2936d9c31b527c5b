"""Says of an output of `veracord answer --json` whether it answers a field question, and rightly.

It looks at nothing but the JSON, in this form (members not named here are ignored):

* a GroundedAnswer: `{"text": "...", "claims": [...], "citations": [{"evidence_id": "e1", "pointer": "/a/b"}]}`;
  `id` is read for `evidence_id`.  Where `citations` has no pointers, those of the claims are taken: a claim may hold
  `citations` of the same form, or `evidence_id` (or one of `evidence_ids`) with `pointer`, or `pointers`;
* an Abstention: no text (or an empty one) and a `reason`, `reason_code` or `code` that is a text; it may stand under
  `abstention`.

Anything else is a ValueError: a harness that reads the wrong member should not count it as an abstention.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from tests.golden.field_phrases import unit_spellings
from tests.golden.field_records import Record

RIGHT: Final = "right"
WRONG: Final = "wrong"
ABSTAINED_RIGHTLY: Final = "abstained-rightly"
ABSTAINED_WRONGLY: Final = "abstained-wrongly"

Cited = set[tuple[str, str]]
NUMBER: Final = re.compile(
    r"(?<![\w.,:/-])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\d])(?![.,:/-]\d)"
)
#: What closes the pointer of a value that stands in an object of its own.
HELD: Final = re.compile(r"/[vV]alue$")
MONTHS: Final = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class FieldQuestion:
    """A question, its evidence and what a right output is."""

    id: str
    text: str
    phrasing: str
    kind: str
    answerable: bool
    label: str
    evidence: list[dict[str, Any]]
    #: A record that holds nothing but the identity of the product asked about, for `--product`.
    product: Record
    #: The exact leaf value; of an unanswerable question the value that must not be given.
    value: Decimal | str
    unit: str | None
    #: Evidence id and pointer, each of them a right citation; empty where there is no answer.
    sources: tuple[tuple[str, str], ...]
    #: Of a conflict: evidence id, pointer and value of either side.
    rivals: tuple[tuple[str, str, Decimal | str], ...]
    #: What names products in the evidence, and where it stands.
    identities: tuple[str, ...]
    identity_pointers: tuple[str, ...]


def judge(question: FieldQuestion, result: dict[str, Any]) -> str:
    """Return right, wrong, abstained-rightly or abstained-wrongly.

    Right: the text holds the value (a number by its exact value, with its unit where the record has one; a text
    whole; a date also spelled out), one citation stands at the field itself or at the object whose `value` it is,
    and none stands elsewhere but beside it (a unit) or at what says which product it is.  A converted unit is not
    recognised: the command is asked for the record's own value.  Where two records conflict, an answer that gives
    both values and cites both is right; every other answer to an unanswerable question is wrong.
    """
    text = result.get("text")
    if not (isinstance(text, str) and text.strip()):
        if not _reason(result):
            raise ValueError("neither a GroundedAnswer (a text) nor an Abstention (a reason)")
        return ABSTAINED_WRONGLY if question.answerable else ABSTAINED_RIGHTLY
    plain = _plain(text, question)
    cited = _citations(result)
    if question.answerable:
        good = _states(plain, question.value, question.unit) and _cites(cited, question)
    elif question.rivals:
        every_value = all(_states(plain, value, question.unit) for _, _, value in question.rivals)
        good = every_value and all(_at(cited, item, place) for item, place, _ in question.rivals)
    else:
        good = False
    return RIGHT if good else WRONG


def _reason(result: dict[str, Any]) -> str | None:
    inner = result.get("abstention")
    for place in (result, inner if isinstance(inner, dict) else {}):
        for name in ("reason", "reason_code", "code"):
            if isinstance(place.get(name), str) and place[name]:
                return str(place[name])
    return None


def _plain(text: str, question: FieldQuestion) -> str:
    """Return the text without citation markers and without what names the product: no value is read from these."""
    for item in question.evidence:
        text = text.replace(f"[{item['id']}]", " ").replace(f"[{item['id']}#", "[")
    for identity in question.identities:
        if identity != str(question.value):
            text = re.sub(rf"(?<!\w){re.escape(identity)}(?!\w)", " ", text)
    return re.sub(r"\s+", " ", text)


def _citations(result: dict[str, Any]) -> Cited:
    cited = set(_pairs(result.get("citations")))
    if cited:
        return cited
    claims = result.get("claims")
    for claim in claims if isinstance(claims, list) else []:
        if isinstance(claim, dict):
            cited |= set(_pairs(claim.get("citations"))) | set(_pairs([claim]))
    return cited


def _pairs(rows: object) -> Iterator[tuple[str, str]]:
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, dict):
            continue
        one = row.get("evidence_id", row.get("id"))
        ids = [one] if isinstance(one, str) else row.get("evidence_ids") or []
        pointers = [row["pointer"]] if isinstance(row.get("pointer"), str) else row.get("pointers") or []
        yield from ((str(item), str(place)) for item in ids for place in pointers)


def _cites(cited: Cited, question: FieldQuestion) -> bool:
    if not any(_at(cited, item, place) for item, place in question.sources):
        return False
    items = {item for item, _ in question.sources}
    return all(item in items and _allowed(place, question) for item, place in cited)


def _at(cited: Cited, item: str, place: str) -> bool:
    return (item, place) in cited or (item, HELD.sub("", place)) in cited


def _allowed(place: str, question: FieldQuestion) -> bool:
    """Tell whether a citation stands at the field, at its unit, or at what says which product it is."""
    if place in question.identity_pointers:
        return True
    for _, field in question.sources:
        holder = HELD.sub("", field)
        if place in {field, holder} or (holder != field and place.startswith(f"{holder}/")):
            return True
        if place in {f"{field}Unit", re.sub(r"(Value|Amount)$", "Unit", field)}:
            return True
    return False


def _states(text: str, value: Decimal | str | None, unit: str | None) -> bool:
    if isinstance(value, Decimal):
        return any(_has_unit(text[match.end() :], unit) for match in NUMBER.finditer(text) if _number(match) == value)
    return any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) for one in _spellings(str(value)))


def _number(match: re.Match[str]) -> Decimal:
    return Decimal(match.group().replace(",", "").replace("−", "-"))


def _has_unit(rest: str, unit: str | None) -> bool:
    if unit is None:
        return True
    return any(re.match(rf"[\s\u00a0\u202f]*{re.escape(one)}(?!\w)", rest) for one in unit_spellings(unit))


def _spellings(value: str) -> list[str]:
    """Return a text as it stands, without outer blanks, and a date also in words."""
    value = re.sub(r"\s+", " ", value.strip())
    date = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})(T.*)?", value)
    if not date or not 1 <= int(date[2]) <= len(MONTHS):
        return [value]
    month, day, year = MONTHS[int(date[2]) - 1], int(date[3]), date[1]
    return [value, value[:10], f"{day} {month} {year}", f"{month} {day}, {year}"]
