"""Handing records out: one a line, with what is known of their leaves beside them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracord.apps.failures import usage_error
from veracord.apps.origins import sidecar_to_write
from veracord.apps.outputs import StandardOutput
from veracord.apps.staging import OutputFiles
from veracord.apps.wording import count
from veracord.audit.exports import decisions_csv, prov_json
from veracord.records.writing import write_json
from veracord.reports.records import exported_row, one_line

if TYPE_CHECKING:
    from veracord.bootstrap.reviews import ReviewDesk
    from veracord.review.exporting import ExportedRecord


class RecordExport:
    """An export of records as JSON Lines."""

    def __init__(self, out: str | None, *, include_unverified: bool, as_json: bool) -> None:
        """Remember what is wanted.

        Raises:
            ConfigurationError: ``usage``: what is unverified would be handed out without a mark.
        """
        if include_unverified and out is None and not as_json:
            raise usage_error(
                "unverified values would be printed without their origins", remedy="give --out FILE, or --json"
            )
        self._out = out
        self._include_unverified = include_unverified
        self._as_json = as_json

    def run(self, desk: "ReviewDesk", record_ids: Sequence[str] | None) -> int:
        """Hand them out; return the exit code.

        Raises:
            VeracordError: A record is not there, or a file cannot be written.
        """
        self._check_name(desk, record_ids)
        with OutputFiles(desk.files()) as files:
            staged = self._files(files)
            found = desk.run(desk.service.export(desk.person, record_ids, include_unverified=self._include_unverified))
            beside = (_origins(found), _declarations(found))
            if self._is_one:
                beside = (_of_one(found, "origins"), _of_one(found, "declarations"))
            for file, data in zip(staged, (_lines(found), *beside), strict=False):
                for part in data:
                    file.write(part)
            files.commit()
        self._show(found)
        return 0

    @property
    def _is_one(self) -> bool:
        """Whether the file is one record: then what is beside it is read as that of one record, too."""
        return self._out is not None and Path(self._out).suffix == ".json"

    def _check_name(self, desk: "ReviewDesk", record_ids: Sequence[str] | None) -> None:
        """Refuse several records in a file that others would read as one."""
        if self._is_one:
            number = len(desk.run(desk.service.records("", 2)) if record_ids is None else record_ids)
            if number > 1:
                raise usage_error("several records are no .json file", where=str(self._out), remedy="name it .jsonl")

    def _files(self, files: OutputFiles) -> list[Any]:
        if self._out is None:
            return []
        origins = sidecar_to_write(Path(self._out))
        declared = str(Path(origins).with_name(f"{Path(self._out).stem}.declared.json"))
        return [files.add(self._out), files.add(origins, optional=True), files.add(declared, optional=True)]

    def _show(self, found: "Sequence[ExportedRecord]") -> None:
        if self._as_json:
            rows = [exported_row(one, with_record=self._out is None) for one in found]
            StandardOutput().show(write_json({"records": rows, "out": self._out}) + b"\n")
        elif self._out is None:
            for line in _lines(found):
                StandardOutput().show(line)
        else:
            left = sum(len(one.left_out) for one in found)
            told = f"{count(len(found), 'record')} written; {count(left, 'unverified place')} left out.\n"
            StandardOutput().show(told)


def write_log(desk: "ReviewDesk", form: str, record_ids: Sequence[str] | None, out: str | None) -> int:
    """Hand the log out, as its lines, as a table of decisions or as PROV; return the exit code.

    Raises:
        VeracordError: A record is not there, or a file cannot be written.
    """
    for record_id in record_ids or ():
        desk.run(desk.service.record(record_id))
    with OutputFiles(desk.files()) as files:
        file = None if out is None else files.add(out)
        desk.run(desk.service.log_export(desk.person, f"log as {form}"))
        if form == "jsonl":
            parts: Iterable[bytes] = (line + b"\n" for line in desk.each(desk.service.lines()))
        else:
            wanted = None if record_ids is None else set(record_ids)
            events = (one for one in desk.each(desk.service.events()) if wanted is None or one.record_id in wanted)
            parts = decisions_csv(events) if form == "csv" else [prov_json(events) + b"\n"]
        for part in parts:
            if file is None:
                StandardOutput().show(part)
            else:
                file.write(part)
        files.commit()
    return 0


def _lines(found: "Sequence[ExportedRecord]") -> Iterable[bytes]:
    return (one_line(one.text) + b"\n" for one in found)


def _origins(found: "Sequence[ExportedRecord]") -> Iterable[bytes]:
    return _by_line({number: dict(one.origins) for number, one in enumerate(found, 1) if one.origins})


def _declarations(found: "Sequence[ExportedRecord]") -> Iterable[bytes]:
    return _by_line({number: dict(one.declarations) for number, one in enumerate(found, 1) if one.declarations})


def _of_one(found: "Sequence[ExportedRecord]", name: str) -> Iterable[bytes]:
    """Yield what stands beside the file of one record, as it is read there."""
    for one in found:
        if getattr(one, name):
            yield write_json(dict(getattr(one, name))) + b"\n"


def _by_line(table: dict[int, Any]) -> Iterable[bytes]:
    """Yield a file in which each record has its own line, as `LineOrigins` reads it."""
    before = b"{"
    for number, told in table.items():
        yield before + b'"%d":%s' % (number, write_json(told))
        before = b",\n"
    if table:
        yield b"}\n"
