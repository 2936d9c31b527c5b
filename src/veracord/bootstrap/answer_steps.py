"""Answers as producers of a pipeline: the same code as a composer's, one question at a time."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, structs

from veracord.bootstrap.pipeline_tables import AnswersTable, read_answers_table
from veracord.composer.laundering import marked_pack
from veracord.composer.repair import TOOL
from veracord.config import SETTINGS_FILE
from veracord.pipeline import Attempt, Candidate
from veracord.records.evidence import EvidencePack
from veracord.records.values import JsonObject, JsonValue

if TYPE_CHECKING:
    from veracord.answers.producing import AnswerProducer
    from veracord.answers.settings import AnswerSettings
    from veracord.answers.sources import AnswerSetting
    from veracord.bootstrap.choices import Choices
    from veracord.bootstrap.record_steps import RecordParts


def answer_settings(table: AnswersTable | None) -> "AnswerSettings":
    """Return what a table `answers` chooses; what it leaves out is as ever."""
    from veracord.answers.settings import AnswerSettings

    chosen: dict[str, Any] = {} if table is None else structs.asdict(table)
    return AnswerSettings(**{name: value for name, value in chosen.items() if value is not UNSET})


def chosen_answer_settings(choices: "Choices") -> "AnswerSettings":
    """Return what the settings file chooses about answers.

    Raises:
        ConfigurationError: Its table has a field that is unknown or not what it must be.
    """
    table = choices.settings.answers
    file = choices.config or Path(SETTINGS_FILE)
    return answer_settings(None if table is None else read_answers_table(table, str(file)))


def answer_setting(parts: "RecordParts", settings: "AnswerSettings | None" = None) -> "AnswerSetting":
    """Return what the questions of a producer are answered from."""
    from veracord.answers.labels import labels_of
    from veracord.answers.sources import AnswerSetting

    async def marking(pack: EvidencePack) -> EvidencePack:
        ledger = parts.slot.ledger
        return pack if ledger is None else await marked_pack(ledger, parts.profile, pack)

    return AnswerSetting(
        profile=parts.profile,
        pack=parts.pack,
        settings=settings or answer_settings(None),
        labels=labels_of(parts.profile),
        marking=marking,
        tool=TOOL,
    )


class AnswerStep:
    """The producer of answers in a run, whose values also depend on what its ledger knows for a guess."""

    def __init__(self, producer: "AnswerProducer", parts: "RecordParts") -> None:
        """Remember both."""
        self.correction_protocol: str | None = producer.correction_protocol
        self._producer = producer
        self._parts = parts

    async def produce(self, attempt: Attempt) -> Candidate[JsonValue]:
        """Make one candidate; see `AnswerProducer`."""
        return await self._producer.produce(attempt)

    def fingerprint(self, attempt: Attempt) -> JsonObject | None:
        """Return what decides the value; None for a unit whose product another producer made."""
        return self._producer.fingerprint(attempt)

    async def still_stands(self, _attempt: Attempt) -> bool:
        """Whether a value that was made before may be taken over: nothing in the evidence is a guess by now."""
        ledger, pack = self._parts.slot.ledger, self._parts.pack
        if ledger is None:
            return True
        marked = await marked_pack(ledger, self._parts.profile, pack)
        return all(dict(new.origins) == dict(old.origins) for new, old in zip(marked.items, pack.items, strict=True))

    async def aclose(self) -> None:
        """Close the producer."""
        await self._producer.aclose()
