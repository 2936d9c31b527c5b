"""Validating, repairing, building and answering: what needs no store, over HTTP."""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.bootstrap.answer_lines import read_line
from veracord.bootstrap.composing import ProfileWish
from veracord.bootstrap.serving import ServedParts
from veracord.errors import VeracordError
from veracord.records.schemas import SchemaFile
from veracord.records.writing import write_json
from veracord.web.bodies import Body, media_type, read_body, read_json
from veracord.web.callers import Parts, Proposing
from veracord.web.documenting import describe
from veracord.web.replies import LINES, json_reply, lines_reply, text_reply

router = APIRouter(prefix="/v1")


def _wish_of(body: Body) -> ProfileWish:
    schemas = [
        SchemaFile(one["name"], one["content"], f"schemas/{number}")
        for number, one in enumerate(body.get("schemas") or ())
    ]
    return ProfileWish(body.get("profile"), tuple(schemas), tuple(map(tuple, body.get("identity") or ())))


@router.post("/validate", **describe("ValidationResult", form="Validation"))
async def validate(request: Request, parts: Parts, _asking: Proposing) -> Response:
    """Tell everything that is wrong with a record."""
    body = await read_json(request, "Validation")
    found = await parts.composing.validate(
        _wish_of(body), body.document("record"), with_values=body.get("show_values", False)
    )
    return json_reply(found)


@router.post("/repair", **describe("RepairResult", form="Repair"))
async def repair(request: Request, parts: Parts, _asking: Proposing) -> Response:
    """Fill what violates from evidence about the same product; suggestions of a model stand apart."""
    body = await read_json(request, "Repair")
    result = await parts.composing.repair(
        _wish_of(body),
        body.document("record"),
        body.get("evidence", []),
        origins=body.get("origins", {}),
        suggest=body.get("suggest", True),
    )
    return text_reply(result.encode())


@router.post("/synthesize", **describe("SynthesisResult", form="Synthesis", refusals=(502,)))
async def synthesize(request: Request, parts: Parts, _asking: Proposing) -> Response:
    """Build a whole record from a seed and evidence, or tell every reason why there is none."""
    body = await read_json(request, "Synthesis")
    result = await parts.composing.synthesize(
        _wish_of(body),
        body.document("seed"),
        body.get("evidence", []),
        origins=body.get("origins", {}),
        assemble=body.get("assemble", True),
    )
    return text_reply(result.encode())


@router.post("/answer", **describe("GroundedAnswer", form="Question", refusals=(502,)))
async def answer(request: Request, parts: Parts, _asking: Proposing) -> Response:
    """Answer a question about a product from evidence, or abstain."""
    body = await read_json(request, "Question")
    product = body.document("product") if "product" in body.members else None
    result = await parts.composing.answer(_wish_of(body), body.members["question"], body.get("evidence", []), product)
    return text_reply(result.encode())


@router.post("/check-answer", **describe("Judgement", form="AnswerToCheck", lines="AnswerToCheck", answers_lines=True))
async def check_answer(request: Request, parts: Parts, _asking: Proposing) -> Response:
    """Judge an answer that somebody made; a body of lines is answered in lines, each as soon as it is decided."""
    if media_type(request) == LINES:
        return lines_reply(_judged(parts, await read_body(request)))
    body = await read_json(request, "AnswerToCheck")
    return json_reply(await parts.composing.check_answer(body.members))


async def _judged(parts: ServedParts, data: bytes) -> AsyncIterator[bytes]:
    """Yield a line for each line; one that is bad gives an error in its place, and the rest goes on."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        line_id: Any = None
        try:
            question = read_line(line, f"line {number}", parts.composing.max_bytes)
            line_id = question.get("id")
            yield write_json(await parts.composing.check_answer(question))
        except VeracordError as error:
            told = {"code": error.code, "message": str(error).removeprefix(f"{error.code}: ")}
            yield write_json({"id": line_id, "error": told})
