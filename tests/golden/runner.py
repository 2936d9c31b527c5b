"""Runs a golden case and compares its result with what the case expects.

A case is one line of a ``.jsonl`` file: ``{"id", "rule", "why", "profile", "record", "evidence", "origins"?,
"expect", "also_ok"?}``.  ``also_ok`` holds further whole expectations, where the specification leaves a choice.
An expectation is ``{"conforms", "fills", "unresolved", "sources"?, "suppressed"?, "origins"?}``:

* ``fills``, complete, by leaf: ``path``, ``value`` (numbers by exact value), ``evidence_id`` (or a list of ids
  of which any may be named), ``source_pointer``, and where they matter ``overruled_ids`` (none where it is not
  given; "any" where it does not matter), ``also_ids``, ``cures`` (as "path rule").
* ``unresolved``, complete by path: ``path`` (or ``or_path``), ``outcome`` (a code, or a list of which any is
  right), ``uncovered_by`` (none where it is not given), and where they matter ``rule``, ``detail`` ("*" for
  any), ``candidate_ids`` (those that must be listed).
* ``sources``: id to reason, null for a source that was used; or to a list of which any is right.

Whatever the expectation, every leaf outside the fills is as before, the input is not touched, and each fill's
reference resolves to the value.
"""

import json
import random
from copy import deepcopy
from decimal import Decimal
from functools import cache
from pathlib import Path

from veracord import EvidencePack, Profile, RecordComposer

GOLDEN = Path(__file__).resolve().parent
MISSING = object()


def read_cases(*paths):
    """Return the cases of files, their numbers exact."""
    return [
        json.loads(line, parse_float=Decimal)
        for path in paths
        # Not splitlines: a case may hold other characters that end a line.
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.strip()
    ]


def own_cases():
    """Return the repair cases of this repository."""
    return read_cases(*sorted((GOLDEN / "cases").glob("*.jsonl")))


@cache
def load_profile(path):
    """Return a profile, compiled once."""
    return Profile.load(path)


def own_profile(name):
    """Return a profile of this folder by its name."""
    return load_profile(GOLDEN / "profiles" / f"{name}.toml")


def repair(case, profile, record=MISSING, evidence=None):
    """Repair the record of a case, or another in its place."""
    pack = EvidencePack.from_items(case["evidence"] if evidence is None else evidence)
    record = case["record"] if record is MISSING else record
    return RecordComposer(profile).repair(record, pack, origins=case.get("origins"))


def differences(case, profile):
    """Return the result of a case, and what is wrong with it: of its expectations, the best fit counts."""
    record, evidence = deepcopy(case["record"]), deepcopy(case["evidence"])
    result = repair(case, profile)
    found = min((_unexpected(expected, result) for expected in [case["expect"], *case.get("also_ok", [])]), key=len)
    if spelled(case["record"]) != spelled(record) or spelled(case["evidence"]) != spelled(evidence):
        found.append("the input was changed")
    return result, found + _breaches(case, profile, result)


def _unexpected(expected, result):
    """Return what differs between one expectation and a result."""
    found = [] if result.conforms is expected["conforms"] else [f"conforms is {result.conforms}"]
    found += _wrong_fills(expected["fills"], result)
    found += _wrong_rows(expected["unresolved"], result)
    if "sources" in expected:
        sources = {row.evidence_id: row.reason for row in result.sources}
        for evidence_id in sources.keys() | expected["sources"].keys():
            reason = sources.get(evidence_id, "not listed")
            if reason not in _choices(expected["sources"].get(evidence_id, [])):
                found.append(f"source {evidence_id}: {reason}")
    if "suppressed" in expected and result.suppressed != expected["suppressed"]:
        found.append(f"suppressed is {result.suppressed}")
    for pointer, origin in expected.get("origins", {}).items():
        if result.origins.get(pointer) != origin:
            found.append(f"the origin of {pointer} is {result.origins.get(pointer)}")
    return found


def _wrong_fills(expected, result):
    wanted = {row["path"]: row for row in expected}
    fills = {fill.path: fill for fill in result.fills}
    found = [f"not filled: {path}" for path in wanted.keys() - fills.keys()]
    found += [f"filled: {path} with {fills[path].value!r}" for path in fills.keys() - wanted.keys()]
    for path in wanted.keys() & fills.keys():
        row, fill = wanted[path], fills[path]
        overruled = row.get("overruled_ids", [])
        named = {
            "value": same(fill.value, row["value"]),
            "evidence_id": fill.evidence_id in _choices(row["evidence_id"]),
            "source_pointer": fill.source_pointer == row["source_pointer"],
            "overruled": overruled == "any" or list(fill.overruled) == sorted(overruled),
            "also": "also_ids" not in row or list(fill.also) == sorted(row["also_ids"]),
            "cures": "cures" not in row or {f"{p} {r}" for p, r in fill.cures} == set(row["cures"]),
        }
        # Where any of several sources may be named, the others are named as further support.
        if isinstance(row["evidence_id"], list):
            named["also"] = set(row["evidence_id"]) <= {fill.evidence_id, *fill.also}
        found += [f"{path}: {name} of {fill.to_dict()}" for name, right in named.items() if not right]
    return found


def _wrong_rows(expected, result):
    rows = list(result.unresolved)
    found = []
    for row in expected:
        places = {row["path"], row.get("or_path", row["path"])}
        here = [r for r in rows if r.path in places]
        rows = [r for r in rows if r.path not in places]
        if not any(_fits(r, row) for r in here):
            found.append(f"unresolved {row}: {here or 'no such row'}")
    return found + [f"unresolved: {row}" for row in rows]


