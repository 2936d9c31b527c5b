"""Which key signs a log, and that no crash in the middle of a change of keys loses it."""

import itertools
import stat
from contextlib import nullcontext

import pytest

from veracord.audit import key_files
from veracord.audit.key_files import load_key, load_public_key, open_or_make_key
from veracord.bootstrap.signing import key_change, ordinary_key, required_key
from veracord.bootstrap.signing import key_files as files_of
from veracord.errors import ConfigurationError

pytest.importorskip("cryptography")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.db.audit.pem"


def ordinary(path, signer):
    return ordinary_key(path, is_chosen=False, is_empty=lambda: False, signer=lambda: signer)


def code_of(ask):
    with pytest.raises(ConfigurationError) as caught:
        ask()
    return caught.value.code


def test_a_key_that_was_named_is_there_once_the_log_has_begun(path):
    ask = {"is_chosen": True, "signer": lambda: None}
    assert code_of(lambda: ordinary_key(path, is_empty=lambda: False, **ask)) == "no_key"
    assert not path.exists()
    assert ordinary_key(path, is_empty=lambda: True, **ask) is not None


def test_a_change_keeps_both_keys_and_puts_the_new_one_in_place(path):
    old = open_or_make_key(path)
    change = key_change(path, None, lambda: old.public)
    # Before the log tells of it, the old one signs, and the new one is in a file.
    assert load_key(path).public == old.public
    assert change.new.public in {load_key(one).public for one in path.parent.glob("*.pem.*") if one.suffix != ".pub"}
    change.finish()
    assert load_key(path).public == change.new.public
    assert load_key(change.old_file).public == old.public
    assert load_public_key(path.with_name(f"{path.name}.pub")) == change.new.public
    assert load_public_key(change.old_file.with_name(f"{change.old_file.name}.pub")) == old.public
    for one in path.parent.iterdir():
        assert one.suffix == ".pub" or stat.S_IMODE(one.stat().st_mode) == 0o600, one
    assert set(path.parent.iterdir()) == set(files_of(path))


def test_a_change_into_another_file_leaves_the_old_one_alone(path, tmp_path):
    old = open_or_make_key(path)
    before = path.read_bytes()
    change = key_change(path, tmp_path / "next.pem", lambda: old.public)
    change.finish()
    assert path.read_bytes() == before
    assert load_key(tmp_path / "next.pem").public == change.new.public
    assert (change.old_file, change.new_file) == (path, tmp_path / "next.pem")
    assert stat.S_IMODE((tmp_path / "next.pem").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["next.pem", "next.pem.pub"])
def test_a_file_that_is_there_is_never_written_over(path, tmp_path, name):
    old = open_or_make_key(path)
    (tmp_path / name).write_text("mine")
    assert code_of(lambda: key_change(path, tmp_path / "next.pem", lambda: old.public)) == "key_file"
    assert (tmp_path / name).read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 3


def test_a_crash_before_the_log_tells_of_it_changes_nothing(path):
    old = open_or_make_key(path)
    key_change(path, None, lambda: old.public)
    assert ordinary(path, old.public).public == old.public
    again = key_change(path, None, lambda: old.public)
    again.finish()
    assert ordinary(path, again.new.public).public == again.new.public


@pytest.mark.parametrize("done", range(5))
@pytest.mark.parametrize("ask", ["ordinary", "required", "another change"])
def test_a_crash_after_the_log_told_of_it_is_finished_by_whoever_signs_next(path, monkeypatch, done, ask):
    old = open_or_make_key(path)
    change = key_change(path, None, lambda: old.public)
    steps = itertools.count()

    def crash(real):
        def step(*arguments):
            if next(steps) == done:
                raise KeyboardInterrupt
            real(*arguments)

        return step

    with monkeypatch.context() as patch:
        for name in ("_place", "_exchange"):
            patch.setattr(key_files, name, crash(getattr(key_files, name)))
        # After all four steps nothing is left to crash.
        with pytest.raises(KeyboardInterrupt) if done < 4 else nullcontext():
            change.finish()
    signer = change.new.public
    if ask == "ordinary":
        found = ordinary(path, signer)
    elif ask == "required":
        found = required_key(path, lambda: signer)
    else:
        found = key_change(path, None, lambda: signer).old
    assert found.public == signer
    assert load_key(path).public == signer
    assert load_public_key(path.with_name(f"{path.name}.pub")) == signer
    assert load_key(change.old_file).public == old.public
    assert not list(path.parent.glob(".*"))


def test_another_key_than_that_of_the_log_signs_nothing(path, tmp_path):
    open_or_make_key(path)
    other = open_or_make_key(tmp_path / "other.pem").public
    assert code_of(lambda: ordinary(path, other)) == "wrong_key"
    assert code_of(lambda: required_key(path, lambda: other)) == "wrong_key"
    assert code_of(lambda: key_change(path, None, lambda: other)) == "wrong_key"


def test_a_key_is_changed_only_where_there_is_one(path, tmp_path):
    assert code_of(lambda: key_change(None, None, lambda: None)) == "no_key"
    assert code_of(lambda: key_change(path, None, lambda: None)) == "no_key"
    real = open_or_make_key(tmp_path / "real.pem")
    path.symlink_to(tmp_path / "real.pem")
    assert code_of(lambda: key_change(path, None, lambda: real.public)) == "key_file"
    assert key_change(path, tmp_path / "next.pem", lambda: real.public).old.public == real.public
