"""Our validation says what an independent library says, except where a row of `DIFFERENCES` tells why ours is right."""

import decimal
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import jsonschema
import pytest
from referencing.exceptions import Unresolvable

from tests.contract.damage import damaged
from tests.contract.own_schemas import (
    DRAFTS,
    FORMAT_TEXTS,
    OTHER_VALUES,
    formats_schema,
    keywords_schema,
    sound_record,
)
from tests.contract.passport_pairs import Published, read_exactly
from tests.contract.second_opinion import SecondOpinion
from veracord.errors import ConfigurationError
from veracord.records.profiles import Profile

SEED = 20261130
COPIES = 1_500
OURS, THEIRS = "only ours reports it", "only theirs reports it"


class Place(NamedTuple):
    """Where they disagree: the draft, what the schema asks (the value of the keyword), and the record's value."""

    draft: str
    asked: Any
    value: Any


class Difference(NamedTuple):
    """One reason for which the two may disagree.

    A row that is `elsewhere` is not reached by the published data; the schemas of this project's own reach it.
    """

    side: str
    keyword: str
    why: str
    applies: Callable[[Place], bool]
    elsewhere: bool = False


def _ends_a_line(value):
    return value.endswith("\n")


def _is_no_day(text):
    try:
        return not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) or not date.fromisoformat(text)
    except ValueError:
        return True


def _is_ascii_escape_on_other_text(asked, value):
    return re.search(r"\\[dw]", asked) is not None and not value.isascii() and not _ends_a_line(value)


_EARLY = ("04", "06")
_LEAP_SECOND = re.compile(r"(\d{4}-\d\d-\d\dT)?23:59:60Z")

DIFFERENCES = {
    "date in draft-04": Difference(
        OURS,
        "format",
        "draft-04 and -06 do not define it and the library ignores it there; schemas that ask for a date mean one",
        lambda at: at.asked == "date" and at.draft in _EARLY and _is_no_day(at.value),
    ),
    "line end after a format": Difference(
        OURS,
        "format",
        "no address and no moment ends with a line end; the library's expressions end in $, which lets one pass",
        lambda at: at.asked not in ("date", "email", "idn-email", "hostname") and _ends_a_line(at.value),
    ),
    "line end after a pattern": Difference(
        OURS,
        "pattern",
        "in ECMA-262 $ is the end of the text; in the library's expressions it also stands before a last line end",
        lambda at: "$" in at.asked and _ends_a_line(at.value),
    ),
    "digits and letters": Difference(
        OURS,
        "pattern",
        r"in ECMA-262 \d and \w are ASCII only; in the library's expressions they take the digits of every script",
        lambda at: _is_ascii_escape_on_other_text(at.asked, at.value),
    ),
    "leap second": Difference(
        THEIRS,
        "format",
        "RFC 3339 has a second 60 at the end of a day (UTC); the library takes it for an error",
        lambda at: at.asked in ("date-time", "time") and bool(_LEAP_SECOND.fullmatch(at.value)),
    ),
    "characters beyond U+FFFF": Difference(
        THEIRS,
        "pattern",
        "the pattern spells these characters as UTF-16 pairs, which the library's expressions never find in a text",
        lambda at: r"\ud8" in at.asked.lower() and any(character > "\uffff" for character in at.value),
    ),
    "a reference to nothing": Difference(
        OURS,
        "$ref",
        "what a schema refers to must be given when it is loaded; the library fails when a record gets there",
        lambda at: "refers to" in at.asked,
    ),
    "mail address": Difference(
        OURS,
        "format",
        "RFC 5321 says what an address is; for the library every text with an @ is one",
        lambda at: at.asked in ("email", "idn-email") and "@" in at.value,
        elsewhere=True,
    ),
    "host name": Difference(
        OURS,
        "format",
        "RFC 1123 says what a name is; the library checks it only with a further package",
        lambda at: at.asked == "hostname",
        elsewhere=True,
    ),
    "time in early drafts": Difference(
        OURS,
        "format",
        "drafts before 07 do not define it and the library ignores it there; schemas that ask for a time mean one",
        lambda at: at.asked == "time" and at.draft in _EARLY,
        elsewhere=True,
    ),
    "part of a duration": Difference(
        OURS,
        "format",
        "the grammar in RFC 3339, appendix A, has whole numbers only",
        lambda at: at.asked == "duration" and "." in at.value,
        elsewhere=True,
    ),
    "the year 0000": Difference(
        THEIRS,
        "format",
        "RFC 3339 has four digits for the year and no exception; the library's calendar begins with 0001",
        lambda at: at.asked == "date" and at.value.startswith("0000-"),
        elsewhere=True,
    ),
    "expressions of another language": Difference(
        OURS,
        "format",
        "(?P<name>...) is Python's; a pattern in a schema is ECMA-262",
        lambda at: at.asked == "regex" and "(?P<" in at.value,
        elsewhere=True,
    ),
    "expressions of ECMA-262": Difference(
        THEIRS,
        "format",
        r"\p{...} and (?<name>...) are ECMA-262; the library takes Python's expressions only",
        lambda at: at.asked == "regex" and (r"\p{" in at.value or "(?<" in at.value),
        elsewhere=True,
    ),
    "dependencies after draft-07": Difference(
        OURS,
        "dependencies",
        "the later drafts let it live on beside its two successors; a schema that asks for it means it",
        lambda at: at.draft in ("2019-09", "2020-12"),
        elsewhere=True,
    ),
}