def _fits(row, expected):
    detail = expected.get("detail")
    return (
        row.outcome in _choices(expected["outcome"])
        and row.uncovered_by == expected.get("uncovered_by")
        and row.rule == expected.get("rule", row.rule)
        and (detail is None or row.detail == detail or (detail == "*" and bool(row.detail)))
        and set(expected.get("candidate_ids", ())) <= {c.evidence_id for c in row.candidates}
    )


def _breaches(case, profile, result):
    """Return what no result may do, whatever its case expects."""
    found = []
    remaining = [(v.path, v.rule, v.message) for v in profile.validate(result.record)]
    if remaining != [(row.path, row.rule, row.message) for row in result.unresolved]:
        found.append(f"the unresolved rows are not the record's violations: {remaining}")
    if result.conforms != (not remaining):
        found.append("conforms contradicts the unresolved rows")
    if [row[:2] for row in remaining] != sorted(row[:2] for row in remaining):
        found.append("violations are not sorted by path and rule")
    if result.to_dict()["suggestions"] != []:
        found.append("there is a suggestion")
    if not same(with_fills(case["record"], result), result.record):
        found.append("something outside the fills differs from the input")
    return found + _told(profile, result) + _unfounded(case, result)


def _told(profile, result):
    """Return the rows whose message tells the offending value."""
    known = str(profile.schema.content)
    values = [(row, at(result.record, row.path)) for row in result.unresolved]
    return [
        f"the message at {row.path} tells the value"
        for row, value in values
        if isinstance(value, str) and len(value) > 1 and value not in known and value in row.message
    ]


def _unfounded(case, result):
    """Return the fills that do not stand where they say they do."""
    pack = EvidencePack.from_items(case["evidence"])
    items = {item["id"]: item for item in case["evidence"]}
    found = []
    for fill in result.fills:
        stated = at(items[fill.evidence_id].get("content", MISSING), fill.source_pointer)
        resolved = at(pack.resolve(fill.evidence_ref).content, fill.source_pointer)
        if not same(stated, fill.value) or not same(resolved, fill.value):
            found.append(f"{fill.path} is not what {fill.evidence_id} says at {fill.source_pointer}")
        if fill.evidence_id in fill.also or not set(fill.also) <= items.keys():
            found.append(f"{fill.path} names {fill.also} as further support")
        if result.origins.get(fill.path) != "evidence":
            found.append(f"the origin of {fill.path} is {result.origins.get(fill.path)}")
    return found


def with_fills(record, result):
    """Return a record with a result's fills set, containers made in the shape that the result gives them."""
    out = deepcopy(record)
    for fill in sorted(result.fills, key=lambda fill: [(len(token), token) for token in split(fill.path)]):
        node, shape = out, result.record
        tokens = split(fill.path)
        for token, below in zip(tokens, [*tokens[1:], None], strict=True):
            shape = child(shape, token)
            present = child(node, token)
            if below is None:
                put(node, token, deepcopy(fill.value))
            elif type(present) is not type(shape):
                # A container that is not empty is never replaced; kept here, it shows as a difference.
                kept = isinstance(present, dict | list) and bool(present) and holds_object(present)
                put(node, token, present if kept else type(shape)())
            node = child(node, token)
            if not isinstance(node, dict | list):
                break
    return out


def holds_object(value):
    """Whether a container holds more than scalars: an object with members, or an array with an object."""
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(isinstance(v, dict) or holds_object(v) for v in value)


def split(pointer):
    """Return the names of a pointer."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def at(value, pointer):
    """Return what stands at a pointer, or MISSING."""
    for token in split(pointer):
        value = child(value, token)
    return value


def child(node, token):
    """Return a member or item, or MISSING."""
    if isinstance(node, dict):
        return node.get(token, MISSING)
    if isinstance(node, list) and token.isdigit() and int(token) < len(node):
        return node[int(token)]
    return MISSING


def put(node, token, value):
    """Set a member or an item; an item may be the next one."""
    if isinstance(node, dict):
        node[token] = value
    elif int(token) == len(node):
        node.append(value)
    else:
        node[int(token)] = value


def same(left, right):
    """Whether two values are equal: numbers by exact value, all else by type and value."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(v, right[k]) for k, v in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if is_number(left) and is_number(right):
        return left == right
    return type(left) is type(right) and left == right


def is_number(value):
    """Whether a value is a number; a boolean is none."""
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def spelled(value):
    """Return a value as text that tells apart whatever could be changed: spelling, order, type."""
    return repr(value)


def shuffled_members(value, seed):
    """Return a value with the members of every object in another order."""
    order = random.Random(seed)
    if isinstance(value, dict):
        names = list(value)
        order.shuffle(names)
        return {name: shuffled_members(value[name], seed + 1) for name in names}
    if isinstance(value, list):
        return [shuffled_members(item, seed + 1) for item in value]
    return value


def in_other_orders(items):
    """Yield lists of the same items: reversed, and shuffled a few times."""
    yield items[::-1]
    for seed in range(3 if len(items) > 2 else 0):
        shuffled = list(items)
        random.Random(seed).shuffle(shuffled)
        yield shuffled


def _choices(expected):
    return expected if isinstance(expected, list) else [expected]
