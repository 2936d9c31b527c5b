"""Sentences that only say that something is not known; they assert nothing about the product.

A sentence refuses only if every clause of it does.  A refusal with a fact behind it ("Not stated; typical packs weigh
12 kg") is an answer, and must be supported like any other.
"""

import re
from typing import Final

from veracord.grounding.refusal_languages import AFTERWORD, COURTESY, GERMAN, OTHERS
from veracord.language.identifiers import identifiers_of

_SOURCE: Final = (
    r"(?:(?:the |this |these |those |any |my |your |all |none of the )?(?:supplied |given |provided |available "
    r"|cited |above )?"
    r"(?:evidence|sources?|documents?|documentation|records?|text|context|data|materials?|information|files?"
    r"|report|passport|tables?|lists?|pages?|sheets?|notes?|excerpts?|entry|entries|data ?sets?"
    r"|data ?sheets?|specifications?|it|they|nothing)(?: (?:supplied|given|provided|available|at hand|above|i"
    r" have|you gave me))?)"
)
_PLACE: Final = (
    rf"(?: (?:anywhere )?(?:in|by|from|within|based on|on the basis of|with|using|according to|out of)"
    rf" {_SOURCE}(?: alone| only)?)?"
)
_KNOW: Final = (
    r"(?:know|answer|determine|find|say|tell|confirm|verify|provide|see|locate|identify|establish|state|give"
    r"|respond|help|assist|comment|judge|derive|infer)"
)
_TOLD: Final = r"(?:stated|specified|mentioned|disclosed|reported|documented|known|indicated|recorded|listed|told)"
_THING: Final = r"(?:information|data|details?|answer|this|that|it|value|figure|evidence)"
#: What is missing: no number, no verb, no second sentence.
_NOUN: Final = r"(?:[^\W\d_][\w\-']* ){1,8}"
_LEAD: Final = rf"(?:(?:based on {_SOURCE}|from {_SOURCE}|so|therefore|and|thus),? ){{0,3}}"
_NOT: Final = (
    r"(?:do not|don't|cannot|can't|could not|couldn't|can not|will not|won't|am unable to|are unable to|was unable to"
    r"|am not able to|are not able to|(?:must |have to )?(?:decline|refuse) to)"
)
#: What is missing may follow these.
_OPEN: Final = (
    rf"(?:i|we) (?:really |simply |still )?{_NOT} {_KNOW}\b",
    rf"(?:i'm|we're) (?:unable|not able) to {_KNOW}\b",
    (
        r"(?:i|we) (?:have|found|find|see) (?:no|insufficient) (?:evidence|information|data|answer|mention"
        r"|statement|details?|source)\b"
    ),
    (
        rf"(?:i|we) (?:{_NOT}) have (?:access to )?(?:enough |sufficient |any |the |that |this |such |reliable ){{0,3}}"
        r"(?:evidence|information|data|details?|answer|source)\b"
    ),
    rf"(?:it is |it's )?(?:unable|impossible|not possible) to {_KNOW}\b",
    (
        r"(?:it is |it's )?(?:unknown|unclear|not known|not stated|not clear|not specified|not mentioned)(?="
        r" (?:whether|if|how|what|when|where|which)\b)"
    ),
    (
        r"(?:there (?:is|was|are) )?(?:insufficient|not enough|no(?: sufficient| relevant| further| such)?) "
        r"(?:evidence|information|data|details?|sources?|documents?|answer)"
        r"(?: (?:was|were|is|are|has been) (?:supplied|given|provided|available|found|cited))?(?!\w)"
    ),
    r"(?:there (?:is|was) )?no (?:mention|indication|statement|record|trace)(?: (?:is|was) (?:made|given))?\b",
    (
        rf"{_SOURCE} (?:does not|do not|doesn't|don't|did not|didn't|cannot|can't) (?:state|say|mention|specify"
        rf"|cover|disclose|indicate"
        r"|tell|address|reveal|list|report|answer|give|provide|show|name|define)\b"
    ),
    (
        rf"{_SOURCE} (?:does not|do not|doesn't|don't|did not) (?:contain|include|have|hold) (?:any |a |the |enough "
        rf"|sufficient )?"
        r"(?:statement|information|data|details?|answer|value|figure|mention|evidence)\b"
    ),
    (
        rf"{_SOURCE} (?:contains?|includes?|gives?|provides?|has|have|offers?) (?:no|insufficient|not enough) "
        r"(?:information|data|details?|answer|statement|mention|evidence|value|figure)\b"
    ),
    rf"{_SOURCE} (?:gives?|states?|mentions?|specifies|specify|provides?|names?) no(?= [^\W\d_])",
    rf"{_SOURCE} (?:says?|states?) nothing\b|{_SOURCE} (?:is|are) silent\b",
    rf"nothing (?:in {_SOURCE} )?(?:states|says|is said|is stated|mentions|indicates)\b",
)
#: Nothing but where it was looked for may follow these.
_CLOSED: Final = (
    (
        rf"(?:it is |it's |this is |that is )?(?:not|nowhere) (?:{_TOLD}|given|available|found|provided|answerable"
        rf"|covered|clear)"
    ),
    r"(?:it is |it's |this is |that is )?(?:unknown|unclear|unspecified|unanswerable)",
    (
        rf"(?:the |this |that |its |their |any )?{_NOUN}(?:is|are|was|were|has|have)(?: been)? (?:not|nowhere"
        rf"|never)(?: been)? {_TOLD}"
    ),
    rf"(?:the |this |that )?{_NOUN}(?:is|are) (?:unknown|unclear|unspecified)",
    (
        rf"(?:the |this |that |such |any |no )?{_THING} (?:is|are|was|were) (?:not |un)"
        rf"(?:{_TOLD}|given|available|found|provided|included|covered|present)"
    ),
    (
        rf"(?:the |this |that |its |their |your )?(?:{_NOUN}|it |this |that )(?:cannot|can not|could not|can't) be "
        r"(?:determined|answered|established|found|confirmed|verified|derived|inferred|known|told|stated)"
    ),
    (
        rf"no (?:information|data|details?|evidence) (?:about|on|regarding|for|of) {_NOUN}(?:is|are|was|were)"
        rf" (?:{_TOLD}|available|given|provided|found)"
    ),
    rf"no {_NOUN}(?:is|are|was|were) (?:{_TOLD}|given|provided|found)",
)
_WITH_PLACE: Final = (
    rf"(?:the |this |that |its |their )?{_NOUN}(?:is|are) (?:not |un)(?:available|given|provided|included|found"
    rf"|covered) "
)
_OPEN_FORM: Final = re.compile(rf"{_LEAD}(?:{'|'.join(_OPEN)})", re.IGNORECASE)
_CLOSED_FORM: Final = re.compile(
    rf"{_LEAD}(?:(?:{'|'.join(_CLOSED)}){_PLACE}|{_WITH_PLACE}(?:anywhere )?(?:in|by|from) {_SOURCE})", re.IGNORECASE
)
_FORMS: Final = tuple(re.compile(form, re.IGNORECASE) for form in (GERMAN, *OTHERS))
_CLAUSES: Final = re.compile(
    r"(?:[;:—–]|\.\s|,?\s(?:but|however|although|though|yet|still|while|whereas|aber|jedoch|doch|mais"
    r"|cependant|pero|sin embargo|ma|però|maar|echter|mas|porém|ale|jednak)\b,?"
    r"|,\s(?:so|and|und|et|y|e|en|(?-i:i)|also|daher|donc|which|who|die|der|das|qui|que|che|wat|który|która)\b)",
    re.IGNORECASE,
)
#: A verb behind a refusal says something; in "whether ..." and "how much ..." it only asks.
_ASSERTING: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|weighs?|contains?|costs?|uses?|made|consists?|measures?|exceeds?|comes?"
    r"|carries|complies|meets"
    r"|ist|sind|hat|haben|wiegt|beträgt|enthält|kostet|est|sont|pèse|contient|coûte|es|son|pesa|contiene|cuesta"
    r"|è|sono|costa"
    r"|weegt|bevat|kost|é|são|contém|custa|jest|są|waży|zawiera|kosztuje|that|which|who|because|since|typically"
    r"|typical|usually|approximately|about)\b",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(
    r"^\s*(?:for certain |for sure |this |that |you )?(?:whether|if|how (?:much|many|long|heavy|large|high|old"
    r"|far|often|big|wide|deep|it)|what|when|where|which|who)\b",
    re.IGNORECASE,
)
#: What is not known may be pointed at; "that" before anything else begins a statement.
_POINTING: Final = re.compile(
    rf"^\s*(?:to {_KNOW} )?(?:you |us |with |to |on )?(?:that|this|it|these|those)"
    r"(?: (?:question|request|information|point|one))?"
    r"(?=\s*$|\s+(?:from|with|based|for|in|without|using|on|by|at|here|reliably|exactly|precisely)\b)",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(r"(?<![\w\-])\d")
_LONGEST: Final = 600
_MOST_WORDS: Final = 30
_FILLERS: Final = re.compile(
    r"(?:here(?: is|'s|’s| are) (?:what i (?:found|know|can say)|the answer|my answer|the facts?|a summary)"
    r"|sure|certainly|of course|thank you|thanks|answer|summary|yes of course"
    r"|hello|hi|based on the evidence|from the evidence|in summary|to answer your question|ok|okay|gern|gerne"
    r"|natürlich|antwort|hier ist (?:die antwort|was ich (?:fand|gefunden habe)))[\s.:!,]*",
    re.IGNORECASE,
)


def refuses(sentence: str) -> bool:
    """Whether a sentence says only that something is not known or not stated."""
    text = _plain(sentence)
    if not text or len(text) > _LONGEST:
        return False
    text = _without_courtesy(text)
    clauses = [clause.strip(" ,.!?") for clause in _CLAUSES.split(text)]
    # A courtesy alone refuses nothing.
    return any(clauses) and all(_refuses_clause(clause) for clause in clauses if clause)


def _plain(sentence: str) -> str:
    return " ".join(sentence.replace("’", "'").split()).strip(" .!?…\"'()-")


def _without_courtesy(text: str) -> str:
    opened = COURTESY.match(text)
    return AFTERWORD.sub("", text if opened is None else text[opened.end() :])


def _refuses_clause(clause: str) -> bool:
    if _CLOSED_FORM.fullmatch(clause):
        return True
    opened = _OPEN_FORM.match(clause)
    if opened is not None:
        tail = _POINTING.sub("", clause[opened.end() :])
        return _ASKING.match(tail) is not None or not (_ASSERTING.search(tail) or _has_number(tail))
    return (
        any(form.fullmatch(clause) for form in _FORMS) and len(clause.split()) <= _MOST_WORDS and not _smuggles(clause)
    )


def _has_number(text: str) -> bool:
    """Whether a text holds a number that is no part of a name: "the price of the Orin 20" asks for no 20."""
    for found in reversed(identifiers_of(text)):
        text = text[: found.span[0]] + text[found.span[1] :]
    return _DIGIT.search(text) is not None


def _smuggles(clause: str) -> bool:
    """Whether a clause of a language whose grammar we do not read has words of a second statement."""
    return len(_ASSERTING.findall(clause)) > 1


def is_filler(sentence: str) -> bool:
    """Whether a sentence only leads over to the answer."""
    text = _plain(sentence)
    return _FILLERS.fullmatch(sentence.strip()) is not None or bool(text and not _without_courtesy(text))
