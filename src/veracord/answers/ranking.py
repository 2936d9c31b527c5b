"""Which parts of the evidence come nearest to a question: BM25 over their words.

The kept libraries (bm25s, rank-bm25) bring numpy along, thirty times the size of this package, to rank a few hundred
short passages; the formula is a page.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from collections import Counter
from collections.abc import Collection, Sequence
from math import log
from typing import Final

#: How fast a repeated word stops to count, and how much a long passage is made to pay.
_SATURATION: Final = 1.2
_LENGTH: Final = 0.75


def rank(query: Collection[str], passages: Sequence[Sequence[str]]) -> list[tuple[int, float]]:
    """Return the passages that have any word of a query, by number with their score, the best first.

    Ties keep the order of the passages.

    Args:
        query: Words in canonical form.
        passages: The words of each passage, in canonical form.
    """
    wanted = set(query)
    counts = [Counter(word for word in words if word in wanted) for words in passages]
    total = len(passages)
    average = sum(map(len, passages)) / total if total else 1.0
    having = Counter(word for found in counts for word in found)
    scores = [
        (
            number,
            sum(_weight(times, having[word], total, len(passages[number]) / average) for word, times in row.items()),
        )
        for number, row in enumerate(counts)
        if row
    ]
    return sorted(scores, key=lambda row: (-row[1], row[0]))


def _weight(times: int, having: int, total: int, length: float) -> float:
    """Return what one word of a passage counts."""
    rarity = log(1 + (total - having + 0.5) / (having + 0.5))
    return rarity * times * (_SATURATION + 1) / (times + _SATURATION * (1 - _LENGTH + _LENGTH * length))
