"""What a text says about its own sentences: which of them it asks, leaves open, takes back, or limits from outside.

A sentence is evidence only as its text means it.  A question states nothing, a box that is not ticked states nothing,
and what another sentence calls wrong, or limits ("This applies only to model B"), is not simply said.  Where the words
around a sentence do any of it, by closed lists, the sentence is not good for a claim; nobody reads how far it reaches.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from veracord.gates.quote import turns
from veracord.grounding.remarks import announces_doubt, is_remark, may_remark

Span = tuple[int, int]

#: Codes for what is wrong with a sentence; the first two say that it states nothing at all.
QUESTION: Final = "question"
UNTICKED: Final = "unticked"
TAKEN_BACK: Final = "taken_back"
NOTED: Final = "noted"
LIMITED: Final = "limited_beside"
_SILENT: Final = frozenset({QUESTION, UNTICKED})

_QUESTION: Final = re.compile(r"[?？](?![\w&=%/])")
_OPEN_BOX: Final = re.compile(r"\[[ _\u00a0]?\](?!\()|[☐□▢⬜◻◯]|\( \)")
#: A mark that points to a note, behind a word, a number or a stop; a pair of them is emphasis.
_NOTE_MARK: Final = re.compile(r"(?<=[\w%°.)])(?:[†‡※]|\*{1,3}(?![\w*]))|(?<=[\w%°.)])\[\^\w{1,9}\]")
_JOINING: Final = frozenset("of for in with per von für mit je within without pro nur only and und or oder".split())
_LABEL_LINE: Final = re.compile(r"[^:=]{1,60}[:=]")
_MOST_LEADING: Final = 400


def asks(text: str) -> bool:
    """Whether a sentence is a question, or puts a question mark behind anything."""
    return _QUESTION.search(text) is not None


def is_open(text: str) -> bool:
    """Whether the text of a line or a cell is a question, a box that is not ticked, or points to a note."""
    return asks(text) or _OPEN_BOX.search(text) is not None or _has_note(text)


def is_silent(limit: str | None) -> bool:
    """Whether a sentence with this code states nothing, so that it contradicts nothing either."""
    return limit in _SILENT


def limits_of(
    text: str, spans: Sequence[Span], headings: Sequence[str], words: Mapping[str, Collection[int]]
) -> dict[int, str]:
    """Return for each sentence that is not simply said, by its number, a code of why.

    Args:
        text: The text.
        spans: Its sentences.
        headings: The heading that each stands under.
        words: The sentences that each word as written occurs in.
    """
    found: dict[int, str] = {}
    paragraphs = _paragraphs(text, spans)
    for numbers, code in (
        (_beside_remarks(text, spans, words, paragraphs), TAKEN_BACK),
        (_under_leads(text, spans, headings), LIMITED),
        (_continued(text, spans), LIMITED),
        (_with_notes(text, spans), NOTED),
        (_on_lines_of(text, spans, _OPEN_BOX), UNTICKED),
        (_at(text, spans, _QUESTION), QUESTION),
    ):
        found.update(dict.fromkeys(numbers, code))
    return found


def _number_at(spans: Sequence[Span], at: int) -> int:
    """Return the last sentence that begins at a place or before it; -1 for none."""
    return bisect_right(spans, (at, len(spans) and spans[-1][1] + 1)) - 1


def _at(text: str, spans: Sequence[Span], mark: re.Pattern[str]) -> Iterator[int]:
    for match in mark.finditer(text):
        number = _number_at(spans, match.start())
        if number >= 0 and match.start() <= spans[number][1]:
            yield number


def _on_lines_of(text: str, spans: Sequence[Span], mark: re.Pattern[str]) -> Iterator[int]:
    """Yield the sentences on lines with a mark; each line is gone through once."""
    done = 0
    for match in mark.finditer(text):
        if match.start() < done:
            continue
        start = text.rfind("\n", done, match.start()) + 1 or done
        line_end = text.find("\n", match.end())
        done = line_end if line_end >= 0 else len(text)
        number = max(_number_at(spans, start), 0)
        while number < len(spans) and spans[number][0] < done:
            if spans[number][1] > start:
                yield number
            number += 1


def _has_note(text: str) -> bool:
    return _NOTE_MARK.search(text) is not None and ("*" not in text or text.count("*") % 2 == 1)


def _with_notes(text: str, spans: Sequence[Span]) -> Iterator[int]:
    for match in _NOTE_MARK.finditer(text):
        number = _number_at(spans, match.start())
        start, end = spans[number] if number >= 0 else (0, 0)
        # The mark may stand behind the stop, where the sentence has ended already.
        if number >= 0 and match.start() <= end + 1 and _has_note(text[start : max(end, match.end())]):
            yield number


def _paragraphs(text: str, spans: Sequence[Span]) -> list[int]:
    """Return the paragraph that each sentence is in, by a number; a blank line begins another."""
    found: list[int] = []
    last = 0
    for start, end in spans:
        own = found[-1] if found else 0
        found.append(own + 1 if found and text.count("\n", last, start) > 1 else own)
        last = end
    return found


def _beside_remarks(
    text: str, spans: Sequence[Span], words: Mapping[str, Collection[int]], paragraphs: Sequence[int]
) -> Iterator[int]:
    """Yield the sentences that another one takes back or limits.

    A remark reaches back over its paragraph, or over the one before where it begins its own; an announcement ("The
    following is wrong") reaches as far ahead.
    """
    suspects = sorted({number for word, numbers in words.items() if may_remark(word) for number in numbers})
    back_to, ahead_to = -1, -1
    for number in suspects:
        sentence = text[spans[number][0] : spans[number][1]]
        if is_remark(sentence):
            at = number - 1
            reach = paragraphs[at] if at >= 0 else 0
            while at > back_to and paragraphs[at] == reach:
                yield at
                at -= 1
            back_to = number - 1
        if announces_doubt(sentence):
            at = max(number, ahead_to) + 1
            reach = paragraphs[number + 1] if number + 1 < len(spans) else 0
            while at < len(spans) and paragraphs[at] == reach:
                yield at
                ahead_to, at = at, at + 1


def _under_leads(text: str, spans: Sequence[Span], headings: Sequence[str]) -> Iterator[int]:
    """Yield the sentences of a list under a line that turns or limits it: "It does not contain:"."""
    is_under, last = False, 0
    for number, (start, end) in enumerate(spans):
        if headings[number] and _leads_astray(headings[number]):
            yield number
        gap = text[last:start]
        is_item = gap.strip(" \t\n") != "" or gap.count("\n") == 1
        is_under = is_under and (is_item or (number > 0 and text[last - 1 : last] == ":"))
        if is_under:
            yield number
        if text[end - 1] == ":" and text[end : end + 1] in ("\n", ""):
            is_under = is_under or _leads_astray(text[start:end])
        last = end


def _continued(text: str, spans: Sequence[Span]) -> Iterator[int]:
    """Yield the lines of a sentence that was broken into lines, where one line turns or limits the other."""
    for number in range(1, len(spans)):
        (begin, end), (start, stop) = spans[number - 1], spans[number]
        if not text[start].islower() or text[end - 1] in ".!?:;" or text[end:start].strip(" \t\r") != "\n":
            continue
        one, other = text[begin:end], text[start:stop]
        if _LABEL_LINE.match(one) and _LABEL_LINE.match(other):
            continue
        if _leads_astray(other) or other.split(maxsplit=1)[0] in _JOINING:
            yield number - 1
        if _leads_astray(one):
            yield number


@lru_cache(maxsize=1024)
def _leads_astray(text: str) -> bool:
    """Whether a line has a word that turns or limits what it leads to, or asks it."""
    return asks(text) or announces_doubt(text) or turns(text[:_MOST_LEADING])
