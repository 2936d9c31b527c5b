"""The queue: what the address means, the facets that lead to other addresses, and the rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from veracord.errors import InputError
from veracord.records.values import MISSING, JsonValue, Missing
from veracord.review.facets import FacetCount, Facets
from veracord.review.suggestions import UNDECIDED, Status, SuggestionFilter
from veracord.web.page_addresses import card_address, place_address, record_address, row_key
from veracord.web.page_texts import STATUSES, badge, place_text, plain, time_text, value_line, visible

Row = Mapping[str, Any]

PATH: Final = "/queue"
_FIELDS: Final = ("record", "pointer", "rule", "model")
_LABELS: Final[Mapping[str, str]] = {
    "record": "product",
    "pointer": "place",
    "rule": "rule",
    "model": "model",
    "age": "age",
    "status": "status",
}
#: Ages that can be chosen: a word, what it says, and whether what is newer is meant.
AGES: Final[Mapping[str, tuple[str, timedelta, bool]]] = {
    "day": ("made in the last 24 hours", timedelta(days=1), True),
    "week": ("made in the last 7 days", timedelta(days=7), True),
    "over-week": ("older than 7 days", timedelta(days=7), False),
    "over-month": ("older than 30 days", timedelta(days=30), False),
}
#: What the tabs mean: the first is what waits.
TABS: Final[Mapping[str, tuple[str, tuple[Status, ...]]]] = {
    "": ("Waiting", (Status.OPEN, Status.DEFERRED)),
    "open": ("Open", (Status.OPEN,)),
    "deferred": ("Deferred", (Status.DEFERRED,)),
    "accepted": ("Accepted", (Status.ACCEPTED,)),
    "rejected": ("Rejected", (Status.REJECTED,)),
    "withdrawn": ("Withdrawn", (Status.WITHDRAWN,)),
    "all": ("All", ()),
}


@dataclass(frozen=True, slots=True)
class QueueAddress:
    """What the address of a queue says; the same address shows the same rows.

    Attributes:
        record: The record.
        pointer: The place, or one above it.
        rule: The rule that would be satisfied.
        model: The model.
        age: A word of `AGES`.
        status: A word of `TABS`.
        after: Where a page begins.
    """

    record: str = ""
    pointer: str = ""
    rule: str = ""
    model: str = ""
    age: str = ""
    status: str = ""
    after: str = ""

    @classmethod
    def of(cls, told: Mapping[str, str]) -> "QueueAddress":
        """Read an address; what is empty means nothing.

        Raises:
            InputError: ``bad_filter``: a status or an age is none.
        """
        found = cls(**{name: told.get(name, "") for name in cls.__slots__})
        if found.status not in TABS or (found.age and found.age not in AGES):
            raise InputError("this filter means nothing", remedy="choose one on the page", code="bad_filter")
        return found

    def path(self, start: str = PATH, **changed: str) -> str:
        """Return the address with some of it changed; then it begins at the first page again."""
        told = {
            name: value
            for name in self.__slots__
            if (value := changed.get(name, "" if name == "after" else getattr(self, name)))
        }
        return f"{start}?{urlencode(told)}" if told else start

    def to_filter(self, now: datetime) -> SuggestionFilter:
        """Return which suggestions are meant.

        Raises:
            InputError: ``invalid_pointer``.
        """
        older = newer = None
        if self.age:
            _, span, is_newer = AGES[self.age]
            moment = now.astimezone(UTC).replace(minute=0, second=0, microsecond=0) - span
            older, newer = (None, moment) if is_newer else (moment, None)
        return SuggestionFilter(
            record_id=self.record or None,
            pointer=self.pointer or None,
            rule=self.rule or None,
            status=TABS[self.status][1],
            model=self.model or None,
            older_than=older,
            newer_than=newer,
        )

    @property
    def is_narrowed(self) -> bool:
        """Whether anything but the status is said."""
        return any(getattr(self, name) for name in (*_FIELDS, "age"))

    @property
    def says_which(self) -> bool:
        """Whether it means some of what waits, and not whatever waits."""
        return self.is_narrowed or bool(self.status)

    def said(self) -> list[dict[str, str]]:
        """Return what is said, each with the address without it."""
        found = [
            {"label": _LABELS[name], "value": visible(getattr(self, name)), "without": self.path(**{name: ""})}
            for name in _FIELDS
            if getattr(self, name)
        ]
        if self.age:
            found.append({"label": "age", "value": AGES[self.age][0], "without": self.path(age="")})
        return found

    def fields(self) -> dict[str, str]:
        """Return what is said, as fields of a form."""
        return {name: getattr(self, name) for name in self.__slots__ if getattr(self, name) and name != "after"}


def tabs(address: QueueAddress, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return the tabs with their counts."""
    return [
        {
            "label": label,
            "count": sum(counts.get(one, 0) for one in (statuses or tuple(Status))),
            "address": address.path(status=word),
            "is_current": address.status == word,
        }
        for word, (label, statuses) in TABS.items()
    ]


