"""Answers as producers of a pipeline: the same code as a composer's, one question at a time."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, structs

from veracord.bootstrap.pipeline_tables import AnswersTable, read_answers_table
from veracord.composer.repair import TOOL
from veracord.config import SETTINGS_FILE

if TYPE_CHECKING:
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

    return AnswerSetting(
        profile=parts.profile,
        pack=parts.pack,
        settings=settings or answer_settings(None),
        labels=labels_of(parts.profile),
        marking=parts.marked,
        tool=TOOL,
    )
