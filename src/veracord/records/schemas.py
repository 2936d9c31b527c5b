"""A JSON Schema with the files it may refer to, compiled once; nothing is ever fetched.

Source: JSON Schema draft-04, draft-06, draft-07, 2019-09 and 2020-12.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin

import jsonschema_rs

from veracord.errors import ConfigurationError, InputError
from veracord.records.patterns import rewrite_patterns
from veracord.records.values import JsonValue

_BASE: Final = "file:///veracord/"
#: Stands for values in the validator's own messages, which would otherwise hold whole records.
_MASK: Final = "…"
#: The address of a subschema that is compiled by itself: no file's, so that references reach the files.
_PART: Final = f"{_BASE}part/of/a/schema"
_DRAFTS: Final = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    19: "https://json-schema.org/draft/2019-09/schema",
    20: "https://json-schema.org/draft/2020-12/schema",
}
#: Up to this draft, whatever stands beside ``$ref`` is ignored.
_LAST_DRAFT_WITHOUT_SIBLINGS: Final = 7
_SHOWING: Final = ("pattern", "example", "examples")
#: What the validator says of a pattern for which it ran out of steps, or of stack.
_UNDECIDED: Final = (
    jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded,
    jsonschema_rs.ValidationErrorKind.RegexEngineFailure,
)
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """One schema document.

    Attributes:
        name: How other files refer to it where it has no ``$id``: its file name.
        content: The document, read strictly.
        where: What errors call it.
    """

    name: str
    content: JsonValue
    where: str = ""


class Node(NamedTuple):
    """A subschema with what is needed to go on from it."""

    content: JsonValue
    resolver: jsonschema_rs.Resolver
    draft: int
    is_sure: bool = True

    @property
    def hides_siblings(self) -> bool:
        """Whether ``$ref`` makes everything beside it void here."""
        return self.draft <= _LAST_DRAFT_WITHOUT_SIBLINGS and isinstance(self.content, dict) and "$ref" in self.content


class Schema:
    """A compiled schema; formats are checked, references stay within the files given.

    Attributes:
        content: The main document.
        uri: Its address.
        where: What errors call it.
        draft: 4, 6, 7, 19 (2019-09) or 20 (2020-12).
        shown_texts: Every text that stands anywhere in the files as a pattern or an example.
    """

    def __init__(self, files: Sequence[SchemaFile]) -> None:
        """Compile the first file; the others may be referred to.

        Raises:
            ConfigurationError: A file is no valid schema, or refers to what is not given.
        """
        main = files[0]
        contents = [rewrite_patterns(file.content) for file in files]
        if not isinstance(contents[0], dict | bool):
            raise _unusable("the schema is neither an object nor a boolean", main.where)
        self.content = contents[0]
        self.where = main.where
        self.uri = _identifier(contents[0], urljoin(_BASE, main.name))
        self.shown_texts = frozenset(_shown_texts(contents))
        self._lookups: dict[tuple[str, str], Node] = {}
        self._names: dict[str, jsonschema_rs.Validator] = {}
        try:
            self._registry = jsonschema_rs.Registry(list(_resources(self.uri, files, contents)))
            self._validator = self._compiled(self.content, self.uri)
            self._root = self._registry.resolver(self.uri)
        except jsonschema_rs.ValidationError as error:
            raise _schema_error(error, main.where) from None
        except (jsonschema_rs.ReferencingError, ValueError) as error:
            raise _reference_error(str(error), main.where) from None
        self.draft = self._root.lookup("").draft

    def _compiled(self, content: JsonValue, uri: str = _PART) -> Any:  # noqa: ANN401 - the library's validators share no public base
        return jsonschema_rs.validator_for(
            content,  # type: ignore[arg-type]
            validate_formats=True,
            registry=self._registry,
            base_uri=uri,
            offline=True,
            mask=_MASK,
        )

    def is_valid(self, record: JsonValue) -> bool:
        """Whether a record has no violation of the schema."""
        return self._validator.is_valid(record)  # type: ignore[no-any-return]

    def errors(self, record: JsonValue) -> Iterator[jsonschema_rs.ValidationError]:
        """Yield the validator's own errors, in its own order.

        Raises:
            InputError: ``pattern_undecided``: nobody can tell whether a text fits a pattern.
        """
        for error in self._validator.iter_errors(record):
            if isinstance(error.kind, _UNDECIDED):
                raise _undecided(error)
            yield error

    def evaluation_errors(self, record: JsonValue) -> list[Any]:
        """Return the errors once more, slowly, with exact instance locations."""
        return self._validator.evaluate(record).errors()  # type: ignore[no-any-return]

    @property
    def root(self) -> Node:
        """The whole schema."""
        return Node(self.content, self._root, self.draft)

    def follow(self, node: Node, reference: str) -> Node | None:
        """Return what a reference in a subschema names; None where nothing stands there."""
        key = (node.resolver.base_uri, reference)
        found = self._lookups.get(key)
        if found is None:
            try:
                resolved = node.resolver.lookup(reference)
            except jsonschema_rs.ReferencingError:
                return None
            found = Node(resolved.contents, resolved.resolver, resolved.draft)  # type: ignore[arg-type]
            self._lookups[key] = found
        return found._replace(is_sure=node.is_sure)

    def references(self, node: Node) -> Iterator[Node]:
        """Yield the subschemas that ``$ref`` and its kin in a subschema stand for."""
        if isinstance(node.content, dict):
            for word in _REFERENCES:
                reference = node.content.get(word)
                if isinstance(reference, str):
                    found = self.follow(node, reference)
                    if found is not None:
                        yield found

    def subschema(self, node: Node, content: JsonValue, *, is_sure: bool = True) -> Node:
        """Return a subschema inside another one; an ``$id`` of its own moves the base."""
        inner = Node(content, node.resolver, node.draft, node.is_sure and is_sure)
        own = content.get("$id") if isinstance(content, dict) else None
        if isinstance(own, str) and not own.startswith("#"):
            moved = self.follow(inner, own)
            if moved is not None:
                return inner._replace(resolver=moved.resolver)
        return inner

    def compile(self, node: Node) -> Any:  # noqa: ANN401 - the library's validators share no public base
        """Return a validator of one subschema."""
        content = _absolute(node.content, node.resolver.base_uri)
        if isinstance(content, dict):
            content = {"$schema": _DRAFTS.get(node.draft, _DRAFTS[20]), **content}
        return self._compiled(content)

    def name_matches(self, pattern: str, name: str) -> bool:
        """Whether a member's name matches a pattern, by the validator's own rules."""
        validator = self._names.get(pattern)
        if validator is None:
            validator = self._names[pattern] = self._compiled({"pattern": pattern})
        return validator.is_valid(name)


def _shown_texts(content: JsonValue, *, is_shown: bool = False) -> Iterator[str]:
    """Yield every text that a schema shows anywhere as a pattern or an example."""
    if isinstance(content, str):
        if is_shown:
            yield content
    elif isinstance(content, list):
        for item in content:
            yield from _shown_texts(item, is_shown=is_shown)
    elif isinstance(content, dict):
        for name, item in content.items():
            yield from _shown_texts(item, is_shown=is_shown or name in _SHOWING)


def _resources(uri: str, files: Sequence[SchemaFile], contents: Sequence[JsonValue]) -> Iterator[tuple[str, Any]]:
    """Yield every file under each address that another file may use for it."""
    seen: dict[str, JsonValue] = {}
    for file, content in zip(files, contents, strict=True):
        by_name = urljoin(_BASE, file.name)
        own = uri if content is contents[0] else _identifier(content, by_name)
        if own != by_name and own in seen and seen[own] != content:
            raise _unusable(f"two schema files have the address {own}", file.where)
        for address in (own, by_name, urljoin(uri, file.name)):
            plain = address.partition("#")[0]
            if plain not in seen:
                seen[plain] = content
                yield plain, content


def _identifier(content: JsonValue, by_name: str) -> str:
    if isinstance(content, dict):
        for word in ("$id", "id"):
            own = content.get(word)
            if isinstance(own, str) and own:
                return urljoin(by_name, own).partition("#")[0] or by_name
    return by_name


def _absolute(content: JsonValue, base: str) -> JsonValue:
    """Return a subschema whose references stand on their own."""
    if isinstance(content, list):
        return [_absolute(item, base) for item in content]
    if not isinstance(content, dict):
        return content
    out: dict[str, JsonValue] = {}
    for name, item in content.items():
        if name in _REFERENCES and isinstance(item, str):
            plain = base.partition("#")[0]
            out["$ref"] = plain + item if item.startswith("#") else urljoin(plain, item)
        elif name != "$schema":
            out[name] = _absolute(item, base)
    return out


def _undecided(error: jsonschema_rs.ValidationError) -> InputError:
    """Return the error for a text and a pattern; neither is quoted."""
    at = "".join(f"/{token}" for token in error.instance_path)
    return InputError(
        "whether a text fits its pattern cannot be told: the pattern tries too many ways",
        where=at,
        remedy="write the pattern so that each text fits in one way only",
        code="pattern_undecided",
    )


def _unusable(what: str, where: str) -> ConfigurationError:
    return ConfigurationError(what, where=where, remedy="correct the schema", code="invalid_schema")


def _schema_error(error: jsonschema_rs.ValidationError, where: str) -> ConfigurationError:
    message = str(error).splitlines()[0]
    if "not present in a registry" in message or "Retriev" in message or message.startswith("Pointer"):
        return _reference_error(message, where)
    at = "".join(f"/{token}" for token in error.instance_path)
    keyword = error.schema_path[-1] if error.schema_path else "pattern"
    return _unusable(f"the schema breaks its own draft ({keyword})", f"{where} {at or '/'}".strip())


def _reference_error(message: str, where: str) -> ConfigurationError:
    quoted = message.split("'")
    address = quoted[1] if len(quoted) > 1 else ""
    if message.startswith("Invalid URI"):
        return _unusable(f"the schema names an address that is none: {address}", where)
    if message.startswith("Pointer"):
        return _unusable(f"the schema refers to {address}, where nothing stands", where)
    return ConfigurationError(
        f"the schema refers to {address or 'what is not given'}".replace(_BASE, ""),
        where=where,
        remedy="name that file in the profile's schema list or with a further --schema; nothing is fetched",
        code="reference_outside",
    )
