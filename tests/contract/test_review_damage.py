"""What was changed behind the log, in the database itself: it is found, named, and not built on."""

import pytest

from tests.contract.review_worlds import ANN, GUESSES, TEXT, World, load_profile, run
from veracord.apps.audit_reports import replay_text
from veracord.apps.audit_run import replayed, require_sound
from veracord.apps.rendering import Look
from veracord.audit.findings import Reason
from veracord.audit.keys import SigningKey
from veracord.audit.verification import verify_store
from veracord.bootstrap.reviews import ReviewDesk
from veracord.errors import InputError, StorageError


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return load_profile(tmp_path_factory.mktemp("lamp"))


@pytest.fixture
def world(sql_place, profile):
    """One record with a fill, an accepted and a declared value, and suggestions that wait."""
    world = World(sql_place.open().review, profile)
    world.load(TEXT, GUESSES, {"id": "L-1", "parts": {"head": "h", "foot": "f"}})
    world.accept("/finish")
    world.declare("/mass_kg", 7)
    return world


def verified(world, **options):
    async def pages():
        return [page async for page in world.service.pages()]

    return verify_store(run(pages()), **options)


def damaged(call):
    """What is refused names the store and what is wrong with it, in one line, and how to go on."""
    with pytest.raises(StorageError) as caught:
        call()
    assert caught.value.code == "store_damaged"
    assert "restore a copy" in caught.value.remedy
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_sound_store_is_sound(world):
    report = verified(world)
    assert (report.ok, report.events) == (True, len(world.lines()))
    assert report.head == run(world.store.transact(lambda transaction: transaction.head()))


def test_an_empty_store_is_sound(sql_place, profile):
    assert verified(World(sql_place.open().review, profile)).events == 0


@pytest.mark.parametrize(
    ("change", "seq", "reason"),
    [
        ("UPDATE audit_events SET record_id = 'zzz' WHERE seq = 3", 3, Reason.MISFILED),
        ("UPDATE audit_events SET record_id = NULL WHERE seq = 3", 3, Reason.MISFILED),
        ("UPDATE audit_events SET event_id = 'x' WHERE seq = 4", 4, Reason.MISFILED),
        ("UPDATE audit_events SET seq = 99 WHERE seq = (SELECT MAX(seq) FROM audit_events)", -1, Reason.MISFILED),
        ("UPDATE audit_events SET seq = 99 WHERE seq = 4", 4, Reason.OUT_OF_PLACE),
        ("DELETE FROM audit_events WHERE seq >= 4", 4, Reason.TRUNCATED),
        ("DELETE FROM audit_events", 1, Reason.TRUNCATED),
        ("DELETE FROM audit_head", 0, Reason.WRONG_HEAD),
        ("UPDATE audit_head SET hash = 'sha256:0'", -1, Reason.WRONG_HEAD),
        ("UPDATE audit_head SET seq = 4", 5, Reason.WRONG_HEAD),
        ("UPDATE audit_events SET body = 'x' WHERE seq = 2", 2, Reason.UNREADABLE),
    ],
)
def test_what_stands_beside_the_lines_is_verified(world, sql_place, change, seq, reason):
    last = len(world.lines())
    sql_place.change(change)
    report = verified(world)
    assert (report.ok, report.reason) == (False, reason)
    assert report.first_bad_seq == (seq if seq > 0 else last + 1 + seq)
    assert f"at seq {report.first_bad_seq}: " in report.statements()[0]


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM audit_events WHERE seq >= 4",
        "DELETE FROM audit_events",
        "DELETE FROM audit_head",
        "UPDATE audit_head SET hash = 'sha256:0'",
        "UPDATE audit_head SET seq = seq - 1",
    ],
)
def test_a_log_that_lost_its_end_is_not_continued(world, sql_place, change):
    sql_place.change(change)
    lines = world.lines()
    for act in (world.export, lambda: world.defer("/tags"), lambda: world.load(name="r2")):
        assert "audit log" in damaged(act).where
    assert world.lines() == lines
    assert run(world.service.record("r1")).revision == 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE passports SET facts = '{'", "record r1"),
        ("UPDATE passports SET facts = 'null'", "record r1"),
        ("UPDATE passports SET facts = replace(facts, 'origins', 'urigins')", "record r1"),
        ("UPDATE passports SET text = '{'", "record r1"),
        ("UPDATE passports SET text = '[]'", "record r1"),
        ("UPDATE proposals SET body = '{}'", "record r1"),
        ("UPDATE proposals SET body = 'x'", "record r1"),
        ("UPDATE proposals SET status = 'withdrawn'", "suggestion sha256:"),
        ("UPDATE proposals SET rule = 'x'", "suggestion sha256:"),
        ("UPDATE audit_events SET body = 'x' WHERE seq = 2", "seq 2"),
        ("UPDATE audit_events SET event_id = 'x' WHERE seq = 2", "seq 2"),
        ("UPDATE audit_events SET body = replace(body, 'I know it', 'I guess it')", "seq"),
    ],
)
def test_a_row_that_is_not_what_was_kept_is_named(world, sql_place, change, words):
    sql_place.change(change)
    error = damaged(lambda: run(world.service.explain("r1", "/finish")))
    assert words in error.where
    assert "store" in error.where or "postgresql" in error.where


def test_what_sqlite_takes_in_a_column_is_damage_too(world, sql_place):
    if not sql_place.url.startswith("sqlite"):
        pytest.skip("PostgreSQL keeps nothing but text in a column of texts")
    sql_place.change("UPDATE passports SET text = x'00ff'")
    assert "record r1" in damaged(world.record).where


