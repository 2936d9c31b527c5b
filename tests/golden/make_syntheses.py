"""Seeds cut from real published passports, with the sources that hold the rest, and what must come of them.

Everything is drawn from a fixed seed.  A case that must succeed has sources that agree; one that must fail lacks a
leaf that its schema needs, or has two sources that disagree about it.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.contract.passport_pairs import Pair, Published
from veracord import ConfigurationError, EvidencePack, Profile
from veracord.composer.statements import is_placeholder
from veracord.records.pointers import Tokens, get
from veracord.records.values import copy, holds_objects, leaves

ZERO_UUID = "00000000-0000-0000-0000-000000000000"
SOME_UUID = "6f1c1a52-1d1e-4a9b-9a35-0c4f5b7d9e21"
#: Instances of one schema that are used; some schemas have more than a hundred.
MOST_OF_ONE_SCHEMA = 8


@dataclass(frozen=True)
class Case:
    """One synthesis.

    Attributes:
        family: Who published the passport.
        kind: What kind of case it is.
        profile: The schema, with an identity and with rows.
        truth: The passport.
        seed: A part of it.
        sources: What sources say.
        succeeds: Whether a record must come of it.
        blamed: Where it fails, the place that must be told.
    """

    family: str
    kind: str
    profile: Profile
    truth: dict[str, Any]
    seed: dict[str, Any]
    sources: tuple[dict[str, Any], ...]
    succeeds: bool = True
    blamed: Tokens = ()

    @property
    def pack(self) -> EvidencePack:
        """The sources as a pack, with a text and another product beside them."""
        items: list[dict[str, Any]] = [
            {"id": f"s{number}", "content": content} for number, content in enumerate(self.sources)
        ]
        return EvidencePack.from_items([*items, {"id": "t", "text": "nothing"}])


def make_cases(folder: Path) -> Iterator[Case]:
    """Yield all cases of a folder of published passports."""
    published = Published(folder)
    profiles: dict[Path, Profile | None] = {}
    used: Counter[Path] = Counter()
    for pair in published.pairs():
        if pair.schema not in profiles:
            profiles[pair.schema] = _profile(pair)
        if used[pair.schema] < MOST_OF_ONE_SCHEMA:
            maker = _maker_of(published, folder, pair, profiles[pair.schema])
            used[pair.schema] += maker is not None
            yield from maker.cases() if maker is not None else ()


def cases_of(folder: Path, schema: Path) -> Iterator[Case]:
    """Yield the cases of one schema."""
    published = Published(folder)
    for pair in published.pairs():
        maker = _maker_of(published, folder, pair, _profile(pair)) if pair.schema == schema else None
        yield from maker.cases() if maker is not None else ()


def _maker_of(published: Published, folder: Path, pair: Pair, profile: Profile | None) -> "_Maker | None":
    """Return the maker of the cases of one passport; None where it does not conform or names no product."""
    truth = _without_placeholders(published.content[pair.instance])
    if profile is None or not profile.conforms(truth):
        return None
    identity = _identity_of(profile, truth)
    if identity is None:
        return None
    keyed = replace(profile.with_identity([["/" + "/".join(identity)]]), rows=dict(_rows_of(truth)))
    rng = random.Random(str(pair.instance.relative_to(folder)))
    return _Maker(published.publisher[pair.instance], keyed, truth, identity, rng)


def _without_placeholders(value: Any) -> Any:
    """Return a passport with other identifiers where it has none: published examples hold UUIDs of zeros."""
    if isinstance(value, dict):
        return {name: _without_placeholders(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_placeholders(item) for item in value]
    return value.replace(ZERO_UUID, SOME_UUID) if isinstance(value, str) else value


def _profile(pair: Pair) -> Profile | None:
    try:
        return Profile.from_schema([pair.schema, *pair.others])
    except ConfigurationError:
        return None


def _identity_of(profile: Profile, truth: dict[str, Any]) -> Tokens | None:
    """Return a text outside of arrays that the schema knows, one that is named like an identifier if there is one."""
    found = [
        at
        for at, value in leaves(truth)
        if isinstance(value, str)
        and value.strip()
        and not any("~" in token or "/" in token or token == "*" or token.isdigit() for token in at)
        and not any(isinstance(get(truth, at[:depth]), list) for depth in range(len(at)))
        and is_known(profile, at)
        and value not in profile.place.below(at).shown
    ]
    named = [at for at in found if "id" in at[-1].lower()]
    return min(named or found, key=lambda at: (len(at), at), default=None)


def is_known(profile: Profile, at: Tokens) -> bool:
    """Whether the schema knows a place and all places above it."""
    return all(profile.place.below(at[:depth]).is_known for depth in range(1, len(at) + 1))


def _rows_of(value: Any, at: Tokens = ()) -> Iterator[tuple[Tokens, tuple[Tokens, ...]]]:
    """Yield the arrays outside of other arrays whose rows differ in a member that all have, with that member."""
    for name, child in value.items() if isinstance(value, dict) else ():
        if isinstance(child, dict):
            yield from _rows_of(child, (*at, name))
        elif holds_objects(child) and all(isinstance(row, dict) and row for row in child):
            for member in child[0]:
                told = [row.get(member) for row in child]
                if all(isinstance(item, str) and item for item in told) and len(set(told)) == len(told):
                    yield (*at, name), ((member,),)
                    break


class _Maker:
    """Makes the cases of one passport."""

    def __init__(
        self, family: str, profile: Profile, truth: dict[str, Any], identity: Tokens, rng: random.Random
    ) -> None:
        self._family = family
        self._profile = profile
        self._truth = truth
        self._identity = identity
        self._rng = rng
        #: Members that hold what the schema does not know, or shows itself: no source gives them, so a seed has them.
        self._own = {
            at[:depth]
            for at, value in leaves(truth)
            if not is_known(profile, at) or is_placeholder(profile.place.below(at), value)
            for depth in range(1, len(at) + 1)
            if depth == len(at) or isinstance(get(truth, at[:depth]), list)
        }

    def cases(self) -> Iterator[Case]:
        """Yield the cases."""
        yield self._case("identity alone", self._part(0.0), (copy(self._truth),))
        yield self._case("half", self._part(0.5), (copy(self._truth),))
        yield from self._two_sources()
        yield from self._with_rows()
        yield from self._failing()

    def _case(self, kind: str, seed: Any, sources: tuple[Any, ...], **more: Any) -> Case:
        return Case(self._family, kind, self._profile, self._truth, seed, sources, **more)

    def _part(self, share: float, *, without: Tokens | None = None) -> dict[str, Any]:
        """Return the identity and a share of the other members; arrays are kept or left out whole."""

        def cut(value: dict[str, Any], at: Tokens) -> dict[str, Any]:
            kept: dict[str, Any] = {}
            for name, child in value.items():
                place = (*at, name)
                if place == without:
                    continue
                if place == self._identity or place in self._own:
                    kept[name] = copy(child)
                elif isinstance(child, dict) and child:
                    below = cut(child, place)
                    kept |= {name: below} if below else {}
                elif self._rng.random() < share:
                    kept[name] = copy(child)
            return kept

        return cut(self._truth, ())

    def _two_sources(self) -> Iterator[Case]:
        """What the seed lacks stands in one of two sources, or in both, in the same words."""
        for seeded in (0.0, 0.3):
            first = self._part(0.6)
            second = copy(self._truth)
            for at, _ in list(self._units(first)):
                if self._rng.random() < 0.6 and at != self._identity:
                    _take_out(second, at)
            yield self._case("two sources", self._part(seeded), (first, second))

    def _units(self, value: Any, at: Tokens = ()) -> Iterator[tuple[Tokens, Any]]:
        """Yield leaves and arrays."""
        for name, child in value.items():
            if isinstance(child, dict) and child:
                yield from self._units(child, (*at, name))
            else:
                yield (*at, name), child

    def _with_rows(self) -> Iterator[Case]:
        """The seed has the keys of some rows, and the source has all rows in another order."""
        for at, key in sorted(self._profile.rows.items())[:2]:
            if at in self._own:
                continue
            rows = get(self._truth, at)
            assert isinstance(rows, list)
            member = key[0][0]
            for number in {1, len(rows)}:
                seed = self._part(0.2)
                _put(seed, at, [{member: row[member]} for row in rows[:number]])  # type: ignore[index,call-overload]
                source = copy(self._truth)
                _put(source, at, self._rng.sample(get(source, at), len(rows)))  # type: ignore[arg-type]
                yield self._case("rows", seed, (source,))

    def _failing(self) -> Iterator[Case]:
        """A leaf that the schema needs stands nowhere, or two sources disagree about it."""
        places = [at for at, _ in self._units(self._truth) if at != self._identity and at not in self._own]
        needed = [at for at in self._rng.sample(places, min(12, len(places))) if self._is_needed(at)]
        for at in needed[:2]:
            source, other = copy(self._truth), copy(self._truth)
            value = get(self._truth, at)
            _take_out(source, at)
            yield self._case("missing", self._part(0.2, without=at), (source,), succeeds=False, blamed=at)
            if isinstance(value, str) and value:
                _put(other, at, value + value[-1])
                whole = copy(self._truth)
                yield self._case("conflict", self._part(0.2, without=at), (whole, other), succeeds=False, blamed=at)

    def _is_needed(self, at: Tokens) -> bool:
        without = copy(self._truth)
        _take_out(without, at)
        return not self._profile.conforms(without)


def _take_out(value: Any, at: Tokens) -> None:
    """Take a member out, and the objects that have nothing left."""
    parent = get(value, at[:-1])
    if isinstance(parent, dict):
        parent.pop(at[-1], None)
        if not parent and len(at) > 1:
            _take_out(value, at[:-1])


def _put(value: Any, at: Tokens, new: Any) -> None:
    for token in at[:-1]:
        value = value.setdefault(token, {})
    value[at[-1]] = new
