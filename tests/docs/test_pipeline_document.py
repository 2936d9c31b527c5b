"""docs/pipeline.md is true: its examples run, its tables are those of the code, and its drawing has every edge."""

import asyncio
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from tests.contract.model_server import ModelServer
from veracord import errors, models, pipeline, promptkit, testing
from veracord.bootstrap import models as wired_models
from veracord.bootstrap import pipeline_tables, pipelines, validator_loading
from veracord.bootstrap.budgets import KINDS, budgets_of
from veracord.errors import ConfigurationError
from veracord.models.anthropic import DEFAULT_BASE_URL, DEFAULT_MAX_TOKENS
from veracord.models.failures import status_failure
from veracord.pipeline import (
    SINGLE_RESPONSE_V1,
    AsyncPipeline,
    Defect,
    Disposition,
    Outcome,
    Policy,
    ProducerBinding,
    Unit,
    ValidatorBinding,
)
from veracord.pipeline.policies import DEFAULTS
from veracord.pipeline.texts import MAX_TEXT, clean, clean_name
from veracord.pipeline.verdicts import MAX_DEFECTS
from veracord.promptkit import Finish, Prompt, Response, StructuredOutput, StructuredProducer
from veracord.promptkit.structured_output import Answer
from veracord.promptkit.wording import MAX_CHARACTERS, MAX_LISTED
from veracord.testing import MemoryStore, ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/pipeline.md").read_text("utf-8")
CLI = (ROOT / "docs/cli.md").read_text("utf-8")
URL = "http://127.0.0.1:8080/v1"
GOOD = '{"part": "nut", "pieces": 8}'


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def named(block):
    """Return the file that a block says it is, or None."""
    found = re.match(r"# (?:added to )?([\w.]+\.(?:py|toml))\n", block)
    return found and found[1]


def section(heading, text=TEXT):
    level = heading.split()[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{2,{len(level)}}} |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def tables(text):
    """Return each table as a list of rows, a row as a list of cells."""
    found, rows = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif rows:
            found.append(rows[2:])
            rows = []
    return found


def words(cell):
    return re.findall(r"`([^`]+)`", cell)


def by_field(rows):
    return {words(row[0])[0]: row[1:] for row in rows}


SCHEMA = json.loads(blocks("json")[0])