def test_settings_that_are_none_are_named(world, sql_place):
    sql_place.change("INSERT INTO settings (name, value) VALUES ('review', '{')")
    assert "settings" in damaged(lambda: run(world.service.settings())).where


def test_an_event_of_another_id_is_not_undone(world, sql_place):
    first, second = [event for event in world.events() if event.revision_after is not None][-2:]
    sql_place.change("UPDATE audit_events SET event_id = 'x' WHERE seq = ?", first.seq)
    sql_place.change("UPDATE audit_events SET event_id = ? WHERE seq = ?", first.id, second.seq)
    damaged(lambda: world.undo(first.id))
    assert world.record().revision == 5


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE passports SET text = replace(text, 'matt', 'gold')", "text"),
        ("UPDATE passports SET revision = 9", "revision"),
        ("UPDATE passports SET facts = replace(facts, 'accepted_suggestion', 'evidence')", "origins"),
        ("UPDATE passports SET facts = replace(facts, 'Mass: 5 kg', 'certified')", "declarations"),
        ('UPDATE passports SET facts = replace(facts, \'"page":"3"\', \'"page":"4"\')', "declarations"),
        ("UPDATE passports SET facts = replace(facts, 'sha256:aaaa', 'sha256:bbbb')", "declarations"),
    ],
)
def test_a_record_that_its_events_did_not_leave_is_not_handed_out(world, sql_place, change, what):
    world.load(name="r2", guesses={})
    assert world.export().keys() == {"r1", "r2"}
    sql_place.change(f"{change} WHERE record_id = 'r1'")
    length = len(world.lines())
    error = damaged(world.export)
    assert "record r1" in error.where
    assert what in error.what
    assert len(world.lines()) == length
    assert run(world.service.export(ANN, ["r2"]))
    report = replayed(None, sql_place.url)
    rows = {row["record_id"]: row for row in report["records"]}
    assert (report["ok"], rows["r1"]["same"], rows["r1"]["differs"]) == (False, False, [what])
    assert (rows["r2"]["same"], rows["r2"]["differs"]) == (True, [])
    words = {"declarations": "other documents, pages or quotes", "origins": "other origins"}.get(
        what, f"another {what}"
    )
    assert words in replay_text(report, Look())


def test_a_record_that_was_imported_again_is_handed_out_with_what_stays_declared(world):
    text = world.record().text
    world.load(text, None)
    assert world.record().declarations.keys() == {"/mass_kg"}
    assert world.export()["r1"].declarations.keys() == {"/mass_kg"}
    world.check()


def test_records_that_only_one_of_both_has_are_told(world, sql_place):
    world.load(name="r2", guesses={})
    sql_place.change("UPDATE passports SET record_id = 'ghost' WHERE record_id = 'r2'")
    report = replayed(None, sql_place.url)
    rows = {row["record_id"]: row for row in report["records"]}
    assert [rows[name].get("differs") for name in ("r1", "r2", "ghost")] == [[], ["missing"], ["unknown"]]
    text = replay_text(report, Look())
    assert "no such one" in text
    assert "the log knows nothing of it" in text


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ('status = \'open\', body = replace(body, \'"status":"accepted"\', \'"status":"open"\')', ["status"]),
        ("model = 'other', body = replace(body, 'some-model', 'other')", ["content"]),
        ("body = replace(body, '0.3', '0.2')", ["content"]),
        ('record_id = \'r9\', body = replace(body, \'"record_id":"r1"\', \'"record_id":"r9"\')', ["place"]),
    ],
)
@pytest.mark.usefixtures("world")
def test_suggestions_are_compared_with_what_the_log_says(sql_place, change, differs):
    sql_place.change(f"UPDATE proposals SET {change} WHERE pointer = '/finish'")  # noqa: S608 - a test's own
    report = replayed(None, sql_place.url)
    assert [row["differs"] for row in report["suggestions"]] == [differs]
    assert (report["ok"], {row["same"] for row in report["records"]}) == (False, {True})
    assert report["suggestions"][0]["id"] in replay_text(report, Look())


def test_suggestions_that_are_gone_are_told(world, sql_place):
    sql_place.change("DELETE FROM proposals WHERE pointer = '/tags'")
    (row,) = replayed(None, sql_place.url)["suggestions"]
    assert (row["differs"], row["record_id"]) == (["missing"], "r1")
    assert world.record()


def test_nobody_signs_for_a_log_that_is_broken(sql_place, profile):
    key = SigningKey.make()
    world = World(sql_place.open().review, profile, key=key)
    world.load()
    world.accept("/finish")
    sql_place.change("UPDATE audit_events SET body = replace(body, 'I know it', 'I guess it')")
    length = len(world.lines())
    assert "broken" in damaged(lambda: run(world.service.log_export(ANN, "all of it"))).what
    assert len(world.lines()) == length
    with ReviewDesk(sql_place.url) as desk:
        damaged(lambda: require_sound(desk))


def test_an_event_is_found_by_the_beginning_of_its_id(world, sql_place):
    done = world.accept("/tags")
    with ReviewDesk(sql_place.url) as desk:
        assert desk.whole_event_id(done.event_id[:12]) == desk.whole_event_id(done.event_id) == done.event_id
        for nobody in ("", "nobody", "\0", "%"):
            assert desk.whole_event_id(nobody) == nobody
    sql_place.change("UPDATE audit_events SET event_id = ? WHERE seq = 1", f"{done.event_id[:12]}x")
    with ReviewDesk(sql_place.url) as desk, pytest.raises(InputError) as caught:
        desk.whole_event_id(done.event_id[:12])
    assert caught.value.code == "ambiguous_id"
