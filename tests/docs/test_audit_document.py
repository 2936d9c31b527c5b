"""docs/audit.md is true: its commands and its Python run, and every closed word is told."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.audit_logs import log_of
from veracord.audit.chain import GENESIS
from veracord.audit.events import EventType
from veracord.audit.findings import Reason
from veracord.audit.key_files import open_or_make_key
from veracord.audit.signatures import sign_checkpoint

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/audit.md").read_text(encoding="utf-8")


def block(language: str, word: str) -> str:
    parts = TEXT.split("```")[1::2]
    return next(part.removeprefix(language) for part in parts if part.startswith(f"{language}\n") and word in part)


@pytest.fixture
def export(tmp_path: Path):
    """A folder with an export, a key and a checkpoint, as the document has it."""
    log = log_of(5)
    (tmp_path / "kept").mkdir()
    key = open_or_make_key(tmp_path / "kept/audit.pem")
    checkpoint = sign_checkpoint(log.head.seq, log.head.hash, key)
    (tmp_path / "kept/checkpoint.json").write_bytes(checkpoint.to_json())
    (tmp_path / "export.jsonl").write_bytes(b"".join(log.lines))
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/replay_log.py", tmp_path / "tools")
    return tmp_path, log, checkpoint


def run(command: list[str], folder: Path, **variables: str):
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, text=True)


def test_the_python_runs(export) -> None:
    folder, log, _ = export
    done = run([sys.executable, "-c", block("python", "verify(")], folder)
    assert done.stdout.startswith(f"sound: 5 events, head {log.head.hash}\nevents 1 to 5 are all there"), done.stderr


@pytest.mark.skipif(not (shutil.which("sed") and shutil.which("sha256sum")), reason="no sed or sha256sum here")
def test_a_hash_can_be_checked_by_hand(export) -> None:
    folder, log, _ = export
    done = run(["sh", "-c", block("sh", "sha256sum")], folder)
    assert f"sha256:{done.stdout.split()[0]}" == log.events[1].hash


def test_the_script_runs(export) -> None:
    folder, _, _ = export
    command = block("sh", "replay_log.py").split()
    done = run([sys.executable, *command[1:]], folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "texts/1.json").read_text() == '{"a": 3}'


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl here")
def test_a_signature_can_be_checked_by_hand(export) -> None:
    folder, _, checkpoint = export
    told = checkpoint.to_object()
    variables = {"HEAD": told["head"], "SIGNATURE": told["signature"]}
    assert run(["sh", "-ec", block("sh", "openssl")], folder, SEQ="5", **variables).returncode == 0
    assert run(["sh", "-ec", block("sh", "openssl")], folder, SEQ="6", **variables).returncode != 0


@pytest.mark.parametrize("word", [*EventType, *Reason])
def test_every_closed_word_is_told(word) -> None:
    assert f"`{word}`" in TEXT


def test_where_a_log_begins_is_told() -> None:
    assert "`veracord audit log, format 1`" in TEXT
    assert f"sha256:{hashlib.sha256(b'veracord audit log, format 1').hexdigest()}" == GENESIS.hash
