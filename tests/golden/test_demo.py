"""The demonstration that comes with the package gives what it says."""

import json
from decimal import Decimal
from importlib.resources import as_file, files

from tests.golden.runner import GOLDEN, same
from veracord import EvidencePack, Profile, RecordComposer, read_record

EXPECTED = json.loads((GOLDEN / "demo_expected.json").read_text("utf-8"), parse_float=Decimal)


def demo_result():
    with as_file(files("veracord") / "bundled" / "demo") as folder:
        pack = EvidencePack.from_paths([folder / "evidence"])
        record = read_record((folder / "record.json").read_bytes())
    return RecordComposer(Profile.load("eu-dpp-demo")).repair(record, pack), pack


def test_the_demonstration():
    result, pack = demo_result()
    assert result.conforms is EXPECTED["conforms"]
    fills = {f.path: [f.value, f.evidence_id, f.source_pointer] for f in result.fills}
    assert same(fills, EXPECTED["fills"])
    assert {row.path: row.outcome for row in result.unresolved} == EXPECTED["unresolved"]
    for fill in result.fills:
        assert pack.resolve(fill.evidence_ref).id == fill.evidence_id
