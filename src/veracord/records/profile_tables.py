"""The tables of a profile file, parsed strictly: an unknown table or field is an error, not something to skip."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from veracord.errors import ConfigurationError
from veracord.records.identity import LEVELS, Identity, Key, Member
from veracord.records.pointers import STAR, Tokens, is_covered, join, split
from veracord.records.rules import OPERATORS, CompareRule, Rule, SumRule, UniqueRule
from veracord.records.values import JsonObject, JsonValue, Number, is_number


@dataclass(frozen=True, slots=True)
class ProfileTable:
    """A profile as it is written, parsed; see `veracord.records.profiles.Profile` for the fields."""

    name: str
    version: str
    schema: list[str]
    description: str = ""
    identity: Identity = field(default_factory=Identity)
    has_administrative: bool = False
    never_filled: tuple[Tokens, ...] = ()
    never_suggested: tuple[Tokens, ...] = ()
    rows: tuple[tuple[Tokens, tuple[Tokens, ...]], ...] = ()
    context: tuple[tuple[Tokens, tuple[Tokens, ...]], ...] = ()
    rules: tuple[Rule, ...] = ()
    labels: tuple[tuple[Tokens, tuple[str, ...]], ...] = ()


class _Reader:
    """Takes fields out of a table and says which file and field an error is in."""

    def __init__(self, table: JsonValue, where: str, name: str, known: Iterable[str]) -> None:
        if not isinstance(table, dict):
            raise profile_error(f"{name or 'the profile'} is not a table", where)
        self._table, self._where, self._name = table, where, name
        unknown = sorted(table.keys() - set(known))
        if unknown:
            raise profile_error(f"unknown field {self._full(unknown[0])}", where, f"known: {', '.join(sorted(known))}")

    def _full(self, name: str) -> str:
        return f"{self._name}.{name}" if self._name else name

    def text(self, name: str, default: str | None = None) -> str:
        value = self._table.get(name, default)
        if not isinstance(value, str) or (default is None and not value):
            raise profile_error(f"{self._full(name)} must be a text", self._where)
        return value

    def texts(self, name: str) -> list[str]:
        value = self._table.get(name, [])
        if isinstance(value, str) and value:
            value = [value]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise profile_error(f"{self._full(name)} must be a list of texts", self._where)
        return [item for item in value if isinstance(item, str)]

    def pointer(self, name: str) -> Tokens | None:
        if name not in self._table:
            return None
        return self.to_pointer(self.text(name), name)

    def pointers(self, name: str) -> tuple[Tokens, ...]:
        return tuple(self.to_pointer(text, name) for text in self.texts(name))

    def to_pointer(self, text: str, name: str) -> Tokens:
        try:
            tokens = split(text)
        except ValueError as error:
            raise profile_error(f"{self._full(name)}: {error}", self._where) from None
        if not tokens:
            raise profile_error(f"{self._full(name)} is empty and would mean the whole record", self._where)
        return tokens

    def required_pointer(self, name: str) -> Tokens:
        return self.to_pointer(self.text(name), name)

    def number(self, name: str) -> Number | None:
        value = self._table.get(name)
        if value is None or is_number(value):
            return value
        raise profile_error(f"{self._full(name)} must be a number", self._where)

    def get(self, name: str, default: JsonValue = None) -> JsonValue:
        return self._table.get(name, default)

    def table(self, name: str) -> JsonValue:
        return self._table.get(name, {})

    def tables(self, name: str) -> list[JsonValue]:
        value = self._table.get(name, [])
        if not isinstance(value, list):
            raise profile_error(f"{self._full(name)} must be a list of tables ([[{name}]])", self._where)
        return value


_TOP: Final = (
    *("name", "version", "description", "schema"),
    *("identity", "administrative", "rows", "context", "levels", "rules", "labels"),
)


def parse_table(document: JsonObject, where: str) -> ProfileTable:
    """Parse the tables of a profile file.

    Args:
        document: The file, as nested tables.
        where: What errors call it.

    Raises:
        ConfigurationError: An unknown table or field, or a value of the wrong kind.
    """
    top = _Reader(document, where, "", _TOP)
    administrative = top.table("administrative")
    admin = _Reader(administrative, where, "administrative", ("record_id", "never_filled", "never_suggested"))
    schema = top.texts("schema")
    if not schema:
        raise profile_error("schema is missing", where, "name the schema file")
    return ProfileTable(
        name=top.text("name"),
        version=top.text("version"),
        description=top.text("description", ""),
        schema=schema,
        identity=_parse_identity(top, admin.pointer("record_id"), where),
        has_administrative="administrative" in document,
        never_filled=admin.pointers("never_filled"),
        never_suggested=admin.pointers("never_suggested"),
        rows=tuple(_parse_rows(top.tables("rows"), where)),
        context=tuple(_parse_context(top.tables("context"), where)),
        rules=tuple(_parse_rule(table, where) for table in top.tables("rules")),
        labels=tuple(_parse_labels(top.table("labels"), where)),
    )


def parse_keys(keys: JsonValue, where: str) -> tuple[Key, ...]:
    """Parse identity keys: lists of pointers, or tables ``{members, kind}``.

    Raises:
        ConfigurationError: A key is empty, or of no known kind.
    """
    if not isinstance(keys, list):
        raise profile_error("identity.keys must be a list of keys", where)
    found: list[Key] = []
    for entry in keys:
        if not isinstance(entry, list | dict):
            raise profile_error(
                "identity.keys holds a bare pointer", where, 'write each key as a list, like ["/maker", "/model"]'
            )
        table: JsonValue = entry if isinstance(entry, dict) else {"members": entry}
        reader = _Reader(table, where, "identity.keys", ("members", "kind"))
        kind = reader.text("kind", "")
        if kind not in ("", "gtin"):
            raise profile_error(f"identity.keys: unknown kind {kind}", where, "known: gtin")
        members = reader.pointers("members")
        if not members:
            raise profile_error("identity.keys holds an empty key, which would match everything", where)
        if kind == "gtin" and len(members) > 1:
            raise profile_error("identity.keys: a key of kind gtin has one member", where)
        found.append(tuple(Member(tokens, kind == "gtin") for tokens in members))
    return tuple(found)


def _parse_identity(top: _Reader, record_id: Tokens | None, where: str) -> Identity:
    reader = _Reader(top.table("identity"), where, "identity", ("keys", "level", "default_level"))
    default = reader.text("default_level", "")
    if default and default not in LEVELS:
        raise profile_error(f"identity.default_level {default} is no level", where, f"known: {', '.join(LEVELS)}")
    level = reader.pointer("level")
    levels = tuple(_parse_levels(top.tables("levels"), where))
    if level is None and (default or levels):
        raise profile_error("levels are declared, and identity.level does not say where a record states its own", where)
    keys = parse_keys(reader.get("keys", []), where)
    return Identity(_with_kinds(keys), record_id, level, default or None, levels)


def _with_kinds(keys: tuple[Key, ...]) -> tuple[Key, ...]:
    """A member that is a trade item number in one key is one in every key."""
    gtins = {member.tokens for key in keys for member in key if member.is_gtin}
    return tuple(tuple(Member(member.tokens, member.tokens in gtins) for member in key) for key in keys)


def _parse_levels(tables: list[JsonValue], where: str) -> Iterator[tuple[str, Tokens]]:
    seen: set[Tokens] = set()
    for table in tables:
        reader = _Reader(table, where, "levels", ("level", "values"))
        level = reader.text("level")
        if level not in LEVELS:
            raise profile_error(f"levels.level {level} is no level", where, f"known: {', '.join(LEVELS)}")
        for place in reader.pointers("values"):
            if place in seen:
                raise profile_error(f"levels: {join(place)} is declared twice", where)
            seen.add(place)
            yield level, place


def _parse_rows(tables: list[JsonValue], where: str) -> Iterator[tuple[Tokens, tuple[Tokens, ...]]]:
    seen: set[Tokens] = set()
    for table in tables:
        reader = _Reader(table, where, "rows", ("at", "key"))
        at = reader.required_pointer("at")
        key = reader.pointers("key")
        if not key:
            raise profile_error(f"rows: {join(at)} has no key", where)
        if len(set(key)) < len(key):
            raise profile_error(f"rows: the key of {join(at)} can never match", where, "name each member once")
        if at in seen:
            raise profile_error(f"rows: {join(at)} is declared twice", where)
        seen.add(at)
        yield at, key


def _parse_context(tables: list[JsonValue], where: str) -> Iterator[tuple[Tokens, tuple[Tokens, ...]]]:
    found: dict[Tokens, tuple[Tokens, ...]] = {}
    for table in tables:
        reader = _Reader(table, where, "context", ("value", "agrees"))
        value, agrees = reader.required_pointer("value"), reader.pointers("agrees")
        if not agrees or value in agrees or value in found:
            raise profile_error(f"context: {join(value)} must stand once and agree with other places", where)
        if any(is_covered(place, value) or is_covered(value, place) for place in agrees):
            raise profile_error(
                f"context: {join(value)} and its context are one inside the other", where, "name the value itself"
            )
        if any(place.count(STAR) > value.count(STAR) for place in agrees):
            raise profile_error(f"context: {join(value)} agrees with a place in more rows than its own", where)
        found[value] = agrees
    _refuse_circles(found, where)
    yield from found.items()


def _parse_labels(table: JsonValue, where: str) -> Iterator[tuple[Tokens, tuple[str, ...]]]:
    reader = _Reader(table, where, "labels", table if isinstance(table, dict) else ())
    for name in table if isinstance(table, dict) else ():
        labels = tuple(label.strip() for label in reader.texts(name))
        if not labels or not all(any(char.isalnum() for char in label) for label in labels):
            raise profile_error(f"labels.{name} must be a list of texts", where, "name what people call the field")
        yield reader.to_pointer(name, name), labels


def _refuse_circles(context: Mapping[Tokens, tuple[Tokens, ...]], where: str) -> None:
    for start in context:
        todo, seen = list(context[start]), set[Tokens]()
        while todo:
            place = todo.pop()
            if is_covered(place, start):
                raise profile_error(
                    f"context: {join(start)} depends on itself", where, "name one of them as the context"
                )
            if place not in seen:
                seen.add(place)
                todo += [at for value, agrees in context.items() if is_covered(place, value) for at in agrees]


def _parse_rule(table: JsonValue, where: str) -> Rule:
    kind = table.get("kind") if isinstance(table, dict) else None
    if kind == "sum":
        reader = _Reader(table, where, "rules", ("kind", "over", "min", "max"))
        least, most = reader.number("min"), reader.number("max")
        if least is None and most is None:
            raise profile_error("rules: a sum needs min or max", where)
        if least is not None and most is not None and least > most:
            raise profile_error("rules: no sum is at least its min and at most its max", where, "exchange them")
        return SumRule(_starred(reader, where), least, most)
    if kind == "unique":
        return UniqueRule(_starred(_Reader(table, where, "rules", ("kind", "over")), where))
    if kind == "compare":
        return _parse_compare(_Reader(table, where, "rules", ("kind", "left", "op", "right")), where)
    raise profile_error("rules: a rule has a kind", where, "known: sum, compare, unique")


def _parse_compare(reader: _Reader, where: str) -> CompareRule:
    sign = reader.text("op")
    if sign not in OPERATORS:
        raise profile_error(f"rules.op {sign} is no comparison", where, f"known: {', '.join(OPERATORS)}")
    left, right = reader.required_pointer("left"), reader.get("right")
    if is_number(right):
        return CompareRule(left, sign, right)
    other = reader.required_pointer("right")
    if other.count(STAR) > left.count(STAR):
        raise profile_error(f"rules: {join(other)} stands for more rows than {join(left)}", where)
    return CompareRule(left, sign, other)


def _starred(reader: _Reader, where: str) -> Tokens:
    over = reader.required_pointer("over")
    if STAR not in over:
        raise profile_error(f"rules.over {join(over)} names no rows", where, "write * for every row of an array")
    return over


def profile_error(what: str, where: str, remedy: str = "correct the profile") -> ConfigurationError:
    """Return the error for a profile that cannot be used as it is."""
    return ConfigurationError(what, where=where, remedy=remedy, code="invalid_profile")
