"""Reading evidence from files and folders, in one fixed order, with the digest of the bytes each came from."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

from veracord.errors import InputError, system_remedy
from veracord.records.lines import read_lines
from veracord.records.reading import MAX_BYTES, MAX_DEPTH, read_value, to_utf8
from veracord.records.values import JsonValue, digest

_SIDECAR: Final = ".origins.json"
#: A sidecar tells of every line of a file, so it may be much larger than a record.
_LARGEST_SIDECAR: Final = 64 * MAX_BYTES
_ITEM_LINES: Final = ".evidence.jsonl"
#: So much deeper than a record is a record in a list of items.
_LIST_LEVELS: Final = 3
_KINDS: Final = (".json", ".jsonl", ".txt", ".md")


def _id_of(file: Path) -> str:
    """Return the id of the item in a file: its name, without the brackets that a citation stands in."""
    return file.stem.replace("[", "(").replace("]", ")")


class RawItem(NamedTuple):
    """An evidence item as written.

    Attributes:
        item: The item's fields.
        where: File, line or index.
        digest: ``sha256:<hex>`` of the bytes it was read from; None where it stood in a list.
    """

    item: JsonValue
    where: str
    digest: str | None = None


class EvidenceFiles:
    """Reads evidence files.

    Attributes:
        skipped: Files found in folders that are of no kind that is read.
    """

    def __init__(self, max_bytes: int) -> None:
        """Remember the largest document that is read."""
        self.skipped: list[str] = []
        self._max_bytes = max_bytes

    def read(self, paths: Iterable[Path]) -> Iterator[RawItem]:
        """Yield the items of files and folders; a file that is named twice is read once.

        Raises:
            InputError: A file cannot be read, or is of no kind that is read.
        """
        seen: set[Path] = set()
        for path in paths:
            for file in self.files(path):
                resolved = file.resolve()
                if resolved not in seen:
                    seen.add(resolved)
                    yield from self._read_file(file)

    def files(self, path: Path) -> Iterator[Path]:
        """Yield the files that a path stands for, in one fixed order."""
        if path.is_dir():
            yield from self._files_below(path)
        elif _is_read(path) or not path.exists():
            yield path
        else:
            raise InputError(
                "evidence of this kind is not read",
                where=str(path),
                remedy=f"give {', '.join(_KINDS)} or a folder",
                code="unknown_evidence_kind",
            )

    def _files_below(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder; hidden ones and sidecars are left out, others that are not read are noted."""
        for at, folders, names in os.walk(folder, onerror=_refuse):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                file = Path(at, name)
                if name.endswith(_SIDECAR):
                    _refuse_orphan(file, names)
                    continue
                if name.startswith("."):
                    continue
                if _is_read(file) and file.is_file():
                    yield file
                else:
                    self.skipped.append(str(file))

    def _read_file(self, file: Path) -> Iterator[RawItem]:
        kind = file.suffix.lower()
        if file.name.lower().endswith(_ITEM_LINES):
            _refuse_sidecar(file)
            yield from self._read_item_lines(file)
        elif kind == ".jsonl":
            yield from self._read_record_lines(file)
        elif kind == ".json":
            yield from self._read_json(file)
        else:
            data = read_bytes(file)
            text = to_utf8(data, str(file)).decode()
            yield RawItem({"id": _id_of(file), "text": text}, str(file), digest(data))

    def _read_json(self, file: Path) -> Iterator[RawItem]:
        data = read_bytes(file)
        value = read_value(data, where=str(file), max_bytes=self._max_bytes, max_levels=MAX_DEPTH + _LIST_LEVELS)
        if isinstance(value, dict) and isinstance(value.get("evidence"), list) and len(value) == 1:
            _refuse_sidecar(file)
            listed = value["evidence"]
            assert isinstance(listed, list)  # noqa: S101 - narrows for mypy
            yield from (RawItem(item, f"{file} /evidence/{n}") for n, item in enumerate(listed))
        elif isinstance(value, list):
            _refuse_sidecar(file)
            for number, record in enumerate(value):
                where = f"{file} /{number}"
                yield RawItem({"id": f"{_id_of(file)}#{number}", "content": _record(record, where)}, where)
        else:
            item: dict[str, JsonValue] = {"id": _id_of(file), "content": _record(value, str(file))}
            origins = read_sidecar(file)
            if origins is not None:
                item["origins"] = origins
            yield RawItem(item, str(file), digest(data))

    def _read_record_lines(self, file: Path) -> Iterator[RawItem]:
        origins = read_sidecar(file)
        if origins is not None and not isinstance(origins, dict):
            raise _bad_origins("the origins beside lines are no table of line and origins", _sidecar_of(file))
        left = set(origins or ())
        for line in read_lines(file, self._max_bytes):
            where = f"{file}:{line.number}"
            value = _record(read_value(line.checked(), where=where, max_bytes=self._max_bytes), where)
            item: dict[str, JsonValue] = {"id": f"{_id_of(file)}#{line.number}", "content": value}
            if origins is not None and str(line.number) in origins:
                item["origins"] = origins[str(line.number)]
                left.discard(str(line.number))
            yield RawItem(item, where, digest(line.data))
        if left:
            raise _bad_origins("the origins name a line that holds no record", _sidecar_of(file))

    def _read_item_lines(self, file: Path) -> Iterator[RawItem]:
        for line in read_lines(file, self._max_bytes):
            where = f"{file}:{line.number}"
            value = read_value(line.checked(), where=where, max_bytes=self._max_bytes)
            yield RawItem(value, where, digest(line.data))


