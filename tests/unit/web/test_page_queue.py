"""The address of the queue holds the filter: it is read, changed and written without losing or adding anything."""

from datetime import UTC, datetime

import pytest

from veracord.errors import InputError
from veracord.review.facets import FacetCount, Facets
from veracord.review.suggestions import Status
from veracord.web.page_queue import QueueAddress, facet_groups, tabs

NOW = datetime(2026, 11, 30, 11, 42, 7, tzinfo=UTC)


def test_an_address_is_read_and_written():
    told = {"record": "a/b&c", "pointer": "/x", "status": "rejected", "after": "z", "other": "?"}
    address = QueueAddress.of(told)
    assert address.path() == "/queue?record=a%2Fb%26c&pointer=%2Fx&status=rejected"
    assert address.path(record="") == "/queue?pointer=%2Fx&status=rejected"
    assert address.path(after="n").endswith("&after=n")
    assert QueueAddress.of({}).path() == "/queue"
    assert address.fields() == {"record": "a/b&c", "pointer": "/x", "status": "rejected"}


@pytest.mark.parametrize("told", [{"status": "none"}, {"age": "old"}])
def test_what_means_nothing_is_refused(told):
    with pytest.raises(InputError) as caught:
        QueueAddress.of(told)
    assert caught.value.code == "bad_filter"


def test_ages_are_round_moments():
    wanted = QueueAddress.of({"age": "week"}).to_filter(NOW)
    assert (wanted.newer_than, wanted.older_than) == (datetime(2026, 11, 23, 11, tzinfo=UTC), None)
    wanted = QueueAddress.of({"age": "over-month"}).to_filter(NOW)
    assert (wanted.newer_than, wanted.older_than) == (None, datetime(2026, 10, 31, 11, tzinfo=UTC))
    assert wanted.status == (Status.OPEN, Status.DEFERRED)


def test_a_pointer_that_is_none_is_refused():
    with pytest.raises(InputError):
        QueueAddress.of({"pointer": "x"}).to_filter(NOW)


def test_a_facet_that_is_chosen_leads_away_from_itself():
    facets = Facets(
        status=(), record=(FacetCount("r", 3),), pointer=(), rule=(FacetCount("type", 2),), model=(FacetCount("", 1),)
    )
    groups = {group["name"]: group for group in facet_groups(QueueAddress.of({"rule": "type"}), facets)}
    assert list(groups) == ["record", "rule", "age"]
    (rule,) = groups["rule"]["choices"]
    assert (rule["is_current"], rule["address"], rule["count"]) == (True, "/queue", 2)
    assert groups["record"]["choices"][0]["address"] == "/queue?record=r&rule=type"


def test_tabs_count_what_they_show():
    counts = {"open": 2, "deferred": 1, "accepted": 4, "rejected": 0, "withdrawn": 0}
    found = {tab["label"]: tab["count"] for tab in tabs(QueueAddress(), counts)}
    assert found == {"Waiting": 3, "Open": 2, "Deferred": 1, "Accepted": 4, "Rejected": 0, "Withdrawn": 0, "All": 7}
