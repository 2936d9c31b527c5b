"""A store of the version before is brought to this one, with all that is in it."""

from datetime import UTC, datetime

from tests.contract.access_worlds import PASSWORD, ROOT, Gates
from tests.contract.review_worlds import run
from veracord.audit.chain import GENESIS, next_event
from veracord.audit.events import Actor, Draft, EventType
from veracord.bootstrap.run_lookups import copy_store
from veracord.bootstrap.stores import open_store
from veracord.composer.ledgers import LedgerEntry
from veracord.ports import SystemClock
from veracord.records.values import digest
from veracord.review.lookups import ReviewLookups
from veracord.review.suggestions import Status, StoredSuggestion, SuggestionFilter
from veracord.storage.schema import STEPS

ACTOR = Actor("u", "service", "api_key", "")


def suggestion(number):
    name = f"r{number % 3}"
    return StoredSuggestion(
        id=digest(str(number).encode()),
        record_id=name,
        pointer=f"/p{number % 2}",
        value=number,
        status=list(Status)[number % 5],
        created_at=f"2026-01-01T00:00:0{number}.000000Z",
        proposed_by=ACTOR,
        rule="required",
        model="m",
        entries=(LedgerEntry(digest(name.encode()), f"/p{number % 2}", digest(b"v")),),
    )


def third_version(place):
    """Make a store as version 3 left it."""
    for step in STEPS[:3]:
        for statement in step.split(";\n"):
            if statement.strip():
                place.change(statement)
    place.change("CREATE TABLE store (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
    place.change("INSERT INTO store (name, value) VALUES ('version', '3')")
    for one in map(suggestion, range(10)):
        place.change(
            "INSERT INTO proposals"
            " (suggestion_id, record_id, pointer, rule, model, status, created_at, ledger_key, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(one.id, one.record_id, one.pointer, one.rule, one.model, one.status.value),
            *(one.created_at, one.ledger_key, one.to_text()),
        )
    event = next_event(
        GENESIS, Draft("e", EventType.SETTINGS_CHANGED, ACTOR, "t", {}), datetime(2026, 1, 1, tzinfo=UTC)
    )
    place.change(
        "INSERT INTO audit_events (seq, event_id, record_id, body) VALUES (?, ?, ?, ?)",
        *(event.seq, event.id, None, event.to_json().decode()),
    )
    place.change("INSERT INTO audit_head (name, seq, hash) VALUES ('log', ?, ?)", event.seq, event.hash)


def test_a_store_of_the_version_before_is_brought_to_this_one(sql_place, tmp_path):
    third_version(sql_place)
    store = sql_place.open()
    service = ReviewLookups(store.review, None, SystemClock(), str)
    page = run(service.list_suggestions(SuggestionFilter(status=())))
    assert list(page.items) == [suggestion(number) for number in range(10)]
    assert page.counts == {status.value: 2 for status in Status}
    facets = run(service.facets(SuggestionFilter(status=())))
    assert [(one.value, one.count) for one in facets.record] == [("r0", 4), ("r1", 3), ("r2", 3)]
    assert [(one.value, one.count) for one in facets.pointer] == [("/p0", 5), ("/p1", 5)]
    gates = Gates(store.access, SystemClock())
    gates.add_user(ROOT, "ann", "viewer", PASSWORD)
    assert [one[0] for one in gates.told()] == ["settings.changed", "user.changed"]
    assert sql_place.ask("SELECT value FROM store WHERE name = 'version'") == [(str(len(STEPS)),)]
    copy_store(sql_place.url, str(tmp_path / "copy.db"))
    copied = open_store(str(tmp_path / "copy.db"))
    try:
        assert run(ReviewLookups(copied.review, None, SystemClock(), str).facets(SuggestionFilter(status=()))) == facets
    finally:
        copied.close()
    backups = list(tmp_path.glob("store.db.v3.backup"))
    assert len(backups) == (1 if sql_place.url.startswith("sqlite") else 0)


def test_runs_are_read_in_pages(sql_place):
    from veracord.storage.manifests import list_run_page, list_runs

    store = sql_place.open()
    run(store.read(lambda _session: None))
    for number in range(5):
        sql_place.change(
            "INSERT INTO runs (run_id, name, input, spec, parts, facts, created_at, epoch, lease_until)"
            " VALUES (?, 'n', 'i', 's', '{}', '{}', ?, 1, 0)",
            *(f"run{number}", f"2026-01-0{1 + number // 2}"),
        )
    found, after = [], None
    while True:
        rows, after = run(store.look(lambda session, after=after: list_run_page(session, 2, after)))
        found += rows
        if after is None:
            break
    assert found == run(store.look(list_runs))
    assert [row["run_id"] for row in found] == ["run4", "run2", "run3", "run0", "run1"]
