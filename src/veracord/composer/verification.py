"""Checking a result against the evidence, trusting nothing in it.

A result of synthesis is checked by its rows of support (`veracord.composer.support_verification`).  In a result of
repair every fill must name evidence that is there, unchanged, and that holds an equal value at a pointer which is the
fill's own place; the record must hold that value; every other id that it names must be there; no leaf may claim to
come from evidence without a fill; and a suggestion must say that it is one.  Which product the evidence is about, and
which of its rows is the same row, is the profile's matter: it is decided anew where a profile is given
(`veracord.composer.decided_anew`), and otherwise told as not checked.  The rest of the record is not checked.
"""

from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Final

from veracord.composer.decided_anew import Claim, refused_fills
from veracord.composer.results import SCHEMA_VERSION
from veracord.composer.suggestions import MOST_CONFIDENCE, MOST_RATIONALE
from veracord.composer.support_verification import verify_support
from veracord.composer.verified_places import keep_rows_apart
from veracord.composer.verified_rows import (
    NotChecked,
    Verification,
    VerifiedRow,
    holds_at,
    other_profile,
    source_contradictions,
    with_refusals,
)
from veracord.composer.verified_seed import GivenSeed
from veracord.errors import InputError
from veracord.records.evidence import EvidenceItem, EvidencePack
from veracord.records.pointers import Tokens, is_pointer, split
from veracord.records.profiles import Profile
from veracord.records.values import JsonObject, JsonValue, is_number

_TEXTS: Final = ("path", "evidence_id", "evidence_ref", "source_pointer")
_MARKS: Final = {"source": "model_training", "status": "unverified"}
_OF_SUGGESTION: Final = {"path", "value", "rationale", "confidence", "rank", "requires_review", *_MARKS}
_MOST_CONFIDENCE: Final = Decimal(repr(MOST_CONFIDENCE))


def verify_result(
    result: JsonObject, pack: EvidencePack, *, profile: Profile | None = None, seed: GivenSeed | None = None
) -> Verification:
    """Check a result of repair or synthesis against the evidence.

    Args:
        result: The result as JSON.
        pack: The evidence that was used, unchanged.
        profile: What the record was made to be; without one it is not decided anew which sources count where.
        seed: What a synthesis was made from; without it the rows of the seed are not checked.

    Raises:
        InputError: It is neither, or a seed was given for a result of repair.
    """
    if "support" in result:
        return verify_support(result, pack, profile=profile, seed=seed)
    fills, record = result.get("fills"), result.get("record")
    if not isinstance(fills, list) or not isinstance(record, dict) or result.get("schema_version") != SCHEMA_VERSION:
        raise InputError(
            "this is no result of repair or synthesize",
            remedy="give the JSON that one of them wrote",
            code="not_a_result",
        )
    if seed is not None:
        raise InputError("a result of repair has no seed", remedy="leave the seed out", code="no_seed")
    rows = _fill_rows(result, fills, record, pack)
    rows = keep_rows_apart(record, rows, one_source=False)
    if profile is not None:
        rows = _decided(profile, record, rows, fills, pack)
        rows += _against_profile(profile, result, record)
    explained = {row.path for row in rows}
    rows += [*_unexplained(result.get("origins"), explained), *_false_suggestions(result, record)]
    open_points = [NotChecked.SAME_PRODUCT] if profile is None else []
    return Verification(tuple(rows), (*open_points, NotChecked.REST_OF_RECORD))


def _fill_rows(result: JsonObject, fills: list[JsonValue], record: JsonObject, pack: EvidencePack) -> list[VerifiedRow]:
    items = {item.id: item for item in pack.items}
    refs = {item.evidence_ref for item in pack.items}
    origins = result.get("origins")
    told = origins if isinstance(origins, dict) else {}
    rows: list[VerifiedRow] = []
    for fill in fills:
        row = _verify(fill, record, items, refs)
        if any(row.path == other.path for other in rows) and row.ok:
            row = row.refused("two fills stand for this leaf")
        if told.get(row.path) != "evidence":
            row = row.refused("the origin of the leaf is another one")
        rows.append(row)
    return rows


def _verify(fill: JsonValue, record: JsonObject, items: dict[str, EvidenceItem], refs: set[str]) -> VerifiedRow:
    if not isinstance(fill, dict):
        return VerifiedRow.failed("", "the fill is malformed")
    texts = [fill.get(name) for name in _TEXTS]
    path, evidence_id, evidence_ref, source_pointer = (text if isinstance(text, str) else "" for text in texts)
    if not all(isinstance(text, str) for text in texts) or "value" not in fill:
        reason: str | None = "the fill is malformed"
    else:
        reason = _reason(fill, record, items, refs)
    return VerifiedRow(path, evidence_id, evidence_ref, source_pointer, ok=reason is None, reason=reason)


