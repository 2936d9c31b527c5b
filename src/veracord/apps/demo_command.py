"""`veracord demo`: the main job on bundled synthetic data, with nothing to configure."""

from pathlib import Path
from typing import Any, Final

from veracord.apps import options

_PROFILE: Final = "eu-dpp-demo"


def demo(*, as_json: options.AsJson = False) -> int:
    """Run the main job on invented data.

    Repairs a product passport from evidence, both invented, and shows how to go on.

    Exit code 0: the demonstration ran.
    """
    from veracord.apps.outputs import StandardOutput
    from veracord.bootstrap.choices import Choices, load_composer, load_evidence
    from veracord.records.reading import read_record

    folder = _folder()
    choices = Choices(profile=_PROFILE, evidence=(folder / "evidence",))
    composer, pack = load_composer(choices), load_evidence(choices)
    document = read_record((folder / "record.json").read_bytes(), where="record.json")
    result = composer.repair(document, pack)
    if as_json:
        StandardOutput().show(result.encode() + b"\n")
        return 0
    before = len(composer.profile.validate(document.value))
    StandardOutput().show(_report(result.to_dict(), before, len(pack), folder))
    return 0


def _folder() -> Path:
    from importlib.resources import files

    return Path(str(files("veracord") / "bundled" / "demo"))


def _report(result: dict[str, Any], before: int, sources: int, folder: Path) -> str:
    from veracord.apps.rendering import Look, Sheet
    from veracord.apps.reports import repair_report

    look = Look.of_output()
    sheet = Sheet(look)
    sheet.line("An invented passport of a heat pump, and what invented sources say about it.")
    sheet.line(f"The record has {before} violations; {sources} pieces of evidence are at hand.")
    sheet.line("A value is filled only where a source about the same product states it exactly.")
    sheet.line()
    ending = Sheet(look)
    ending.line()
    ending.line("Go on with the same files:", style="bold")
    record, evidence = folder / "record.json", folder / "evidence"
    ending.line(f"  veracord validate {record} -p {_PROFILE} --show-values", is_whole=True)
    ending.line(f"  veracord repair {record} -p {_PROFILE} -e {evidence} --diff", is_whole=True)
    return sheet.text() + repair_report(result, look) + ending.text()
