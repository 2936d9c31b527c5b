"""The documents are true: what they show runs, and what exists is told in them."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import veracord
from veracord import errors
from veracord.composer.outcomes import Outcome
from veracord.records.identity import Reason
from veracord.records.rules import OPERATORS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
RECORDS = (ROOT / "docs/records.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def readme_commands() -> list[str]:
    shell = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "sh")[0]
    return [line.partition("#")[0].strip() for line in shell.splitlines()]


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    commands = readme_commands()
    assert 8 <= len(commands) <= 12
    copying = next(line for line in commands if line.startswith("cp -r"))
    source, target = copying.split("&&")[0].split()[2:4]
    shutil.copytree(ROOT / source, tmp_path / target)
    ran = [line for line in commands if line.startswith(("veracord", "diff"))]
    for line in ran:
        words = shlex.split(line)
        if words[0] == "veracord":
            words = [sys.executable, "-m", *words]
        done = subprocess.run(words, cwd=tmp_path / target, capture_output=True, check=False, text=True)
        assert done.returncode in (0, 1), (line, done.stderr)
        assert done.stdout or "--out" in line, line
    assert len(ran) >= 7


def test_the_python_of_the_readme_runs() -> None:
    for block in blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python"):
        exec(compile(block, "README.md", "exec"), {})  # noqa: S102 - our own document, run as a reader would


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_the_documents_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


def test_the_profile_in_the_documents_can_be_loaded(tmp_path: Path) -> None:
    profile = blocks(RECORDS, "toml")[0]
    tables = tomllib.loads(profile)
    number = {"type": "number"}
    text = {"type": "string"}
    row = {"type": "object", "properties": {"substance": text, "share_pct": number}}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {
            **dict.fromkeys(("gtin", "maker", "model", "granularity", "passport_id", "issued_at"), text),
            **dict.fromkeys(("schema_version", "label_class"), text),
            "compounds": {"type": "array", "items": row},
            "footprint": {"properties": {"kg_co2e": number, "per": text}},
            "tread": {"properties": {"worn_mm": number, "new_mm": number}},
        },
    }
    from veracord.records.writing import write_json

    (tmp_path / tables["schema"]).write_bytes(write_json(schema))
    (tmp_path / "profile.toml").write_text(profile, encoding="utf-8")
    loaded = veracord.Profile.load(tmp_path / "profile.toml")
    assert loaded.label == "tyre-passport@1"
    assert len(loaded.rules) == 3


@pytest.mark.parametrize("word", [*(o.value for o in Outcome), *(r.value for r in Reason), *OPERATORS])
def test_every_closed_word_is_told(word: str) -> None:
    assert f" {word} " in RECORDS.replace("`", " ")


def test_every_setting_is_told() -> None:
    assert "max_record_bytes" in RECORDS


def test_the_public_names_are_what_is_listed_and_documented() -> None:
    for name in veracord.__all__:
        assert getattr(veracord, name).__doc__, name
    assert sorted(veracord.__all__) == veracord.__all__
    assert set(dir(veracord)) == {*veracord.__all__, "__version__"}
    with pytest.raises(AttributeError):
        _ = veracord.Nothing


def test_every_error_class_has_an_exit_code_and_stands_in_the_tree() -> None:
    found = [errors.VeracordError]
    for cls in found:
        found += cls.__subclasses__()
    own = [cls for cls in found if cls.__module__.startswith("veracord")]
    assert len(own) >= 3
    for cls in own:
        assert errors.exit_code(cls("x")) in set(errors.EXIT_CODES.values())
        if cls.__module__ == "veracord.errors":
            assert cls.__name__ in str(errors.__doc__)


def test_every_module_is_told_in_the_map() -> None:
    told = (ROOT / "docs/map.md").read_text(encoding="utf-8")
    for path in (ROOT / "src/veracord").glob("*/*.py"):
        if path.name != "__init__.py" and path.parent.name != "apps":
            assert f"{path.parent.name}/{path.name}" in told, path.name


def test_no_document_names_one_machine() -> None:
    for path in DOCUMENTS:
        assert not re.search(r"(?<![\w.])/(root|home|tmp)/", path.read_text(encoding="utf-8")), path.name
