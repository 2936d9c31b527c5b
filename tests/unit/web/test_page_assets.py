"""What the page ships: third-party files unchanged with their licence, nothing from elsewhere, nothing inline."""

import hashlib
import re
import tomllib
from importlib.resources import files

import pytest

from veracord.web.page_rendering import ASSETS, asset_address, read_asset

PAGE = files("veracord").joinpath("bundled/page")
STATIC = PAGE.joinpath("static")
TEMPLATES = sorted(one.name for one in PAGE.joinpath("templates").iterdir())
OWN = ["page.css", "page.js", "icon.svg"]


def read(*names):
    return PAGE.joinpath(*names).read_text("utf-8")


def test_a_package_that_is_replaced_changes_no_page_of_a_server_that_runs(monkeypatch):
    from jinja2 import PackageLoader

    from veracord.web import page_rendering, schemas

    page_rendering.load_page()
    schemas.load_forms()

    def gone(*_):
        raise AssertionError

    monkeypatch.setattr(PackageLoader, "get_source", gone)
    monkeypatch.setattr(page_rendering, "files", gone)
    monkeypatch.setattr(schemas, "files", gone)
    assert "Sign in" in page_rendering.render_text("problem_note.html", words="Sign in")
    environment = page_rendering._environment()  # noqa: SLF001 - what it has is what is shown
    assert len([environment.get_template(name) for name in environment.list_templates()]) >= 20
    assert page_rendering.read_asset("page.js")[0]
    assert schemas.components()["Reason"]


def test_third_party_files_are_what_the_manifest_says():
    manifest = tomllib.loads(read("static", "vendor", "manifest.toml"))
    told = {one["path"] for one in manifest["files"]} | {one["licence_file"] for one in manifest["files"]}
    present = {one.name for one in STATIC.joinpath("vendor").iterdir()}
    assert present == told | {"manifest.toml"}
    for one in manifest["files"]:
        assert one.keys() == {"path", "package", "version", "licence", "licence_file", "sha256"}
        data = STATIC.joinpath("vendor", one["path"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == one["sha256"], one["path"]
        assert one["version"].encode() in data
        assert "Zero-Clause BSD" in read("static", "vendor", one["licence_file"])


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_takes_nothing_from_elsewhere_and_holds_nothing_inline(name):
    text = read("templates", name)
    assert not re.search(r"""(?:href|src|action|hx-\w+)=["']?(?:https?:)?//""", text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|hx-on|hx-vals|<script(?!\s+src=)", text)
    # Everything is escaped: no template says of a text that it is safe, and each attribute stands in quotes.
    assert not re.search(r"\|\s*(?:safe|tojson|xmlattr)|autoescape|Markup", text)
    assert not re.search(r"""\s[\w-]+=\{\{""", text)


@pytest.mark.parametrize("name", OWN)
def test_own_files_ask_for_nothing_from_elsewhere(name):
    text = read("static", name).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|url\(|@import|\beval\b|innerHTML|new Function", text)


def test_every_file_is_served_under_the_digest_of_its_bytes():
    for name in ASSETS:
        data, version = read_asset(name)
        assert asset_address(name) == f"/static/{name}?v={version}"
        assert hashlib.sha256(data).hexdigest().startswith(version)
    with pytest.raises(KeyError):
        read_asset("../templates/base.html")


def test_scripts_are_allowed_no_eval_and_no_styles_of_their_own():
    (told,) = re.findall(r"name=\"htmx-config\" content='([^']+)'", read("templates", "base.html"))
    import json

    config = json.loads(told)
    assert (config["allowEval"], config["includeIndicatorStyles"], config["selfRequestsOnly"]) == (False, False, True)
    swapped = [one["code"] for one in config["responseHandling"] if one["swap"]]
    for status in ("200", "403", "409", "422", "429"):
        assert any(re.search(code, status) for code in swapped), status
    assert not any(re.search(code, status) for code in swapped for status in ("401", "500"))
