"""Composing an answer: a draft of a model where there is one, then facts of the evidence, then an abstention.

Whoever wrote the text, the verifier has the last word.

Source: answers.md section 5.
"""

from veracord.answers.checking import Checked, check_text
from veracord.answers.codes import ID_WITH_BRACKETS, UNIT_NOT_EXACT, VALUE_TOO_LONG, AbstentionCode
from veracord.answers.hints import hints_of
from veracord.answers.looking_up import look_up
from veracord.answers.results import Answered
from veracord.answers.tasks import AnswerTask


def answer_from_fields(task: AnswerTask, *, otherwise: AbstentionCode | None = None, requests: int = 0) -> Answered:
    """Answer a question from a field of the evidence, without asking anybody.

    Args:
        task: The question and its evidence.
        otherwise: Why there is no answer where no field is what was asked for.
        requests: How many requests a model was sent before.
    """
    if task.narrowed.problem is not None:
        return task.abstention(task.narrowed.problem, tuple(task.narrowed.outside.items), requests=requests)
    found = look_up(task.question, task.narrowed)
    if found.code is not None:
        code = found.code
        if otherwise is not None and code is AbstentionCode.NO_SUCH_FIELD:
            code = otherwise
        return task.abstention(code, found.near, detail=found.detail, requests=requests)
    if any(set("[]") & set(field.evidence_id) for field in found.fields):
        # Nothing in brackets could name such an item.
        return task.abstention(AbstentionCode.BROKEN_CITATION, found.near, detail=ID_WITH_BRACKETS, requests=requests)
    checked: Checked | None = None
    near = tuple(dict.fromkeys(field.evidence_id for field in found.fields))
    for hints in hints_of(task.question, found.fields, dict(task.items)):
        text = " ".join(hint.sentence for hint in hints if hint.sentence)
        result = check_text(task, text, "hints", hints)
        if result.answer is not None:
            return result.answer
        checked = checked or result
        if result.code is AbstentionCode.CONFLICT:
            # Another wording would not settle it.
            checked = result
            break
    if checked is None or checked.code is None:
        detail = VALUE_TOO_LONG if task.question.unit is None else UNIT_NOT_EXACT
        return task.abstention(AbstentionCode.NOT_SUPPORTED, near, detail=detail, requests=requests)
    return task.abstention(checked.code, near, detail=checked.detail, requests=requests)
