"""How records come into a store: which profile, which evidence, and who is asked for suggestions."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from veracord.bootstrap.choices import Choices, load_evidence, load_profile, unread_files
from veracord.bootstrap.composers import load_model
from veracord.bootstrap.reviews import ReviewDesk
from veracord.composer.record_composer import AsyncRecordComposer
from veracord.composer.suggestions import Suggestion
from veracord.errors import ConfigurationError
from veracord.records.reading import Document
from veracord.review.importing import Import, Imported
from veracord.review.suggestions import UNDECIDED, SuggestionFilter

#: What the status is where a model answered, or nothing was to be asked.
_ANSWERED: Final = ("ok", "none_needed")


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What came of bringing a record in.

    Attributes:
        imported: What the service says.
        waiting: How many suggestions for it wait for a decision.
        suggestions_status: How asking for suggestions went; see `RepairResult`.
    """

    imported: Imported
    waiting: int
    suggestions_status: str


class Importer:
    """Brings records into a store.

    Attributes:
        unread_files: Files of the evidence folders that are no evidence.
    """

    def __init__(self, choices: Choices, *, drops_decisions: bool = False) -> None:
        """Load profile and evidence, and make the model; no store is touched yet.

        Args:
            choices: What the user chose.
            drops_decisions: Whether an import may take away what was decided about a record that is known.

        Raises:
            VeracordError: One of them cannot be used.
        """
        if choices.profile is None:
            raise ConfigurationError("no profile was given", remedy="give --profile NAME", code="usage")
        self._profile = load_profile(choices)
        # The profile is loaded again whenever something is decided, from whatever folder.
        path = Path(choices.profile)
        self._ref = str(path.resolve()) if path.suffix == ".toml" else choices.profile
        self._evidence = load_evidence(choices)
        self._model = load_model(choices)
        self._status = "no_model" if choices.asks else "off"
        self._model_name = "" if self._model is None else str(self._model.settings.get("name", ""))
        self._composer: AsyncRecordComposer | None = None
        self._drops_decisions = drops_decisions
        self.unread_files = unread_files(choices)

    def bring_in(self, desk: ReviewDesk, record_id: str, document: Document, origins: Mapping[str, str]) -> BroughtIn:
        """Keep a record, repair it, and keep what is suggested for the rest.

        Raises:
            VeracordError: It is refused, or the store fails.
        """
        return desk.run(self._bring_in(desk, record_id, document, origins))

    async def _bring_in(
        self, desk: ReviewDesk, record_id: str, document: Document, origins: Mapping[str, str]
    ) -> BroughtIn:
        suggestions: tuple[Suggestion, ...] | None = None
        status = self._status
        if self._model is not None:
            self._composer = self._composer or AsyncRecordComposer(self._profile, self._model, ledger=desk.ledger)
            result = await self._composer.repair(document, self._evidence, origins=origins)
            status = result.suggestions_status
            suggestions = result.suggestions if status in _ANSWERED else None
        asked = Import(
            record_id,
            self._ref,
            document,
            self._evidence,
            origins=origins,
            suggestions=suggestions,
            model=self._model_name if suggestions else "",
            drops_decisions=self._drops_decisions,
        )
        imported = await desk.service.import_record(desk.person, asked)
        waiting = await desk.service.list_suggestions(SuggestionFilter(record_id, status=UNDECIDED), limit=1)
        return BroughtIn(imported, waiting.total, status)

    def close(self, desk: ReviewDesk) -> None:
        """Close the model."""
        if self._composer is not None:
            desk.run(self._composer.aclose())