def _tell(text):
    print(text)  # noqa: T201 - figures for the reader, shown with -s or when the test fails


class Comparison:
    """Counts how often each difference was met, and keeps what none explains."""

    def __init__(self):
        self.used = Counter(dict.fromkeys(DIFFERENCES, 0))
        self.unexplained = []
        self.records = self.rows = self.broken = 0

    def compare(self, profile, opinion, record, label):
        mine = {(row.path, row.rule) for row in profile.validate(record)}
        with decimal.localcontext(prec=500):  # so that the library's remainders are exact
            theirs = opinion.rows(record)
        self.records += 1
        self.rows += len(mine | theirs.keys())
        self.broken += bool(mine)
        for path, rule in mine - theirs.keys():
            value = _at(record, path)
            asked = [ask for word, ask, text in opinion.asked if (word, text) == (rule, value)] or [""]
            self._explain(OURS, rule, [(opinion.draft, ask, value) for ask in asked], f"{label} {path}")
        for path, rule in theirs.keys() - mine:
            questions = [(opinion.draft, ask, _at(record, path)) for ask in theirs[path, rule]]
            self._explain(THEIRS, rule, questions, f"{label} {path}")

    def compare_refusal(self, ours, theirs, label):
        if ours and not theirs:
            self._explain(OURS, "$ref", [("", str(ours), None)], label)
        elif theirs and not ours:
            self._explain(THEIRS, "$ref", [("", str(theirs), None)], label)

    def _explain(self, side, rule, questions, label):
        rows = [
            name
            for name, row in DIFFERENCES.items()
            if (row.side, row.keyword) == (side, rule) and any(row.applies(Place(*question)) for question in questions)
        ]
        if len(rows) == 1:
            self.used[rows[0]] += 1
        else:
            self.unexplained.append(f"{side}: {rule}, {questions[0]!r:.300}, at {label}: explained by {rows}")

    def told(self):
        lines = [f"{count:6}  {name}" for name, count in self.used.items()]
        return "\n".join([f"{self.records} records, {self.broken} of them broken, {self.rows} violations", *lines])


def _at(value, path):
    for token in (part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]):
        if isinstance(value, list):
            value = value[int(token)]
        elif isinstance(value, dict) and token in value:
            value = value[token]
        else:
            return None
    return value


# --- Published schemas and instances ---------------------------------------------------------------------------------


def _compiled(published, comparison):
    """Return a function from a pair to both validators of its schema, or None where one of them refuses it."""

    @cache
    def compile_both(schema, others):
        ours = theirs = None
        profile = opinion = None
        try:
            profile = Profile.from_schema([schema, *others])
        except ConfigurationError as error:
            ours = error
        try:
            opinion = SecondOpinion(published.content[schema], [published.content[other] for other in others])
        except (jsonschema.SchemaError, Unresolvable) as error:
            theirs = error
        comparison.compare_refusal(ours, theirs, schema.name)
        return (profile, opinion) if profile and opinion else None

    return lambda pair: compile_both(pair.schema, pair.others)


