"""What comes of a question: an answer, each sentence of which links to its evidence, or an abstention with its reason.

Both are values, and both can be written as JSON.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from veracord.answers.codes import REASONS, AbstentionCode
from veracord.records.values import JsonObject, JsonValue
from veracord.records.writing import write_json

SCHEMA_VERSION: Final = 1

#: Who made the text of an answer.
Path = Literal["model", "hints"]


class Citation(NamedTuple):
    """One place of the evidence that a claim rests on.

    Attributes:
        evidence_id: The item.
        evidence_ref: The reference that resolves to its very content.
        pointer: Where it stands in a structured item; None in a text.
        span: Where it stands in a text, in characters; None in a structured item, and where a whole item is cited.
    """

    evidence_id: str
    evidence_ref: str
    pointer: str | None = None
    span: tuple[int, int] | None = None

    def to_dict(self) -> JsonObject:
        """Return it as JSON."""
        return {
            "evidence_id": self.evidence_id,
            "evidence_ref": self.evidence_ref,
            "pointer": self.pointer,
            "span": None if self.span is None else list(self.span),
        }


@dataclass(frozen=True)
class AnswerClaim:
    """One claim of an answer.

    Attributes:
        text: The claim, without markers.
        span: The part of the answer that it stands for.
        citations: What supports it.
        gates: The outcome of each gate: its name, the outcome, and a code that says more.
    """

    text: str
    span: tuple[int, int] | None
    citations: tuple[Citation, ...]
    gates: tuple[tuple[str, str, str], ...]

    def to_dict(self) -> JsonObject:
        """Return it as JSON."""
        return {
            "text": self.text,
            "span": None if self.span is None else list(self.span),
            "citations": [citation.to_dict() for citation in self.citations],
            "gates": [{"gate": gate, "outcome": outcome, "detail": detail} for gate, outcome, detail in self.gates],
        }


@dataclass(frozen=True)
class GroundedAnswer:
    """An answer that passed the verifier.

    Attributes:
        text: It, with a marker such as [e1] behind what each item supports.
        claims: Its claims, in order.
        path: Who made the text: a model, or hints out of the evidence.
        coverage: Always "complete": the claims own all that it says.
        profile: ``name@version``, or None where there was no profile.
        requests: How many requests a model was sent.
        tool: Name and version of this package.
    """

    text: str
    claims: tuple[AnswerClaim, ...]
    path: Path
    coverage: str = "complete"
    profile: str | None = None
    requests: int = 0
    tool: str = "veracord"

    @property
    def is_answered(self) -> bool:
        """True: there is an answer."""
        return True

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The citations of all claims, each once."""
        return tuple(dict.fromkeys(citation for claim in self.claims for citation in claim.citations))

    @property
    def evidence_refs(self) -> dict[str, str]:
        """The reference of each item that is cited, by id."""
        return {citation.evidence_id: citation.evidence_ref for citation in self.citations}

    @property
    def gates(self) -> dict[str, str]:
        """The outcome of each gate over all claims: "passed" where it applied to any."""
        found: dict[str, str] = {}
        for claim in self.claims:
            for gate, outcome, _ in claim.gates:
                found[gate] = "passed" if "passed" in (outcome, found.get(gate)) else outcome
        return found

    def to_dict(self) -> JsonObject:
        """Return it as JSON values."""
        refs: JsonObject = dict(self.evidence_refs)
        gates: JsonObject = dict(self.gates)
        return {
            **_head("answer", self.tool, self.profile),
            "path": self.path,
            "text": self.text,
            "claims": [claim.to_dict() for claim in self.claims],
            "citations": [citation.to_dict() for citation in self.citations],
            "evidence_refs": refs,
            "coverage": self.coverage,
            "gates": gates,
        }

    def encode(self) -> bytes:
        """Return it as JSON in UTF-8."""
        return write_json(self.to_dict())


@dataclass(frozen=True)
class Abstention:
    """That a question is not answered, and why.

    Attributes:
        code: Why.
        looked_for: The words that a field was looked for by, cleaned.
        nearest_ids: The items of the evidence that come nearest to the question, the nearest first.
        detail: A word of ours that says more, or None.
        profile: ``name@version``, or None where there was no profile.
        requests: How many requests a model was sent.
        tool: Name and version of this package.
    """

    code: AbstentionCode
    looked_for: tuple[str, ...] = ()
    nearest_ids: tuple[str, ...] = ()
    detail: str | None = None
    profile: str | None = None
    requests: int = 0
    tool: str = "veracord"

    @property
    def is_answered(self) -> bool:
        """False: there is no answer."""
        return False

    @property
    def reason(self) -> str:
        """Why, as a sentence without a stop."""
        return REASONS[self.code]

    def to_dict(self) -> JsonObject:
        """Return it as JSON values."""
        looked_for: list[JsonValue] = list(self.looked_for)
        nearest: list[JsonValue] = list(self.nearest_ids)
        return {
            **_head("abstention", self.tool, self.profile),
            "code": self.code.value,
            "reason": self.reason,
            "detail": self.detail,
            "looked_for": looked_for,
            "nearest_ids": nearest,
        }

    def encode(self) -> bytes:
        """Return it as JSON in UTF-8."""
        return write_json(self.to_dict())


Answered: TypeAlias = GroundedAnswer | Abstention


def _head(kind: str, tool: str, profile: str | None) -> JsonObject:
    return {"schema_version": SCHEMA_VERSION, "tool": tool, "kind": kind, "profile": profile}


def answered_of(value: JsonObject, requests: int) -> Answered:
    """Return the result that a JSON value of `to_dict` stands for."""
    profile = value["profile"]
    label = profile if isinstance(profile, str) else None
    if value["kind"] == "abstention":
        detail = value["detail"]
        return Abstention(
            code=AbstentionCode(str(value["code"])),
            looked_for=tuple(map(str, _rows(value["looked_for"]))),
            nearest_ids=tuple(map(str, _rows(value["nearest_ids"]))),
            detail=detail if isinstance(detail, str) else None,
            profile=label,
            requests=requests,
            tool=str(value["tool"]),
        )
    return GroundedAnswer(
        text=str(value["text"]),
        claims=tuple(_claim(row) for row in _rows(value["claims"])),
        path="hints" if value["path"] == "hints" else "model",
        coverage=str(value["coverage"]),
        profile=label,
        requests=requests,
        tool=str(value["tool"]),
    )


def _rows(value: JsonValue) -> list[Any]:
    return value if isinstance(value, list) else []


def _claim(row: dict[str, Any]) -> AnswerClaim:
    return AnswerClaim(
        text=row["text"],
        span=_span(row["span"]),
        citations=tuple(
            Citation(told["evidence_id"], told["evidence_ref"], told["pointer"], _span(told["span"]))
            for told in row["citations"]
        ),
        gates=tuple((told["gate"], told["outcome"], told["detail"]) for told in row["gates"]),
    )


def _span(value: list[int] | None) -> tuple[int, int] | None:
    return None if value is None else (int(value[0]), int(value[1]))
