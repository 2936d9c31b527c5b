"""Schemas of this project's own in every draft, with records that keep and break each keyword."""

from decimal import Decimal

from tests.contract.damage import ADDRESSES, DATES, MAILS, MOMENTS

DRAFTS = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
FORMAT_TEXTS = {
    "date": DATES,
    "date-time": MOMENTS,
    "duration": ("P1D", "P", "P1", "PT", "P1Y2W", "P1.5D", "PT1H", "P1DT", "1D"),
    "email": (*MAILS, "a@b.c"),
    "hostname": ("a.b", "-a", "a_b", "a..b", "x" * 64, "é"),
    "idn-email": MAILS,
    "ipv4": ("1.2.3.4", "1.2.3", "01.2.3.4", "256.1.1.1"),
    "ipv6": ("::1", "::1%eth0", "1::2::3", "::ffff:1.2.3.4"),
    "iri": ADDRESSES,
    "json-pointer": ("", "/a", "a", "/~2"),
    "regex": ("a", "(", r"\p{L}", "(?P<a>x)", "(?<a>x)"),
    "relative-json-pointer": ("0", "1/a", "-1", "01"),
    "time": ("10:00:00Z", "10:00:00", "24:00:00Z", "23:59:60Z", "10:59:60Z"),
    "unknown": ("anything",),
    "uri": ADDRESSES,
    "uri-reference": (*ADDRESSES, "a\n"),
    "uri-template": ("http://a/{b}", "{", "}"),
    "uuid": ("00000000-0000-0000-0000-000000000000", "0" * 32, "00000000-0000-0000-0000-00000000000G"),
}


def formats_schema(draft):
    return {"$schema": DRAFTS[draft], "properties": {name: {"format": name} for name in FORMAT_TEXTS}}


def _kind(name, word):
    return {
        "type": "object",
        "required": ["kind", name],
        "properties": {"kind": {"enum": [name]}, name: {"type": word}},
    }


def keywords_schema(draft):
    """Return a schema with, for each keyword that the draft has, a member that it applies to."""
    members = {
        "text": {"type": "string", "pattern": "^[A-Z]+$", "minLength": 2, "maxLength": 5},
        "number": {"type": "number", "minimum": 0, "maximum": 100, "multipleOf": 0.01},
        "whole": {"type": "integer"},
        "list": {
            "type": "array",
            "uniqueItems": True,
            "minItems": 1,
            "maxItems": 3,
            "items": {"type": ["string", "null"]},
        },
        "kinds": {"oneOf": [{"type": "null"}, _kind("a", "string"), _kind("b", "number")]},
        "several": {"oneOf": [{"minimum": 1}, {"maximum": 5}]},
        "any": {"anyOf": [{"type": "string", "minLength": 3}, {"type": "number", "minimum": 5}]},
        "excluded": {"not": {"type": "string"}},
        "shapes": {
            "minProperties": 1,
            "maxProperties": 2,
            "patternProperties": {"^x-": {"type": "string"}},
            "additionalProperties": {"type": "integer"},
        },
        "options": {"enum": [1, "1", True, None, [1], {"a": 1}]},
        "digits": {"pattern": r"^\d+$"},
        "beside": {"dependencies": {"a": ["b", "c"]}},
    }
    if draft == 4:
        members["between"] = {"maximum": 5, "exclusiveMaximum": True, "minimum": 1, "exclusiveMinimum": True}
    else:
        members["between"] = {"exclusiveMaximum": 5, "exclusiveMinimum": 1}
        members["constant"] = {"const": 1}
        members["holds"] = {"contains": {"const": 1}}
        members["names"] = {"propertyNames": {"pattern": "^[a-z]+$", "maxLength": 3}}
        members["no names"] = {"propertyNames": False}
        members["absent"] = False
    tuple_words = ("prefixItems", "items") if draft == 2020 else ("items", "additionalItems")
    members["pair"] = dict(zip(tuple_words, ([{"type": "string"}, {"type": "number"}], False), strict=True))
    if draft >= 7:
        members["choice"] = {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}
    if draft >= 2019:
        members["holds some"] = {"contains": {"const": 1}, "minContains": 2, "maxContains": 3}
        members["known"] = {"properties": {"a": {}}, "unevaluatedProperties": False}
        members["needs"] = {"dependentRequired": {"a": ["b", "c"]}, "dependentSchemas": {"e": {"required": ["f"]}}}
    return {
        "$schema": DRAFTS[draft],
        "type": "object",
        "required": ["text", "number"],
        "additionalProperties": False,
        "properties": members,
    }


#: Conforms in every draft once the members that a draft does not know are left out.
SOUND = {
    "text": "AB",
    "number": Decimal("0.07"),
    "whole": 3,
    "list": ["a", None],
    "kinds": {"kind": "a", "a": "x"},
    "several": 0,
    "any": "abc",
    "excluded": 1,
    "shapes": {"x-a": "t"},
    "options": [1],
    "digits": "12",
    "beside": {"a": 1, "b": 1, "c": 1},
    "between": 3,
    "constant": 1,
    "holds": [1],
    "names": {"abc": 1},
    "no names": {},
    "pair": ["a", 1],
    "choice": {"a": 1, "b": 1},
    "holds some": [1, 1],
    "known": {"a": 1},
    "needs": {"a": 1, "b": 1, "c": 1, "e": 1, "f": 1},
}

#: One member at a time with another value.
OTHER_VALUES = {
    "text": ("A", "ABCDEF", "ab", "AB\n", 1, None, "Ａ"),
    "number": (Decimal("0.075"), Decimal("1E-40"), -1, 101, 10**40, "1", Decimal("100.00")),
    "whole": (Decimal("3.0"), Decimal("3.5"), True, 10**30),
    "list": ([], ["a", "a"], ["a", "b", None, "c"], [1], {}),
    "kinds": (None, {"kind": "b"}, {"kind": "a", "a": 1}, {"kind": "c"}, {}, 7, {"kind": "a", "b": 1}),
    "several": (3, "x"),
    "any": ("a", 1, None, 5),
    "excluded": ("x",),
    "shapes": ({}, {"x-a": 1, "b": "", "c": 1}, {"b": Decimal("1.0")}),
    "options": (1, Decimal("1.0"), "1", True, False, 0, [True], [Decimal("1.0")], {"a": 1}, {"a": True}),
    "digits": ("١٢", "", "a"),
    "beside": ({"a": 1}, {"a": 1, "b": 1}, {}),
    "between": (5, 9, 1, 0, Decimal("4.99")),
    "constant": (True, Decimal("1.0"), "1"),
    "holds": ([], [2], [True], [Decimal("1.0")]),
    "names": ({"ABCD": 1, "": 2}, {"abcd": 1}),
    "no names": ({"a": 1, "b": 2},),
    "pair": (["a", 1, 2, 3], [1, "a"], ["a"]),
    "choice": ({}, {"a": 1}),
    "holds some": ([1], [1] * 4, [2]),
    "known": ({"a": 1, "b": 2, "c": 3},),
    "needs": ({"a": 1}, {"e": 1}),
    "absent": (1, None),
    "": (1,),
    "a/b~": (1,),
}


def sound_record(draft):
    members = keywords_schema(draft)["properties"]
    return {name: value for name, value in SOUND.items() if name in members}
