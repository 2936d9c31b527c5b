"""What is told of a pipeline run: before it, as a plan; of each unit; and when it has ended."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from veracord import __version__
from veracord.apps.escaping import visible
from veracord.apps.rendering import Look, Sheet
from veracord.apps.wording import count
from veracord.bootstrap.budgets import RECORD_KINDS, budgets_of
from veracord.bootstrap.pipeline_tables import ProducerTable
from veracord.bootstrap.pipelines import WiredPipeline
from veracord.errors import VeracordError
from veracord.pipeline import Outcome, RunReport, UnitResult
from veracord.reports.meanings import UNIT_OUTCOMES

#: Codes that are told in one line.
_MOST_CODES: Final = 5


def plan_report(wired: WiredPipeline, units: int) -> dict[str, Any]:
    """Return what a run would do at most."""
    producers = [_producer_plan(wired, item) for item in wired.table.producers]
    return {
        "tool": f"veracord {__version__}",
        "run": wired.table.run.name,
        "units": units,
        "max_requests": units * sum(item["max_requests_per_unit"] for item in producers),
        "model": dict(wired.model.settings) if wired.model is not None else None,
        "producers": producers,
    }


def _producer_plan(wired: WiredPipeline, table: ProducerTable) -> dict[str, Any]:
    budgets = budgets_of(table, has_model=wired.model is not None)
    return {
        "id": table.id,
        "kind": table.kind,
        "retries": budgets.retries,
        "structure_repairs": budgets.structure_repairs,
        "max_requests_per_unit": budgets.most_requests,
        "correction": budgets.correction,
        "validators": [
            {"id": item.id, "use": item.use, "execution_retries": item.execution_retries} for item in table.validators
        ],
        "policy": wired.pipeline.policies[table.id].to_dict(),
    }


def _most_requests(item: Mapping[str, Any]) -> str:
    most = str(item["max_requests_per_unit"])
    if item["kind"] in RECORD_KINDS:
        return most
    return f"(1 + {item['retries']}) x (1 + {item['structure_repairs']}) = {most}"


def plan_text(plan: Mapping[str, Any], look: Look) -> str:
    """Return a plan for people."""
    sheet = Sheet(look)
    sheet.line(f"{plan['run']}: {count(plan['units'], 'unit')}, at most {count(plan['max_requests'], 'request')}")
    sheet.line("Requests that transport sends again are not among them.")
    sheet.line()
    rows = [
        (
            item["id"],
            item["kind"],
            _most_requests(item),
            item["correction"],
            ", ".join(check["id"] for check in item["validators"]) or "none",
        )
        for item in plan["producers"]
    ]
    sheet.table("Producers", ("id", "kind", "requests for a unit", "correction", "validators"), rows)
    for item in plan["producers"]:
        policy = [(name, row["disposition"], row["origin"]) for name, row in item["policy"].items()]
        sheet.table(f"Policy of {item['id']}", ("outcome", "disposition", "set by"), policy)
    return sheet.text()


def warning_text(result: UnitResult[Any]) -> str:
    """Return what is told of a unit after which the run went on."""
    why = [f"{name} ({_few(codes)})" for name, codes in result.rejected_by.items()]
    why += [f"{name} could not check ({code})" for name, code in result.unchecked.items()]
    if result.code:
        why.append(result.code)
    told = f": {'; '.join(why)}" if why else ""
    return visible(f"unit {result.key} of {result.producer_id} is {result.outcome.value}{told}")


def _few(codes: Sequence[str]) -> str:
    more = f" and {len(codes) - _MOST_CODES} more" if len(codes) > _MOST_CODES else ""
    return ", ".join(codes[:_MOST_CODES]) + more


def run_report(
    wired: WiredPipeline, manifest: Mapping[str, Any], start: RunReport, total: int, error: VeracordError | None
) -> dict[str, Any]:
    """Return how a run ended, for programs: the run as a whole, and this start of it.

    `total` is the number of units in its input.
    """
    outcomes: Mapping[str, int] = manifest["outcomes"]
    return {
        "tool": f"veracord {__version__}",
        "run": manifest["name"],
        "run_id": manifest["run_id"],
        "complete": error is None and manifest["complete"],
        "ended_by": None if error is None else error.code,
        "failed_by": _failed_by(error),
        "total": total,
        "units": sum(outcomes.values()),
        "outcomes": {item.value: outcomes[item.value] for item in Outcome if item.value in outcomes},
        "attempts": manifest["attempts"],
        "usage": manifest["usage"],
        "this_start": {
            "start": len(manifest["starts"]),
            "reused": start.reused,
            "units": start.units,
            "usage": start.usage.to_dict(),
        },
        "policy": {name: policy.to_dict() for name, policy in wired.pipeline.policies.items()},
        "output": None if wired.output is None else wired.table.run.output,
    }


def _failed_by(error: VeracordError | None) -> dict[str, object] | None:
    """Return the unit whose outcome ended the run."""
    names = ("key", "producer", "outcome", "code")
    return {name: error.details[name] for name in names} if error is not None and "key" in error.details else None


def run_text(report: Mapping[str, Any], look: Look) -> str:
    """Return how a run ended, for people."""
    sheet = Sheet(look)
    # What was cancelled under way is done by the next start.
    done = report["units"] - report["outcomes"].get(Outcome.CANCELLED.value, 0)
    of_all = "" if done == report["total"] else f" of {report['total']:,}"
    sheet.line(f"{report['run']}: {done:,}{of_all} {'unit' if report['total'] == 1 else 'units'}, {_state(report)}")
    start = report["this_start"]
    if start["start"] > 1:
        sheet.line(f"{count(start['reused'], 'unit')} reused, {start['units']:,} new")
    sheet.line()
    rows = [(name, f"{number:,}", UNIT_OUTCOMES[name]) for name, number in report["outcomes"].items()]
    sheet.table("Outcomes", ("outcome", "units", "meaning"), rows)
    for line in usage_lines(report["usage"]):
        sheet.line(line)
    if start["start"] > 1 and start["usage"]["requests"] != report["usage"]["requests"]:
        sheet.line(f"Requests of this start: {start['usage']['requests']:,}")
    sheet.line(f"Run: {report['run_id']}")
    if report["output"] is not None:
        sheet.line(f"Results: {report['output']}", is_whole=True)
    return sheet.text()


def _state(report: Mapping[str, Any]) -> str:
    if report["ended_by"] == "lease_lost":
        return "taken over by another process"
    return "complete" if report["complete"] else f"not complete ({report['ended_by']})"


def usage_lines(usage: Mapping[str, Any]) -> list[str]:
    """Return what was asked and what it cost, for people."""
    lines = [f"Requests: {usage['requests']:,}{_of_unknown_cost(usage)}"]
    if usage["input_tokens"] is not None or usage["output_tokens"] is not None:
        lines.append(f"Tokens: {usage['input_tokens'] or 0:,} in, {usage['output_tokens'] or 0:,} out")
    if usage["cost_usd"] is not None:
        lines.append(f"Cost: {usage['cost_usd']:.4f} USD")
    return lines


def _of_unknown_cost(usage: Mapping[str, Any]) -> str:
    return f" ({usage['unmetered']:,} of unknown cost)" if usage["unmetered"] else ""