@pytest.fixture
def folder(tmp_path):
    """The folder that the document describes."""
    files = {"part.md": blocks("markdown")[0], "part.schema.json": blocks("json")[0], "notes.jsonl": blocks("jsonl")[0]}
    files["catalogue.json"] = '{"hex nut": "A-100", "wood screw": "A-300"}'
    for language in ("python", "toml"):
        for block in blocks(language):
            name = named(block)
            if name and not block.startswith("# added"):
                files[name] = block
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def run(folder, *command, warnings="error"):
    path = os.pathsep.join([str(ROOT / "src"), str(folder)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": warnings, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def replace(path, *pairs):
    text = path.read_text("utf-8")
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def by_note(request):
    """Answer as a model would that reads one of the notes wrongly, whatever it is told."""
    rules, asked = request.messages[0], request.messages[1]["content"]
    assert rules["role"] == "system"
    if "N-1" in asked:
        return '{"part": "hex nut", "pieces": 8}'
    return '{"part": "gearbox", "pieces": 1}' if "N-3" in asked else '{"part": "nail", "pieces": 200}'


def results(folder):
    return [json.loads(line) for line in (folder / "parts.jsonl").read_text("utf-8").splitlines()]


# --- examples


def test_the_python_runs_and_prints_what_is_shown(folder):
    code = "\n".join(block for block in blocks("python") if not named(block))
    (folder / "example.py").write_text(code, "utf-8")
    with ModelServer(lambda _: '{"part": "hex nut", "pieces": 8}') as server:
        replace(folder / "example.py", (URL, server.chat_url))
        done = run(folder, "example.py")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    shown = [block for block in blocks("text") if not block.startswith("parts:")]
    assert done.stdout == "".join(shown)


def test_the_pipeline_file_runs_against_a_server(folder):
    with ModelServer(by_note) as server:
        replace(folder / "parts.toml", (URL, server.chat_url))
        done = run(folder, "-m", "veracord", "run", "parts.toml", "--json")
    assert (done.returncode, "N-2" in done.stderr) == (3, True), done.stderr
    assert [(row["key"], row["outcome"]) for row in results(folder)] == [
        ("N-1", "accepted"),
        ("N-2", "rejected"),
        ("N-3", "accepted"),
    ]
    told = json.loads(done.stdout)
    assert told["policy"]["part"]["rejection"] == {"disposition": "warn_continue", "origin": "producer"}
    assert told["policy"]["part"]["transport_failure"]["origin"] == "pipeline"
    assert told["usage"]["requests"] == 5


def test_a_dry_run_tells_the_number_that_is_shown(folder):
    done = run(folder, "-m", "veracord", "run", "parts.toml", "--dry-run")
    shown = next(block for block in blocks("text") if block.startswith("parts:"))
    assert done.stdout.startswith(shown), done


def test_the_entry_points_of_the_document_are_found(folder):
    info = folder / "catalogue-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: catalogue\nVersion: 1\n", "utf-8")
    offered = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    assert list(offered) == [validator_loading.VALIDATORS, pipelines.PRODUCERS]
    lines = [f"[{group}]\n{name} = {place}\n" for group, points in offered.items() for name, place in points.items()]
    (info / "entry_points.txt").write_text("".join(lines), "utf-8")
    added = next(block for block in blocks("toml") if block.startswith("# added to parts.toml"))
    with (folder / "parts.toml").open("a", encoding="utf-8") as stream:
        stream.write(added)
    with ModelServer(by_note) as server:
        replace(folder / "parts.toml", (URL, server.chat_url))
        done = run(folder, "-m", "veracord", "run", "parts.toml")
    assert done.returncode == 3, done.stderr
    assert [(row["outcome"], row["value"]) for row in results(folder)] == [
        ("accepted", {"article": "A-100"}),
        ("rejected", None),
        ("structural_failure", None),
    ]
    assert "producer_raised:KeyError" in done.stderr


def test_the_recorded_cassette_serves_the_pipeline_file(folder):
    test_the_python_runs_and_prints_what_is_shown(folder)
    table = re.search(r"\[model\].*?\n\n", (folder / "parts.toml").read_text("utf-8"), re.DOTALL)
    replace(folder / "parts.toml", (table[0], '[model]\nadapter = "cassette"\npath = "parts.cassette"\n\n'))
    done = run(folder, "-m", "veracord", "run", "parts.toml", "--json")
    assert [row["outcome"] for row in results(folder)] == ["accepted", "transport_failure", "transport_failure"], done
    assert "cassette_miss" in done.stderr


def test_the_commands_of_the_command_line_page_run(folder):
    told = section("## run", CLI)
    commands = "".join(re.findall(r"^```shell\n(.*?)^```$", told, re.MULTILINE | re.DOTALL)).splitlines()
    with ModelServer(by_note) as server:
        replace(folder / "parts.toml", (URL, server.chat_url))
        for line in commands:
            code = re.search(r"# exit code (\d+)", line)
            line_words = shlex.split(line, comments=True)
            assert line_words[0] == "veracord"
            done = run(folder, "-m", *line_words)
            assert done.returncode == (int(code[1]) if code else 0), (line, done.stderr)
    known = run(folder, "-m", "veracord", "run", "--help").stdout
    for option in set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", known, re.MULTILINE)) - {"--help"}:
        assert any(f" {option}" in line for line in commands), option
        assert f"`{option}" in told or f", `{option}" in CLI or option in ("--json", "--config"), option


@pytest.mark.parametrize(("page", "text"), [("pipeline.md", TEXT), ("cli.md", CLI)])
def test_links_to_headings_lead_somewhere(page, text):
    for name, anchor in re.findall(r"\]\(([\w.]*)#([\w-]+)\)", text):
        target = (ROOT / "docs" / (name or page)).read_text("utf-8")
        headings = re.findall(r"^#+ (.*)$", target, re.MULTILINE)
        assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}, anchor


# --- one attempt


