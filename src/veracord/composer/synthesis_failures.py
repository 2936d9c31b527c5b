"""The error that tells why there is no record: every path with its reason, and nothing that a model wrote.

A model may invent names of members, so a path is told only as far as its names are ours: those of the schema, the seed
and the sources about the product.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from veracord.composer.outcomes import Outcome
from veracord.composer.support import UNGROUNDED, fact_of, reason_at
from veracord.composer.synthesis_cases import NO_IDENTITY, SynthesisCase
from veracord.errors import RecordGenerationError
from veracord.pipeline.verdicts import Defect
from veracord.records.pointers import get, index_of, is_under, join, split
from veracord.records.values import MISSING, JsonValue

#: Keywords whose members are named by whoever writes records.
_TABLES: Final = ("properties", "dependentRequired", "dependentSchemas")
_SHOWN: Final = 3

#: What to do where nothing is put together and nobody is asked.
NO_MODEL: Final = "no model is set up: set one up, or let the record be put together without one"

#: Rules by which a member is missing.
_MISSING: Final = ("required", "dependentRequired", "dependencies")


def generation_error(
    case: SynthesisCase, defects: Sequence[Defect], remedy: str | None = None
) -> RecordGenerationError:
    """Return the error for everything that is wrong with a record.

    Args:
        case: What it was to be built from.
        defects: What is wrong; at least one.
        remedy: What to do about it, where it is not a matter of evidence and seed.
    """
    names = _told_names(case)
    defects = [*defects, *(_reasons(case, defects) if not case.refusals else ())]
    rows = sorted({(_told_path(defect.path, names), defect.code, defect.fact) for defect in defects})
    codes = {code for _, code, _ in rows}
    paths = sorted({path or "the record" for path, _, _ in rows})
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return RecordGenerationError(
        "no record could be built in which everything is grounded and valid",
        where=", ".join(paths[:_SHOWN]) + more,
        remedy=remedy or "give evidence about the product that states what is missing, or correct the seed",
        code=NO_IDENTITY if codes == {NO_IDENTITY} else None,
        details={"violations": [{"path": path, "rule": code, "message": fact} for path, code, fact in rows]},
    )


def _reasons(case: SynthesisCase, defects: Sequence[Defect]) -> Iterator[Defect]:
    """Yield why nothing could be put where something is missing."""
    basis = case.assembly.basis
    for path in {defect.path for defect in defects if defect.code in _MISSING}:
        place = split(path)
        if get(basis.record, place) is MISSING:
            code = reason_at(case.profile, basis, place)
            if any(is_under(at, place) for at in basis.plan.units) and code != Outcome.SOURCE_INVALID:
                # It could have been put there: whoever wrote the record left it out.
                continue
            if code == UNGROUNDED:
                yield Defect(Outcome.NO_SOURCE.value, path, "no structured source about this product states it")
            else:
                yield Defect(code, path, fact_of(code))


def _told_names(case: SynthesisCase) -> frozenset[str]:
    """Return the names of members that stand in the schema, the seed or the sources about its product."""
    found = set(_names_of_schema(case.profile.schema.content))
    values = [case.seed.value, *(source.content for source in case.assembly.basis.match.sources)]
    return frozenset(found.union(*map(_names, values)))


def _told_path(path: str, names: frozenset[str]) -> str:
    tokens = split(path)
    known = next((n for n, token in enumerate(tokens) if token not in names and index_of(token) is None), len(tokens))
    return join(tokens[:known])


def _names(value: JsonValue) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)


def _names_of_schema(node: JsonValue) -> Iterator[str]:
    if isinstance(node, dict):
        for word in _TABLES:
            table = node.get(word)
            yield from table if isinstance(table, dict) else ()
        required = node.get("required")
        yield from (name for name in required if isinstance(name, str)) if isinstance(required, list) else ()
        for item in node.values():
            yield from _names_of_schema(item)
    elif isinstance(node, list):
        for item in node:
            yield from _names_of_schema(item)
