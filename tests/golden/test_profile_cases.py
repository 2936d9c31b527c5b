"""What a profile may say, one case a line.

A case holds the lines of a profile (``toml``) and, unless it is the one beside the other profiles, its ``schema``
(as JSON, or as the text of the file), in another ``encoding`` where it is given, and a second file ``more``.  Where
it is loaded, ``never_filled`` and ``never_suggested`` are the sorted pointers; where it is refused, the error has
``code`` and ``says`` something.
"""

import json

import pytest

from tests.golden.runner import GOLDEN, read_cases
from veracord import ConfigurationError, Profile
from veracord.records.pointers import join

CASES = read_cases(GOLDEN / "cases_profiles.jsonl")


def write_files(case, folder):
    """Write the files of a case and return the path of its profile."""
    schema = case.get("schema", json.loads((GOLDEN / "profiles" / "small.schema.json").read_text("utf-8")))
    text = schema if isinstance(schema, str) else json.dumps(schema)
    (folder / "s.json").write_text(text, encoding=case.get("encoding", "utf-8"))
    if "more" in case:
        (folder / "more.json").write_text(json.dumps(case["more"]), encoding="utf-8")
    path = folder / "t.toml"
    path.write_text("\n".join(case["toml"]), encoding="utf-8")
    return path


def pointers(places):
    return sorted(join(place) for place in places)


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["ok"]])
def test_accepted(case, tmp_path):
    profile = Profile.load(write_files(case, tmp_path))
    for name in ("never_filled", "never_suggested"):
        assert pointers(getattr(profile, name)) == case.get(name, pointers(getattr(profile, name)))
    assert profile.label == "t@1"


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if not c["ok"]])
def test_refused(case, tmp_path):
    with pytest.raises(ConfigurationError) as caught:
        Profile.load(write_files(case, tmp_path))
    error = caught.value
    assert error.code == case.get("code", error.code)
    assert error.where
    assert error.remedy
    assert "\n" not in str(error)
    assert case.get("says", "") in str(error)


def test_the_digests_follow_the_content(tmp_path):
    case = next(c for c in CASES if c["id"] == "everything")
    path = write_files(case, tmp_path)
    first = Profile.load(path)
    path.write_text("# another layout\n" + path.read_text("utf-8"), encoding="utf-8")
    assert Profile.load(path).digest == first.digest
    path.write_text(path.read_text("utf-8").replace('"batch"', '"item"'), encoding="utf-8")
    assert Profile.load(path).digest != first.digest
    assert Profile.load(path).schema_digest == first.schema_digest
    schema = tmp_path / "s.json"
    schema.write_text(schema.read_text("utf-8").replace('"number"', '"integer"'), encoding="utf-8")
    assert Profile.load(path).schema_digest != first.schema_digest