def drawn():
    """Return of each edge of the drawing the outcome at its end, or None."""
    drawing = re.search(r"^```\n(.*?)^```$", section("## One attempt"), re.MULTILINE | re.DOTALL)[1]
    found = dict(re.findall(r"\(([a-z])\)(.*)", drawing))
    endings = {key: re.search(r"-> ([a-z_]+)", line) for key, line in found.items()}
    return {key: ending and ending[1] for key, ending in endings.items()}


REJECTS = ValidatorBinding("check", lambda _: ["wrong"])
PASSES = ValidatorBinding("check", lambda _: None)


def breaks(_value):
    raise LookupError


#: Of each edge: the answers, what the binding says, the outcome or what raises, and the messages of each request.
EDGES = {
    "a": (ScriptedModel([errors.ModelUnavailableError("x")]), {"retries": 2}, "transport_failure", [2]),
    "b": (ScriptedModel([Response("", Finish.REFUSAL)]), {"retries": 2}, "refused", [2]),
    "c": (ScriptedModel([Response(GOOD, Finish.LENGTH)]), {"retries": 2}, "truncated", [2]),
    "d": (ScriptedModel([errors.ModelCeilingError("x")]), {"retries": 2}, "cancelled", [2]),
    "e": (ScriptedModel(["no", GOOD]), {"retries": 0}, None, [2, 4]),
    "f": (ScriptedModel(["no", "no", GOOD]), {"retries": 1}, None, [2, 4, 2]),
    "g": (ScriptedModel(["no", "no"]), {"retries": 0}, "structural_failure", [2, 4]),
    "h": (ScriptedModel([GOOD]), {"validators": [ValidatorBinding("check", None, execution_retries=1)]}, None, [2]),
    "i": (ScriptedModel([GOOD, GOOD]), {"retries": 1, "validators": [REJECTS]}, None, [2, 4]),
    "j": (ScriptedModel([GOOD]), {"retries": 0, "validators": [REJECTS]}, "rejected", [2]),
    "k": (
        ScriptedModel([GOOD]),
        {
            "validators": [ValidatorBinding("check", breaks)],
            "policy": Policy(validator_execution_failure=Disposition.FAIL_RUN),
        },
        "validation_unavailable",
        [2],
    ),
    "l": (ScriptedModel([GOOD]), {"validators": [ValidatorBinding("check", breaks)]}, "accepted_incomplete", [2]),
    "m": (ScriptedModel([GOOD]), {"validators": [PASSES]}, "accepted", [2]),
    "n": (ScriptedModel([GOOD]), {"validators": [ValidatorBinding("check", None)]}, "cancelled", [2]),
}


def turn(model, *, repairs=1, **binding):
    prompt = Prompt("p", 1, "x", ("input",), "Read {{ input }}")
    output = StructuredOutput.of_schema(SCHEMA, structure_repairs=repairs)
    return ProducerBinding("part", StructuredProducer(model, prompt, output), **binding)


def settle(binding):
    """Return the outcome of one unit, also where it ends the run, and the receipts."""
    store = MemoryStore()
    endings = []

    async def work():
        await AsyncPipeline([binding]).run([Unit("u", 1)], store=store, on_settled=endings.append)

    with suppress(errors.PipelineError, asyncio.CancelledError):
        asyncio.run(work())
    return endings[0], store.receipts


@pytest.mark.parametrize("edge", sorted(EDGES))
def test_every_edge_of_the_drawing_is_one_of_the_code(edge):
    model, binding, outcome, lengths = EDGES[edge]
    if edge == "h":
        tries = iter([breaks, lambda _: None])

        def breaks_once(value):
            return next(tries)(value)

        binding = {"validators": [ValidatorBinding("check", breaks_once, execution_retries=1)]}
    elif edge == "n":

        async def interrupts(_value):
            asyncio.current_task().cancel()
            await asyncio.sleep(1)

        binding = {"validators": [ValidatorBinding("check", interrupts)]}
    result, receipts = settle(turn(model, **binding))
    assert [len(request.messages) for request in model.requests] == lengths
    assert drawn()[edge] == outcome
    if outcome is not None:
        assert result.outcome.value == outcome
    if edge == "h":
        assert (receipts[0].checks[0].status, receipts[0].checks[0].execution_retries) == ("passed", 1)


