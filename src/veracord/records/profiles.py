"""A profile: a schema, plus what the schema cannot say about identity, rows, context and rules."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path

from veracord.errors import ConfigurationError
from veracord.records.identity import Identity, Key, Member
from veracord.records.places import Place
from veracord.records.pointers import STAR, Tokens, is_covered, join, matches
from veracord.records.profile_checks import check_against_schema
from veracord.records.profile_files import read_profile, read_schemas, schemas_digest
from veracord.records.profile_tables import ProfileTable, parse_keys, parse_table
from veracord.records.rules import Rule
from veracord.records.schemas import Schema, SchemaFile
from veracord.records.values import JsonValue, canonical, digest
from veracord.records.violations import Finding, Violation, schema_findings, sort_findings

#: A place of a value that means nothing without its neighbours, and theirs.
Context = tuple[Tokens, tuple[Tokens, ...]]


@dataclass(frozen=True, slots=True)
class Profile:
    """What records of one kind must be, checked when it is made.

    Attributes:
        name: Its name, with `version` the way results refer to it.
        version: Its version.
        description: What it is for.
        schema: The compiled schema.
        identity: Keys, levels and the member that tells records apart.
        never_filled: Places that repair leaves alone.
        never_suggested: Places that no model may propose a value for; holds `never_filled`.
        has_administrative: Whether it says which places are administrative; a bare schema does not.
        rows: Key members, relative to the row, of each array whose rows have an identity.
        context: Places that a value means nothing without.
        rules: Cross-field rules.
        labels: What people call fields, by place.
        digest: ``sha256:<hex>`` of the canonical form of the profile's own content.
        schema_digest: The same of its schema files.
        place: What the schema says about each place.
    """

    name: str
    version: str
    description: str
    schema: Schema
    identity: Identity
    never_filled: tuple[Tokens, ...] = ()
    never_suggested: tuple[Tokens, ...] = ()
    has_administrative: bool = False
    rows: dict[Tokens, tuple[Tokens, ...]] = field(default_factory=dict)
    context: dict[Tokens, tuple[Tokens, ...]] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    labels: dict[Tokens, tuple[str, ...]] = field(default_factory=dict)
    digest: str = ""
    schema_digest: str = ""
    place: Place = field(init=False)
    _never_filled_tops: frozenset[Tokens] = field(init=False, repr=False, compare=False)
    _contexts: dict[Tokens, tuple[Context, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Prepare what repair asks about every place."""
        object.__setattr__(self, "place", Place.of(self.schema))
        object.__setattr__(self, "_never_filled_tops", frozenset(at[:1] for at in self.never_filled))
        object.__setattr__(self, "_contexts", _by_top(self.context))

    @classmethod
    def load(cls, name_or_path: str | Path, *, max_bytes: int | None = None) -> "Profile":
        """Load a bundled profile by name, or one from a ``.toml`` file.

        Args:
            name_or_path: A name that `bundled_profiles` lists, or a path.
            max_bytes: The largest schema file that is read; 16 MiB by default.

        Raises:
            ConfigurationError: It cannot be read, has an unknown field, or does not fit its schema.
        """
        path = Path(name_or_path)
        if path.suffix != ".toml":
            if str(name_or_path) not in bundled_profiles():
                raise ConfigurationError(
                    f"there is no bundled profile {name_or_path}",
                    remedy=f"use {', '.join(bundled_profiles())} or the path of a .toml file",
                    code="unknown_profile",
                )
            path = Path(str(files("veracord") / "bundled" / f"{name_or_path}.toml"))
        document = read_profile(path)
        table = parse_table(document, str(path))
        schema_files, schema_digest = read_schemas([path.parent / name for name in table.schema], max_bytes)
        return cls._build(table, Schema(schema_files), digest(canonical(document)), schema_digest, str(path))

    @classmethod
    def from_schema(
        cls, paths: Sequence[str | Path], identity: Sequence[Sequence[str]] = (), *, max_bytes: int | None = None
    ) -> "Profile":
        """Make a profile of a bare schema.

        Args:
            paths: The schema file, then the files that it may refer to.
            identity: Keys as pointers, strongest first; without one, records can only be validated.
            max_bytes: The largest schema file that is read; 16 MiB by default.

        Raises:
            ConfigurationError: A file cannot be read or is no schema, or a key does not fit it.
        """
        schema_files, _ = read_schemas([Path(path) for path in paths], max_bytes)
        return cls.of_schemas(schema_files, identity)

    @classmethod
    def of_schemas(cls, files: Sequence[SchemaFile], identity: Sequence[Sequence[str]] = ()) -> "Profile":
        """Make a profile of bare schemas that have been read; see `from_schema`.

        Args:
            files: The schema, then the documents that it may refer to.
            identity: Keys as pointers, strongest first.

        Raises:
            ConfigurationError: One is no schema, or a key does not fit it.
        """
        where = files[0].where
        name = files[0].name.removesuffix(".json").removesuffix(".schema")
        table = ProfileTable(name=name, version="0", schema=[file.name for file in files])
        keys: list[JsonValue] = [list(key) for key in identity]
        table = replace(table, identity=Identity(parse_keys(keys, where))) if keys else table
        own: dict[str, JsonValue] = {"name": name, "identity": keys}
        return cls._build(table, Schema(files), digest(canonical(own)), schemas_digest(files), where)

    @classmethod
    def of_anything(cls) -> "Profile":
        """Return the profile that says nothing: everything conforms, and nothing has an identity."""
        table = ProfileTable(name="", version="0", schema=[])
        schema = Schema([SchemaFile("anything.schema.json", {})])
        return cls._build(table, schema, digest(b""), digest(b"{}"), "")

    @classmethod
    def _build(cls, table: ProfileTable, schema: Schema, own: str, schema_digest: str, where: str) -> "Profile":
        check_against_schema(table, Place.of(schema), where)
        return cls(
            name=table.name,
            version=table.version,
            description=table.description,
            schema=schema,
            identity=table.identity,
            never_filled=_with_record_id(table),
            never_suggested=_never_suggested(table),
            has_administrative=table.has_administrative,
            rows=dict(table.rows),
            context=dict(table.context),
            rules=tuple(table.rules),
            labels=dict(table.labels),
            digest=own,
            schema_digest=schema_digest,
        )

    def with_identity(self, keys: Sequence[Sequence[str]]) -> "Profile":
        """Return the profile with further identity keys, weaker than its own.

        Args:
            keys: Keys as pointers, strongest first.

        Raises:
            ConfigurationError: A key does not fit the schema.
        """
        added = parse_keys([list(key) for key in keys], self.name)
        identity = replace(self.identity, keys=(*self.identity.keys, *added))
        table = ProfileTable(name=self.name, version=self.version, schema=[], identity=identity)
        check_against_schema(table, self.place, self.name)
        members = tuple(member.tokens for key in added for member in key)
        own = digest(f"{self.digest} {[[join(member.tokens) for member in key] for key in added]}".encode())
        return replace(self, identity=identity, never_suggested=(*self.never_suggested, *members), digest=own)

    @property
    def label(self) -> str:
        """How results name it: ``name@version``."""
        return f"{self.name}@{self.version}"

    def validate(self, record: JsonValue) -> list[Violation]:
        """Return everything that is wrong with a record, by path, rule and message; empty when it conforms."""
        return [finding.violation for finding in self.findings(record)]

    def findings(self, record: JsonValue) -> list[Finding]:
        """Return the violations of a record with what repair needs to know of each, in the same order."""
        return sort_findings([*schema_findings(self.schema, record), *self.rule_findings(record)])

    def rule_findings(self, record: JsonValue) -> list[Finding]:
        """Return the violations of the profile's own rules, unsorted."""
        return [finding for rule in self.rules for finding in rule.findings(record)]

    def conforms(self, record: JsonValue) -> bool:
        """Whether a record has no violation; much faster than listing them."""
        return self.schema.is_valid(record) and not any(True for rule in self.rules for _ in rule.findings(record))

    def is_never_filled(self, place: Tokens) -> bool:
        """Whether repair must leave a place alone."""
        # Asked for every member of every row, of which hardly any is near such a place.
        tops = self._never_filled_tops
        if place[:1] not in tops and tops.isdisjoint(((STAR,), ())):
            return False
        return any(is_covered(place, at) for at in self.never_filled)

    def contexts_near(self, place: Tokens) -> tuple[Context, ...]:
        """Return the contexts that may concern a place: those of which any part is below the same top member."""
        return self._contexts.get(place[:1], ()) + self._contexts.get((STAR,), ())

    def row_key(self, array: Tokens) -> tuple[Tokens, ...] | None:
        """Return the key members of the rows of an array, or None where it is not declared."""
        if not self.rows:
            return None
        found = self.rows.get(array)
        if found is not None:
            return found
        return next((key for at, key in self.rows.items() if STAR in at and matches(array, at)), None)


def bundled_profiles() -> list[str]:
    """Return the names of the profiles that come with the package, sorted."""
    folder = files("veracord") / "bundled"
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _by_top(context: dict[Tokens, tuple[Tokens, ...]]) -> dict[Tokens, tuple[Context, ...]]:
    """Return contexts by the top members that they are about."""
    found: dict[Tokens, tuple[Context, ...]] = {}
    for value, agrees in context.items():
        for top in {place[:1] for place in (value, *agrees)}:
            found[top] = (*found.get(top, ()), (value, agrees))
    return found


def _with_record_id(table: ProfileTable) -> tuple[Tokens, ...]:
    return _unique([*table.never_filled, *([table.identity.record_id] if table.identity.record_id else [])])


def _never_suggested(table: ProfileTable) -> tuple[Tokens, ...]:
    members = [member.tokens for member in table.identity.all_members]
    return _unique([*table.never_suggested, *_with_record_id(table), *members])


def _unique(places: Collection[Tokens]) -> tuple[Tokens, ...]:
    return tuple(dict.fromkeys(places))


__all__ = ["Identity", "Key", "Member", "Profile", "bundled_profiles"]
