"""docs/http.md tells of every path, scope, act, status and code that there is, and of none besides."""

import re
from pathlib import Path

from veracord.access.api_keys import SCOPES
from veracord.errors import HTTP_STATUS, HTTP_STATUS_OF_CODES
from veracord.web.application import make_app

TEXT = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")
OPENAPI = make_app(None).openapi()


def test_every_path_is_told_and_no_other():
    told = set(re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", TEXT, re.MULTILINE))
    paths = OPENAPI["paths"]
    assert told == {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def test_every_status_and_every_code_of_its_own_is_told():
    rows = {int(status): words for status, words in re.findall(r"^\| (\d{3}) \| (.*) \|$", TEXT, re.MULTILINE)}
    assert set(rows) == {*HTTP_STATUS.values(), *HTTP_STATUS_OF_CODES.values()}
    for code, status in HTTP_STATUS_OF_CODES.items():
        assert f"`{code}`" in rows[status], code


def test_every_status_of_the_openapi_is_told():
    rows = set(map(int, re.findall(r"^\| (\d{3}) \|", TEXT, re.MULTILINE)))
    for methods in OPENAPI["paths"].values():
        for operation in methods.values():
            assert {int(status) for status in operation["responses"] if int(status) >= 400} <= rows


def test_scopes_acts_and_kinds_are_told():
    acts = OPENAPI["components"]["schemas"]["Decision"]["properties"]["act"]["enum"]
    kinds = OPENAPI["components"]["schemas"]["Run"]["properties"]["kind"]["enum"]
    states = OPENAPI["components"]["schemas"]["Job"]["properties"]["state"]["enum"]
    for word in (*SCOPES, *acts, *kinds, *states):
        assert f"`{word}`" in TEXT, word
