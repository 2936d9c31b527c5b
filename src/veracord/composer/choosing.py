"""Choosing one value for a leaf from what several sources say.

Sources of the best rank decide; where they disagree there is a conflict and nothing is filled.  A value that
means nothing without its neighbours counts only if the neighbours agree, or are filled from the same source.
"""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Final

from veracord.composer.alignment import Aligner, Misfit
from veracord.composer.outcomes import Outcome, Statement, Status, Statuses
from veracord.composer.units import Unit
from veracord.records.evidence import SUGGESTION_ORIGIN
from veracord.records.pointers import STAR, Tokens, get, is_covered, matches
from veracord.records.profiles import Context, Profile
from veracord.records.rules import bind, bindings
from veracord.records.values import MISSING, JsonObject, JsonValue, canonical, equal, holds_objects

_ORDER: Final = attrgetter("source.order")

Requests = Mapping[Tokens, list[Statement]]


class Chooser:
    """Decides every requested place once, neighbours before what depends on them."""

    def __init__(
        self, profile: Profile, record: JsonObject, aligner: Aligner, requests: Requests, statuses: Statuses
    ) -> None:
        """Remember what is asked for and where reasons go."""
        self._profile = profile
        self._record = record
        self._aligner = aligner
        self._requests = requests
        self._statuses = statuses
        self._decided: dict[Tokens, Unit | None] = {}

    def choose_all(self) -> dict[Tokens, Unit]:
        """Return a unit for each place that has one candidate, by place."""
        chosen = ((place, self._choose(place)) for place in sorted(self._requests))
        return {place: unit for place, unit in chosen if unit is not None}

    def _choose(self, place: Tokens) -> Unit | None:
        if place not in self._decided:
            self._decided[place] = self._decide(place)
        return self._decided[place]

    def _decide(self, place: Tokens) -> Unit | None:
        statements = self._requests[place]
        neighbours: tuple[Tokens, ...] = ()
        contexts = self._profile.contexts_near(place)
        if contexts:
            neighbours = _neighbours(contexts, place, statements)
            lending = [context for context in contexts if any(matches(place, neighbour) for neighbour in context[1])]
            statements = self._in_context(place, neighbours, lending, statements)
        if not statements:
            return None
        needs = frozenset(at for at in neighbours if at in self._requests)
        # Few sources come with origins, and this is asked for every leaf.
        may_guess = any(statement.source.item.origins for statement in statements)
        if len(statements) == 1 and not may_guess:
            return Unit(place, statements[0].value, tuple(statements), (), needs)
        ordered = sorted(statements, key=_ORDER)
        backing = [s for s in ordered if not s.is_guess] if may_guess else ordered
        if not backing:
            self._statuses.add(place, Status(Outcome.NO_SOURCE, SUGGESTION_ORIGIN, tuple(ordered)))
            return None
        standing, value = backing[0].source.standing, backing[0].value
        same = _equal_rows if holds_objects(value) and self._profile.row_key(place) else equal
        others = [s for s in ordered if not same(value, s.value)]
        contradicting = [s for s in others if s.source.standing <= standing]
        if contradicting:
            # Where none but guesses say otherwise, the one or the other may be the true source.
            detail = SUGGESTION_ORIGIN if all(s.is_guess for s in contradicting) else None
            self._statuses.add(place, Status(Outcome.CONFLICT, detail, tuple(ordered)))
            return None
        agreeing = [s for s in backing if same(value, s.value)] if others else backing
        return Unit(place, value, tuple(agreeing), tuple(others), needs)

    def _in_context(
        self, place: Tokens, neighbours: tuple[Tokens, ...], lending: list[Context], statements: list[Statement]
    ) -> list[Statement]:
        """Return the statements whose neighbours agree, and that are themselves no neighbour of another value.

        Args:
            place: The place.
            neighbours: What a value at it means nothing without.
            lending: The contexts of which it is a neighbour itself.
            statements: What sources say there.
        """
        kept: list[Statement] = []
        for statement in statements:
            agrees = all(self._agrees(statement, at) for at in neighbours)
            if agrees and not any(self._misplaces(statement, place, context) for context in lending):
                kept.append(statement)
            else:
                self._statuses.add(place, Status(Outcome.CONTEXT_MISMATCH, statements=(statement,)))
        return kept

    def _misplaces(self, statement: Statement, place: Tokens, context: Context) -> bool:
        """Whether a context would come to stand beside a sound value for which its source states another one.

        Eight miles make no mile of the five that the record holds.
        """
        pattern, agrees = context
        for row, value_at in bindings(self._record, pattern):
            if value_at in self._requests or self._aligner.violates(value_at):
                continue
            ours, theirs = get(self._record, value_at), self._aligner.align(statement.source, value_at)
            concerned = any(bind(neighbour, row) == place for neighbour in agrees)
            if concerned and ours is not MISSING and not isinstance(theirs, Misfit) and not equal(ours, theirs.theirs):
                return True
        return False

    def _agrees(self, statement: Statement, neighbour: Tokens) -> bool:
        """Whether a neighbour has, or gets from this source, the value that the source gives it."""
        theirs = self._aligner.align(statement.source, neighbour)
        if isinstance(theirs, Misfit) or statement.source.item.is_unsupporting(theirs.pointer):
            return False
        if neighbour in self._requests:
            unit = self._choose(neighbour)
            return (
                unit is not None
                and statement.source.evidence_id in unit.supporters
                and equal(unit.value, theirs.theirs)
            )
        ours = get(self._record, neighbour)
        return ours is not MISSING and not self._aligner.violates(neighbour) and equal(ours, theirs.theirs)


def _equal_rows(a: JsonValue, b: JsonValue) -> bool:
    """Whether two arrays hold the same rows, in whatever order."""
    if not isinstance(a, list) or not isinstance(b, list):
        return False
    # Most sources list them in the same order, which costs less to find out.
    return canonical(a) == canonical(b) or sorted(map(canonical, a)) == sorted(map(canonical, b))


def _row(place: Tokens, pattern: Tokens) -> Tokens:
    """Return the row indexes that the stars of a pattern stand for."""
    return tuple(token for token, part in zip(place, pattern, strict=True) if part == STAR)


def _states(statement: Statement, pattern: Tokens) -> bool:
    """Whether a source states a value in any of its rows."""
    return any(get(statement.value, at) is not MISSING for _, at in bindings(statement.value, pattern))


def _neighbours(contexts: Iterable[Context], place: Tokens, statements: list[Statement]) -> tuple[Tokens, ...]:
    """Return the places that a value means nothing without, in the rows that it is in.

    Of rows that are copied whole these are the places outside of them: what is inside comes along.
    """
    found: list[Tokens] = []
    for pattern, agrees in contexts:
        at = place[: len(pattern)]
        if matches(at, pattern):
            found += [bind(neighbour, _row(at, pattern)) for neighbour in agrees]
        elif matches(place, pattern[: len(place)]) and any(_states(s, pattern[len(place) :]) for s in statements):
            row = _row(place, pattern[: len(place)])
            outer = [bind(neighbour, row) for neighbour in agrees if not is_covered(neighbour, place)]
            found += [neighbour for neighbour in outer if STAR not in neighbour]
    return tuple(found)
