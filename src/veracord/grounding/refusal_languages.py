"""How languages other than English say that something is not known, or is not stated by the sources.

A form has a source, or the speaker, for its subject, or says "not stated"; what the product lacks is no refusal.
A courtesy says nothing of its own: what stands behind it counts.
"""

import re
from typing import Final

_SORRY: Final = (
    r"(?:i(?:'m| am) |we(?:'re| are) )?(?:(?:very|so|really|terribly|deeply) )?sorry(?: about that)?"
    r"|(?:i |we )?apologi[sz]e(?: for that)?|my (?:sincere )?apologies|apologies|unfortunately|regrettably"
    r"|(?:es )?tut (?:mir|uns) (?:sehr |wirklich )?leid|entschuldigung|verzeihung|entschuldigen sie(?: bitte)?"
    r"|(?:ich |wir )?bedau(?:er|re)[en]?|bedauerlicherweise|leider"
    r"|(?:je suis |nous sommes )?(?:vraiment )?désolée?s?|malheureusement|pardon|excusez-moi"
    r"|lo siento(?: mucho)?|disculpe|perdón|lamentablemente|desafortunadamente"
    r"|mi (?:di)?spiace|purtroppo|spiacente|mi scusi|scusi"
    r"|(?:het )?spijt (?:me|mij|ons)|helaas|excuses"
    r"|sinto muito|desculpe|peço desculpas?|infelizmente"
    r"|przykro mi|przepraszam|niestety"
    r"|tyvärr|beklager|desværre|dessverre|förlåt|undskyld|valitettavasti|anteeksi|bohužel|je mi líto|omlouvám se"
)
#: What is regretted is told in the same sentence.
_AFRAID: Final = (
    r"i(?:'m| am) afraid(?: that)?|(?:i|we) regret(?: to say)?(?: that)?|(?:ich |wir )?bedaure,? dass"
    r"|je regrette(?: que)?|lamento(?: que)?"
    r"|as an ai(?: language)?(?: model| assistant)?|als ki(?:-sprachmodell|-modell)?"
)
_BUT: Final = r"(?:(?:but|aber|mais|pero|ma|però|maar|mas|ale|men|mutta) )?"
#: In front of a statement, each once or several times.
COURTESY: Final = re.compile(rf"(?:(?:(?:{_SORRY})[,.;:!]*|(?:{_AFRAID}),?)(?:\s+{_BUT}|$)){{1,3}}", re.IGNORECASE)
#: Behind a statement.
AFTERWORD: Final = re.compile(rf"(?:,|(?<![\s,]))\s+(?:{_SORRY})$", re.IGNORECASE)

