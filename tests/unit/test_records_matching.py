"""The index of sources: which may match a record, and sources that others take the place of."""

from dataclasses import replace

from veracord.records.evidence import EvidencePack
from veracord.records.identity import Identity, Member
from veracord.records.matching import EvidenceIndex

IDENTITY = Identity(keys=((Member(("gtin",)),), (Member(("brand",)), Member(("model",)))))


def index(*contents, **facts):
    items = [{"id": f"e{number}", "content": content, **facts} for number, content in enumerate(contents)]
    return EvidenceIndex(EvidencePack.from_items(items), IDENTITY)


def related(found, record):
    return sorted(source.evidence_id for source in found.related(record))


def test_related_is_what_shares_a_key_also_by_way_of_others():
    found = index(
        {"gtin": "1", "brand": "A", "model": "X"},
        {"gtin": "1"},
        {"brand": "A", "model": "X"},
        {"brand": "A", "model": "Y"},
        {"gtin": "2"},
        {"colour": "red"},
    )
    assert related(found, {"brand": "A", "model": "X"}) == ["e0", "e1", "e2"]
    assert related(found, {"gtin": "1"}) == ["e0", "e1", "e2"]
    assert related(found, {"gtin": "2", "brand": "A"}) == ["e4"]
    assert related(found, {"colour": "red"}) == []


def test_many_sources_about_one_product_are_found_at_once():
    found = index(*({"gtin": "1", "brand": "A", "model": "X", "n": n} for n in range(3_000)))
    assert len(found.related({"gtin": "1"})) == 3_000


def test_a_swapped_source_is_handed_out_by_the_new_index_alone():
    found = index({"gtin": "1", "n": 1}, {"gtin": "1", "n": 2})
    first = found.match({"gtin": "1"}, ()).sources[0]
    marked = replace(first, item=replace(first.item, origins={"/n": "suggestion_origin"}))
    other = found.swapped({"e0": marked})
    assert [source.item.unsupporting for source in other.match({"gtin": "1"}, ()).sources] == [{("n",)}, frozenset()]
    assert all(not source.item.origins for source in found.match({"gtin": "1"}, ()).sources)
    assert other.related({"gtin": "1"})[0] is marked
    assert other.sources is found.sources
    assert other.rows(other.match({"gtin": "1"}, ())) == found.rows(found.match({"gtin": "1"}, ()))
    assert marked.item.evidence_ref == first.item.evidence_ref


def test_a_disputed_source_is_swapped_too():
    found = index({"gtin": "1", "brand": "A", "model": "X"}, {"gtin": "2", "brand": "A", "model": "X"})
    first = found.related({"gtin": "1"})[0]
    other = found.swapped({"e0": replace(first, item=replace(first.item, origins={"/n": "suggestion_origin"}))})
    assert other.match({"brand": "A", "model": "X"}, ()).disputed[0].item.origins


def test_an_origin_counts_for_what_is_above_and_below_it():
    (item,) = EvidencePack.from_items(
        [
            {
                "id": "e",
                "content": {},
                "origins": {"/a/b": "suggestion_origin", "/c~1d": "accepted_suggestion", "/e": "declared"},
            }
        ]
    ).items
    assert [item.is_unsupporting(at) for at in (("a",), ("a", "b"), ("a", "b", "0"), ("a", "c"), ("e",), ("c/d",))] == [
        True, True, True, False, True, True,
    ]  # fmt: skip
    assert item.unsupporting_origin(("c/d", "x")) == "accepted_suggestion"
    assert item.unsupporting_origin(("a", "b")) == "suggestion_origin"
    # What somebody declared stands for its own record alone.
    assert item.unsupporting_origin(("e",)) == "declared"
    assert item.unsupporting_origin(("a", "c")) is None
