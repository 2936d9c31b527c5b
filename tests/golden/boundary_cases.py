"""Runs what is said to a model and what comes of its answer: the golden cases of `boundary`.

A case is a file of ``boundary/cases``; its answers are the cassette of the same name.  It holds

* ``why``, and ``kind``: ``suggestions`` (a repair, then one question), ``synthesis``, ``question`` (about a product),
  or ``answer`` (a pipeline of one producer with a prompt and a form of its own);
* ``model``: ``scripted``, with ``answers`` that were written for the case, or ``smollm2``, whose answers are as they
  came.  An answer is a text, ``{"says": JSON}``, or ``{"text", "finish"}``;
* what it is about: ``profile``, ``record`` or ``seed``, ``evidence``, and by kind ``rejected`` (path and value of
  suggestions that a reviewer refused), ``assemble``, ``question``, ``settings``, ``prompt``, ``form``, ``unit``;
* ``expect``: all that comes of it, as `run` tells it, looked through against the answer and the specification.
"""

import json
from decimal import Decimal
from importlib.resources import files

from tests.golden.runner import GOLDEN, load_profile
from veracord import AnswerSettings, EvidencePack, Profile, RecordComposer
from veracord.composer.ledgers import entries_of
from veracord.errors import ModelError, RecordGenerationError
from veracord.pipeline import Pipeline, ProducerBinding, Unit, ValidatorBinding
from veracord.ports import Finish, Response, Usage
from veracord.promptkit import Prompt, StructuredOutput, StructuredProducer
from veracord.records.reading import read_value
from veracord.records.writing import write_json
from veracord.testing import MemoryLedger

BOUNDARY = GOLDEN / "boundary"

#: The bundled prompts that each kind of case sends.
PROMPTS_OF = {
    "suggestions": ("structured_suggestions", "suggest"),
    "synthesis": ("structured", "synthesize"),
    "answer": ("structured",),
    "question": ("structured", "draft"),
}
#: And those that a question sends where they were chosen.
PROMPTS_CHOSEN = {"decomposes": "decompose", "supports": "support"}
_KEYS = [["/product/id"], ["/product/brand", "/product/model"]]


class Case:
    """A case, by its name."""

    def __init__(self, name):
        self.name = name
        self.content = json.loads((BOUNDARY / "cases" / f"{name}.json").read_text("utf-8"), parse_float=Decimal)
        self.kind = self.content["kind"]
        self.expect = self.content["expect"]
        self.cassette = BOUNDARY / "cassettes" / f"{name}.jsonl"

    def __repr__(self):
        return self.name

    @property
    def prompts(self):
        """The bundled prompts that it sends: the rules, then those that ask."""
        chosen = [PROMPTS_CHOSEN[name] for name, value in self.content.get("settings", {}).items() if value is True]
        return [*PROMPTS_OF[self.kind], *chosen]

    @property
    def profile(self):
        name = self.content["profile"]
        if name == "bare":
            return Profile.from_schema([str(files("veracord") / "bundled" / "eu-dpp-demo.schema.json")], _KEYS)
        return load_profile(name if name == "eu-dpp-demo" else GOLDEN / "profiles" / f"{name}.toml")

    @property
    def pack(self):
        return EvidencePack.from_items(self.content["evidence"])

    @property
    def answers(self):
        """What the case has the model answer."""
        return [_answer(told) for told in self.content["answers"]]


def all_cases():
    return [Case(path.stem) for path in sorted((BOUNDARY / "cases").glob("*.json"))]


class Counted:
    """A model that counts what it is asked."""

    def __init__(self, model):
        self._model = model
        self.requests = 0

    @property
    def settings(self):
        return self._model.settings

    async def complete(self, request):
        self.requests += 1
        return await self._model.complete(request)

    async def aclose(self):
        await self._model.aclose()


def run(case, model):
    """Return all that comes of a case with a model, as JSON values."""
    counted = Counted(model)
    kinds = {"suggestions": _suggestions, "synthesis": _synthesis, "answer": _answered, "question": _question}
    told = kinds[case.kind](case, counted)
    return {**json.loads(write_json(told), parse_float=Decimal), "requests": counted.requests}


def _suggestions(case, model):
    ledger = None
    record, profile = case.content["record"], case.profile
    if "rejected" in case.content:
        ledger = MemoryLedger()
        for row in case.content["rejected"]:
            ledger.rejected_entries |= dict.fromkeys(entries_of(profile, record, row["path"], row["value"]))
    with RecordComposer(profile, model, ledger=ledger) as composer:
        result = composer.repair(record, case.pack)
    plain = RecordComposer(profile).repair(record, case.pack).to_dict()
    told = result.to_dict()
    guessed = {name: told[name] for name in ("suggestions_status", "suggestions", "suppressed")}
    assert {**told, **dict.fromkeys(guessed)} == {**plain, **dict.fromkeys(guessed)}
    return {
        "status": guessed["suggestions_status"],
        "suggestions": guessed["suggestions"],
        "suppressed": guessed["suppressed"],
        "open": [row.path for row in result.unresolved],
    }


def _synthesis(case, model):
    with RecordComposer(case.profile, model) as composer:
        try:
            result = composer.synthesize(case.content["seed"], case.pack, assemble=case.content["assemble"])
        except RecordGenerationError as error:
            rows = [[row["path"], row["rule"], row["message"]] for row in error.details["violations"]]
            return {"status": "raised", "code": error.code, "violations": rows}
        except ModelError as error:
            return {"status": "failed", "error": type(error).__name__, "code": error.code}
    support = {row.path: f"{row.evidence_id} {row.source_pointer}" for row in result.support}
    return {"status": "accepted", "method": result.method, "record": result.record, "support": support}


def _question(case, model):
    settings = AnswerSettings(**case.content.get("settings", {}))
    with RecordComposer(Profile.of_anything(), model) as composer:
        result = composer.answer(case.content["question"], case.pack, settings=settings)
    if not result.is_answered:
        return {"status": "abstained", "code": result.code.value}
    cited = [f"{c.evidence_id} {c.pointer if c.span is None else list(c.span)}" for c in result.citations]
    return {"status": "answered", "path": result.path, "text": result.text, "cited": cited}


def _answered(case, model):
    form = StructuredOutput.of_schema(case.content["form"], structure_repairs=0)
    prompt = Prompt("question", 1, "asks a question", ("input",), case.content["prompt"])
    checks = [ValidatorBinding("stated", _unstated)]
    with Pipeline([ProducerBinding("answer", StructuredProducer(model, prompt, form), checks, retries=1)]) as pipeline:
        result = pipeline.run_unit(Unit("unit", case.content["unit"]))
    return {"status": result.outcome.value, "code": result.code, "value": result.value}


def _unstated(value, unit):
    """Tell which texts of an answer do not stand in the note."""
    return [
        f"{name}: the note does not say this"
        for name, text in value.items()
        if isinstance(text, str) and text not in unit.value["note"]
    ]


def _answer(told):
    if isinstance(told, str):
        return told
    if "says" in told:
        return write_json(told["says"]).decode()
    usage = Usage(requests=1, unmetered=1)
    return Response(told["text"], Finish(told["finish"]), usage=usage)


def requests_on(cassette):
    """Return what was asked, as it stands on a cassette, in no order."""
    lines = [read_value(line) for line in cassette.read_bytes().splitlines()[1:]]
    return [line["request"] for line in lines]