def test_the_drawing_has_these_edges_and_every_outcome():
    assert sorted(drawn()) == sorted(EDGES)
    # A unit is lost between attempts, not in one.
    assert set(drawn().values()) - {None} == {outcome.value for outcome in Outcome} - {"lost"}


def test_a_repair_takes_the_place_of_a_correction():
    model = ScriptedModel([GOOD, "no", GOOD])
    settle(turn(model, retries=1, validators=[REJECTS]))
    assert [len(request.messages) for request in model.requests] == [2, 4, 4]
    assert model.requests[2].messages[2].content == "no"


def test_the_worst_case_is_what_the_formula_says():
    always_wrong = ScriptedModel(lambda _: "no")
    settle(turn(always_wrong, retries=2))
    assert len(always_wrong.requests) == (1 + 2) * (1 + 1)
    runs = []
    check = ValidatorBinding("counted", lambda value: runs.append(1) or breaks(value))
    settle(turn(ScriptedModel(lambda _: GOOD), retries=2, validators=[check, REJECTS]))
    assert len(runs) == (1 + 2) * (1 + 1)
    told = " ".join(section("## Budgets").split())
    found = re.search(r"([\d,]+) x \(1 \+ (\d)\) x \(1 \+ (\d)\) = ([\d,]+) requests", told)
    units, retries, repairs, requests = (int(text.replace(",", "")) for text in found.groups())
    assert units * (1 + retries) * (1 + repairs) == requests
    found = re.search(r"1,200 x \(1 \+ (\d+)\) = ([\d,]+) exchanges", told)
    assert requests * (1 + int(found[1])) == int(found[2].replace(",", ""))
    assert int(found[1]) == models.TransportOptions().retries


# --- how answers are read


def expand(cell):
    """Return the text that a cell of the table stands for."""
    ticks, text = re.fullmatch(r"(`+)(.*)\1", cell).groups()
    if len(ticks) > 1:
        text = text.strip(" ")
    text = text.replace("↵", "\n").replace("«mark»", "\ufeff").replace("«nothing»", "")
    return re.sub(r"«([\d,]+) × (.)»", lambda found: found[2] * int(found[1].replace(",", "")), text)


ANSWERS = [(row[0], row[2]) for row in tables(section("## How answers are read"))[0]]


@pytest.mark.parametrize(("cell", "told"), ANSWERS, ids=[cell[:40] for cell, _ in ANSWERS])
def test_every_answer_of_the_table_is_read_as_it_says(cell, told):
    text = expand(cell)
    model = ScriptedModel([text, GOOD])
    result, receipts = settle(turn(model, retries=0))
    assert result.outcome is Outcome.ACCEPTED
    if told == "accepted":
        assert len(model.requests) == 1
        assert result.value["pieces"] in (8, Decimal("1e400"))
        is_plain = re.search(r'"pieces": \d+}', text)
        assert isinstance(result.value["pieces"], int if is_plain else Decimal)
        return
    code = re.fullmatch(r"asked again: `(\w+)`", told)[1]
    assert (len(model.requests), receipts[0].structure_repairs) == (2, 1)
    verdict = StructuredOutput.of_schema(SCHEMA).read(Response(text))
    assert [defect.code for defect in verdict.defects] == [code]
    result, _ = settle(turn(ScriptedModel([text]), retries=0, repairs=0))
    assert (result.outcome, result.code) == (Outcome.STRUCTURAL_FAILURE, code)


def test_the_table_holds_awkward_texts_of_every_kind():
    assert len({expand(cell) for cell, _ in ANSWERS}) == len(ANSWERS) >= 25


def test_what_stands_beside_the_text_is_read_as_it_says():
    told = [re.sub(r"asked again: ", "", row[1]).strip("`") for row in tables(section("## How answers are read"))[1]]
    as_tool, as_schema = (StructuredOutput.of_schema(SCHEMA, name="part", via=via) for via in ("tool", "schema"))
    cut, _ = settle(turn(ScriptedModel([Response(GOOD, Finish.LENGTH)])))
    refused, _ = settle(turn(ScriptedModel([Response(GOOD, Finish.REFUSAL)])))
    calls = [Response(GOOD, tool_name="other"), Response(""), Response(GOOD)]
    others = {as_tool.read(call).defects[0].code for call in calls}
    called = as_schema.read(Response(GOOD, tool_name="part")).defects[0].code
    assert told == [cut.outcome.value, refused.outcome.value, *others, called]
    assert isinstance(as_tool.read(Response(GOOD, tool_name="part")), Answer)


