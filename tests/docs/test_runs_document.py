"""docs/runs.md and the pages of `runs` and `store` are true: commands run, and every member and kind is told."""

import json
import re
import shlex
from importlib.resources import files
from pathlib import Path

import pytest

from tests.contract.model_server import ModelServer
from tests.docs.test_pipeline_document import CLI, URL, by_note, folder, replace, run, section, tables

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/runs.md").read_text("utf-8")
SOURCE = "".join(path.read_text("utf-8") for path in sorted((ROOT / "src").rglob("*.py")))

__all__ = ["folder"]


def schema(name):
    return json.loads((files("veracord") / f"bundled/schemas/{name}.schema.json").read_text("utf-8"))


def commands(text):
    return "".join(re.findall(r"^```shell\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)).splitlines()


def names(table):
    return {name for row in table for name in re.findall(r"`([\w]+)`", row[0])}


PAGES = {
    "runs.md": commands(TEXT),
    "cli.md": commands(section("## runs", CLI)) + commands(section("## store copy", CLI)),
}


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(folder, page):
    with ModelServer(by_note) as server:
        replace(folder / "parts.toml", (URL, server.chat_url))
        assert run(folder, "-m", "veracord", "run", "parts.toml").returncode == 3
        for line in PAGES[page]:
            words = shlex.split(line, comments=True)
            assert words[0] == "veracord"
            code = re.search(r"# exit code (\d+)", line)
            expected = int(code[1]) if code else 3 if words[1] == "run" else 0
            done = run(folder, "-m", *words)
            assert done.returncode == expected, (line, done.stderr)


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("runs list", "## runs"),
        ("runs show", "## runs"),
        ("runs explain", "## runs"),
        ("runs gc", "## runs"),
        ("store copy", "## store copy"),
    ],
)
def test_every_option_is_told(tmp_path, words, heading):
    known = run(tmp_path, "-m", "veracord", *words.split(), "--help").stdout
    told = section(heading, CLI)
    assert any(line.startswith(f"veracord {words}") for line in PAGES["cli.md"])
    for option in set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", known, re.MULTILINE)) - {"--help"}:
        assert f"`{option}" in told, option


def test_every_member_of_a_manifest_is_told():
    (table,) = tables(section("## The manifest", TEXT))
    assert set(schema("manifest")["properties"]) <= names(table)
    for name in schema("manifest")["properties"]["attempts"]["properties"]:
        assert f"`{name}`" in section("## The manifest", TEXT), name


def test_every_kind_of_receipt_is_told_with_its_members():
    (table,) = tables(section("## Receipts", TEXT))
    rows = {re.findall(r"`(\w+)`", row[0])[0]: row for row in table}
    kinds = {kind["properties"]["kind"]["const"]: kind for kind in schema("receipt")["oneOf"]}
    assert set(rows) == set(kinds)
    for kind, row in rows.items():
        if kind != "cached":
            own = set(kinds[kind]["required"]) - {"fence", "number", "kind"}
            assert own <= set(re.findall(r"`(\w+)`", row[2])), kind


def test_every_error_of_a_store_is_one_of_the_code():
    table = next(table for table in tables(TEXT) if names(table) >= {"store_newer"})
    for name in names(table):
        assert f'code="{name}"' in SOURCE, name


def test_links_to_headings_lead_somewhere():
    for name, anchor in re.findall(r"\]\(([\w.]*)#([\w-]+)\)", TEXT):
        headings = re.findall(r"^#+ (.*)$", (ROOT / "docs" / (name or "runs.md")).read_text("utf-8"), re.MULTILINE)
        assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
