"""Which published schemas and instances belong together, in a folder with one folder for each publisher."""

import json
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

#: Folders whose instances follow schemas of another folder.
LENT = {"aas-testdata": "aas-metamodel", "dppvalidator-wheel": "dppvalidator"}
#: In the names of older samples, the words for the kinds that their schemas abbreviate.
ABBREVIATED = {"product-passport": "DPP", "conformity": "DCC", "facility": "DFR", "traceability-events": "DTE"}
#: A schema for which nothing is published gets so many instances of its folder, which it will mostly refuse.
STRANGERS = 3


class Pair(NamedTuple):
    schema: Path
    others: tuple[Path, ...]
    instance: Path


def read_exactly(data):
    """Read JSON with exact numbers by the standard library; ValueError where it is no strict JSON."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return json.loads(data.decode(encoding), parse_float=Decimal, object_pairs_hook=_once)


def _once(members):
    if len(dict(members)) < len(members):
        raise ValueError("a name stands twice")
    return dict(members)


class Published:
    """The files below a folder: `content` by path, `schemas`, `instances` and the files that are no JSON, `refused`."""

    def __init__(self, root):
        self.content, self.refused = {}, []
        for path in sorted(p for p in root.rglob("*") if p.suffix in (".json", ".jsonld")):
            try:
                self.content[path] = read_exactly(path.read_bytes())
            except ValueError:
                self.refused.append(path)
        self.publisher = {path: path.relative_to(root).parts[0] for path in self.content}
        self.schemas = [path for path, value in self.content.items() if _is_schema(value)]
        schemas = set(self.schemas)
        self.instances = [
            path for path, value in self.content.items() if path not in schemas and isinstance(value, dict)
        ]

    def pairs(self):
        """Return every pair, and for each schema without one some pairs with instances that are not its own."""
        found = []
        for schema in self.schemas:
            others = self._others(schema)
            mine = [path for path in self.instances if self._belong_together(schema, path)]
            if not mine:
                near = (self.publisher[schema], LENT.get(self.publisher[schema]))
                mine = [path for path in self.instances if self.publisher[path] in near][:STRANGERS]
            found += [Pair(schema, others, path) for path in mine]
        return found

    def _others(self, schema):
        """Return the files that a schema refers to, directly or through others; the first file that has an address."""
        files = {}
        for path in self.schemas:
            files.setdefault(_address(self.content[path]), path)
        found, open_ones = [], [schema]
        while open_ones:
            content = self.content[open_ones.pop()]
            for reference in _references(content):
                path = files.get(urljoin(_address(content), reference).partition("#")[0])
                if path and path != schema and path not in found:
                    found.append(path)
                    open_ones.append(path)
        return tuple(found)

    def _belong_together(self, schema, instance):
        source, other = self.publisher[schema], self.publisher[instance]
        if LENT.get(other) == source:
            return True
        if source != other:
            return False
        stem = schema.stem.removesuffix("-schema")
        if schema.parent == instance.parent and stem != schema.stem:
            return instance.stem == stem or instance.stem.startswith(f"{stem}-")
        if source == "epcis":
            return "root" in schema.stem or schema.stem == "EPCIS-JSON-Schema"
        if "fixtures" in instance.parts:
            return "0.6.1" in schema.name or "fixtures" in schema.parts
        return any(word in instance.name and schema.name.startswith(short) for word, short in ABBREVIATED.items())


def _is_schema(value):
    return isinstance(value, dict) and "json-schema.org" in str(value.get("$schema"))


def _address(schema):
    return str(schema.get("$id") or schema.get("id") or "").removesuffix("#")


def _references(node):
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str) and not node["$ref"].startswith("#"):
            yield node["$ref"]
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _references(item)