# --- tables of fields


def shown(default):
    """Return a default as the tables write it."""
    if isinstance(default, bool):
        return str(default).lower()
    return f"{default:,}" if isinstance(default, int) else str(default)


FIELD_TABLES = {
    "RunTable": "**`[run]`**",
    "ProducerTable": "**`[[producers]]`**",
    "ValidatorTable": "**`[[producers.validators]]`**",
}


@pytest.mark.parametrize("name", FIELD_TABLES)
def test_every_field_of_the_pipeline_file_is_told(name):
    text = section("## The pipeline file")
    told = by_field(tables(text[text.index(f"\n{FIELD_TABLES[name]}") :])[0])
    kind = getattr(pipeline_tables, name)
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    assert set(told) == set(fields)
    budgets = budgets_of(pipeline_tables.ProducerTable(id="p"), has_model=True)
    for field in fields.values():
        default = told[field.name][0].strip("`")
        if field.required:
            assert default == "needed", field.name
        elif hasattr(budgets, field.name):
            assert default == shown(getattr(budgets, field.name)), field.name
        elif isinstance(field.default, (bool, int)) or field.name == "kind":
            assert default == shown(field.default), field.name
        else:
            assert default != "needed" or field.name in ("prompt", "schema", "profile")


def test_the_limits_of_the_pipeline_file_are_told():
    assert (
        by_field(tables(section("## The pipeline file"))[2])["timeout_s"][0]
        == f"{validator_loading.CALLABLE_LIMIT_S:g}"
    )
    kinds = by_field(tables(section("## The pipeline file"))[1])["kind"][1]
    assert all(f"`{kind}`" in kinds for kind in KINDS)


MODEL_FIELDS = by_field(tables(section("## Models"))[1])
VALUES = {
    "base_url": URL,
    "name": "some-model",
    "api_key_env": "A_VARIABLE",
    "path": "file",
    "temperature": 0.5,
    "max_tokens": 9,
    "seed": 1,
    "structured": "json_schema",
    "output_limit": "max_tokens",
    "context_tokens": 64,
    "threads": 1,
    "timeout_s": 1.0,
    "total_time_s": 1.0,
    "transport_retries": 1,
    "requests_per_minute": 1,
    "tokens_per_minute": 1,
    "max_cost_usd": Decimal(1),
    "price_per_mtok_in": Decimal(1),
    "price_per_mtok_out": Decimal(1),
}
NEEDED = {
    "chat_completions": ("base_url", "name"),
    "anthropic": ("name",),
    "llama_cpp": ("path",),
    "cassette": ("path",),
}
TOGETHER = ("max_cost_usd", "max_tokens", "price_per_mtok_in", "price_per_mtok_out")


def takes(adapter, field, folder):
    """Whether a model file with this field can be used, but for the file that it names."""
    given = {*NEEDED[adapter], field, *(TOGETHER if field in TOGETHER and field != "max_tokens" else ())}
    try:
        wired_models.make_model(
            pipeline_tables.ModelTable(adapter=adapter, **{name: VALUES[name] for name in given}), folder / "x.toml"
        )
    except ConfigurationError as error:
        return error.code not in ("invalid_pipeline", "dialect_invalid")
    return True


@pytest.mark.parametrize("field", VALUES)
def test_the_fields_of_each_adapter_are_told(field, tmp_path):
    taken = {name for name in re.split(r", ", MODEL_FIELDS[field][0]) if name != "http"}
    if "http" in MODEL_FIELDS[field][0]:
        taken |= {"chat_completions", "anthropic"}
    assert taken == {adapter for adapter in NEEDED if takes(adapter, field, tmp_path)}


