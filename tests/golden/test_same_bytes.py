"""Equal input gives equal bytes, also in another process: nothing may hang on the order of a set."""

import json
import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from tests.golden.runner import own_cases, own_profile
from veracord import EvidencePack, Profile, RecordComposer, read_record
from veracord.composer.repair import repair_record
from veracord.records.matching import EvidenceIndex
from veracord.records.writing import write_json

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
from tests.golden.runner import own_cases, own_profile, repair
from veracord.records.writing import write_json
for case in own_cases():
    told = repair(case, own_profile(case["profile"])).to_dict()
    print(case["id"], write_json(told).decode())
"""


def results(seed):
    """Return the results of all cases, made by a process whose sets have an order of their own."""
    places = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_results_do_not_hang_on_the_order_of_sets():
    first, *others = (results(seed) for seed in range(4))
    assert len(first) > 300
    for other in others:
        assert [(a, b) for a, b in zip(first, other, strict=True) if a != b] == []


def spoil(value):
    """Change every container of a value."""
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        spoil(part)
    if isinstance(value, dict):
        value["spoiled"] = True
    elif isinstance(value, list):
        value.append("spoiled")


@pytest.mark.parametrize("case", own_cases(), ids=lambda case: case["id"])
def test_what_is_done_to_a_result_changes_no_later_one(case):
    profile, pack = own_profile(case["profile"]), EvidencePack.from_items(case["evidence"])
    composer = RecordComposer(profile)
    first = composer.repair(deepcopy(case["record"]), pack, origins=case.get("origins"))
    told = write_json(first.to_dict())
    spoil(first.record)
    for fill in first.fills:
        spoil(fill.value)
    for row in first.unresolved:
        for candidate in row.candidates:
            spoil(candidate.value)
    for _ in range(2):
        again = composer.repair(deepcopy(case["record"]), pack, origins=case.get("origins"))
        assert write_json(again.to_dict()) == told


def test_profiles_that_share_evidence_keep_what_may_be_copied_apart(tmp_path):
    """The sources keep what may be copied of their rows; each profile has its own answer."""
    members = {"name": {"type": "string"}, "mass_g": {"type": "number"}}
    profiles = []
    for name, known in (("open", members), ("narrow", {"name": members["name"]})):
        items = {"type": "object", "properties": known, "additionalProperties": False}
        parts = {"type": "array", "minItems": 1, "items": items}
        properties = {"id": {"type": "string"}, "parts": parts}
        schema = {"type": "object", "required": ["id", "parts"], "properties": properties}
        (tmp_path / f"{name}.json").write_text(json.dumps(schema), "utf-8")
        profiles.append(Profile.from_schema([tmp_path / f"{name}.json"], [["/id"]]))
    pack = EvidencePack.from_items([{"id": "s", "content": {"id": "1", "parts": [{"name": "lid", "mass_g": 5}]}}])
    index, bare = EvidenceIndex.of(pack, profiles[0].identity), read_record(b'{"id": "1"}')
    for _ in range(2):
        rows = [repair_record(profile, bare, index).record.get("parts") for profile in profiles]
        assert rows == [[{"name": "lid", "mass_g": 5}], [{"name": "lid"}]]
