"""What people type for decisions, and where records are written to."""

import json

import pytest

from tests.contract.review_worlds import GUESSES, TEXT, World, load_profile
from veracord.apps.export_run import RecordExport
from veracord.apps.origins import read_origins
from veracord.apps.queue_commands import _filter
from veracord.apps.review_inputs import read_typed
from veracord.bootstrap.reviews import ReviewDesk
from veracord.bootstrap.stores import open_store
from veracord.errors import ConfigurationError


def test_a_filter_that_is_given_twice_is_refused():
    assert _filter(["r"], [""], ["x"], ["open", "deferred"], ["m"], ["2026-01-31"]).pointer == ""
    for place in (0, 1, 2, 4, 5):
        given = [["a", "b"] if number == place else None for number in range(6)]
        with pytest.raises(ConfigurationError) as caught:
            _filter(*given)
        assert caught.value.code == "usage"


@pytest.mark.parametrize(("text", "words"), [("1e100001", "VALUE cannot be used"), ("red", "VALUE is no JSON value")])
def test_why_a_value_is_refused_is_told(text, words):
    with pytest.raises(ConfigurationError, match=words):
        read_typed(text)


def test_what_stands_beside_one_record_is_read_as_its_own(tmp_path):
    url = str(tmp_path / "store.db")
    store = open_store(url)
    world = World(store.review, load_profile(tmp_path))
    world.load(TEXT, GUESSES)
    world.accept("/finish")
    world.declare("/mass_kg", 7)
    out = tmp_path / "own.json"
    with ReviewDesk(url) as desk:
        assert RecordExport(str(out), include_unverified=True, as_json=False).run(desk, None) == 0
        assert read_origins(out) == {"/finish": "accepted_suggestion", "/mass_kg": "declared"}
        assert json.loads((tmp_path / "own.declared.json").read_text())["/mass_kg"]["page"] == "3"
        world.load(name="r2")
        for wanted in (None, ["r1", "r2"]):
            with pytest.raises(ConfigurationError, match="several records"):
                RecordExport(str(out), include_unverified=True, as_json=False).run(desk, wanted)
    store.close()