_QUELLE: Final = (
    r"(?:unterlagen?|quellen?|dokument(?:en|e|s)?|belegen?|daten|datensatz|datenblatt|tabelle|bericht|nachweisen?|text"
    r"|pass|liste)"
)
_DATEN: Final = r"angaben?|information(?:en)?|daten|belege?|hinweise?|nachweise?|aussagen?|werte?|antwort"
GERMAN: Final = (
    r"(?:leider |tut mir leid,? )?(?:"
    r"(?:dazu|hierzu|darüber|hierüber|dafür|zu [^\d.;,]{1,60}) (?:liegen|liegt|gibt es|finden sich|ist|sind)(?:"
    r" mir| uns| leider)? (?:keine?|nichts)(?: [^\d.;,]{1,40})?(?: vor| bekannt| angegeben| enthalten)?(?:"
    r" [^\d.;,]{0,60})?"
    r"|(?:es (?:liegen|liegt|gibt)|ich habe|wir haben|ich finde) (?:dazu |hierzu |darüber |leider )?(?:"
    rf"keine?n? (?:{_DATEN})|nichts)(?: [^\d.;,]{{0,80}})?"
    rf"|(?:im|in den|in der|in dem|aus den|aus dem|aus der) {_QUELLE} (?:ist|sind|wird|werden|gibt es|finden sich"
    rf"|findet sich|steht|stehen|fehlt|fehlen) (?:dazu |hierzu |darüber |leider )?(?:(?:kein(?:e[nrms]?)?|nichts)"
    r"(?: [^\d.;,]{0,80})?|(?:jede |die |das |der )?(?:angabe|information|wert|hinweis)[^\d.;,]{0,60})"
    r"|(?:dazu|hierzu|darüber|hierüber|dafür) (?:finde|habe|sehe|kann|weiß|weiss|finden|haben|können) (?:ich|wir)"
    r"[^\d.;,]{0,60}(?:nichts|nicht|keine)[^\d.;,]{0,60}"
    r"|(?:das |dies |es )?(?:weiß|weiss) ich (?:leider )?nicht|ich (?:weiß|weiss) (?:es |das )?(?:leider )?nicht"
    r"|keine antwort(?: möglich| verfügbar| gefunden)?"
    r"|(?:keine|unzureichende) (?:angaben?|informationen|information|daten|belege)(?: [^\d.;,]{0,80})?"
    r"|(?:das|die|der|es|dies)?(?: ?[^\d.;,]{1,60})? ?(?:ist|sind|wird|werden|wurde)"
    rf"(?: (?:im|in den|in der|in dem|aus den|laut) {_QUELLE})? (?:nicht|nirgends)"
    r" (?:angegeben|genannt|bekannt|erwähnt|dokumentiert|aufgeführt|ersichtlich|spezifiziert)(?:"
    r" [^\d.;,]{0,60})?"
    r"|nicht (?:angegeben|bekannt|genannt|erwähnt|dokumentiert)(?: [^\d.;,]{0,60})?"
    rf"|(?:das|dies|es|die [^\d.;,]{{1,40}}|der [^\d.;,]{{1,40}}) (?:steht|stehen) (?:leider )?nicht (?:in|im)"
    rf"(?: den| der| dem)? {_QUELLE}"
    r"|(?:das |dies |die |der )?[^\d.;,]{0,80}(?:geht|gehen) aus [^\d.;,]{1,60} nicht hervor"
    r"|(?:das |die |der |diese |dies |ich |es )?[^\d.;,]{0,60}(?:kann|können|lässt sich|lassen sich"
    r"|konnte)[^\d.;,]{0,80} nicht (?:beantworten|bestimmen|ermitteln|feststellen|sagen|beantwortet werden"
    r"|bestimmt werden|ermittelt werden|festgestellt werden)"
    rf"|(?:die |der |das )?{_QUELLE} (?:enthalten|enthält|nennen|nennt"
    r"|geben|machen|macht|sagen|sagt)[^\d.;,]{0,40} (?:kein(?:e[nrms]?)?|nicht|nichts)(?: [^\d.;,]{0,80})?"
    r")"
)
OTHERS: Final = (
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
    # Swedish, Danish, Norwegian
    (
        r"(?:(?:tyvärr|beklager|desværre|dessverre),? )?(?:jag|jeg|vi)"
        r" (?:vet|ved|hittar|finder|finner|kan|har|fant|fandt)"
        r"[^\d.;,]{0,80}(?:inte|ikke|inget|inga|ingen|ingenting|intet)[^\d.;,]{0,80}"
    ),
    (
        r"(?:underlaget|underlagen|källan|källorna|dokumentet|dokumenten|evidensen|tabellen|kilden|kilderne"
        r"|kildene|dokumenterne|dokumentene|datasättet|datasættet|posten|uppgifterna)"
        r" (?:anger|nämner|innehåller|säger|visar|ger|angiver|nævner|indeholder|siger|oppgir|nevner"
        r"|inneholder|sier|gir) (?:inte|ikke|ingen|inget|inga|ingenting|intet)[^\d.;,]{0,80}"
    ),
    (
        r"[^\d.;,]{1,60} (?:framgår|anges|nämns|fremgår|angives|nævnes|oppgis|nevnes) (?:inte|ikke)"
        r"(?: (?:i|av|af) [^\d.;,]{1,60})?"
        r"|[^\d.;,]{1,60} (?:är|er) (?:inte|ikke) (?:angiven|angivet|angivna|oplyst|oppgitt|nevnt|känd|känt|kendt"
        r"|kjent)(?: (?:i|av|af) [^\d.;,]{1,60})?"
    ),
    (
        r"(?:ingen|inga|uppgift|uppgifter|oplysninger) (?:uppgift|uppgifter|information|oplysninger"
        r"|opplysninger|saknas)[^\d.;,]{0,80}"
    ),
    # Finnish
    (
        r"(?:lähteet|lähde|asiakirjat|aineisto) (?:ei|eivät) (?:ilmoita|kerro|mainitse|sisällä)[^\d.;,]{0,80}"
        r"|(?:en|emme) tiedä[^\d.;,]{0,80}"
    ),
    r"[^\d.;,]{0,60} ?ei (?:ole )?(?:ilmoitettu|mainittu|tiedossa|kerrottu)[^\d.;,]{0,80}",
    # Czech
    (
        r"(?:nevím|nevíme|bohužel nevím)[^\d.;,]{0,80}|(?:zdroje|zdroj|dokumenty|dokument|podklady)"
        r" (?:neuvádějí|neuvádí|neobsahují|neobsahuje)[^\d.;,]{0,80}"
    ),
    (
        r"[^\d.;,]{0,60} ?(?:není|nejsou) (?:uveden[aoy]?|znám[aoy]?)[^\d.;,]{0,80}"
        r"|(?:chybí|nejsou) (?:údaje|informace)[^\d.;,]{0,80}"
    ),
    # Italian and Portuguese, the thing named first
    r"[^\d.;,]{1,60} non è (?:indicat|specificat|menzionat|riportat|disponibil)[aeo][^\d.;,]{0,80}",
    r"[^\d.;,]{1,60} não (?:está|é|foi) (?:indicad|especificad|mencionad|informad)[ao][^\d.;,]{0,80}",
)
