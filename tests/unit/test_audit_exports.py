"""Exports: lines that can be verified, a table that no spreadsheet runs, PROV that its own library reads."""

import csv
import io
import json
import sys

import pytest

from tests.unit.audit_logs import SYSTEM, Log, log_of
from veracord import ConfigurationError
from veracord.audit.events import Actor, EventType
from veracord.audit.exports import DECISIONS, decisions_csv, harmless, json_lines, prov_json
from veracord.audit.verification import verify


def table(events):
    text = b"".join(decisions_csv(events)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_lines_can_be_verified():
    log = log_of(5)
    assert list(json_lines(log.events)) == log.lines
    assert verify(json_lines(log.events)).ok


def test_the_table_holds_decisions_and_nothing_else():
    log = Log()
    for kind in EventType:
        log.add(kind, {"reason": "no", "reason_code": "r1", "suggestion_id": "s", "value": {"b": 1}}, pointer="/a")
    rows = table(log.events)
    assert {row["type"] for row in rows} == set(map(str, DECISIONS))
    assert len(rows) == 7
    row = rows[0]
    event = log.events[int(row["seq"]) - 1]
    assert (row["at"], row["hash"], row["actor_id"], row["pointer"]) == (event.at, event.hash, "u-7", "/a")
    assert (row["reason"], row["reason_code"], row["value"], row["record_id"]) == ("no", "r1", '{"b":1}', "")


def test_the_table_tells_notes_edits_and_documents():
    log = Log()
    source = {"document_digest": "sha256:a", "page": "3", "quote": "=5 kg", "quote_found": None}
    log.add(EventType.SUGGESTION_DEFERRED, {"note": "I ask", "awaits_second": True})
    log.add(EventType.SUGGESTION_ACCEPTED, {"value": 5, "edited": True, "first_person": "ann"})
    log.add(EventType.SUGGESTION_ACCEPTED, {"value": 5})
    log.add(EventType.VALUE_DECLARED, {"value": 5, **source})
    log.add(EventType.DECISION_UNDONE, {"undone": "e1"})
    rows = table(log.events)
    assert [row["note"] for row in rows] == ["I ask", "", "", "", ""]
    assert [(row["edited"], row["first_person"]) for row in rows[1:3]] == [("true", "ann"), ("", "")]
    assert (rows[0]["awaits_second"], rows[4]["undone"]) == ("true", "e1")
    told = [rows[3][name] for name in ("document_digest", "page", "quote", "quote_found")]
    assert told == ["sha256:a", "3", "'=5 kg", "null"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_no_cell_is_run(start):
    hostile = f"{start}cmd|' /C calc'!A0\",\r\n=1"
    log = Log()
    log.add(
        data={"reason": hostile, "value": hostile, "suggestion_id": hostile, "reason_code": [hostile]},
        actor=Actor(hostile, "person", hostile, hostile),
        record_id=hostile,
        request_id=hostile,
    )
    (row,) = table(log.events)
    for name, cell in row.items():
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")), name
    assert row["reason"] == row["record_id"] == row["actor_id"] == f"'{hostile}"
    assert json.loads(row["value"]) == hostile
    assert harmless(start) == f"'{start}"


def test_every_cell_is_quoted_and_rows_end_as_csv_says():
    log = Log()
    log.add(data={"reason": "a;=1"})
    header, row = b"".join(decisions_csv(log.events)).removesuffix(b"\r\n").split(b"\r\n")
    # A spreadsheet that parts cells at semicolons sees no new cell.
    assert b'"a;=1"' in row
    assert all(cell.startswith(b'"') and cell.endswith(b'"') for cell in (header + b"," + row).split(b","))


def test_values_of_the_table_are_json():
    log = Log()
    for value in (None, "1", 1, -1, True):
        log.add(data={"value": value})
    log.add()
    assert [row["value"] for row in table(log.events)] == ["null", '"1"', "1", "'-1", "true", ""]


def test_prov_tells_who_made_which_revision():
    from prov.model import ProvDocument

    log = Log()
    log.load("a/b é", "{}")
    log.add(record_id="a/b é", revision_before=1, revision_after=1, pointer="/x")
    log.change("a/b é", "[]", {}, EventType.SUGGESTION_ACCEPTED)
    log.add(EventType.ACCESS_DENIED, actor=Actor('"><script>', "service", "key", ""))
    log.add(EventType.EXPORT_MADE, actor=SYSTEM)
    data = prov_json(log.events)
    found = json.loads(data)
    assert list(found["activity"]) == [f"v:event-{number}" for number in range(1, 6)]
    first, second = "v:record-a%2Fb%20%C3%A9-1", "v:record-a%2Fb%20%C3%A9-2"
    assert list(found["entity"]) == [first, second]
    assert found["entity"][second]["v:digest"] == log.events[2].data["text_digest"]
    assert found["entity"][second]["v:record_id"] == "a/b é"
    assert set(found["agent"]) == {"v:system-veracord", "v:person-u-7", "v:service-%22%3E%3Cscript%3E"}
    assert found["agent"]["v:person-u-7"]["prov:type"]["$"] == "prov:Person"
    assert [(row["prov:generatedEntity"], row["prov:usedEntity"]) for row in found["wasDerivedFrom"].values()] == [
        (second, first)
    ]
    assert len(found["wasGeneratedBy"]) == len(found["used"]) == 2
    assert len(found["wasAssociatedWith"]) == 5
    assert found["activity"]["v:event-3"]["v:hash"] == log.events[2].hash
    assert ProvDocument.deserialize(content=data.decode(), format="json").get_records()


def test_prov_holds_no_values():
    log = Log()
    log.load("r", "secret-text")
    log.add(data={"value": "secret-value", "reason": "secret-reason"})
    assert b"secret" not in prov_json(log.events)


def test_nothing_is_exported_from_an_empty_log():
    assert list(json_lines([])) == []
    assert table([]) == []
    assert json.loads(prov_json([]))["prefix"]


def test_a_missing_library_is_told(monkeypatch):
    for name in ("prov", *[name for name in sys.modules if name.startswith("prov.")]):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigurationError) as caught:
        prov_json([])
    assert (caught.value.code, caught.value.remedy) == ("missing_extra", "pip install 'veracord[audit]'")
