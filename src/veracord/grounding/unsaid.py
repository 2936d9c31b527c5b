"""Text that is shown and not said: struck out, commented out, or a sample in a fenced block.

Such text is blanked before anything is read, so that it is no evidence, neither for a claim nor against one.
"""

import re
from collections.abc import Iterator
from typing import Final

Span = tuple[int, int]

_OPENING: Final = re.compile(
    r"~~(?!~)|<(?P<tag>s|del|strike)>|(?P<comment><!--)|^[ \t]{0,3}(?P<fence>```|~~~)", re.MULTILINE | re.IGNORECASE
)
_ANY_MARK: Final = ("~~", "<", "```")


def without_unsaid(text: str) -> str:
    """Return a text as long with blanks for what it shows without saying it."""
    if not any(mark in text for mark in _ANY_MARK):
        return text
    pieces: list[str] = []
    last = 0
    for start, end in _unsaid(text):
        pieces += (text[last:start], "".join("\n" if c == "\n" else " " for c in text[start:end]))
        last = end
    return "".join((*pieces, text[last:]))


def _unsaid(text: str) -> Iterator[Span]:
    """Yield the spans, in order; an opening without its end opens a comment or a block, and strikes out nothing."""
    folded = text.lower()
    missing: set[str] = set()
    done = 0
    for match in _OPENING.finditer(text):
        if match.start() < done:
            continue
        closing = _closing(match)
        end = -1 if closing in missing else folded.find(closing, match.end())
        if end < 0:
            # It is not looked for again: what is not ahead of one opening is ahead of none behind it.
            missing.add(closing)
            if match["comment"] is None and match["fence"] is None:
                continue
        done = end + len(closing) if end >= 0 else len(text)
        yield match.start(), done


def _closing(match: re.Match[str]) -> str:
    if match["tag"]:
        return f"</{match['tag'].lower()}>"
    if match["comment"]:
        return "-->"
    return f"\n{match['fence']}" if match["fence"] else "~~"
