"""Sentences that only say that something is not known; they assert nothing about the product.

A sentence refuses only if every clause of it does.  A refusal with a fact behind it ("Not stated; typical packs weigh
12 kg") is an answer, and must be supported like any other.
"""

import re
from typing import Final

_SOURCE: Final = (
    r"(?:(?:the |this |these |those |any |my |your |all |none of the )?(?:supplied |given |provided |available "
    r"|cited |above )?"
    r"(?:evidence|sources?|documents?|documentation|records?|text|context|data|materials?|information|files?"
    r"|report|passport"
    r"|data ?sheets?|specifications?|it|they|nothing)(?: (?:supplied|given|provided|available|at hand|above|i"
    r" have|you gave me))?)"
)
_PLACE: Final = (
    rf"(?: (?:anywhere )?(?:in|by|from|within|based on|on the basis of|with|using|according to|out of)"
    rf" {_SOURCE}(?: alone| only)?)?"
)
_KNOW: Final = (
    r"(?:know|answer|determine|find|say|tell|confirm|verify|provide|see|locate|identify|establish|state|give"
    r"|respond|help|judge|derive|infer)"
)
_TOLD: Final = r"(?:stated|specified|mentioned|disclosed|reported|documented|known|indicated|recorded|listed|told)"
_THING: Final = r"(?:information|data|details?|answer|this|that|it|value|figure|evidence)"
#: What is missing: no number, no verb, no second sentence.
_NOUN: Final = r"(?:[^\W\d_][\w\-]* ){1,8}"
_LEAD: Final = (
    rf"(?:(?:sorry|unfortunately|i'm afraid|based on {_SOURCE}|from {_SOURCE}|so|therefore|and|thus"
    rf"|regrettably),? ){{0,3}}"
)
_NOT: Final = (
    r"(?:do not|don't|cannot|can't|could not|couldn't|can not|am unable to|are unable to|was unable to|am not"
    r" able to|are not able to)"
)
#: What is missing may follow these.
_OPEN: Final = (
    rf"(?:i|we) (?:really |simply |still )?{_NOT} {_KNOW}\b",
    rf"(?:i'm|we're) (?:unable|not able) to {_KNOW}\b",
    (
        r"(?:i|we) (?:have|found|find|see) (?:no|insufficient) (?:evidence|information|data|answer|mention"
        r"|statement|details?|source)\b"
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
_GERMAN: Final = (
    r"(?:leider |tut mir leid,? )?(?:"
    r"(?:dazu|hierzu|darüber|hierüber|dafür|zu [^\d.;,]{1,60}) (?:liegen|liegt|gibt es|finden sich|ist|sind)(?:"
    r" mir| uns| leider)? (?:keine?|nichts)(?: [^\d.;,]{1,40})?(?: vor| bekannt| angegeben| enthalten)?(?:"
    r" [^\d.;,]{0,60})?"
    r"|(?:es (?:liegen|liegt|gibt)|ich habe|wir haben|ich finde|in [^\d.;,]{1,40} (?:gibt es|finden sich"
    r"|steht)) (?:dazu |hierzu |darüber )?(?:keine?|nichts)(?: [^\d.;,]{0,80})?"
    r"|(?:das |dies |es )?(?:weiß|weiss) ich (?:leider )?nicht|ich (?:weiß|weiss) (?:es |das )?(?:leider )?nicht"
    r"|(?:keine|unzureichende) (?:angaben?|informationen|information|daten|belege)(?: [^\d.;,]{0,80})?"
    r"|(?:das|die|der|es|dies)?(?: ?[^\d.;,]{1,60})? ?(?:ist|sind|wird|werden|wurde) (?:nicht|nirgends)"
    r" (?:angegeben|genannt|bekannt|erwähnt|dokumentiert|aufgeführt|ersichtlich|spezifiziert)(?:"
    r" [^\d.;,]{0,60})?"
    r"|nicht (?:angegeben|bekannt|genannt|erwähnt|dokumentiert)(?: [^\d.;,]{0,60})?"
    r"|(?:das |dies |die |der )?[^\d.;,]{0,80}(?:geht|gehen) aus [^\d.;,]{1,60} nicht hervor"
    r"|(?:das |die |der |diese |dies |ich |es )?[^\d.;,]{0,60}(?:kann|können|lässt sich|lassen sich"
    r"|konnte)[^\d.;,]{0,80} nicht (?:beantworten|bestimmen|ermitteln|feststellen|sagen|beantwortet werden"
    r"|bestimmt werden|ermittelt werden|festgestellt werden)"
    r"|(?:die |der |das )?(?:unterlagen|quellen?|dokumente?|belege|daten) (?:enthalten|enthält|nennen|nennt"
    r"|geben|machen|macht|sagen|sagt)[^\d.;,]{0,40} (?:keine?|nicht|nichts)(?: [^\d.;,]{0,80})?"
    r")"
)
_OTHERS: Final = (
    # French
    (
        r"(?:désolée?,? |malheureusement,? )?(?:je|nous) (?:ne|n'|n’) ?(?:sais|trouve|peux|dispose|savons|trouvons"
        r"|pouvons|disposons|ai trouvé)[^\d.;]{0,120}"
    ),
    (
        r"(?:cette |l['’]|ces |les |aucune? |pas d['’]|il n['’]y a (?:pas d['’]|aucune )|la |le )?(?:informations?"
        r"|données?|réponse|sources?|documents?|preuves?)[^\d.;,]{0,60}(?:pas|aucune?|insuffisante?s?"
        r"|rien)[^\d.;]{0,100}"
    ),
    (
        r"(?:aucune|pas d['’]|il n['’]y a (?:pas d['’]|aucune )) ?(?:information|donnée|indication|mention"
        r"|preuve)s?[^\d.;]{0,100}"
    ),
    r"(?:non|pas) (?:précisée?|indiquée?|mentionnée?|spécifiée?|connue?|disponible)s?[^\d.;]{0,80}",
    r"(?:il est )?impossible de (?:déterminer|répondre|dire|savoir)[^\d.;]{0,100}",
    r"[^\d.;,]{1,60} n['’]est pas (?:précisée?|indiquée?|mentionnée?|spécifiée?|connue?|disponible)[^\d.;]{0,80}",
    # Spanish
    (
        r"(?:lo siento,? )?no (?:lo )?(?:sé|se (?:indica|menciona|especifica|encuentra|puede determinar|dispone"
        r"|conoce|sabe)|hay (?:información|datos|evidencia)|puedo (?:responder|determinar|encontrar)|consta"
        r"|encuentro|tengo información|se ha encontrado|está (?:indicado|especificado|mencionado))[^\d.;]{0,120}"
    ),
    (
        r"(?:la|las|los|el) (?:fuentes?|documentos?|evidencias?|información|datos) no (?:indican?|mencionan?"
        r"|especifican?|contienen?|dicen?|está|están|proporcionan?)[^\d.;]{0,120}"
    ),
    r"(?:información|datos|evidencia) insuficientes?[^\d.;]{0,80}",
    # Italian
    (
        r"(?:mi dispiace,? )?non (?:lo )?(?:so|è (?:indicat[oa]|specificat[oa]|menzionat[oa]|riportat[oa]|possibile"
        r" determinar[el])|ci sono (?:informazioni|dati)|posso (?:rispondere|determinare)|trovo|risulta|viene"
        r" (?:indicat|menzionat|specificat)[oa])[^\d.;]{0,120}"
    ),
    (
        r"(?:le|la|i|il|gli) (?:fonti|fonte|documenti|documento|prove|informazioni|dati) non (?:indicano|indica"
        r"|menzionano|menziona|specificano|contengono|contiene|sono|riportano|dicono)[^\d.;]{0,120}"
    ),
    (
        r"(?:informazioni|dati|prove) insufficienti[^\d.;]{0,80}|nessuna informazione[^\d.;]{0,100}|impossibile"
        r" (?:determinare|rispondere)[^\d.;]{0,100}"
    ),
    # Dutch
    (
        r"(?:helaas,? )?(?:dat |dit |het )?(?:ik )?weet (?:ik )?(?:het |dat )?niet|(?:dat|dit|het|de)?(?:"
        r" ?[^\d.;,]{1,60})? ?(?:staat|wordt|is|zijn|worden) niet (?:vermeld|bekend|gevonden|opgegeven|aangegeven"
        r"|genoemd|in de)[^\d.;]{0,80}"
    ),
    (
        r"(?:er (?:is|zijn|staat) |hierover (?:is|zijn) |daarover (?:is|zijn) )?(?:geen|onvoldoende) (?:informatie"
        r"|gegevens|bewijs|vermelding)[^\d.;]{0,100}"
    ),
    (
        r"niet (?:vermeld|bekend|opgegeven|aangegeven|genoemd)[^\d.;]{0,80}|[^\d.;,]{1,60} kan niet worden"
        r" (?:bepaald|vastgesteld|beantwoord)[^\d.;]{0,80}"
    ),
    (
        r"(?:ik kan|we kunnen) [^\d.;]{0,80}niet (?:vinden|beantwoorden|bepalen|vaststellen)[^\d.;]{0,60}|(?:de"
        r" )?(?:bronnen|bron|documenten|gegevens) (?:vermelden|vermeldt|bevatten|bevat|geven|noemen)[^\d.;]{0,60}"
        r" (?:niet|geen)[^\d.;]{0,60}"
    ),
    # Portuguese
    (
        r"(?:desculpe,? |infelizmente,? )?não (?:sei|encontro|encontrei|posso (?:responder|determinar)|consta|há"
        r" (?:informaç|dados|evidência)|é (?:indicad|especificad|mencionad|possível determinar)|está (?:indicad"
        r"|especificad|mencionad)|foi (?:indicad|especificad|mencionad)|se sabe|tenho informaç)[^\d.;]{0,120}"
    ),
    (
        r"(?:as|os|a|o) (?:fontes?|documentos?|evidências?|informaç(?:ão|ões)|dados) não (?:indicam?|mencionam?"
        r"|especificam?|contêm|contém|dizem|diz|estão|está|informam?)[^\d.;]{0,120}"
    ),
    r"(?:informaç(?:ão|ões)|dados|evidências?) insuficientes?[^\d.;]{0,80}",
    # Polish
    (
        r"(?:niestety,? )?nie (?:wiem|podano|znaleziono|znalazłem|ma (?:informacji|danych)|mogę (?:odpowiedzieć"
        r"|określić|znaleźć)|można (?:określić|ustalić)|określono|wspomniano|jest (?:podan|znan"
        r"|określon)\w+)[^\d.;]{0,120}"
    ),
    (
        r"brak (?:informacji|danych|dowodów)[^\d.;]{0,100}|[^\d.;,]{1,60} nie (?:został[aoy]? (?:podan|określon)\w+"
        r"|jest (?:podan|znan|określon)\w+)[^\d.;]{0,60}|(?:źródła|źródło|dokumenty|dokument|dane) nie (?:podają"
        r"|podaje|zawierają|zawiera|określają|wspominają)[^\d.;]{0,100}"
    ),
)
_FORMS: Final = tuple(re.compile(form, re.IGNORECASE) for form in (_GERMAN, *_OTHERS))
_CLAUSES: Final = re.compile(
    r"\s*(?:[;:—–]|\.\s|,?\s(?:but|however|although|though|yet|still|while|whereas|aber|jedoch|doch|mais"
    r"|cependant|pero|sin embargo|ma|però|maar|echter|mas|porém|ale|jednak)\b,?"
    r"|,\s(?:so|and|und|et|y|e|en|i|also|daher|donc|which|who|die|der|das|qui|que|che|wat|który|która)\b)\s*",
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
    text = " ".join(sentence.replace("’", "'").split()).strip(" .!?…\"'()-")
    if not text or len(text) > _LONGEST:
        return False
    clauses = [clause.strip(" ,.!?") for clause in _CLAUSES.split(text)]
    return all(_refuses_clause(clause) for clause in clauses if clause)


def _refuses_clause(clause: str) -> bool:
    if _CLOSED_FORM.fullmatch(clause):
        return True
    opened = _OPEN_FORM.match(clause)
    if opened is not None:
        tail = clause[opened.end() :]
        return _ASKING.match(tail) is not None or not (_ASSERTING.search(tail) or _DIGIT.search(tail))
    return (
        any(form.fullmatch(clause) for form in _FORMS) and len(clause.split()) <= _MOST_WORDS and not _smuggles(clause)
    )


def _smuggles(clause: str) -> bool:
    """Whether a clause of a language whose grammar we do not read has words of a second statement."""
    return len(_ASSERTING.findall(clause)) > 1


def is_filler(sentence: str) -> bool:
    """Whether a sentence only leads over to the answer."""
    return _FILLERS.fullmatch(sentence.strip()) is not None
