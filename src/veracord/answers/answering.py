"""Answers as a producer with its validator, and one question brought to its end."""

from dataclasses import replace
from typing import Any

from veracord.answers.cases import AnswerCases
from veracord.answers.codes import AbstentionCode
from veracord.answers.composing import answer_from_fields
from veracord.answers.producing import AnswerCheck, AnswerProducer
from veracord.answers.results import Answered, answered_of
from veracord.answers.sources import AnswerSetting
from veracord.answers.tasks import prepare
from veracord.pipeline.bindings import ProducerBinding
from veracord.pipeline.candidates import Unit
from veracord.pipeline.outcomes import Outcome
from veracord.pipeline.policies import Disposition, Policy
from veracord.pipeline.runner import AsyncPipeline
from veracord.pipeline.validators import ValidatorBinding
from veracord.ports import Model
from veracord.promptkit.listening import AttentiveModel, failure_of
from veracord.records.values import JsonObject, JsonValue

#: The id of the validator that belongs to every answer.
GROUNDING = "grounding"


def answer_binding(
    setting: AnswerSetting,
    model: Model | None,
    *,
    id: str = "answer",  # noqa: A002 - as ProducerBinding calls it
) -> ProducerBinding[JsonValue]:
    """Return answers as a producer with its validator.

    The value of a unit is a question, or ``{"question", "product"?}``.  A candidate is the JSON of a `GroundedAnswer`
    or an `Abstention`.

    Args:
        setting: What questions are answered from.
        model: Who drafts; None: nobody.
        id: The name of the producer.
    """
    cases = AnswerCases(setting)
    version = f"{setting.tool} {setting.profile.digest} {setting.profile.schema_digest}"
    return ProducerBinding(
        id,
        AnswerProducer(setting, cases, model),
        [ValidatorBinding(GROUNDING, AnswerCheck(cases), version=version)],
        retries=1,
        # What could not be checked is no answer.
        policy=Policy(validator_execution_failure=Disposition.FAIL_RUN),
    )


def answer_at_once(setting: AnswerSetting, question: str, product: JsonObject | None) -> Answered:
    """Answer a question without a model.

    Raises:
        InputError: The question is empty or too long.
    """
    return answer_from_fields(prepare(setting, question, product))


async def answer_question(setting: AnswerSetting, model: Model, question: str, product: JsonObject | None) -> Answered:
    """Answer a question with the help of a model.

    Raises:
        InputError: The question is empty or too long.
        ModelError: The model could not be reached.
        RunInterruptedError: A limit on cost was reached.
    """
    pack = setting.pack if setting.marking is None else await setting.marking(setting.pack)
    setting = replace(setting, pack=pack, marking=None)
    # What is no question is told before anybody is asked.
    task = prepare(setting, question, product)
    asked = AttentiveModel(model)
    unit = Unit("question", {"question": question, "product": product})
    result = await AsyncPipeline([answer_binding(setting, asked)]).run_unit(unit)
    if result.outcome is Outcome.ACCEPTED:
        return answered_of(_object(result.value), result.usage.requests)
    if result.outcome is Outcome.REJECTED:
        return task.abstention(AbstentionCode.NOT_SUPPORTED, requests=result.usage.requests)
    raise failure_of(result, asked.failure)


def _object(value: Any) -> JsonObject:  # noqa: ANN401 - the value of a unit
    assert isinstance(value, dict)  # noqa: S101 - the validator saw to it
    return value
