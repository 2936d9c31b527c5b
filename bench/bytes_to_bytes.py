"""What a repair costs from bytes to bytes, against what no repair can do without.

The floor reads the four documents with the standard library, lists the errors of the record once with
the validator, and writes one document: no matching, no fills, no exact numbers, no digests.
"""

import copy
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

import jsonschema_rs

from bench.figures import Figure, expect
from bench.passport_schema import Json
from bench.passports import Case, compact, synthetic_case, write_profile
from bench.timing import Turns, ratio, take_turns
from veracord import EvidenceItem, EvidencePack, Profile, RecordComposer, read_record

_AT_MOST: Final = 3.0
_PUBLISHED: Final = "data/passports/catenax/io.catenax.generic.digital_product_passport/7.0.0/gen"
_IDENTITY: Final = ["/identification/partTypeInformation/manufacturerPartId"]


def measure(rounds: int, shared: Path | None) -> Iterator[Figure]:
    """Yield the ratios for the invented passport and, where it is at hand, for a published one.

    Args:
        rounds: How many turns each side gets.
        shared: The folder with published examples, or None.
    """
    with tempfile.TemporaryDirectory(dir=_memory_folder()) as name:
        folder = Path(name)
        profile = Profile.load(write_profile(folder))
        yield from _measure_case("synthetic", synthetic_case(), profile, folder, rounds)
        if shared is not None and (shared / _PUBLISHED).is_dir():
            case, profile = _published_case(shared / _PUBLISHED)
            yield from _measure_case("Catena-X 7.0.0", case, profile, folder, rounds)


def _measure_case(label: str, case: Case, profile: Profile, folder: Path, rounds: int) -> Iterator[Figure]:
    composer = RecordComposer(profile)
    files = [folder / f"source-{number}.json" for number in range(len(case.sources))]
    for file, data in zip(files, case.sources, strict=True):
        file.write_bytes(data)
    floor = _floor(case)

    def repair(pack: EvidencePack) -> bytes:
        return composer.repair(read_record(case.record), pack).encode()

    def from_memory() -> bytes:
        return repair(EvidencePack(map(_item, range(len(case.sources)), case.sources)))

    def from_files() -> bytes:
        return repair(EvidencePack.from_paths(files))

    for way in (from_memory, from_files):
        _check(json.loads(way()), case, label)
    turns = take_turns(
        {
            "floor": lambda: floor(case.sources),
            "memory": from_memory,
            "file floor": lambda: floor([file.read_bytes() for file in files]),
            "files": from_files,
        },
        rounds,
    )
    size = f"{len(case.record):,} B, {case.violations} violations, {len(case.sources)} sources"
    yield _figure(f"bytes to bytes, {label}", turns, ("memory", "floor"), size)
    yield _figure(f"the same, sources from files, {label}", turns, ("files", "file floor"), size)


def _figure(name: str, turns: Turns, sides: tuple[str, str], size: str) -> Figure:
    ours, floor = (median(turns[side]) * 1e6 for side in sides)
    return Figure(
        name,
        ratio(turns, *sides),
        "x floor",
        at_most=_AT_MOST,
        detail=f"{ours:,.0f} us against {floor:,.0f} us; {size}",
        data={"ours_us": ours, "floor_us": floor},
    )


def _item(number: int, data: bytes) -> EvidenceItem:
    read = read_record(data)
    return EvidenceItem(id=f"source-{number}", content=read.value, read_digest=read.digest)


def _floor(case: Case) -> Callable[[list[bytes]], bytes]:
    validator = jsonschema_rs.validator_for(case.schema, validate_formats=True)

    def floor(sources: list[bytes]) -> bytes:
        record = json.loads(case.record)
        read = [json.loads(source) for source in sources]
        listed = list(validator.iter_errors(record))
        expect(holds=len(read) == len(sources) and bool(listed), what="the floor did nothing")
        return json.dumps(record, separators=(",", ":")).encode()

    return floor


def _check(result: dict[str, Any], case: Case, label: str) -> None:
    expect(
        holds=result["conforms"] and len(result["fills"]) == case.violations,
        what=f"{label}: not every violation was cured",
    )


def _published_case(folder: Path) -> tuple[Case, Profile]:
    """Return the published example with five damages, and sources that hold what they destroyed."""
    schema = folder / "DigitalProductPassport-schema.json"
    good: Json = json.loads((folder / "DigitalProductPassport.json").read_bytes())
    bad = copy.deepcopy(good)
    del bad["metadata"]["economicOperator"]["economicOperatorIdentification"]
    bad["metadata"]["issueDate"] = "soon"
    bad["metadata"]["registrationIdentifier"] = 5
    bad["characteristics"]["physicalState"] = "undecided"
    bad["characteristics"]["physicalDimension"]["width"]["value"] = "20"
    documents: list[bytes] = []
    for number in range(3):
        source = copy.deepcopy(good)
        source["commercial"]["purchaseOrder"] = f"order-{number}"
        documents.append(compact(source))
    case = Case(json.loads(schema.read_bytes()), compact(bad), documents, violations=5)
    return case, Profile.from_schema([schema], [_IDENTITY])


def _memory_folder() -> str | None:
    """Return a folder that lies in memory, where the system has one: no disk is measured."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - files in a private folder below it
