"""How callers of a server bring records in: repaired from their evidence, with suggestions of theirs or our model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from veracord.bootstrap.composing import Composing
from veracord.composer.suggestions import Suggestion
from veracord.records.evidence import EvidencePack
from veracord.records.reading import Document
from veracord.review.importing import Import, Imported
from veracord.review.people import Caller
from veracord.review.requests import Once
from veracord.review.service import DecisionService
from veracord.review.suggestions import UNDECIDED, SuggestionFilter

#: What the status is where a model answered, or nothing was to be asked.
_ANSWERED: Final = ("ok", "none_needed")
_GIVEN: Final = "given"


@dataclass(frozen=True, slots=True)
class ServedImport:
    """A record as a caller brings it.

    Attributes:
        record_id: Its id.
        document: The record.
        profile: The name of its profile.
        evidence: Items of evidence.
        origins: Where its leaves come from, as they came with it.
        suggests: Whether our model may be asked.
        suggestions: What the caller's model suggests; then ours is not asked.
        model: The name of the caller's model.
        drops_decisions: Whether what was decided may be taken away.
    """

    record_id: str
    document: Document = field(repr=False)
    profile: str
    evidence: Sequence[Mapping[str, object]] = field(repr=False)
    origins: Mapping[str, str]
    suggests: bool = True
    suggestions: tuple[Suggestion, ...] | None = field(default=None, repr=False)
    model: str = ""
    drops_decisions: bool = False


class ServedImporting:
    """Brings records into the store of a server."""

    def __init__(self, service: DecisionService, composing: Composing) -> None:
        """Remember both."""
        self._service = service
        self._composing = composing

    async def bring_in(
        self, caller: Caller, asked: ServedImport, *, request_id: str, once: Once | None
    ) -> tuple[Imported, int, str]:
        """Bring a record in; return what came of it, what waits now, and how asking for suggestions went.

        Raises:
            VeracordError: It is refused, or the store fails.
        """
        ref = self._composing.profiles.ref(asked.profile)
        pack = EvidencePack.from_items(asked.evidence)
        suggestions, model, status = asked.suggestions, asked.model, _GIVEN
        if suggestions is None:
            suggestions, status = await self._suggested(ref, pack, asked)
            model = self._composing.model_name if suggestions else ""
        wanted = Import(
            asked.record_id,
            ref,
            asked.document,
            pack,
            origins=asked.origins,
            suggestions=suggestions,
            model=model,
            drops_decisions=asked.drops_decisions,
        )
        imported = await self._service.import_record(caller, wanted, request_id=request_id, once=once)
        waiting = await self._service.list_suggestions(SuggestionFilter(asked.record_id, status=UNDECIDED), limit=1)
        return imported, waiting.total, status

    async def _suggested(
        self, ref: str, pack: EvidencePack, asked: ServedImport
    ) -> tuple[tuple[Suggestion, ...] | None, str]:
        composing = self._composing
        if not asked.suggests or not composing.asks:
            return None, "off"
        if composing.model is None:
            return None, "no_model"
        composer = composing.composer(composing.profiles.load(ref))
        result = await composing.do(composer.repair(asked.document, pack, origins=dict(asked.origins)))
        status = result.suggestions_status
        return (result.suggestions if status in _ANSWERED else None), status