def _spread(pairs, rng):
    """Yield pairs forever, each schema as often as any other, so that the many of one publisher leave room for all."""
    by_schema = {}
    for pair in pairs:
        by_schema.setdefault(pair.schema, []).append(pair)
    while True:
        for group in by_schema.values():
            yield rng.choice(group)


@pytest.mark.slow  # the other library is slow: half a minute on a busy machine
@pytest.mark.shared("data/passports")
def test_validation_agrees_on_published_records_and_damaged_copies(shared):
    published, comparison = Published(shared / "data/passports"), Comparison()
    compiled = _compiled(published, comparison)
    pairs = [pair for pair in published.pairs() if compiled(pair)]
    for pair in pairs:
        comparison.compare(*compiled(pair), published.content[pair.instance], pair.instance.name)
    as_published = comparison.records
    rng = random.Random(SEED)
    for number, pair in enumerate(islice(_spread(pairs, rng), COPIES)):
        record = damaged(published.content[pair.instance], rng)
        comparison.compare(*compiled(pair), record, f"copy {number} of {pair.instance.name}")

    _tell(f"{len(published.schemas)} schemas, {as_published} pairs, {COPIES} damaged copies\n{comparison.told()}")
    assert comparison.unexplained == []
    assert comparison.broken >= COPIES // 2, "the damage must break most copies"
    unused = [name for name, row in DIFFERENCES.items() if not row.elsewhere and not comparison.used[name]]
    assert unused == [], "a difference that is never met has no place in the table"
    assert {pair.schema for pair in published.pairs()} == set(published.schemas), "every schema is used"


@pytest.mark.shared("data/passports/aas-testdata", "data/passports/aas-metamodel/schemas/json/aas.json")
def test_published_shells_that_are_meant_to_be_valid_conform(shared):
    profile = Profile.from_schema([shared / "data/passports/aas-metamodel/schemas/json/aas.json"])
    refused = Counter()
    files = sorted((shared / "data/passports/aas-testdata").rglob("*.json"))
    for path in files:
        if profile.validate(read_exactly(path.read_bytes())):
            refused["valid" if "Expected" in path.parts else "invalid"] += 1

    meant_invalid = sum("Unexpected" in path.parts for path in files)
    _tell(f"{len(files)} files; of {meant_invalid} that are meant to be invalid, {refused['invalid']} break the schema")
    assert refused["valid"] == 0
    # The others break constraints that the publisher states in words only.
    assert refused["invalid"] > 0


# --- Schemas of our own ----------------------------------------------------------------------------------------------


def _both(schema, path):
    path.write_text(json.dumps(schema), encoding="utf-8")
    return Profile.from_schema([path]), SecondOpinion(read_exactly(path.read_bytes()))


def test_validation_agrees_on_every_keyword_and_format_of_every_draft(tmp_path):
    comparison, rng = Comparison(), random.Random(SEED)
    for draft in DRAFTS:
        keywords = _both(keywords_schema(draft), tmp_path / "keywords.json")
        sound = sound_record(draft)
        comparison.compare(*keywords, sound, f"sound record, {draft}")
        for name, values in OTHER_VALUES.items():
            for value in values:
                comparison.compare(*keywords, sound | {name: value}, f"{name}, {draft}")
        for number in range(100):
            comparison.compare(*keywords, damaged(sound, rng), f"copy {number}, {draft}")
        formats = _both(formats_schema(draft), tmp_path / "formats.json")
        for name, texts in FORMAT_TEXTS.items():
            for text in texts:
                comparison.compare(*formats, {name: text}, f"{name}, {draft}")

    _tell(comparison.told())
    assert comparison.unexplained == []
    unused = [name for name, row in DIFFERENCES.items() if row.elsewhere and not comparison.used[name]]
    assert unused == [], "a difference that is never met has no place in the table"


@pytest.mark.parametrize("draft", DRAFTS)
def test_a_sound_record_conforms_in_every_draft(draft, tmp_path):
    profile, opinion = _both(keywords_schema(draft), tmp_path / "keywords.json")
    assert profile.validate(sound_record(draft)) == []
    assert opinion.rows(sound_record(draft)) == {}
