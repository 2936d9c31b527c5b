"""Output files: whole or not at all, both or neither, and never over an input."""

import os

import pytest

BASE = ["repair", "record.json", "-p", "widget.toml", "-e", "evidence"]


@pytest.mark.parametrize("option", ["--out", "--record-out"])
@pytest.mark.parametrize(
    "name",
    [
        "record.json",
        "evidence/../record.json",
        "evidence/maker.json",
        "evidence/leaflet.txt",
        "widget.toml",
        "widget.schema.json",
        "linked.json",
        "also.json",
        "veracord.toml",
    ],
)
def test_an_input_is_never_overwritten(cli, shop, one_error, option, name):
    (shop / "linked.json").symlink_to("record.json")
    (shop / "also.json").hardlink_to(shop / "evidence" / "maker.json")
    (shop / "veracord.toml").write_text("[limits]\nmax_record_bytes = 9999\n", "utf-8")
    before = (shop / name).read_bytes()
    one_error(cli(*BASE, option, name), "output_is_input", words=[name])
    assert (shop / name).read_bytes() == before
    assert not list(shop.rglob(".*"))


def test_a_schema_given_as_such_is_an_input(cli, one_error):
    ended = cli("repair", "record.json", "--schema", "widget.schema.json", "--out", "widget.schema.json")
    one_error(ended, "output_is_input")


def test_a_named_settings_file_is_an_input(cli, shop, one_error):
    (shop / "mine.toml").write_text("[limits]\nmax_record_bytes = 9999\n", "utf-8")
    one_error(cli(*BASE, "--config", "mine.toml", "--out", "mine.toml"), "output_is_input")


def test_the_origins_are_written_over_no_input(cli, shop, one_error):
    (shop / "evidence" / "fixed.jsonl").write_text("", "utf-8")
    (shop / "evidence" / "fixed.origins.json").write_text("{}", "utf-8")
    one_error(cli(*BASE, "--record-out", "evidence/fixed.json"), "output_is_input")


def test_two_outputs_need_two_names(cli, one_error):
    one_error(cli(*BASE, "--out", "x.json", "--record-out", "./x.json"), "output_twice")
    one_error(cli(*BASE, "--out", "x.origins.json", "--record-out", "x.json"), "output_twice")


@pytest.mark.parametrize("option", ["--out", "--record-out"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing/x.json", ["folder", "create it first"]),
        ("evidence", ["regular file"]),
        ("/dev/null", ["regular file"]),
        ("record.json/x.json", ["folder"]),
        ("n" * 300, ["too long"]),
    ],
)
def test_a_place_that_cannot_be_written(cli, shop, one_error, option, name, words):
    one_error(cli(*BASE, option, name), "unwritable_output", words=words)
    assert not list(shop.rglob(".*"))


def test_when_one_output_is_impossible_the_other_is_not_written(cli, shop, one_error):
    one_error(cli(*BASE, "--out", "r.json", "--record-out", "missing/x.json"), "unwritable_output")
    assert not (shop / "r.json").exists()


@pytest.mark.parametrize("text", ['{"id": ', '{"id": 1, "id": 2}', "[]"])
def test_a_failing_run_leaves_old_files_untouched(cli, shop, text):
    (shop / "record.json").write_text(text, "utf-8")
    for name in ("r.json", "f.json", "f.origins.json"):
        (shop / name).write_text("as it was", "utf-8")
    assert cli(*BASE, "--out", "r.json", "--record-out", "f.json").code == 2
    for name in ("r.json", "f.json", "f.origins.json"):
        assert (shop / name).read_text("utf-8") == "as it was"
    assert not list(shop.rglob(".*"))


def test_old_files_are_replaced_and_keep_their_mode(cli, shop):
    (shop / "r.json").write_text("old", "utf-8")
    (shop / "r.json").chmod(0o640)
    cli(*BASE, "--out", "r.json", "--record-out", "f.json")
    assert (shop / "r.json").read_bytes().startswith(b"{")
    assert (shop / "r.json").stat().st_mode & 0o777 == 0o640
    mask = os.umask(0)
    os.umask(mask)
    assert (shop / "f.json").stat().st_mode & 0o777 == 0o666 & ~mask
    assert not list(shop.rglob(".*"))


def test_a_link_stays_a_link(cli, shop):
    (shop / "elsewhere").mkdir()
    (shop / "elsewhere" / "r.json").write_text("old", "utf-8")
    (shop / "r.json").symlink_to("elsewhere/r.json")
    cli(*BASE, "--out", "r.json")
    assert (shop / "r.json").is_symlink()
    assert (shop / "elsewhere" / "r.json").read_bytes().startswith(b"{")


def test_the_second_name_of_an_old_file_keeps_its_content(cli, shop):
    (shop / "r.json").write_text("old", "utf-8")
    (shop / "copy.json").hardlink_to(shop / "r.json")
    cli(*BASE, "--out", "r.json")
    assert (shop / "copy.json").read_text("utf-8") == "old"


def test_when_the_second_move_fails_the_first_is_taken_back(tmp_path, monkeypatch):
    from veracord.apps.staging import OutputFiles, StagedFile
    from veracord.errors import InputError

    (tmp_path / "a").write_bytes(b"old")
    with OutputFiles([]) as files:
        first, second = files.add(str(tmp_path / "a")), files.add(str(tmp_path / "b"))
        third = files.add(str(tmp_path / "c"))
        for file in (first, second, third):
            file.write(b"new")

        def fail():
            raise InputError("no room", code="unwritable_output")

        monkeypatch.setattr(third, "move", fail)
        with pytest.raises(InputError, match="no room"):
            files.commit()
    assert isinstance(first, StagedFile)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old"}


def test_an_optional_file_without_content_is_absent(tmp_path):
    from veracord.apps.staging import OutputFiles

    (tmp_path / "a").write_bytes(b"old")
    with OutputFiles([]) as files:
        files.add(str(tmp_path / "a"), optional=True)
        files.add(str(tmp_path / "b"))
        files.commit()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"b": b""}


def test_nothing_is_left_when_the_run_is_not_committed(tmp_path):
    from veracord.apps.staging import OutputFiles

    with OutputFiles([]) as files:
        files.add(str(tmp_path / "a")).write(b"x")
        assert len(list(tmp_path.iterdir())) == 1
    assert not list(tmp_path.iterdir())
