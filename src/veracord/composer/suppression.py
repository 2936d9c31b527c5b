"""Which candidates of a model a person gets to see: all rules, pure, each with the word that it is counted by.

A candidate is looked at alone, against the record as the repair left it; it is never combined with another one.  What
is not sure to be harmless is suppressed: a place that is set or lost with an object counts like one that is named.

Source: ADR 0011; records.md section 5.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from veracord.composer.clamping import clamps
from veracord.composer.suggestions import MOST_CONFIDENCE, MOST_RATIONALE, Suggestion, Suppression
from veracord.records.pointers import Tokens, get, index_of, is_covered, is_under, split, step
from veracord.records.profiles import Profile
from veracord.records.values import MISSING, JsonObject, JsonValue, Missing, Number, equal, is_number, leaves
from veracord.records.violations import Finding, Shape

#: Whether a reviewer rejected a value at a path before.
IsRejected = Callable[[str, JsonValue], bool]

#: What somebody issues, and nobody knows: asked only where a profile does not say what is administrative.
_ISSUED_FORMATS: Final = frozenset({"date", "date-time", "uuid", "uri"})
_ISSUED_NAME: Final = re.compile(r"(?i:id)|.*(?:Id|ID|_id|(?i:version))", re.DOTALL)

_BREAKS: Final = str.maketrans(dict.fromkeys("\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029", " "))
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


class Sifted(NamedTuple):
    """What is left of an answer.

    Attributes:
        suggestions: By path.
        suppressed: How many candidates were not, by reason, in the order of the reasons' names.
    """

    suggestions: tuple[Suggestion, ...]
    suppressed: dict[str, int]


class _Candidate(NamedTuple):
    """A well-formed candidate."""

    path: str
    tokens: Tokens
    value: JsonValue
    rationale: str
    confidence: Number


def sift(
    answer: JsonValue,
    profile: Profile,
    record: JsonObject,
    is_rejected: IsRejected | None = None,
    findings: Sequence[Finding] | None = None,
) -> Sifted:
    """Return the suggestions of an answer that may be shown, and why the others may not.

    Args:
        answer: A value of the form of suggestions.
        profile: What the record must be.
        record: The record as the repair left it.
        is_rejected: Tells what a reviewer rejected before.
        findings: The violations of the record, where they are known.
    """
    answered = answer if isinstance(answer, dict) else {}
    listed = answered.get("suggestions")
    counts: Counter[str] = Counter({Suppression.NOT_ASKED_FOR.value: len(answered.keys() - {"suggestions"})})
    sieve = _Sieve(profile, record, is_rejected, profile.findings(record) if findings is None else findings)
    kept: list[_Candidate] = []
    for raw in listed if isinstance(listed, list) else ():
        found = sieve.judge(raw)
        if isinstance(found, _Candidate):
            kept.append(found)
        else:
            counts[found.value] += 1
    # Also in reverse, what is trusted equally keeps the order of the answer.
    ranked = sorted(kept, key=lambda candidate: candidate.confidence, reverse=True)
    suggestions = [_suggestion(candidate, rank) for rank, candidate in enumerate(ranked, 1)]
    return Sifted(
        tuple(sorted(suggestions, key=lambda suggestion: suggestion.path)),
        {reason: number for reason, number in sorted(counts.items()) if number},
    )


def clean_rationale(text: str) -> str:
    """Return a rationale as one line of plain text, without what cannot be seen; "…" ends one that was cut."""
    line = text.translate(_BREAKS)
    plain = "".join(character for character in line if unicodedata.category(character) not in _UNSEEN).strip()
    return plain if len(plain) <= MOST_RATIONALE else f"{plain[: MOST_RATIONALE - 1]}…"


class _Sieve:
    """Judges the candidates of one answer, in its order."""

    def __init__(
        self, profile: Profile, record: JsonObject, is_rejected: IsRejected | None, findings: Sequence[Finding]
    ) -> None:
        self._profile = profile
        self._record = record
        self._is_rejected = is_rejected
        self._findings = findings
        self._known = {finding.key for finding in self._findings}
        self._open = {finding.violation.path for finding in self._findings}
        self._seen: set[str] = set()

    def judge(self, raw: JsonValue) -> _Candidate | Suppression:
        """Return a candidate that may be shown, or the first reason why it may not."""
        candidate = _read(raw)
        if isinstance(candidate, Suppression):
            return candidate
        if candidate.path not in self._open:
            return Suppression.NO_VIOLATION
        if candidate.path in self._seen:
            return Suppression.SECOND_CANDIDATE
        self._seen.add(candidate.path)
        return self._forbidden(candidate) or self._idle(candidate) or self._unsound(candidate) or candidate

    def _forbidden(self, candidate: _Candidate) -> Suppression | None:
        """Return why nobody may propose anything here."""
        tokens = candidate.tokens
        # What stands there now is set as well: to the same value again, or to nothing.
        places = {*_nodes(candidate.value, tokens), *_nodes(get(self._record, tokens), tokens)}
        if any(is_covered(place, never) for place in places for never in self._profile.never_suggested):
            return Suppression.NEVER_SUGGESTED
        if not self._profile.has_administrative and any(self._is_issued(place) for place in places):
            return Suppression.ADMINISTRATIVE
        return None

    def _is_issued(self, place: Tokens) -> bool:
        """Whether a place looks like one whose value somebody issues."""
        if self._profile.place.below(place).formats & _ISSUED_FORMATS:
            return True
        name = next((token for token in reversed(place) if index_of(token) is None), "")
        return _ISSUED_NAME.fullmatch(name) is not None

    def _idle(self, candidate: _Candidate) -> Suppression | None:
        """Return why the value says nothing that was not known."""
        present = get(self._record, candidate.tokens)
        if present is not MISSING and equal(present, candidate.value):
            return Suppression.UNCHANGED
        if clamps(self._profile.place, candidate.tokens, present, candidate.value):
            return Suppression.CLAMPED
        if self._is_rejected is not None and self._is_rejected(candidate.path, candidate.value):
            return Suppression.REJECTED
        return None

    def _unsound(self, candidate: _Candidate) -> Suppression | None:
        """Return why the record would not be better with the value."""
        if self._loses_valid(candidate):
            return Suppression.REPLACES_VALID
        trial = _with(self._record, candidate.tokens, candidate.value)
        if not isinstance(trial, dict):
            return Suppression.NOT_RESOLVING
        findings = self._profile.findings(trial)
        if any(finding.tokens == candidate.tokens for finding in findings):
            return Suppression.NOT_RESOLVING
        if any(finding.key not in self._known for finding in findings):
            return Suppression.NEW_VIOLATION
        return None

    def _loses_valid(self, candidate: _Candidate) -> bool:
        """Whether a leaf that is there and does not violate would be changed or dropped."""
        present = get(self._record, candidate.tokens)
        if present is MISSING:
            return False
        return any(
            not self._violates((*candidate.tokens, *below)) and not _is_at(candidate.value, below, value)
            for below, value in leaves(present)
        )

    def _violates(self, leaf: Tokens) -> bool:
        return any(_is_about(finding, leaf) for finding in self._findings)


def _is_about(finding: Finding, leaf: Tokens) -> bool:
    """Whether a violation says that a leaf is wrong, or that it must not be there."""
    if finding.shape is Shape.RULE:
        # It is over several values, and says of none that it is the wrong one.
        return False
    return is_under(finding.tokens, leaf) or (finding.shape is Shape.UNKNOWN and is_under(leaf, finding.tokens))


def _is_at(value: JsonValue, below: Tokens, expected: JsonValue) -> bool:
    found = get(value, below)
    return found is not MISSING and equal(found, expected)


def _read(raw: JsonValue) -> _Candidate | Suppression:
    """Return a candidate whose parts are what they must be."""
    if not isinstance(raw, dict) or "value" not in raw:
        return Suppression.MALFORMED
    path, rationale, confidence = raw.get("path"), raw.get("rationale"), raw.get("confidence")
    if not isinstance(path, str) or not isinstance(rationale, str):
        return Suppression.MALFORMED
    try:
        tokens = split(path)
    except ValueError:
        return Suppression.MALFORMED
    if not is_number(confidence) or not 0 <= confidence <= 1:
        return Suppression.CONFIDENCE
    return _Candidate(path, tokens, raw["value"], rationale, confidence)


def _suggestion(candidate: _Candidate, rank: int) -> Suggestion:
    # The sum makes 0 of -0.
    confidence = min(float(candidate.confidence), MOST_CONFIDENCE) + 0.0
    return Suggestion(candidate.path, candidate.value, clean_rationale(candidate.rationale), confidence, rank)


def _nodes(value: JsonValue | Missing, at: Tokens) -> Iterator[Tokens]:
    """Yield the place of a value and of everything in it."""
    if value is MISSING:
        return
    yield at
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _nodes(item, (*at, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _nodes(item, (*at, str(index)))


def _with(node: JsonValue, tokens: Tokens, value: JsonValue) -> JsonValue | Missing:
    """Return a value with a place in it set, sharing the rest; MISSING where nothing can be set there."""
    if not tokens:
        return value
    token, rest = tokens[0], tokens[1:]
    child = step(node, token)
    inner = value if not rest else MISSING if child is MISSING else _with(child, rest, value)
    if inner is MISSING:
        return MISSING
    if isinstance(node, dict):
        return {**node, token: inner}
    index = index_of(token)
    if isinstance(node, list) and index is not None and index < len(node):
        return [*node[:index], inner, *node[index + 1 :]]
    return MISSING
