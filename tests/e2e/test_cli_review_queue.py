"""`veracord review reject --all` and `review settings`: what is said about all that waits."""

import shutil

import pytest

from tests.e2e.conftest import IMPORT, guess, guesses

DEFAULTS = {
    "second_person": [],
    "own_proposals": True,
    "reject_reasons": ["wrong_value", "wrong_place", "not_plausible", "outdated", "not_needed", "other"],
}


@pytest.fixture(scope="session")
def queued_once(tmp_path_factory):
    """Return where the store of the first queue is kept."""
    return tmp_path_factory.mktemp("queued") / ".veracord"


@pytest.fixture
def queue(cli, shop, guesser, queued_once):
    """Three records, each with a guess for its colour, and one of them with one for its mass; imported once."""
    for path in (shop / "evidence").iterdir():
        path.unlink()
    if queued_once.exists():
        shutil.copytree(queued_once, shop / ".veracord")
        return
    both = guesses(guess(), guess(5, "/mass_kg"))
    guesser.script(both, guesses(guess("blue")), guesses(guess()))
    for name in ("a", "b", "c"):
        ended = cli(*IMPORT, "--id", name)
        assert (ended.code, ended.err) == (0, "")
    assert cli("review", "list", "--json").json["total"] == 4
    shutil.copytree(shop / ".veracord", queued_once)


def waiting(cli):
    rows = cli("review", "list", "--json").json["suggestions"]
    return sorted((row["record_id"], row["pointer"]) for row in rows)


ALL = [("a", "/colour"), ("a", "/mass_kg"), ("b", "/colour"), ("c", "/colour")]


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        (["--record", "a"], ALL[2:]),
        (["--pointer", "/colour"], ALL[1:2]),
        (["--record", "a", "--pointer", "/mass_kg"], [ALL[0], *ALL[2:]]),
        (["--rule", "enum"], ALL[1:2]),
        (["--model", "small"], []),
        (["--model", "other"], ALL),
        (["--status", "open"], []),
        (["--status", "deferred"], ALL),
        (["--older", "2020-01-31"], ALL),
        (["--record", "a", "--older", "2999-01-31"], ALL[2:]),
    ],
)
@pytest.mark.usefixtures("queue")
def test_what_the_filters_mean_is_rejected_and_nothing_else(cli, events, filters, left):
    ended = cli("review", "reject", "--all", *filters, "--code", "outdated", "--note", "an old model", "--json")
    assert (ended.code, ended.err) == (0, "")
    assert ended.json == {"act": "reject", "rejected": len(ALL) - len(left)}
    assert waiting(cli) == left
    told = [one for one in events() if one["type"] == "suggestion.rejected"]
    assert len(told) == len(ALL) - len(left)
    assert all(one["data"]["bulk"] and one["data"]["note"] == "an old model" for one in told)


@pytest.mark.usefixtures("queue")
def test_each_of_them_can_be_undone_and_none_comes_again(cli, events):
    assert "4 suggestions rejected" in cli("review", "reject", "--all", "--model", "small", "--code", "other").out
    assert "0 suggestions rejected" in cli("review", "reject", "--all", "--model", "small", "--code", "other").out
    event = next(one for one in events() if one["type"] == "suggestion.rejected")
    assert cli("review", "undo", event["id"], "--reason", "too many").code == 0
    assert len(waiting(cli)) == 1
    assert cli(*IMPORT, "--id", "b").code == 0
    assert [row for row in waiting(cli) if row[0] == "b"] == []
    assert cli("audit", "replay").code == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["reject", "--all", "--code", "other"], "no_filter"),
        (["reject", "--all", "--status", "all", "--code", "other"], "no_filter"),
        (["reject", "--all", "--status", "open", "--status", "deferred", "--code", "other"], "no_filter"),
        (["reject", "--all", "--pointer", "", "--code", "other"], "no_filter"),
        (["reject", "--all", "--older", "2999-01-31", "--code", "other"], "no_filter"),
        (["reject", "--all", "--pointer", "/colour", "--pointer", "/mass_kg", "--code", "other"], "usage"),
        (["reject", "--all", "--record", "a"], "reason_missing"),
        (["reject", "--all", "--record", "a", "--code", "because"], "reason_unknown"),
        (["reject", "0000", "--all", "--record", "a", "--code", "other"], "usage"),
        (["reject", "0000", "--record", "a", "--code", "other"], "usage"),
        (["reject", "--record", "a", "--code", "other"], "usage"),
        (["reject", "--code", "other"], "usage"),
        (["reject", "--all", "--status", "accepted", "--code", "other"], "usage"),
        (["reject", "--all", "--pointer", "colour", "--code", "other"], "invalid_pointer"),
        (["accept", "--all", "--record", "a", "--reason", "x"], "usage"),
        (["accept", "0000", "--all", "--reason", "x"], "usage"),
        (["settings", "--second-person", "colour"], "usage"),
        (["settings", "--second-person", "/colour", "--no-second-person"], "usage"),
        (["settings", "--reject-reason", " "], "usage"),
        (["settings", "--store", "gone.db"], "no_store"),
    ],
)
@pytest.mark.usefixtures("queue")
def test_a_mistake_is_one_line_and_rejects_nothing(cli, one_error, arguments, code):
    one_error(cli("review", *arguments), code)
    assert waiting(cli) == ALL


@pytest.mark.usefixtures("imported")
def test_settings_are_shown_and_changed_one_by_one(cli, events):
    assert cli("review", "settings", "--json").json == {**DEFAULTS, "changed": False}
    assert "second person needed: nowhere" in cli("review", "settings").out
    changed = cli("review", "settings", "--second-person", "/colour", "--second-person", "/a/*/b", "--json").json
    assert changed == {**DEFAULTS, "second_person": ["/colour", "/a/*/b"], "changed": True}
    assert cli("review", "settings", "--no-own-proposals", "--json").json["second_person"] == ["/colour", "/a/*/b"]
    cli("review", "settings", "--reject-reason", "silly", "--reject-reason", "other", "--reject-reason", "silly")
    out = cli("review", "settings").out
    assert "/colour, /a/*/b" in out
    assert "accepted: no" in out
    assert out.endswith("reasons for a rejection: silly, other\n")
    told = [one for one in events() if one["type"] == "settings.changed"]
    assert len(told) == 3
    assert told[1]["data"]["before"]["own_proposals"] is True
    assert told[1]["data"]["after"]["own_proposals"] is False
    assert told[1]["actor"]["how"] == "terminal"
    cleared = cli("review", "settings", "--no-second-person", "--own-proposals", "--json").json
    assert (cleared["second_person"], cleared["own_proposals"]) == ([], True)


def test_settings_hold_for_decisions(cli, imported, one_error):
    cli("review", "settings", "--no-own-proposals", "--reject-reason", "silly")
    one_error(cli("review", "accept", imported, "--reason", "x"), "own_proposal")
    one_error(cli("review", "reject", imported, "--code", "other"), "reason_unknown")
    cli("review", "settings", "--own-proposals", "--second-person", "/colour")
    assert cli("review", "accept", imported, "--reason", "x", "--json").json["awaits_second"] is True
    one_error(cli("review", "accept", imported, "--reason", "x"), "second_person_required")
    assert cli("review", "reject", imported, "--code", "silly").code == 0