def _is_read(file: Path) -> bool:
    return file.suffix.lower() in _KINDS


def _refuse(error: OSError) -> NoReturn:
    """A part of a folder that cannot be read may hold what contradicts the rest."""
    raise unreadable(Path(error.filename or ""), error)


def unread_files(paths: Iterable[Path]) -> list[str]:
    """Return the files found in folders that are of no kind that is read.

    Raises:
        InputError: A file that is named itself is of no kind that is read.
    """
    reader = EvidenceFiles(0)
    for path in paths:
        for _ in reader.files(path):
            pass
    return reader.skipped


def read_sidecar(file: Path) -> JsonValue:
    """Return the origins that stand beside a file as ``NAME.origins.json``, or None.

    Raises:
        InputError: The sidecar is there and cannot be read.
    """
    sidecar = _sidecar_of(file)
    if not sidecar.is_file():
        return None
    return read_value(read_bytes(sidecar), where=str(sidecar), max_bytes=_LARGEST_SIDECAR)


def _sidecar_of(file: Path) -> Path:
    return file.with_name(f"{file.stem}{_SIDECAR}")


def _refuse_sidecar(file: Path) -> None:
    """Refuse origins that would be passed over: those of a list stand in its items."""
    if _sidecar_of(file).is_file():
        raise _bad_origins("the origins of a list of items stand in the items", _sidecar_of(file))


def _refuse_orphan(sidecar: Path, names: Iterable[str]) -> None:
    """Refuse origins of a record that is not there: it may have got another name, and its origins not."""
    stem = sidecar.name.removesuffix(_SIDECAR)
    if not any(name.lower() in (f"{stem}.json".lower(), f"{stem}.jsonl".lower()) for name in names):
        raise _bad_origins("these are origins of a record that is not there", sidecar)


def _bad_origins(what: str, sidecar: Path) -> InputError:
    return InputError(
        what, where=str(sidecar), remedy="put them where they belong, or remove the file", code="invalid_origins"
    )


def read_bytes(file: Path) -> bytes:
    """Return the bytes of an input file.

    Raises:
        InputError: It cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        raise unreadable(file, error) from None


def unreadable(file: Path, error: OSError) -> InputError:
    """Return the error for a file that cannot be read."""
    remedy = system_remedy(error)
    return InputError("the file cannot be read", where=str(file), remedy=remedy, code="unreadable_file")


def _record(value: JsonValue, where: str) -> JsonValue:
    if not isinstance(value, dict):
        raise InputError(
            "an evidence record is not an object", where=where, remedy="a record is one object", code="not_an_object"
        )
    return value