def _reason(fill: JsonObject, record: JsonObject, items: dict[str, EvidenceItem], refs: set[str]) -> str | None:
    """Return the first thing that is not as a fill says; None where all is."""
    item = items.get(str(fill["evidence_id"]))
    if item is None:
        known = fill["evidence_ref"] in refs
        return "no evidence has this id" + (", other evidence has this reference" if known else "")
    path, source = str(fill["path"]), str(fill["source_pointer"])
    if not is_pointer(path) or not is_pointer(source):
        return "a pointer is malformed"
    return next(_contradictions(fill, record, item, (split(path), split(source)), items), None)


def _contradictions(
    fill: JsonObject, record: JsonObject, item: EvidenceItem, places: tuple[Tokens, Tokens], ids: Collection[str]
) -> Iterator[str]:
    yield from source_contradictions(item, fill["evidence_ref"], places, fill["value"])
    if not holds_at(record, places[0], fill["value"]):
        yield "the record does not hold this value"
    for name in ("also", "overruled"):
        named = fill.get(name)
        if not isinstance(named, list) or not all(isinstance(other, str) and other in ids for other in named):
            yield f"{name} names evidence that is not there"


def _decided(
    profile: Profile, record: JsonObject, rows: list[VerifiedRow], fills: list[JsonValue], pack: EvidencePack
) -> list[VerifiedRow]:
    """Return rows with those refused that the profile does not allow."""
    claims = [
        Claim(
            split(row.path),
            row.evidence_id,
            split(row.source_pointer),
            fill["value"],
            _ids(fill["also"]),
            _ids(fill["overruled"]),
        )
        for row, fill in zip(rows, fills, strict=True)
        if row.ok and isinstance(fill, dict)
    ]
    refused = refused_fills(profile, record, claims, pack)
    reasons = {n: refused[split(row.path)] for n, row in enumerate(rows) if row.ok and split(row.path) in refused}
    return with_refusals(rows, reasons)


def _ids(named: JsonValue) -> frozenset[str]:
    return frozenset(str(other) for other in named) if isinstance(named, list) else frozenset()


def _against_profile(profile: Profile, result: JsonObject, record: JsonObject) -> Iterator[VerifiedRow]:
    yield from other_profile(profile, result)
    findings = profile.findings(record)
    if result.get("conforms") is not (not findings):
        yield VerifiedRow.failed("", "whether the record conforms is not as the result says")
    rows = result.get("unresolved")
    told = (
        {(row.get("path"), row.get("rule")) for row in rows if isinstance(row, dict)} if isinstance(rows, list) else ()
    )
    for finding in findings:
        if finding.key not in told:
            yield VerifiedRow.failed(
                finding.violation.path, "the record violates the profile here, and the result is silent"
            )


def _unexplained(origins: JsonValue, explained: set[str]) -> Iterator[VerifiedRow]:
    for path, origin in origins.items() if isinstance(origins, dict) else ():
        if origin == "evidence" and path not in explained:
            yield VerifiedRow.failed(path, "no fill explains this origin")


def _false_suggestions(result: JsonObject, record: JsonObject) -> Iterator[VerifiedRow]:
    """Yield a row for each suggestion that passes for more than one."""
    found = result.get("suggestions", [])
    for suggestion in found if isinstance(found, list) else [found]:
        told = suggestion if isinstance(suggestion, dict) else {}
        path = told.get("path")
        if not isinstance(path, str) or not is_pointer(path) or "value" not in told:
            yield VerifiedRow.failed("", "a suggestion is malformed")
        elif not _is_marked(told):
            yield VerifiedRow.failed(path, "a suggestion is not marked as what it is: unverified, and to be reviewed")
        elif holds_at(record, split(path), told["value"]):
            yield VerifiedRow.failed(path, "the record holds what is only suggested")


def _is_marked(suggestion: JsonObject) -> bool:
    confidence, rationale = suggestion.get("confidence"), suggestion.get("rationale")
    return (
        suggestion.keys() <= _OF_SUGGESTION
        and all(suggestion.get(name) == word for name, word in _MARKS.items())
        and suggestion.get("requires_review") is True
        and is_number(confidence)
        and 0 <= confidence <= _MOST_CONFIDENCE
        and isinstance(rationale, str)
        and len(rationale) <= MOST_RATIONALE
    )
