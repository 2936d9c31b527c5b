"""Unified diffs of a text and the same text with a few places changed.

`difflib` looks for the longest common block, which in a list of thousands of similar rows is slow
and reports rows that nobody touched.  Here both texts are read side by side: after a difference the
two go on at the nearest place where the next lines agree, and only the lines passed over are given
to `difflib`.  That is linear in the text for changes that are local, which is what fills are.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

#: So many lines in a row must agree for the two texts to be in step again.
_ANCHOR: Final = 3

#: A longer run of changed lines is told as one change, because looking into it would be slow.
_LONGEST_RUN: Final = 500

#: So many unchanged lines are shown around a change.
_CONTEXT: Final = 3

#: A change: lines [start, end) of the first text became lines [start, end) of the second.
Change = tuple[int, int, int, int]


def unified_diff(before: str, after: str, name: str) -> str:
    """Return the unified diff of two texts, or "" where they are equal."""
    old, new = _lines(before), _lines(after)
    hunks = [_hunk(group, old, new, _CONTEXT) for group in _grouped(_changes(old, new))]
    return file_header(name) + "".join(hunks) if hunks else ""


def line_diff(before: str, after: str, number: int) -> str:
    """Return the hunk for one changed line of a file of many lines, or "" where they are equal."""
    if before == after:
        return ""
    change = (number - 1, number, number - 1, number)
    return _head(change) + _marked("-", [before]) + _marked("+", [after])


def file_header(name: str) -> str:
    """Return the two lines that begin the diff of a file."""
    return f"--- {name}\n+++ {name} (repaired)\n"


def _lines(text: str) -> list[str]:
    # Not splitlines(): a line ends at a line feed and nowhere else.
    lines = text.split("\n")
    ended = [f"{line}\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Change]:
    if old == new:
        return
    anchors: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in range(len(new) + 1):
        anchors[tuple(new[at : at + _ANCHOR])].append(at)
    i = j = 0
    while i < len(old) or j < len(new):
        if i < len(old) and j < len(new) and old[i] == new[j]:
            i, j = i + 1, j + 1
            continue
        skipped, added = _next_agreement(old, new, i, j, anchors)
        yield from _refined(old, new, (i, i + skipped, j, j + added))
        i, j = i + skipped, j + added


def _refined(old: Sequence[str], new: Sequence[str], run: Change) -> Iterator[Change]:
    """Take the lines out of a run that are the same in both texts after all."""
    old_at, old_end, new_at, new_end = run
    if max(old_end - old_at, new_end - new_at) > _LONGEST_RUN:
        yield run
        return
    matcher = SequenceMatcher(None, old[old_at:old_end], new[new_at:new_end], autojunk=False)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind != "equal":
            yield old_at + i, old_at + i_end, new_at + j, new_at + j_end


def _next_agreement(
    old: Sequence[str],
    new: Sequence[str],
    i: int,
    j: int,
    anchors: dict[tuple[str, ...], list[int]],
) -> tuple[int, int]:
    """Return how many lines to pass over in each text until both are in step again."""
    best = (len(old) - i, len(new) - j)
    for skipped in range(len(old) - i + 1):
        if skipped >= sum(best):
            break
        places = anchors.get(tuple(old[i + skipped : i + skipped + _ANCHOR]), ())
        found = bisect_left(places, j)
        if found < len(places) and skipped + places[found] - j < sum(best):
            best = (skipped, places[found] - j)
    return best


def _grouped(changes: Iterator[Change]) -> Iterator[list[Change]]:
    """Put changes together whose surroundings touch."""
    group: list[Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * _CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(group: list[Change], old: Sequence[str], new: Sequence[str], context: int) -> str:
    first, last = group[0], group[-1]
    before = min(context, first[0])
    behind = min(context, len(old) - last[1])
    at = first[0] - before
    out = [_head((at, last[1] + behind, first[2] - before, last[3] + behind))]
    for old_start, old_end, new_start, new_end in group:
        out.append(_marked(" ", old[at:old_start]))
        out.append(_marked("-", old[old_start:old_end]))
        out.append(_marked("+", new[new_start:new_end]))
        at = old_end
    out.append(_marked(" ", old[at : at + behind]))
    return "".join(out)


def _head(change: Change) -> str:
    return f"@@ -{_span(*change[:2])} +{_span(*change[2:])} @@\n"


def _span(start: int, end: int) -> str:
    count = end - start
    begin = start + 1 if count else start
    return f"{begin}" if count == 1 else f"{begin},{count}"


def _marked(mark: str, lines: Sequence[str]) -> str:
    return "".join(
        f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n" for line in lines
    )
