"""Why a question is not answered: a closed set of codes, each with the sentence that tells it.

Source: answers.md section 5.
"""

from enum import StrEnum
from typing import Final


class AbstentionCode(StrEnum):
    """Why there is no answer."""

    NO_EVIDENCE = "no_evidence"
    OTHER_PRODUCT = "other_product"
    AMBIGUOUS_PRODUCT = "ambiguous_product"
    NO_SUCH_FIELD = "no_such_field"
    AMBIGUOUS_QUESTION = "ambiguous_question"
    CONFLICT = "conflict"
    UNVERIFIED_ONLY = "unverified_only"
    NOT_SUPPORTED = "not_supported"
    UNDECIDED = "undecided"
    INCOMPLETE_COVERAGE = "incomplete_coverage"
    BROKEN_CITATION = "broken_citation"
    REFUSED = "refused"
    MODEL_FAILED = "model_failed"


#: Words that say more of an abstention.
NO_VALUE: Final = "no_value"
VALUE_TOO_LONG: Final = "value_too_long"
ID_WITH_BRACKETS: Final = "id_with_brackets"
UNIT_NOT_EXACT: Final = "unit_not_exact"

#: What is said of each to a person.
REASONS: dict[AbstentionCode, str] = {
    AbstentionCode.NO_EVIDENCE: "there is no evidence about the product",
    AbstentionCode.OTHER_PRODUCT: "only evidence about another product tells it",
    AbstentionCode.AMBIGUOUS_PRODUCT: "the evidence is about several products, and the question does not name one",
    AbstentionCode.NO_SUCH_FIELD: "no field of the evidence tells what was asked for",
    AbstentionCode.AMBIGUOUS_QUESTION: "several fields of the evidence fit the question equally well",
    AbstentionCode.CONFLICT: "sources about the product contradict each other",
    AbstentionCode.UNVERIFIED_ONLY: "the evidence has it only as an unverified suggestion",
    AbstentionCode.NOT_SUPPORTED: "the evidence does not support an answer",
    AbstentionCode.UNDECIDED: "no rule decides whether the evidence supports the answer",
    AbstentionCode.INCOMPLETE_COVERAGE: "the claims of the answer do not own all that it says",
    AbstentionCode.BROKEN_CITATION: "a citation of the answer leads nowhere, or to something else",
    AbstentionCode.REFUSED: "the model found no answer in the evidence, or refused to give one",
    AbstentionCode.MODEL_FAILED: "the model gave no answer that can be used, and no field answers the question",
}
