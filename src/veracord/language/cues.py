"""Cues: the small words that change what a sentence asserts.

The rule: negation, modality, condition, quantity of things, attribution, exclusion, cause and comparison are noted as
classes, so that two wordings of one meaning meet (`without`, `free of`, `kein`) and a dropped one is seen.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from veracord.language.tokens import Span

CueKind = Literal[
    "negation", "modality", "quantifier", "condition", "attribution", "exclusion", "cause", "comparative", "superlative"
]

_TABLE: Final = """
negation not: not | no | never | cannot | can't | don't | doesn't | isn't | aren't | wasn't | weren't | won't | didn't
negation not: hasn't | haven't
negation not: without | none | neither | nor | free of | free from | lacks | lack | lacking | absent | absence of
negation not: fails to | failed to
negation not: nicht | kein | keine | keinen | keinem | keiner | keines | keinerlei | ohne | nie | niemals | weder
negation not: frei von | nothing
negation not: couldn't | shouldn't | wouldn't | mustn't | nobody | nowhere | nichts | niemand | devoid of | fehlt
negation not: fehlen
modality possible: may | might | could | possibly | perhaps | potentially | potential | maybe | könnte | könnten
modality possible: möglicherweise
modality possible: eventuell | evtl | vielleicht | dürfte | dürften | möglich | possible
modality able: can | kann | können | able to | capable of | fähig
modality probable: likely | probably | presumably | wahrscheinlich | vermutlich | wohl | apparently | seems | appears
modality planned: planned | plans | plan | planning | intended | intends | scheduled | target | targeted | targets
modality planned: aims | aim | goal | proposed
modality planned: geplant | geplante | plant | vorgesehen | beabsichtigt | soll | sollen | ziel | angestrebt
modality expected: expected | expects | anticipated | projected | forecast | estimated | erwartet | voraussichtlich
modality expected: prognostiziert | geschätzt
modality required: must | shall | should | ought to | required to | has to | have to | muss | müssen | sollte
modality required: sollten | darf | dürfen
modality future: will | would | going to | wird voraussichtlich | würde | würden
quantifier all: all | every | each | both | any | alle | aller | allen | alles | jede | jeder | jedes | jeden | jedem
quantifier all: sämtliche | beide | entire
quantifier all: always | immer | fully | completely | entirely | vollständig | whole | wholly | ganz | stets
quantifier some: some | several | certain | partly | partially | einige | mehrere | manche | manchen | teilweise
quantifier some: a few | bestimmte | sometimes
quantifier most: most | mostly | majority | mainly | meisten | größtenteils | überwiegend | meist | usually
quantifier most: typically | generally | in der regel
quantifier many: many | numerous | viele | vielen | zahlreiche | often | oft
quantifier few: few | rarely | wenige | selten | hardly | kaum
condition if: if | when | whenever | provided | providing | assuming | in case | wenn | falls | sofern | subject to
condition if: given that | as long as | solange
condition unless: unless | es sei denn
condition after: after | once | nach | nachdem | sobald | following
condition before: before | prior to | vor | bevor
condition until: until | till
condition during: during | while | whilst | während | beim
condition under: under | unter | bei
condition except: except when
attribution according: according to | laut | gemäß | zufolge | nach angaben | per the | as stated by | based on
attribution claim: claims | claimed | claim | alleges | alleged | allegedly | purportedly | angeblich | behauptet
attribution claim: behaupten | reportedly
attribution claim: asserts | believes | assumes | thinks | suggests | self-declared
attribution say: says | said | states | stated | reports | reported | declares | declared | announced | sagt | erklärt
attribution say: meldet | nennt
exclusion only: only | solely | exclusively | merely | nur | ausschließlich | lediglich | just
exclusion except: except | excluding | apart from | other than | except for | but not | außer | ausgenommen
exclusion except: mit ausnahme | abgesehen von | exclusive of
cause because: because | due to | caused | causes | therefore | hence | thus | consequently | owing to | as a result
cause because: leads to | led to
cause because: results in | resulted in | weil | wegen | aufgrund | dadurch | deshalb | daher | führt zu | führte zu
cause because: thanks to | so that | damit
comparative than: heavier | lighter | larger | smaller | higher | lower | longer | shorter | greater | fewer | better
comparative than: worse | older | newer
comparative than: bigger | thicker | thinner | wider | stronger | weaker | faster | slower | cheaper | cleaner | safer
comparative than: schwerer | leichter
comparative than: größer | kleiner | höher | niedriger | länger | kürzer | besser | schlechter | mehr als
comparative than: weniger als | more than | less than
superlative most: heaviest | lightest | largest | smallest | highest | lowest | longest | shortest | greatest | fewest
superlative most: best | worst | oldest
superlative most: newest | biggest | thickest | thinnest | widest | strongest | fastest | cheapest | safest
superlative most: first ever | leading | schwerste
superlative most: größte | größten | höchste | höchsten | niedrigste | kleinste | längste | beste | besten
superlative most: leichteste | unique | einzige
"""
_WORD: Final = re.compile(r"(?:[a-z]+|[^\W\d_])[^\W\d_]*(?:'[^\W\d_]+)?|[0-9]+")
_FREE: Final = re.compile(r"-(?:free|frei[a-z]{0,2}|los[a-z]{0,2}|less)(?![\w])", re.IGNORECASE)
#: "no more than", "not exceed": a bound, no negation.
_BOUND_AFTER: Final = frozenset(
    "more less fewer later earlier greater higher lower larger smaller longer exceed exceeding exceeds below above "
    "under over "
    "mehr weniger größer kleiner unter über".split()
)
_LONGEST_PHRASE: Final = 3


@dataclass(frozen=True, slots=True)
class CueMention:
    """A cue and the characters that give it; `value` is its class, such as `all` of a quantifier."""

    kind: CueKind
    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Cues:
    """What the small words of a text say together; each class is named once, however it is worded."""

    negated: bool = False
    negations: int = 0
    modality: frozenset[str] = frozenset()
    quantifier: str | None = None
    conditional: frozenset[str] = frozenset()
    attributed: str | None = None
    exclusive: bool = False
    causal: bool = False
    comparative: bool = False
    superlative: bool = False


def cues_of(text: str) -> Cues:
    """Return the cues of a text, such as a sentence, as classes."""
    mentions = cue_mentions(text)
    if not mentions:
        return Cues()
    values: dict[str, set[str]] = {}
    for mention in mentions:
        values.setdefault(mention.kind, set()).add(mention.value)
    negations = sum(mention.kind == "negation" for mention in mentions)
    return Cues(
        negated=negations > 0,
        negations=negations,
        modality=frozenset(values.get("modality", ())),
        quantifier="+".join(sorted(values["quantifier"])) if "quantifier" in values else None,
        conditional=frozenset(values.get("condition", ())),
        attributed="+".join(sorted(values["attribution"])) if "attribution" in values else None,
        exclusive="exclusion" in values,
        causal="cause" in values,
        comparative="comparative" in values,
        superlative="superlative" in values,
    )


def cue_mentions(text: str) -> list[CueMention]:
    """Return the cues in a text, in order of their words."""
    lowered = text.lower().replace("’", "'")
    # A few capitals grow when lowered; such a text is read with its capitals.
    lowered = lowered if len(lowered) == len(text) else text
    words = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(lowered)]
    out: list[CueMention] = []
    end = 0
    for position, (word, start, _) in enumerate(words):
        if word in _LONGEST and start >= end and (mention := _mention(text, words, position)) is not None:
            out.append(mention)
            end = mention.span[1]
    out.extend(CueMention("negation", "not", match.span()) for match in _FREE.finditer(text))
    return sorted(out, key=lambda mention: mention.span) if "-" in text else out


def _mention(text: str, words: list[tuple[str, int, int]], position: int) -> CueMention | None:
    """Read the cue that begins with a word, the longest wording first."""
    first = words[position][0]
    if first == "at":
        return _at(words, position)
    for count in range(_LONGEST[first], 0, -1):
        found = words[position : position + count]
        cue = _CUES.get(" ".join(word for word, _, _ in found))
        if cue is None or len(found) < count:
            continue
        if count == 1 and not _is_cue(text, words, position):
            return None
        return CueMention(*cue, (found[0][1], found[-1][2]))
    return None


def _at(words: list[tuple[str, int, int]], position: int) -> CueMention | None:
    """Read "at 25 °C": a condition only before a number."""
    following = words[position + 1][0] if position + 1 < len(words) else ""
    return CueMention("condition", "under", words[position][1:]) if following.isdigit() else None


def _is_cue(text: str, words: list[tuple[str, int, int]], position: int) -> bool:
    """Tell a cue from what only looks like one: May 2026, No. 5, no more than, some 20 kg, at most, under 5 kg."""
    word, start, end = words[position]
    before = words[position - 1][0] if position else ""
    after = words[position + 1][0] if position + 1 < len(words) else ""
    if word == "may":
        return not (text[start].isupper() and (after.isdigit() or before.isdigit() or before in {"in", "since", "of"}))
    if word in {"no", "not", "nicht", "kein"}:
        numbered = word == "no" and (text[end : end + 1] == "." or after.isdigit())
        return after not in _BOUND_AFTER and not numbered
    if word in {"most", "some", "certain"}:
        return before != "at" and not after.isdigit()
    return not (word in {"under", "unter"} and after.isdigit())


def _cues() -> dict[str, tuple[CueKind, str]]:
    cues: dict[str, tuple[CueKind, str]] = {}
    for line in _TABLE.strip().split("\n"):
        head, _, wordings = line.partition(": ")
        kind, _, value = head.partition(" ")
        for wording in wordings.split(" | "):
            cues.setdefault(wording.strip(), (kind, value))  # type: ignore[arg-type]
    return cues


_CUES: Final = _cues()
#: First words of cues, and the words of the longest cue that begins so.
_LONGEST: Final = {
    first: min(_LONGEST_PHRASE, max(len(cue.split()) for cue in _CUES if cue.split()[0] == first))
    for first in {cue.split()[0] for cue in _CUES}
} | {"at": 1}