def facet_groups(address: QueueAddress, facets: Facets) -> list[dict[str, Any]]:
    """Return the facets, each value with its count and the address that chooses it, or that lets it go."""
    said: Sequence[tuple[str, str, tuple[FacetCount, ...], Callable[[str], str]]] = (
        ("record", "Product (record)", facets.record, visible),
        ("pointer", "Place", facets.pointer, place_text),
        ("rule", "Rule it would satisfy", facets.rule, visible),
        ("model", "Model", facets.model, visible),
    )
    groups = [_group(address, *one) for one in said]
    ages = [
        {
            "name": label,
            "count": None,
            "address": address.path(age="" if address.age == word else word),
            "is_current": address.age == word,
        }
        for word, (label, _, _) in AGES.items()
    ]
    return [*(group for group in groups if group["choices"]), {"name": "age", "title": "Age", "choices": ages}]


def _group(
    address: QueueAddress, name: str, title: str, counts: Sequence[FacetCount], words: Callable[[str], str]
) -> dict[str, Any]:
    chosen = getattr(address, name)
    choices = [
        {
            "name": words(one.value),
            "count": one.count,
            "address": address.path(**{name: "" if one.value == chosen else one.value}),
            "is_current": one.value == chosen,
        }
        for one in counts
        if one.value
    ]
    return {"name": name, "title": title, "choices": choices}


def queue_row(row: Row, present: JsonValue | Missing, *, is_guess: bool = False) -> dict[str, Any]:
    """Return a suggestion, as reports have it, as a row of the queue.

    Args:
        row: The suggestion.
        present: What stands at its place.
        is_guess: Whether that is a guess, too.
    """
    return {
        "id": row["id"],
        "key": row_key(row["id"]),
        "record_id": visible(row["record_id"]),
        "record_address": record_address(row["record_id"]),
        "pointer": place_text(row["pointer"]),
        "address": place_address(row["record_id"], row["pointer"]),
        "card": card_address(row["id"]),
        "stands": present is not MISSING,
        "is_over_guess": is_guess and present is not MISSING,
        "present": "" if present is MISSING else value_line(present),
        "value": value_line(row["value"]),
        "status": badge(STATUSES, row["status"]),
        "is_undecided": row["status"] in UNDECIDED,
        "is_declaration": row["is_declaration"],
        "rule": visible(row["rule"]),
        "model": visible(row["model"]),
        "confidence": str(row["confidence"]),
        "made": time_text(row["created_at"]),
        "first": visible(row["first"]["person_id"]) if row["first"] else "",
    }


def reason_choices(codes: Sequence[str]) -> list[dict[str, str]]:
    """Return codes for rejections with their words."""
    return [{"code": code, "words": plain(code, {})} for code in codes]
