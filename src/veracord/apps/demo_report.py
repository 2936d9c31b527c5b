"""What `veracord demo` tells people, part by part."""

from pathlib import Path
from typing import Final

from veracord.answers.results import Answered, GroundedAnswer
from veracord.apps.rendering import Look, Sheet
from veracord.apps.reports import refusal_report, repair_report
from veracord.apps.serve_command import is_installed
from veracord.apps.wording import count, plain, value_text
from veracord.bootstrap.demonstrations import (
    EVIDENCE,
    FALSE_ANSWER,
    ONE_SOURCE,
    OPEN_QUESTION,
    PROFILE,
    QUESTION,
    RECORD,
    SEED,
    SOURCES,
    Demonstration,
)
from veracord.composer.synthesis_results import REQUEST_SEED
from veracord.records.pointers import get, split

#: Of the synthesised record: a leaf of the seed, one of a row, and two of the other source.
_SHOWN: Final = ("/product/model", "/materials/1/share_pct", "/compliance/standards", "/carbon/total_kg_co2e")

_HIDDEN: Final = {
    "clamped": "only moved a number of the record to its bound",
    "no_violation": "was about an identifier, where nothing is open",
}


def demo_report(shown: Demonstration, folder: Path, command: str, *, is_served: bool) -> str:
    """Return the whole text.

    Args:
        shown: What is told.
        folder: Where its files are.
        command: How this program is called, from here.
        is_served: Whether the page opens next; else it is told how to open it.
    """
    look = Look.of_output()
    refusal = shown.refusal
    told = {
        "error": {"code": refusal.code, "message": refusal.what},
        "violations": refusal.details["violations"],
    }
    return "".join(
        (
            _repair_intro(shown, look),
            repair_report(shown.repair.to_dict(), look),
            _hidden(shown, look),
            _synthesis(shown, look),
            refusal_report(told, look),
            _answers(shown, look),
            _next(folder, look, command),
            "" if is_served else _page(look, command),
        )
    )


def _repair_intro(shown: Demonstration, look: Look) -> str:
    sheet = Sheet(look)
    sheet.line("An invented passport of a heat pump, and what invented sources say about it.")
    sheet.line(f"The record has {shown.violations} violations; {shown.sources} pieces of evidence are at hand.")
    sheet.line("A value is filled only where a source about the same product states it exactly.")
    sheet.line("About the rest a model may guess, apart from it; its answers here were written for the demonstration.")
    sheet.line()
    return sheet.text()


def _hidden(shown: Demonstration, look: Look) -> str:
    sheet = Sheet(look)
    rows = [f"{number} {plain(word, _HIDDEN)}" for word, number in shown.repair.suppressed.items()]
    sheet.line(f"Guesses not shown: {'; '.join(rows)}.")
    sheet.line()
    return sheet.text()


def _synthesis(shown: Demonstration, look: Look) -> str:
    sheet = Sheet(look)
    result = shown.synthesis
    support = {row.path: row for row in result.support}
    sheet.line("An invented passport of a battery, built whole from a seed and two sources, without a model.")
    sheet.line()
    sheet.table(
        f"Where some of its {count(len(support), 'value')} come from",
        ("path", "value", "source", "at"),
        [
            (
                path,
                value_text(get(result.record, split(path))),
                "the seed" if support[path].evidence_id == REQUEST_SEED else support[path].evidence_id,
                support[path].source_pointer,
            )
            for path in _SHOWN
        ],
        style="green",
    )
    sheet.line(f"Every value has such a row; the record conforms to {result.profile}.", style="bold")
    sheet.line()
    sheet.line("The same seed with the parts list alone: an answer on file invents a standard, is told, does it again.")
    sheet.line()
    return sheet.text()


def _answers(shown: Demonstration, look: Look) -> str:
    sheet = Sheet(look)
    sheet.line()
    sheet.line("Questions about the heat pump, answered without a model, or not at all:")
    for question, result in ((QUESTION, shown.answer), (OPEN_QUESTION, shown.abstention)):
        sheet.line(f"  {question}")
        sheet.line(f"  -> {_said(result)}", style="bold" if result.is_answered else "bold yellow")
    sheet.line("What somebody says instead, held against the same evidence:")
    sheet.line(f"  {FALSE_ANSWER}")
    failed = [f"gate {gate.gate}: {gate.detail}" for claim in shown.verdict.claims for gate in claim.failed]
    sheet.line(f"  -> {shown.verdict.verdict} ({', '.join(failed)})", style="bold red")
    return sheet.text()


def _said(result: Answered) -> str:
    if isinstance(result, GroundedAnswer):
        return result.text
    return f"No answer: {result.reason} ({result.code.value}: {', '.join(result.nearest_ids)})."


def _next(folder: Path, look: Look, command: str) -> str:
    sheet = Sheet(look)
    record, evidence = folder / RECORD, folder / EVIDENCE
    seed, sources, one_source = folder / SEED, folder / SOURCES, folder / ONE_SOURCE
    sheet.line()
    sheet.line("Go on with the same files:", style="bold")
    sheet.line(f"  {command} validate {record} -p {PROFILE} --show-values", is_whole=True)
    sheet.line(f"  {command} repair {record} -p {PROFILE} -e {evidence} --diff", is_whole=True)
    sheet.line(f"  {command} synthesize {seed} -p {PROFILE} -e {sources}", is_whole=True)
    sheet.line(f"  {command} synthesize {seed} -p {PROFILE} -e {one_source}", is_whole=True)
    sheet.line(f'  {command} answer "{QUESTION}" -p {PROFILE} -e {evidence} --product {record}', is_whole=True)
    return sheet.text()


def _page(look: Look, command: str) -> str:
    sheet = Sheet(look)
    sheet.line()
    sheet.line("See it in a browser and decide about the guess:", style="bold")
    if not is_installed():
        sheet.line("  pip install 'veracord[serve]'", is_whole=True)
    sheet.line(f"  {command} demo --serve", is_whole=True)
    return sheet.text()
