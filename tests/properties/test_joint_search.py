"""Of a group of fills that fails, the largest sound set stays: compared with trying every set.

Two arrays of shares, each with bounds on its sum; sources that know some shares, some of them out of range.
"""

import json
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from hypothesis import event, given, settings
from hypothesis import strategies as st

from veracord import EvidencePack, Profile, RecordComposer

BOUNDS = (90, 110)
ARRAYS = ("mix", "duty")


@lru_cache
def profile():
    row = {
        "type": "object",
        "required": ["name", "share"],
        "properties": {
            "name": {"type": "string"},
            "share": {"type": "number", "minimum": 0, "maximum": 100},
        },
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {
            "id": {"type": "string"},
            **{name: {"type": "array", "items": row} for name in ARRAYS},
        },
    }
    text = 'name = "joint"\nversion = "1"\nschema = "joint.json"\n[identity]\nkeys = [["/id"]]\n'
    for name in ARRAYS:
        text += f'[[rows]]\nat = "/{name}"\nkey = ["/name"]\n[[rules]]\nkind = "sum"\n'
        text += f'over = "/{name}/*/share"\nmin = {BOUNDS[0]}\nmax = {BOUNDS[1]}\n'
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "joint.json").write_text(json.dumps(schema), "utf-8")
        Path(folder, "joint.toml").write_text(text, "utf-8")
        return Profile.load(Path(folder, "joint.toml"))


@dataclass(frozen=True)
class Row:
    """One share: what the record has, what the sources say, and which of the two sources say it."""

    ours: int | str | None
    theirs: int
    known_to: frozenset[str]

    @property
    def is_candidate(self):
        violates = not isinstance(self.ours, int) or not 0 <= self.ours <= 100
        return violates and bool(self.known_to)


OURS = st.one_of(st.sampled_from([130, -30, 160, -60, 115, -15, 10, 30, 50]), st.sampled_from([None, "x"]))
ROWS = st.builds(
    Row,
    OURS,
    st.sampled_from([0, 10, 20, 25, 30, 40, 50, 60, 120, -5]),
    st.sampled_from([frozenset("ab"), frozenset("a"), frozenset("b"), frozenset("ab"), frozenset()]),
)
GROUPS = st.lists(ROWS, min_size=1, max_size=6)


def expected(rows):
    """Return (indexes that are filled, detail by index of those that are not), by trying every set."""
    before = [row.ours for row in rows]
    details = {}
    candidates = frozenset(n for n, row in enumerate(rows) if row.is_candidate)
    refused = frozenset(n for n in candidates if not 0 <= rows[n].theirs <= 100)
    details.update(dict.fromkeys(refused))
    candidates -= refused
    while candidates and not is_sound(rows, before, candidates):
        sets = [frozenset(s) for n in range(len(candidates)) for s in combinations(candidates, n)]
        sound = [s for s in sets if is_sound(rows, before, s)]
        most = max(map(len, sound))
        largest = [s for s in sound if len(s) == most]
        shared, any_of = frozenset.intersection(*largest), frozenset.union(*largest)
        for n in candidates - shared:
            details.setdefault(n, "not_jointly_valid" if n in any_of else None)
        candidates = shared
    return candidates, details


def is_sound(rows, before, chosen):
    """Whether a set of fills breaks no rule that could be checked before, nor one within one source."""
    after = [row.theirs if n in chosen else row.ours for n, row in enumerate(rows)]
    if not breaks(after) or breaks(before):
        return True
    was_masked = not all(isinstance(value, int) for value in before)
    sources = [row.known_to for n, row in enumerate(rows) if n in chosen]
    from_one = len(chosen) == len(rows) and bool(frozenset.intersection(*sources))
    return was_masked and not from_one


def breaks(values):
    numbers = all(isinstance(value, int) for value in values)
    return numbers and not BOUNDS[0] <= sum(values) <= BOUNDS[1]


def rows_of(rows, value_of):
    made = []
    for number, row in enumerate(rows):
        value = value_of(row)
        made.append({"name": f"n{number}"} if value is None else {"name": f"n{number}", "share": value})
    return made


@settings(max_examples=300)
@given(GROUPS, GROUPS)
def test_the_largest_sound_set_of_each_group_stays(mix, duty):
    groups = dict(zip(ARRAYS, (mix, duty), strict=True))
    record = {"id": "P", **{name: rows_of(rows, lambda r: r.ours) for name, rows in groups.items()}}
    evidence = []
    for source in "ab":
        content = {"id": "P"}
        for name, rows in groups.items():
            content[name] = rows_of(rows, lambda r, s=source: r.theirs if s in r.known_to else None)
        evidence.append({"id": source, "content": content})
    result = RecordComposer(profile()).repair(record, EvidencePack.from_items(evidence))
    filled = {fill.path: fill.value for fill in result.fills}
    told = {row.path: (row.outcome, row.detail) for row in result.unresolved}
    for name, rows in groups.items():
        kept, details = expected(rows)
        event("some of a group stay" if kept and details else "all or none stay")
        mine = {path: value for path, value in filled.items() if path.startswith(f"/{name}/")}
        assert mine == {f"/{name}/{n}/share": rows[n].theirs for n in kept}
        for n, detail in details.items():
            assert told[f"/{name}/{n}/share"] == ("source_invalid", detail)
        after = [row.theirs if n in kept else row.ours for n, row in enumerate(rows)]
        assert (f"/{name}" in told) is breaks(after)
