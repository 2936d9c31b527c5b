"""What a profile asks, as plain data: for `profiles show` and for programs."""

from collections.abc import Iterable
from typing import Any

from veracord.records.pointers import Tokens, join
from veracord.records.profiles import Profile
from veracord.records.rules import CompareRule, Rule, SumRule


def profile_facts(profile: Profile) -> dict[str, Any]:
    """Return a profile with pointers as text, in the order of a profile file."""
    identity = profile.identity
    return {
        "name": profile.name,
        "version": profile.version,
        "description": profile.description,
        "digests": {"profile": profile.digest, "schema": profile.schema_digest},
        "identity": {
            "keys": [
                [{"member": join(member.tokens), "kind": "gtin" if member.is_gtin else None} for member in key]
                for key in identity.keys
            ],
            "level": _text(identity.level),
            "default_level": identity.default_level,
        },
        "administrative": {
            "record_id": _text(identity.record_id),
            "never_filled": _texts(profile.never_filled),
            "never_suggested": _texts(profile.never_suggested),
        },
        "rows": [{"at": join(at), "key": _texts(key)} for at, key in profile.rows.items()],
        "context": [{"value": join(at), "agrees": _texts(agrees)} for at, agrees in profile.context.items()],
        "levels": [{"level": level, "value": join(at)} for level, at in identity.levels],
        "rules": [_rule(rule) for rule in profile.rules],
    }


def profile_lines(facts: dict[str, Any]) -> list[str]:
    """Return the same in words, a line for each thing that the profile asks."""
    lines = [f"{facts['name']}@{facts['version']}", facts["description"], ""]
    for number, key in enumerate(facts["identity"]["keys"], start=1):
        members = " and ".join(f"{part['member']} ({part['kind']})" if part["kind"] else part["member"] for part in key)
        lines.append(f"identity {number}: {members}")
    if not facts["identity"]["keys"]:
        lines.append("identity: none, so records can only be validated")
    if facts["identity"]["level"]:
        default = facts["identity"]["default_level"] or "none"
        lines.append(f"level: {facts['identity']['level']} (without it: {default})")
    admin = facts["administrative"]
    lines += [f"record id: {admin['record_id']}"] if admin["record_id"] else []
    lines += [f"never filled: {at}" for at in admin["never_filled"]]
    lines += [f"rows: {row['at']} by {', '.join(row['key'])}" for row in facts["rows"]]
    lines += [f"context: {c['value']} needs equal {', '.join(c['agrees'])}" for c in facts["context"]]
    lines += [f"level of {row['value']}: {row['level']}" for row in facts["levels"]]
    lines += [f"rule: {' '.join(_words(rule))}" for rule in facts["rules"]]
    lines += ["", f"profile {facts['digests']['profile']}", f"schema {facts['digests']['schema']}"]
    return lines


def _rule(rule: Rule) -> dict[str, Any]:
    if isinstance(rule, SumRule):
        bounds = {"min": rule.minimum, "max": rule.maximum}
        named = {name: bound for name, bound in bounds.items() if bound is not None}
        return {"kind": "sum", "over": join(rule.over), **named}
    if isinstance(rule, CompareRule):
        right = join(rule.right) if isinstance(rule.right, tuple) else rule.right
        return {"kind": "compare", "left": join(rule.left), "op": rule.operator, "right": right}
    return {"kind": "unique", "over": join(rule.over)}


def _words(rule: dict[str, Any]) -> list[str]:
    return [str(value) if name in ("kind", "over") else f"{name} {value}" for name, value in rule.items()]


def _text(tokens: Tokens | None) -> str | None:
    return None if tokens is None else join(tokens)


def _texts(places: Iterable[Tokens]) -> list[str]:
    return [join(place) for place in places]
