"""What the library `jsonschema` finds wrong with a record, told in this project's conventions.

The verdict of every keyword is the library's.  Only the place and the name of what it found are put as
records are told here: a missing or unknown member at its own pointer, alternatives of which one branch
remains as that branch's violations.
"""

import re
from decimal import Decimal

import jsonschema
from jsonschema import validators
from jsonschema_specifications import REGISTRY
from referencing import Resource
from referencing.jsonschema import DRAFT202012

BRANCHES = ("oneOf", "anyOf")
#: Keywords whose questions are remembered, since only the other side may find something there.
ASKED = ("format", "pattern")
DRAFTS = {
    "Draft4Validator": "04",
    "Draft6Validator": "06",
    "Draft7Validator": "07",
    "Draft201909Validator": "2019-09",
    "Draft202012Validator": "2020-12",
}
#: A schema that nothing satisfies, in the words whose place the library tells: it loses that of a plain `false`.
NOTHING = {"not": {}}
#: One name here for what the library tells apart.
SAME_RULE = {"minContains": "contains", "maxContains": "contains", None: "false"}


def pointer(tokens):
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


class SecondOpinion:
    """One schema, checked and compiled by the library.

    `asked` holds (keyword, its value in the schema, the value in the record) of the last record.
    """

    def __init__(self, main, others=()):
        base = validators.validator_for(main, default=jsonschema.Draft202012Validator)
        base.check_schema(main)
        self.draft = DRAFTS[base.__name__]
        self.asked = []
        checker = base.TYPE_CHECKER
        if self.draft != "04":  # in draft-04 a number with a point is no integer, whatever follows the point
            checker = checker.redefine("integer", _is_integer)
        known = base.VALIDATORS
        own = {word: _placed(known[word], members) for word, members in _MEMBERS.items() if word in known}
        own |= {word: self._remembered(word, known[word]) for word in ASKED}
        resources = [
            (_address(other), Resource.from_contents(_spelled_out(other), default_specification=DRAFT202012))
            for other in others
        ]
        self._validator = validators.extend(base, own, type_checker=checker)(
            _spelled_out(main), format_checker=base.FORMAT_CHECKER, registry=REGISTRY.with_resources(resources)
        )

    def rows(self, record):
        """Return {(path, rule): values of that keyword in the schema}."""
        self.asked = []
        found = {}
        for error in self._validator.iter_errors(record):
            for tokens, rule, value in _told(error):
                found.setdefault((pointer(tokens), rule), []).append(value)
        return found

    def _remembered(self, word, original):
        def ask(validator, value, instance, schema):
            if isinstance(instance, str):
                self.asked.append((word, value, instance))
            yield from original(validator, value, instance, schema) or ()

        return ask


def _address(schema):
    return (schema.get("$id") or schema.get("id") or "").removesuffix("#")


def _spelled_out(schema):
    """Return a schema in which a member that must be absent has `NOTHING` instead of `false`."""
    if isinstance(schema, list):
        return [_spelled_out(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {name: _spelled_out(item) for name, item in schema.items()}
    for word in ("properties", "patternProperties"):
        if isinstance(out.get(word), dict):
            out[word] = {name: NOTHING if item is False else item for name, item in out[word].items()}
    return out


def _is_integer(_checker, value):
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, Decimal) and value == value.to_integral_value())


def _placed(original, members):
    """Return the library's keyword, with one error for each member that its errors are about."""

    def check(validator, value, instance, schema):
        errors = list(original(validator, value, instance, schema) or ())
        names = members(value, instance, schema, errors) if errors else []
        yield from (jsonschema.ValidationError("about a member", path=[name]) for name in names)
        if not names:
            yield from errors

    return check


def _missing(names, instance, _schema, _errors):
    return [name for name in names if name not in instance]


def _missing_beside(value, instance, _schema, errors):
    if any(error.schema_path for error in errors):  # from a subschema, which tells its own keywords
        return []
    beside = [names for name, names in value.items() if name in instance and isinstance(names, list)]
    return sorted({name for names in beside for name in names if name not in instance})


def _unknown(value, instance, schema, _errors):
    if value is not False:
        return []
    shapes = schema.get("patternProperties", {})
    known = schema.get("properties", {})
    return [name for name in instance if name not in known and not any(re.search(shape, name) for shape in shapes)]


def _badly_named(_value, _instance, _schema, errors):
    return list(dict.fromkeys(error.instance for error in errors))


def _not_evaluated(_value, _instance, _schema, errors):
    return [name for error in errors for name in re.findall(r"'([^']*)'", error.message)]


_MEMBERS = {
    "required": _missing,
    "dependentRequired": _missing_beside,
    "dependencies": _missing_beside,
    "additionalProperties": _unknown,
    "propertyNames": _badly_named,
    "unevaluatedProperties": _not_evaluated,
}


def _told(error):
    """Yield (tokens, rule, value in the schema) of one error of the library."""
    rule = error.validator
    tokens = tuple(error.absolute_path)
    if rule in BRANCHES and error.context:
        remaining = _remaining_branch(error)
        if remaining is not None:
            for inner in remaining:
                yield from _told(inner)
            return
    if rule in ("maximum", "minimum") and error.schema.get(f"exclusiveM{rule[1:]}") is True:
        rule = f"exclusiveM{rule[1:]}"
    if rule == "not" and error.schema == NOTHING:
        rule = "false"
    if rule == "items" and error.validator_value is False:
        first = len(error.schema.get("prefixItems", ()))
        yield from (((*tokens, index), "false", False) for index in range(first, len(error.instance)))
        return
    yield tokens, SAME_RULE.get(rule, rule), error.validator_value


def _branches(error):
    branches = {}
    for inner in error.context:
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    return list(branches.values())


def _remaining_branch(error):
    """Return the errors of the one branch that no type, constant or list rules out, if it is one."""
    open_ones = [branch for branch in _branches(error) if not _is_ruled_out(branch)]
    return open_ones[0] if len(open_ones) == 1 else None


def _is_ruled_out(branch):
    return any(_rules_out(error) for error in branch)


def _rules_out(error):
    depth = len(error.relative_path)
    if error.validator in BRANCHES and error.context and depth == 0:
        return all(_is_ruled_out(branch) for branch in _branches(error))
    return (error.validator == "type" and depth == 0) or (error.validator in ("const", "enum") and depth <= 1)
