"""Answers to judge, one JSON object each, as `check-answer` reads them."""

from collections.abc import Mapping
from typing import Any, Final

from veracord.errors import InputError
from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack
from veracord.records.reading import MAX_DEPTH, read_value
from veracord.records.values import JsonValue

#: A line holds evidence, which holds records: three levels above each.
_LEVELS: Final = MAX_DEPTH + 3


def read_line(data: bytes, where: str, max_bytes: int) -> Mapping[str, JsonValue]:
    """Return what a line says.

    Raises:
        InputError: It is no strict JSON, or no object.
    """
    value = read_value(data, where=where, max_bytes=max_bytes, max_levels=_LEVELS)
    if not isinstance(value, dict):
        raise _bad("the line is not a JSON object", "write {id, evidence, answer} in each line")
    return value


def judge_line(verifier: Verifier, question: Mapping[str, JsonValue]) -> dict[str, Any]:
    """Judge the answer of one line.

    Raises:
        InputError: The line is not what it must be.
    """
    if not isinstance(question.get("id"), (str, int)) or isinstance(question.get("id"), bool):
        raise _bad("the line has no id", "give it a text as id")
    answer, evidence, claims = question.get("answer"), question.get("evidence"), question.get("claims")
    if not isinstance(answer, str):
        raise _bad("the line has no answer that is a text", "give the answer with its citation markers")
    if not isinstance(evidence, list) or not all(isinstance(item, dict) for item in evidence):
        raise _bad("evidence is not a list of items", "give items {id, text} or {id, content}")
    texts = _texts(claims) if "claims" in question else None
    items = EvidencePack.from_items(item for item in evidence if isinstance(item, dict)).items
    return verifier.check(answer, verifier.view(items), claims=texts).to_dict()


def _texts(claims: JsonValue) -> list[str]:
    if not isinstance(claims, list):
        raise _bad("claims is not a list of texts", "give texts, or leave claims out")
    texts = [claim for claim in claims if isinstance(claim, str)]
    if len(texts) < len(claims):
        raise _bad("claims is not a list of texts", "give texts, or leave claims out")
    return texts


def _bad(what: str, remedy: str) -> InputError:
    return InputError(what, remedy=remedy, code="invalid_line")
