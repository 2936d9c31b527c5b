"""A seed and sources for the tests of synthesis, over the bundled demonstration profile."""

from copy import deepcopy

from veracord import EvidencePack, Profile
from veracord.records.matching import EvidenceIndex

PROFILE = Profile.load("eu-dpp-demo")

FULL = {
    "schema_version": "1",
    "dpp_id": "DPP-77",
    "product": {"id": "K-1", "brand": "Kestrelworks", "model": "Two", "category": "display"},
    "materials": [{"name": "tin", "share_pct": 40, "mass_kg": 3}, {"name": "zinc", "share_pct": 60}],
    "compliance": {"standards": ["EN 1"]},
    "carbon": {"functional_unit": "piece", "total_kg_co2e": 5},
}
SEED = {
    "schema_version": "1",
    "dpp_id": "DPP-99",
    "product": {"id": "K-1", "brand": "Kestrelworks", "model": "Two"},
}


def changed(value, *changes):
    """Return a copy with places set, or taken out (MISSING as None is spelled `...`)."""
    made = deepcopy(value)
    for pointer, new in changes:
        *way, last = pointer.strip("/").split("/")
        node = made
        for token in way:
            node = node[int(token)] if isinstance(node, list) else node.setdefault(token, {})
        key = int(last) if isinstance(node, list) else last
        if new is ...:
            del node[key]
        else:
            node[key] = new
    return made


def pack_of(*contents, **options):
    """Return a pack of sources s0, s1, ...; `ranks` and `origins` by number."""
    ranks, origins = options.get("ranks", {}), options.get("origins", {})
    items = []
    for number, content in enumerate(contents):
        item = (
            {"id": f"s{number}", "content": content}
            if isinstance(content, dict)
            else {"id": f"s{number}", "text": content}
        )
        item |= {"rank": ranks[number]} if number in ranks else {}
        item |= {"origins": origins[number]} if number in origins else {}
        items.append(item)
    return EvidencePack.from_items(items)


def index_of(*contents, profile=PROFILE, **options):
    return EvidenceIndex.of(pack_of(*contents, **options), profile.identity)
