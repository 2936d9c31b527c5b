"""docs/review.md shows every picture of the page, and tells every key that it knows."""

import re
import struct
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs/review.md").read_text("utf-8")
PICTURES = sorted((ROOT / "docs/pictures").glob("*"))
SCRIPT = (ROOT / "src/veracord/bundled/page/static/page.js").read_text("utf-8")
HELP = (ROOT / "src/veracord/bundled/page/templates/help.html").read_text("utf-8")


def test_each_picture_is_shown_with_words_and_each_that_is_shown_is_there():
    shown = re.findall(r"!\[([^\]]+)\]\(pictures/([\w-]+\.png)\)", DOCUMENT)
    assert sorted(name for _, name in shown) == [one.name for one in PICTURES]
    assert all(len(words) > 10 for words, _ in shown)


def test_the_pictures_are_those_that_the_tool_takes():
    source = (ROOT / "tools/take_pictures.py").read_text("utf-8")
    shots = source.partition("SHOTS: Final")[2].partition("\n}\n")[0]
    assert sorted(re.findall(r'^    "([\w-]+)": \(', shots, re.MULTILINE)) == sorted(one.stem for one in PICTURES)


@pytest.mark.parametrize("picture", PICTURES, ids=lambda one: one.stem)
def test_a_picture_is_a_picture(picture):
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert width in (320, 1280)
    assert height >= 600
    assert len(data) < 400_000


@pytest.mark.parametrize("key", ["j", "k", "a", "r", "e", "u", "?"])
def test_a_key_is_told_where_it_is_looked_for(key):
    assert f'"{key}"' in SCRIPT or f" {key}: " in SCRIPT
    assert f"`{key}`" in DOCUMENT
    assert f"<kbd>{key}</kbd>" in HELP
