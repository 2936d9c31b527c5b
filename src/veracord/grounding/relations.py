"""What is said of a record in a verb where the record has a noun: "was born in Ulm" of the field "Born".

A closed lexicon of everyday records (people, works, companies, parts).  Each form tells on which side of it the value
stands, so that "Ada directed Low Tide" is not taken for "Low Tide directed Ada".  A verb that may mean a second field
("made by": manufacturer or supplier) stands in none of them.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from veracord.gates.atoms import classify_word
from veracord.gates.statements import Name

Side = Literal["after", "before", "any"]
Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """One way to say what a field holds.

    Attributes:
        keys: Its words in their canonical form; none where a form of "to be" is enough.
        side: Where the value stands.
        is_lasting: Whether it says that something still holds: "is married to".
        needs_kind: Whether the kind of the thing has to follow: "is a folk band".
    """

    keys: Keys
    side: Side
    is_lasting: bool = False
    needs_kind: bool = False


#: Field names, "|", what stands in front of the value, "|", what stands behind it.
_ROWS: Final = """
born;date of birth;birth date;birth;place of birth;birthplace;birth place | born |
foaled | born |
died;death;date of death;death date;place of death | died;passed away |
released;release date;release | released;came out;release date |
founded;established;formed;formation;date founded | founded;established;formed |
founder;founders;founded by | founded by;established by | founded;established
director;directors;directed by | directed by;director | directed;director of;director
producer;producers;produced by | produced by | produced
writer;writers;author;authors;written by | written by;author;writer | wrote;author of;writer of;author;writer
screenplay by;screenplay | screenplay by;screenplay written by |
music by;composer;composers | music by;composed by;composer |
edited by;editor | edited by;editor |
starring;cast | stars;starring;starred;cast includes | starred in;stars in;star of;star
artist;artists | painted by;created by;artist;painter;painting by | painted;created;artist of;artist;painter of
year;date;completed;completion date | painted;created;completed |
date;event date | happened;occurred;took place |
location;place | located;situated;found;befindet sich;displayed;housed |
headquarters;head office | headquartered;headquarter;based |
origin;place of origin;country of origin;origin country | from;comes from;came from;originated;originates;origin |
years active;active years | active |
in office;term of office | in office |
residence;residences | resides;resided;lives;lived |
hometown;home town | from;comes from;hometown |
nationality;citizenship;demonym |
occupation;occupations;profession | works as;worked as;known as;occupation;profession |
known for;famous for;notable works | known for;famous for |
spouse;spouses;husband;wife | +married to;+married;+spouse;+husband;+wife |
partner;partners | partner |
children | children |
parent;parents | parents;child of;son of;daughter of |
father | father;son of;daughter of |
mother | mother;son of;daughter of |
genre;genres | genre;plays;performs;music genre;genre of music |
instrument;instruments | plays;played;instrument |
label;labels | signed to;signed with;signed by;record label;label |
associated acts | associated with |
alma mater;education | attended;educated at;studied at;went to;graduated from |
website | website;official website;web site |
running time;length;runtime;duration | runs for;run time;running time;runtime;length;long;lasts |
box office;gross | grossed;earned;box office |
earnings | earned;earnings |
country | from |
language;languages;original language | in |
owner;owners;owned by | owned by;property of | owns;owned
trainer;trained by | trained by | trained
breeder;bred by | bred by | bred
sire | sired by | sired
designer;designed by;architect | designed by | designed
developer;developers;developed by | developed by | developed
publisher;publishers;published by | published by | published
manufacturer;manufactured by | manufactured by;produced by | manufactures;manufactured
distributor;distributed by | distributed by | distributed
supplier;supplied by | supplied by | supplies;supplied
importer;imported by | imported by | imports;imported
operator;operated by | operated by | operates;operated
builder;built by | built by | built
discoverer;discovered by | discovered by | discovered
creator;created by | created by | created
host;presenter;presented by;hosted by | hosted by;presented by | hosted;presented
narrated by;narrator | narrated by | narrated
predecessor;preceded by | preceded by;predecessor |
successor;succeeded by | succeeded by;successor |
population;total population | population |
products;product | makes;manufactures;produces |
ingredients;main ingredients | made from;made with;contains;ingredient |
awards | won;received;awarded |
team;current team | plays for;played for;team |
political party;party | member of;belongs to;political party |
religion | religion |
capital | capital |
currency | currency |
height | stands |
also known as;other names;nickname;nicknames | known as;called;nicknamed;nickname |
birth name | birth name;born as;born |
material;materials | made of;made from |
made in;country of manufacture;manufacturing country;country of production | made in;manufactured in;produced in |
production country;place of manufacture;place of production | made in;manufactured in;produced in |
manufacturing place;production place | made in;manufactured in;produced in |
manufacturing location;production location | made in;manufactured in;produced in |
production date;date of production;manufacturing date;date of manufacture | produced;manufactured |
test date;date of test | tested |
delivery date;date of delivery | delivered |
purchase date;date of purchase | purchased;bought |
installation date;date of installation | installed |
assembly date;date of assembly | assembled |
issue date;date of issue | issued |
expiry date;expiration date;date of expiry | expires |
""".strip().split("\n")
#: Fields whose value says what the thing itself is: "Ada is Swedish", "Ada was a painter".
_PREDICATES: Final = frozenset(
    "nationality occupation occupations profession type species breed sex gender status colour color citizenship"
    " demonym material".split()
)
#: May say what the thing does itself, and has the stem of a name here that says who does it.
_VERBS: Final = frozenset({"hosts", "sires"})
_IS: Final = Relation((), "after")
_IS_A: Final = Relation((), "after", needs_kind=True)


@lru_cache(maxsize=1)
def _table() -> dict[Keys, tuple[Relation, ...]]:
    table: dict[Keys, tuple[Relation, ...]] = {}
    for row in _ROWS:
        names, after, before = (*(part.split(";") for part in row.split("|")), [""])[:3]
        relations = (*_relations(after, "after"), *_relations(before, "before"))
        for name in names:
            key = _keys(name)
            table[key] = (*table.get(key, ()), *relations)
    for name in _PREDICATES:
        table[_keys(name)] = (*table.get(_keys(name), ()), _IS)
    for name in ("genre", "genres"):
        table[_keys(name)] = (*table.get(_keys(name), ()), _IS_A)
    return table


def _relations(forms: list[str], side: Side) -> list[Relation]:
    found = (form.strip() for form in forms)
    return [Relation(_keys(form.lstrip("+")), side, is_lasting=form[0] == "+") for form in found if form]


def _keys(text: str) -> Keys:
    return tuple(classify_word(word)[1] for word in text.split())


@lru_cache(maxsize=4096)
def relations_of(name: Name) -> tuple[Relation, ...]:
    """Return the ways to say what a field of a name holds; "Spouse(s)" is "Spouse"."""
    if name.squashed in _VERBS:
        return ()
    keys = tuple(key for key in name.stems if key not in ("s", "(", ")"))
    return _table().get(keys, ())
