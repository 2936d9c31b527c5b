"""What forms of the page say, and what is told of a form that was refused: beside the field that can mend it."""

from collections.abc import Mapping
from typing import Final

from veracord.errors import InputError, VeracordError
from veracord.records.evidence import EvidenceItem, EvidencePack
from veracord.records.reading import read_value
from veracord.records.values import JsonValue, digest
from veracord.review.requests import Once
from veracord.review.written import MOST_RANK, check_source, is_said
from veracord.web.bodies import check_form
from veracord.web.forms import CSRF_FIELD, Form
from veracord.web.page_cards import Refused
from veracord.web.page_texts import sentences
from veracord.web.problems import Problem, problem_of

_BODY: Final = "invalid_body"
#: What the API calls a field otherwise than the form.
_NAMES: Final = {"code": "reason_code", "id": "evidence_id", "content": "document", "text": "document"}
#: How a message begins that says something of what it is about.
_PREDICATES: Final = ("is ", "has ", "does ", "must ")
#: What a field must be, where it has not its form.
_SHAPES: Final[Mapping[str, str]] = {
    "second_person": "Write each place like /materials/*/share_pct, one a line.",
    "document_digest": "A digest is sha256: and 64 hexadecimal digits.",
    "evidence_id": "A name holds no control characters.",
    "seen": "The form does not say what was seen. Load the page again.",
}
_KINDS: Final = ("text", "json")
#: Fields that an act cannot do without, and what is said where one is empty.
_NEEDED: Final[Mapping[str, Mapping[str, str]]] = {
    "accept": {"reason": "Say why: it is not accepted without a reason."},
    "edit": {"reason": "Say why: it is not accepted without a reason."},
    "reject": {"reason_code": "Choose why it is rejected."},
    "bulk": {"reason_code": "Choose why they are rejected."},
    "undo": {"reason": "Say why you take it back."},
    "declare": {
        "page": "Say where in the document it stands.",
        "quote": "Give the words that say so.",
        "reason": "Say why you declare it.",
    },
}
#: The field that a refusal is about, where the form has it.
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "reason_unknown": ("reason_code",),
    "value_invalid": ("value", "evidence_id"),
    "value_form": ("value",),
    "kind_missing": ("kind",),
    "document_mismatch": ("document",),
    "document_digest": ("document_digest",),
    "quote_not_found": ("quote",),
    "invalid_evidence": ("document",),
    "evidence_rank": ("rank",),
    "evidence_name": ("evidence_id",),
    "evidence_content": ("document",),
    "already_attached": ("evidence_id",),
}


def check_said(act: str, said: Mapping[str, JsonValue]) -> None:
    """Make sure that a form says nothing that the API would refuse: both have the same limits and the same codes.

    Raises:
        InputError: ``invalid_body``.
    """
    told: JsonValue = {"act": act, **said}
    check_form(told, "".join(part.capitalize() for part in act.split("_")))


def read_typed(form: Form) -> JsonValue:
    """Return the value that was typed in: a text as it is, or JSON.

    Raises:
        InputError: ``kind_missing``: which of both was not said; ``value_form``: it is no JSON.
    """
    kind, text = form.text("kind"), form.text("value").replace("\r\n", "\n")
    if kind not in _KINDS:
        raise InputError("say whether it is a text or not", remedy="choose", code="kind_missing")
    if kind == "text":
        return text
    try:
        return read_value(text.encode(errors="surrogatepass"))
    except InputError as error:
        raise InputError(
            f"this is no JSON: {error.what}", remedy='write 5.0, true, ["a", "b"], or choose a text', code="value_form"
        ) from None


def read_source(form: Form) -> EvidenceItem:
    """Return the evidence that a form attaches: JSON where the file begins like an object, else a text.

    Raises:
        InputError: It is none; the code says what is wrong.
    """
    name, data, rank = form.text("evidence_id").strip(" "), form.files.get("document", b""), form.text("rank").strip()
    if not name:
        raise InputError("give the source a name", code="evidence_name")
    if not data:
        raise InputError("choose a file", code="invalid_evidence")
    told: dict[str, object] = {"id": name, **({"rank": _rank(rank)} if rank else {})}
    try:
        told |= {"content": read_value(data)} if data.lstrip()[:1] in (b"{", b"[") else {"text": data.decode()}
        (item,) = EvidencePack.from_items([told]).items
    except (InputError, UnicodeDecodeError) as error:
        why = error.what if isinstance(error, InputError) else "it is no text in UTF-8"
        raise InputError(f"the file cannot be used: {why}", code="invalid_evidence") from None
    check_source(item)
    # The reference is that of the file, as if it had been read at an import.
    return EvidenceItem(
        id=item.id, content=item.content, text=item.text, rank=item.rank, read_digest=digest(data), where="upload"
    )


def _rank(text: str) -> int:
    """Return a rank that was typed in; too many digits to be one are not read."""
    if text.isascii() and text.isdigit():
        return int(text[: len(str(MOST_RANK)) + 1]) or MOST_RANK + 1
    return MOST_RANK + 1


def once_of(path: str, form: Form) -> Once | None:
    """Return what makes a form that is sent twice one request; None where it has no name.

    Raises:
        InputError: ``idempotency_key``: the name is none.
    """
    key = form.text("once")
    if not key:
        return None
    texts = [f"{name}={text}" for name, text in sorted(form.texts.items()) if name not in (CSRF_FIELD, "once")]
    return Once.of(key, path, *texts, *(digest(data) for _, data in sorted(form.files.items())))


def refused_of(act: str, form: Form, error: VeracordError) -> tuple[Problem, Refused]:
    """Return a refusal as a problem, and as what the form shows of it."""
    problem = problem_of(error)
    texts = dict(form.texts)
    change = problem.more.get("change") if problem.code == "changed_underneath" else None
    if problem.code == "reason_missing":
        errors = {name: words for name, words in _NEEDED.get(act, {}).items() if not is_said(form.text(name))}
        if errors:
            return problem, Refused(act, texts, errors)
    if problem.code == _BODY:
        return problem, _refused_field(act, form, problem)
    for name in _FIELDS.get(problem.code, ()):
        if name in form.texts or name in form.files:
            return problem, Refused(act, texts, {name: problem_words(problem)})
    return problem, Refused(act, texts, alert="" if change else problem_words(problem), change=change)


def _refused_field(act: str, form: Form, problem: Problem) -> Refused:
    """Return what is told of something that is too long, or not what it must be, at its field."""
    place = problem.where.rpartition("/")[2] if problem.where.startswith("/evidence/") else problem.where.strip("/")
    name = _NAMES.get(place, place.partition("/")[0])
    rows = problem.more.get("violations") or [{"message": problem.detail}]
    message = str(rows[0]["message"])
    if "pattern" in message:
        words = _SHAPES.get(name, "It holds a character that cannot be kept.")
    else:
        words = sentences(f"it {message}" if message.startswith(_PREDICATES) else message)
    if name in form.texts or name in form.files:
        return Refused(act, dict(form.texts), {name: words})
    return Refused(act, dict(form.texts), alert=words)


def problem_words(problem: Problem) -> str:
    """Return a problem as a sentence or two."""
    return sentences(problem.detail, problem.remedy)
