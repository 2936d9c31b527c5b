"""A record as a tree for the page: each leaf with its origin, what is wrong there, and what waits there."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from veracord.records.pointers import Tokens, get, join, split
from veracord.records.values import MISSING, JsonValue, is_leaf, leaves
from veracord.reports.meanings import WHY_OPEN
from veracord.review.texts import leaf_of
from veracord.web.page_addresses import place_address
from veracord.web.page_texts import ORIGINS, badge, plain, shortened, value_line, visible

Row = Mapping[str, Any]

#: Rows of a list that are open at first; the others are one press away.
_OPEN_ROWS: Final = 30
_MOST_HINT: Final = 40


@dataclass(slots=True)
class Node:
    """A place of the record.

    Attributes:
        name: The member's name, or the number of the row from 1.
        pointer: Its place.
        address: Its page.
        value: Of a leaf: its value; None for an object or array.
        size: Of an object or array: how many members or rows it has.
        hint: Of a row: the first text in it, by which people know it.
        origin: Of a leaf: the badge of its origin.
        is_absent: Whether nothing stands there, though a rule asks for it.
        problems: What is wrong just there.
        waiting: How many suggestions wait just there.
        below: The nodes below.
        is_open: Whether the nodes below are shown at first.
    """

    name: str
    pointer: str
    address: str
    value: str | None = None
    size: str = ""
    hint: str = ""
    origin: dict[str, str] | None = None
    is_absent: bool = False
    problems: list[str] = field(default_factory=list)
    waiting: int = 0
    below: "list[Node]" = field(default_factory=list)
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class _Marks:
    record_id: str
    origins: Mapping[str, str]
    problems: Mapping[str, list[str]]
    waiting: Mapping[str, int]
    absent: Mapping[Tokens, list[Tokens]]


def record_tree(record_id: str, value: JsonValue, origins: Mapping[str, str], rows: Row) -> Node:
    """Return the tree of a record.

    Args:
        record_id: Its id.
        value: Its value.
        origins: Where leaves come from, by pointer; what is not named came with it.
        rows: ``violations`` (or None) and ``suggestions``, as reports have them.
    """
    problems: dict[str, list[str]] = defaultdict(list)
    for row in rows["violations"] or ():
        problems[_node_of(value, str(row["path"]))].append(problem_text(row))
    waiting: dict[str, int] = defaultdict(int)
    for row in rows["suggestions"]:
        if row["status"] in ("open", "deferred"):
            waiting[_node_of(value, str(row["pointer"]))] += 1
    marks = _Marks(record_id, origins, problems, waiting, _absent(value, [*problems, *waiting]))
    return _node("", (), value, marks)


def problem_text(row: Row) -> str:
    """Return a violation in one line: what rule, and why it stays."""
    why = f"; {plain(row['outcome'], WHY_OPEN)}" if row.get("outcome") else ""
    return f"{visible(str(row['message']))}{why}"


def _node_of(value: JsonValue, pointer: str) -> str:
    """Return the place that has a node for a place: the item of a plain array is in its leaf."""
    place = split(pointer)
    return pointer if get(value, place) is MISSING else join(leaf_of(value, place))


def _absent(value: JsonValue, pointers: Iterable[str]) -> dict[Tokens, list[Tokens]]:
    """Return places at which nothing stands, by the lowest place above them at which something does."""
    found: dict[Tokens, list[Tokens]] = defaultdict(list)
    for pointer in dict.fromkeys(pointers):
        place = split(pointer)
        if get(value, place) is MISSING:
            above = place
            while get(value, above) is MISSING:
                above = above[:-1]
            found[above].append(place)
    return found


def _node(name: str, place: Tokens, value: JsonValue, marks: _Marks) -> Node:
    pointer = join(place)
    node = Node(
        name=visible(name),
        pointer=visible(pointer),
        address=place_address(marks.record_id, pointer),
        problems=marks.problems.get(pointer, []),
        waiting=marks.waiting.get(pointer, 0),
    )
    if is_leaf(value):
        node.value = value_line(value)
        node.origin = badge(ORIGINS, marks.origins.get(pointer, "input"))
        node.below = list(_absent_nodes(place, marks))
        return node
    node.below = [*_members(place, value, marks), *_absent_nodes(place, marks)]
    kind = ("member", "members") if isinstance(value, dict) else ("row", "rows")
    number = len(value) if isinstance(value, (dict, list)) else 0
    node.size = f"{number:,} {kind[number != 1]}"
    node.is_open = len(place) < 1 or number <= _OPEN_ROWS
    return node


def _members(place: Tokens, value: JsonValue, marks: _Marks) -> Iterator[Node]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield _node(name, (*place, name), item, marks)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            node = _node(f"[{index}]", (*place, str(index)), item, marks)
            texts = item.values() if isinstance(item, dict) else ()
            node.hint = visible(shortened(next((one for one in texts if isinstance(one, str)), ""), _MOST_HINT))
            yield node


def _absent_nodes(above: Tokens, marks: _Marks) -> Iterator[Node]:
    for place in sorted(marks.absent.get(above, ())):
        pointer = join(place)
        yield Node(
            name=visible("/".join(place[len(above) :])),
            pointer=visible(pointer),
            address=place_address(marks.record_id, pointer),
            is_absent=True,
            problems=marks.problems.get(pointer, []),
            waiting=marks.waiting.get(pointer, 0),
        )


def leaf_rows(record_id: str, value: JsonValue, report: Row) -> list[dict[str, Any]]:
    """Return every leaf with what stands behind it, for paper."""
    told = {str(row["pointer"]): row for row in report["leaves"]}
    rows: list[dict[str, Any]] = []
    for place, leaf in leaves(value):
        row = told.get(join(place), {})
        rows.append(
            {
                "pointer": visible(join(place)),
                "address": place_address(record_id, join(place)),
                "value": value_line(leaf),
                "origin": badge(ORIGINS, row.get("origin", "input")),
                "behind": leaf_source(row),
            }
        )
    return rows


def leaf_source(row: Row) -> list[str]:
    """Return what stands behind a leaf, line by line."""
    lines: list[str] = []
    if "fill" in row:
        fill = row["fill"]
        lines += [f"from {fill['evidence_id']} at {fill['source_pointer'] or '(the whole source)'}"]
        lines += [f"reference {fill['evidence_ref']}"]
    if "declaration" in row:
        told = row["declaration"]
        lines += [f"document {told['document_digest']}, page {told['page']}", f"quote: {told['quote']}"]
    if "suggestion" in row:
        lines.append(f"suggested by {row['suggestion']['model'] or 'a model'}")
        if row.get("first_person"):
            lines.append(f"first of two persons: {row['first_person']}")
    event = row.get("event")
    if event is not None and len(lines) > 0:
        lines.append(f"by {event['actor']['id']} ({event['actor']['kind']}), {event['at']}, event {event['event_id']}")
        if event["reason"]:
            lines.append(f"because: {event['reason']}")
    return [visible(line) for line in lines]
