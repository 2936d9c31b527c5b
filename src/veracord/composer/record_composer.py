"""The composer of records: what a caller holds, for plain code and for coroutines.

It owns an order and no rule: grounded fills first, looked up without any model; then, for what stays open, one
question to a model, whose answer goes into a collection of its own.  A model that fails changes nothing of the repair.

Source: ADR 0011; records.md sections 4 to 6; answers.md section 5.
"""

import weakref
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from veracord.composer.repair import document_of, repair_record
from veracord.composer.results import RepairResult
from veracord.records.evidence import EvidencePack
from veracord.records.matching import EvidenceIndex
from veracord.records.profiles import Profile
from veracord.records.reading import Document
from veracord.records.values import JsonObject

if TYPE_CHECKING:
    from veracord.answers.results import Abstention, GroundedAnswer
    from veracord.answers.settings import AnswerSettings
    from veracord.answers.sources import AnswerSetting
    from veracord.composer.ledgers import Ledger
    from veracord.composer.suggesting import Suggester
    from veracord.composer.synthesis_results import SynthesisResult
    from veracord.pipeline.blocking import LoopThread
    from veracord.ports import Model


class AsyncRecordComposer:
    """A composer for coroutines; see `RecordComposer`."""

    def __init__(self, profile: Profile, model: "Model | None" = None, *, ledger: "Ledger | None" = None) -> None:
        """Remember the parts; see `RecordComposer`."""
        self.profile = profile
        self._model = model
        self._ledger = ledger
        self._suggester: Suggester | None = None

    async def repair(
        self,
        record: JsonObject | Document,
        pack: EvidencePack,
        *,
        suggest_from_training: bool = True,
        origins: Mapping[str, str] | None = None,
    ) -> RepairResult:
        """Fill what violates from evidence; see `RecordComposer.repair`."""
        document = document_of(record)
        told, evidence = await self._marked(document, pack, origins or {})
        result = repair_record(self.profile, document, evidence, told)
        if not suggest_from_training:
            return replace(result, suggestions_status="off")
        return await self.suggest(result) if self.asks_about(result) else result

    async def synthesize(
        self,
        seed: JsonObject | Document,
        pack: EvidencePack,
        *,
        assemble: bool = True,
        origins: Mapping[str, str] | None = None,
    ) -> "SynthesisResult":
        """Build a whole record for the product of a seed; see `RecordComposer.synthesize`."""
        from veracord.composer.synthesis import synthesize_record  # noqa: PLC0415 - it loads the pipeline

        document = document_of(seed)
        told, evidence = await self._marked(document, pack, origins or {})
        return await synthesize_record(
            self.profile, self._model, document, evidence, assemble=assemble, origins=dict(told)
        )

    async def answer(
        self,
        question: str,
        pack: EvidencePack,
        product: JsonObject | Document | None = None,
        *,
        settings: "AnswerSettings | None" = None,
    ) -> "GroundedAnswer | Abstention":
        """Answer a question about a product; see `RecordComposer.answer`."""
        from veracord.answers.answering import answer_at_once, answer_question  # noqa: PLC0415 - it loads the pipeline

        setting = self.answer_setting(pack, settings)
        record = None if product is None else document_of(product).value
        if self._model is None:
            marked = pack if setting.marking is None else await setting.marking(pack)
            return answer_at_once(replace(setting, pack=marked), question, record)
        return await answer_question(setting, self._model, question, record)

    async def _marked(
        self, document: Document, pack: EvidencePack, origins: Mapping[str, str]
    ) -> tuple[Mapping[str, str], EvidencePack | EvidenceIndex]:
        """Return the origins of a record, and its evidence, with what the ledger knows for a guess marked."""
        if self._ledger is None:
            return origins, pack
        from veracord.composer.laundering import mark  # noqa: PLC0415 - only who has a ledger needs it

        return await mark(self._ledger, self.profile, document, pack, origins)

    def answer_setting(self, pack: EvidencePack, settings: "AnswerSettings | None" = None) -> "AnswerSetting":
        """Return what questions are answered from."""
        from veracord.composer.answer_settings import answer_setting  # noqa: PLC0415 - only who asks pays for it

        return answer_setting(self.profile, pack, self._ledger, settings)

    @property
    def has_model(self) -> bool:
        """Whether there is somebody to ask."""
        return self._model is not None

    def asks_about(self, result: RepairResult) -> bool:
        """Whether there is a model, and something that it could be asked for."""
        return self._model is not None and bool(result.unresolved)

    async def suggest(self, result: RepairResult) -> RepairResult:
        """Ask the model for what a repair left open; the rest of the result stays as it is.

        Args:
            result: A repair that `asks_about` says there is something to ask about.

        Raises:
            RunInterruptedError: A limit on cost was reached.
        """
        if self._suggester is None:
            from veracord.composer.suggesting import Suggester  # noqa: PLC0415 - it loads the pipeline

            assert self._model is not None  # noqa: S101 - asks_about says so
            self._suggester = Suggester(self.profile, self._model)
        if self._ledger is None:
            return (await self._suggester.suggest(result)).result
        from veracord.composer.laundering import (  # noqa: PLC0415 - only who has a ledger needs it
            issue_suggestions,
            rejected_suggestions,
        )

        is_rejected = await rejected_suggestions(self._ledger, self.profile, result.record)
        asked = await self._suggester.suggest(result, is_rejected)
        # Entered before anybody can see them: what is shown once may be pasted back at any time.
        await issue_suggestions(self._ledger, self.profile, asked.result)
        return asked.result

    async def aclose(self) -> None:
        """Close the model; it opens itself again when it is asked again."""
        # One of somebody's own may hold nothing that could be closed.
        close = getattr(self._model, "aclose", None)
        if close is not None:
            await close()

    async def __aenter__(self) -> Self:
        """Return the composer."""
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Close it; see `aclose`."""
        await self.aclose()


class RecordComposer:
    """Completes records of one profile.

    Attributes:
        profile: What the records must be.
        aio: The same for coroutines.
    """

    def __init__(self, profile: Profile, model: "Model | None" = None, *, ledger: "Ledger | None" = None) -> None:
        """Remember the parts; nothing is opened yet.

        Args:
            profile: What the records must be.
            model: Who is asked for suggestions, and for what a synthesis cannot assemble; fills need none.
            ledger: Where suggestions are entered, so that one that comes back is known for what it is.
        """
        self.profile = profile
        self.aio = AsyncRecordComposer(profile, model, ledger=ledger)
        self._has_ledger = ledger is not None
        self._loop: LoopThread | None = None

    def repair(
        self,
        record: JsonObject | Document,
        pack: EvidencePack,
        *,
        suggest_from_training: bool = True,
        origins: Mapping[str, str] | None = None,
    ) -> RepairResult:
        """Fill what violates from evidence about the same product, exactly, and say why the rest stays.

        Args:
            record: The record; numbers may be int, float or Decimal.  It is not changed.  A `Document` keeps the
                text it was read from.
            pack: The evidence.
            suggest_from_training: Whether a model may propose values for what stays; without a model nothing does.
            origins: Origins of the record's leaves, by pointer, as they came with it.

        Returns:
            The repaired record with its fills, and every violation that stays with its outcome.  Suggestions are
            apart; a model that fails is told by `suggestions_status` alone.

        Raises:
            InputError: The record is no JSON object, or beyond the limits of the strict reader.
            RunInterruptedError: A limit on cost was reached before the model was asked.
        """
        if self._has_ledger:
            coroutine = self.aio.repair(record, pack, suggest_from_training=suggest_from_training, origins=origins)
            return self._waiting().run(coroutine)
        result = repair_record(self.profile, document_of(record), pack, origins)
        if not suggest_from_training:
            return replace(result, suggestions_status="off")
        return self._waiting().run(self.aio.suggest(result)) if self.aio.asks_about(result) else result

    def synthesize(
        self,
        seed: JsonObject | Document,
        pack: EvidencePack,
        *,
        assemble: bool = True,
        origins: Mapping[str, str] | None = None,
    ) -> "SynthesisResult":
        """Build a whole record for the product of a seed, every leaf of it from the seed or from evidence.

        Args:
            seed: What is known of the record; it says which product it is, and all of it survives unchanged.
            pack: The evidence.
            assemble: Whether the record is first put together without a model, which is then asked for less or not
                at all.
            origins: Origins of the seed's leaves, by pointer, as they came with it.

        Returns:
            The record, with the source of each leaf.

        Raises:
            RecordGenerationError: There is no such record; its details name every path with the reason.
            InputError: The seed is no JSON object, or beyond the limits of the strict reader.
            ModelError: The model refused, was cut off, or could not be reached.
            RunInterruptedError: A limit on cost was reached.
        """
        document = document_of(seed)
        if assemble and not self._has_ledger:
            from veracord.composer.synthesis import assembled_record  # noqa: PLC0415 - it loads the pipeline

            result = assembled_record(self.profile, document, pack, origins)
            if result is not None:
                return result
        return self._waiting().run(self.aio.synthesize(document, pack, assemble=assemble, origins=origins))

    def answer(
        self,
        question: str,
        pack: EvidencePack,
        product: JsonObject | Document | None = None,
        *,
        settings: "AnswerSettings | None" = None,
    ) -> "GroundedAnswer | Abstention":
        """Answer a question about a product, every claim of it supported by evidence that it cites, or abstain.

        Args:
            question: The question, in English or German; it may name the product by its identifier.
            pack: The evidence; only what is about the product is looked at, and shown to a model.
            product: A record that says which product is meant; without one, the question or the evidence says it.
            settings: What may be chosen about answers.

        Returns:
            The answer, or an abstention with its reason.  Without a model, questions that one field answers are
            answered; a model that refuses is an abstention.

        Raises:
            InputError: The question is empty or too long, or the product is no record.
            ModelError: The model could not be reached.
            RunInterruptedError: A limit on cost was reached.
        """
        if self._has_ledger or self.aio.has_model:
            return self._waiting().run(self.aio.answer(question, pack, product, settings=settings))
        from veracord.answers.answering import answer_at_once  # noqa: PLC0415 - it loads the pipeline

        record = None if product is None else document_of(product).value
        return answer_at_once(self.aio.answer_setting(pack, settings), question, record)

    def close(self) -> None:
        """Close the model and end the thread of plain calls; what is needed again is opened anew.

        Raises:
            PipelineError: It is called from within that thread.
        """
        if self._loop is not None:
            _close(self.aio, self._loop)

    def __enter__(self) -> Self:
        """Return the composer."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close it; see `close`."""
        self.close()

    def _waiting(self) -> "LoopThread":
        """Return the loop on which plain calls wait for a model or a ledger."""
        if self._loop is None:
            from veracord.pipeline.blocking import LoopThread  # noqa: PLC0415 - a repair alone needs no loop

            self._loop = LoopThread()
            # Whoever forgets to close it leaves no thread and no connection behind, nor does a program that ends.
            weakref.finalize(self, _close, self.aio, self._loop)
        return self._loop


def _close(aio: AsyncRecordComposer, loop: "LoopThread") -> None:
    if loop.is_running:
        loop.close(aio.aclose)
