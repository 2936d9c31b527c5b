"""Sentences about other sentences: "This is not true", "Correction: ...", "The following statements are false".

Closed lists, English and German, of how a text takes back or limits what it has said, or is about to say.
"""

import re
from typing import Final

_STATEMENT: Final = (
    r"value|figure|number|statement|sentence|claim|information|data|quote|quotation|entry|date|measurement|rating"
    r"|specification|assertion|above|result|line|point|wert|angabe|zahl|aussage|information|satz|behauptung|daten"
    r"|eintrag|zitat|obige|genannte"
)
_THIS: Final = (
    r"(?:(?:this|that|these|those|it|they|such|das|dies|diese[rs]?|es|sie)"
    rf"|(?:(?:the|this|that|these|those|both|all|der|die|das|diese[rs]?|all(?:e|es)) )"
    rf"(?:(?:of )?(?:the |these |those )?(?:above|previous|preceding|former|latter|last|first|stated|given|quoted"
    rf"|ob(?:ige|en)\w*|vorige\w*|genannte\w*|letzte\w*) )?(?:{_STATEMENT})\w{{0,3}}(?: above| oben)?"
    r"|(?:the )?(?:above|aforementioned|foregoing)|everything above|all (?:this|that|of (?:this|that|the above)))"
)
_IS: Final = (
    r"(?:is|are|was|were|has been|have been|may be|might be|could be|should be|must be|seems?|appears?|turned out"
    r"|ist|sind|war|waren|wurden?|scheint|gelten als|gilt als)"
)
_UNTRUE: Final = (
    r"(?:wrong|false|fals(?:ch|ified)|incorrect|untrue|inaccurate|invalid|void|outdated|out of date|obsolete"
    r"|superseded|withdrawn|retracted|revoked|mistaken|misleading|disputed|doubtful|questionable|unconfirmed"
    r"|unverified|fictitious|hypothetical|preliminary|provisional|tentative|estimated|estimates?|approximat\w+"
    r"|no longer \w+|not (?:\w+ )?(?:true|correct|right|valid|accurate|so|the case|applicable|certain|confirmed|real"
    r"|reliable|proven|guaranteed|yet|anymore|any more|hold)|nonsense|untrue"
    r"|(?:an? |the )?(?:\w+ )?(?:error|mistake|typo|misprint|lie|joke|rumou?r|guess|estimate|example|assumption|draft"
    r"|target|goal|forecast|placeholder|old (?:value|version))s?"
    r"|veraltet|überholt|ungültig|unwahr|unrichtig|irreführend|geschätzt|vorläufig|zurückgezogen|widerrufen"
    r"|nicht (?:mehr )?(?:\w+ )?(?:wahr|richtig|korrekt|gültig|sicher|bestätigt|zutreffend|so|der fall|aktuell)"
    r"|(?:eine? |die |der )?(?:\w+ )?(?:fehler|irrtum|schätzung|annahme|beispiel|entwurf|gerücht|lüge|scherz"
    r"|tippfehler)"
    r")\b"
)
_REACHES: Final = (
    r"(?:only |just |solely |however |nur |lediglich |also )?(?:appl(?:y|ies|ied)|refers?|concerns?|relates?|pertains?"
    r"|holds? (?:only|for|if|when|true|at|in)|was(?: only)? for|(?:is|are) (?:only |just )?(?:for|valid|true|without"
    r"|with|including|excluding|per|at|if|when)|includes?|excludes?|does not|do not|did not|doesn['’]t|don['’]t"
    r"|gilt|gelten|galt|betrifft|betreffen|bezieh(?:t|en)|stimmt|stimmen|trifft|treffen|umfasst|schließt)\b"
)
_LEAD: Final = (
    r"\W*(?:(?:however|but|note that|please note(?: that)?|note|important|caution|warning|attention|nb|n\.b\.|and|also"
    r"|aber|jedoch|allerdings|doch|hinweis|achtung|wichtig|bitte beachten)[,:]? )?"
)
_REMARK: Final = re.compile(
    rf"{_LEAD}(?:"
    rf"{_THIS} (?:(?:however|also|then|clearly|certainly|probably|all|both|jedoch|aber|auch|alle) )?"
    rf"{_IS} (?:\w+ ){{0,3}}?{_UNTRUE}"
    rf"|(?!(?:it|they|es|sie) (?:is|are|includes?|excludes?|do|does|did)\b){_THIS} {_REACHES}"
    rf"|(?:it|this|that|es|das|dies) (?:is|was|are|ist|war) (?:now|currently|really|actually|in fact|nun|jetzt"
    r"|mittlerweile|tatsächlich|inzwischen)\b"
    r"|(?:only|valid only|nur|gilt nur|gültig nur) (?:for|in|if|when|with|at|valid|on|für|bei|in|wenn|mit)\b"
    r"|(?:except|unless|excluding|außer|ausgenommen)\b"
    r"|not (?:for|in|with|any ?more|valid|true|really|any longer|so|anymore)\b|nicht (?:für|mehr|wahr|so)\b"
    r"|(?:in fact,? )?(?:no|nein|nope|wrong|false|incorrect|falsch|sorry|oops|not)(?:\s*[,.!:;–—-]|\s*$)"
    r"|(?:just kidding|only joking|scherz|errat(?:a|um)|corrigend(?:a|um))\b"
    r"|(?:correct(?:ion|ions|ed)|updat(?:e|es|ed)|amend(?:ed|ment)|revis(?:ed|ion)|retract(?:ed|ion)|withdrawn"
    r"|actually|in fact|in reality|tatsächlich|in wirklichkeit|aktualisier(?:t|ung)|nachtrag|korrektur|korrigiert"
    r"|berichtig(?:t|ung))\b(?:[^.:,\n]{0,30}[:,–—-]| to )"
    r")",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"\W*(?:correct(?:ion|ed)|updat(?:e|ed)|amend(?:ed|ment)|revis(?:ed|ion)|erratum|note|important|caution|warning"
    r"|no|nein|nachtrag|korrektur|korrigiert|berichtigung|hinweis|achtung|wichtig)\b[^.:,\n]{0,30}[:,–—-]\s+",
    re.IGNORECASE,
)
#: Every remark has one of these words; a sentence without one is never looked at.
_REMARKING: Final = frozenset(
    "this that these those it they such das dies diese dieser dieses es sie above aforementioned foregoing everything"
    " all only valid nur gilt gültig except unless excluding außer ausgenommen not nicht no nein nope wrong false"
    " incorrect falsch sorry oops kidding joking scherz errata erratum corrigenda corrigendum correction corrections"
    " corrected update updates updated amended amendment revised revision retracted retraction withdrawn actually fact"
    " reality tatsächlich wirklichkeit aktualisiert aktualisierung nachtrag korrektur korrigiert berichtigt"
    " berichtigung following below folgende folgenden folgender folgendes nachstehend nachstehende nachstehenden"
    " untenstehende untenstehenden value values figure figures number numbers statement statements claim claims data"
    " information entry entries wert werte angabe angaben aussage aussagen".split()
)
_AHEAD: Final = re.compile(
    r"\b(?:following|below|what follows|folgend\w{1,3}|nachstehend\w{0,3}|untenstehend\w{0,3})\b", re.IGNORECASE
)
_DENIES: Final = re.compile(
    rf"\b(?:{_UNTRUE}|not?|never|none|neither|nor|cannot|without|nicht|kein\w{{0,2}}|nie|weder|ohne"
    r"|den(?:y|ies|ied)|refut\w+|reject\w*|disput\w+|doubt\w*|dementier\w+|bestreit\w+|bestritt\w*|leugn\w+|verneint?"
    r"|if|whether|ob|falls|wenn|suppose|assum\w+|imagin\w+|pretend\w*|example|beispiel|forbidden|verboten)\b",
    re.IGNORECASE,
)


def may_remark(word: str) -> bool:
    """Whether a sentence with this word has to be looked at as one about others."""
    return word.lower() in _REMARKING


def is_remark(sentence: str) -> bool:
    """Whether a sentence takes back or limits what stands before it."""
    return _REMARK.match(sentence) is not None


def announces_doubt(sentence: str) -> bool:
    """Whether a sentence says that what follows is not so, or only supposed."""
    return _AHEAD.search(sentence) is not None and _DENIES.search(sentence) is not None


def without_label(sentence: str) -> str:
    """Return a sentence without a word in front that says what it is for: "Correction: ...", "Note: ..."."""
    label = _LABEL.match(sentence)
    return sentence if label is None else sentence[label.end() :]