def test_every_field_of_the_model_is_told_with_its_default():
    assert set(MODEL_FIELDS) == set(pipeline_tables.ModelTable.__struct_fields__)
    assert set(MODEL_FIELDS) == {"adapter", *VALUES}
    options = models.TransportOptions()
    told = {
        "timeout_s": f"{options.timeout_s:g}",
        "total_time_s": f"{options.total_time_s:g}",
        "transport_retries": str(options.retries),
        "max_tokens": f"`anthropic`: {DEFAULT_MAX_TOKENS:,}",
        "base_url": f"`anthropic`: `{DEFAULT_BASE_URL}`",
        "structured": f"`chat_completions`: `{models.ChatDialect().structured}`",
        "output_limit": f"`{models.ChatDialect().output_limit}`",
        "context_tokens": f"{models.LlamaCppModel.__init__.__kwdefaults__['context_tokens']:,}",
        "threads": str(models.LlamaCppModel.__init__.__kwdefaults__["threads"]),
    }
    for field, default in told.items():
        assert MODEL_FIELDS[field][2] == default, field
    assert options.max_response_bytes == 64 * 1024 * 1024


@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 422, 429, 500, 503, 529])
def test_the_statuses_that_are_sent_again_are_told(status):
    assert "408, 429, every 5xx" in section("## Budgets")
    assert status_failure(status).passing == (status in (408, 429) or status >= 500)


# --- policy, budgets, limits, names


def test_the_policy_is_told_with_its_defaults():
    told = {field: row[1].strip("`") for field, row in by_field(tables(section("## Policy"))[0]).items()}
    assert told == {name: getattr(DEFAULTS, name).value for name in Policy.__dataclass_fields__}
    assert set(told) == set(pipeline_tables.PolicyTable.__struct_fields__)
    for disposition in Disposition:
        assert f"`{disposition.value}`" in section("## Policy")


def test_every_outcome_is_told():
    rows = tables(section("## Outcomes"))[0]
    assert [words(row[0])[0] for row in rows] == [outcome.value for outcome in Outcome]
    for row, outcome in zip(rows, Outcome, strict=True):
        assert row[2].startswith("yes") == outcome.advances
        assert set(words(row[3])) <= set(Policy.__dataclass_fields__)


def test_the_budgets_are_told_with_their_defaults():
    told = {field: row[2] for field, row in by_field(tables(section("## Budgets"))[0]).items()}
    assert told == {
        "retries": str(ProducerBinding.__dataclass_fields__["retries"].default),
        "structure_repairs": str(StructuredOutput.of_schema.__kwdefaults__["structure_repairs"]),
        "execution_retries": str(ValidatorBinding.__dataclass_fields__["execution_retries"].default),
    }
    assert SINGLE_RESPONSE_V1 in section("## One attempt")


def test_the_limits_of_a_correction_are_told():
    numbers = [row[1] for row in tables(section("## What a model is told after a rejection"))[0]]
    assert numbers == [str(MAX_TEXT), str(len(clean_name("x" * 999))), str(MAX_DEFECTS), str(MAX_LISTED), "4,000"]
    assert MAX_CHARACTERS == 4_000
    assert len(Defect("x", "", "y" * 999).fact) == MAX_TEXT
    assert clean("a\u202eb") == "a\ufffdb"


@pytest.mark.parametrize(
    ("module", "names"),
    [
        (pipeline, pipeline.__all__),
        (promptkit, promptkit.__all__),
        (models, models.__all__),
        (
            testing,
            [
                name
                for name, item in vars(testing).items()
                if getattr(item, "__module__", "") == testing.__name__ and not name.startswith("_")
            ],
        ),
    ],
    ids=lambda item: getattr(item, "__name__", ""),
)
def test_every_public_name_is_told(module, names):
    rows = tables(section("## Names"))[0]
    module_of = ""
    told = []
    for row in rows:
        module_of = words(row[0])[0] if row[0] else module_of
        if module_of == module.__name__:
            told += words(row[1])
    assert sorted(told) == sorted(names)


def test_every_error_class_is_told():
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, errors.VeracordError):
            assert f"`{name}`" in section("## Names"), name


def test_every_exit_code_is_told():
    codes = {int(row[0]) for row in tables(section("## Exit codes", CLI))[0]}
    assert codes == {0, 3, 130, *errors.EXIT_CODES.values()}
