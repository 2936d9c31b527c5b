"""Seeded damage to a record: the everyday errors, and texts on which validators are known to disagree."""

import re
from decimal import Decimal

WRONG_TYPES = ("text", 7, Decimal("0.5"), True, [], {}, ["text"], {"member": 1})
EDGES = (
    0,
    -1,
    1,
    101,
    10**25,
    -(10**25),
    Decimal("0.07"),
    Decimal("-0.001"),
    Decimal("1E+40"),
    Decimal("12345678901234567890.05"),
)
DATES = (
    "2024-02-30",
    "2024-2-3",
    "20240203",
    "2024-02-03T",
    "2024-13-01",
    "03.02.2024",
    "2024-02-29",
    "0000-01-01",
    "١٢٣٤-01-01",
)
MOMENTS = (
    *("2024-02-30T00:00:00Z", "2024-02-03T24:00:00Z", "2024-02-03T10:00:00", "2024-02-03 10:00:00Z"),
    *(
        "2024-02-03t10:00:00z",
        "2024-06-30T23:59:60Z",
        "2016-12-31T23:59:60Z",
        "2024-06-30T10:59:60Z",
        "2024-02-03T10:00:00.Z",
    ),
    *("2024-02-03T10:00:00+24:00", "2024-02-03T10:00:00-00:00", "2024-02-03T10:00Z", "2024-02-03T10:00:00+0100"),
)
ADDRESSES = (
    *("no-scheme", "//host/path", "http://", "http://[::1", "http://a b/", "http://host:port/", "urn:", "a:", "1a:b"),
    *(
        "http://h/%zz",
        "http://h/<x>",
        "http://h/ü",
        "https://h/a|b",
        "http://u@h@h/",
        "HTTP://h",
        "mailto:a@b",
        "http://h/#a#b",
    ),
    *(
        "http://h/\\x",
        "http://[v1.x]/",
        "http://h/{id}",
        'http://h/"q"',
        "",
        "/relative/path",
        "?q",
        "http://1.2.3.4:99999/",
    ),
)
MAILS = ("no-at", "a@b@c", "a@", "@b", "a b@c.d", "a..b@c.d", '"a b"@c.d', "a@-b.c", "a@[1.2.3.4]", "ä@b.c")
LOOKS = (
    (re.compile(r"\d{4}-\d\d-\d\d[Tt ]"), MOMENTS),
    (re.compile(r"\d{4}-\d\d-\d\d$"), DATES),
    (re.compile(r"[^@\s:/]+@[^@\s]+$"), MAILS),
    (re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:"), ADDRESSES),
)
ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def copied(value):
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def damaged(record, rng):
    """Return a copy of a record with one to three errors."""
    out = {"record": copied(record)}
    for _ in range(rng.choice((1, 1, 2, 3))):
        _damage_one(out, rng)
    return out["record"]


def _places(node):
    """Yield (container, name or index) of every value below a container, without the containers' own texts."""
    for name in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, name
        if isinstance(node[name], dict | list):
            yield from _places(node[name])


def _damage_one(holder, rng):
    places = [place for place in _places(holder) if place[1] != "@context"]
    node, name = rng.choice(places)
    strings = [place for place in places if isinstance(place[0][place[1]], str)]
    kind = rng.randrange(10)
    if kind > 5 and strings:  # most of what can be wrong is wrong in texts
        node, name = rng.choice(strings)
        node[name] = _twisted(node[name], rng)
    elif kind == 0 and node is not holder:
        del node[name]
    elif kind == 1:
        node[name] = None
    elif kind == 2:
        node[name] = type(node[name])() if not isinstance(node[name], Decimal) else 0
    elif kind == 3:
        node[name] = _edge(node[name], rng)
    elif kind == 4:
        _crowd(node[name], rng)
    else:
        node[name] = copied(rng.choice(WRONG_TYPES))


def _edge(value, rng):
    if isinstance(value, str):
        return rng.choice((value * 50, value[:1], " "))
    return rng.choice(EDGES)


def _crowd(value, rng):
    """Add what should not be there: a member, or an item twice."""
    if isinstance(value, dict):
        value[rng.choice(("unheard of", "x/y~z", "0", "é"))] = rng.choice((1, "text", None))
    elif isinstance(value, list) and value:
        value.append(copied(rng.choice(value)))


def _twisted(text, rng):
    looks = [texts for look, texts in LOOKS if look.match(text)]
    kind = rng.randrange(8)
    if looks and kind > 2:
        return rng.choice(looks[0])
    if kind == 0 or (kind == 1 and text[:1].isdigit()):
        return text.translate(ARABIC_DIGITS)
    if kind == 1:
        return text + rng.choice(("\n", " ", "\u00a0"))
    if kind == 2:
        return text + rng.choice(("😀", "\U00010000", "\x01", "ſ"))
    return rng.choice((text.upper(), text[::-1], text + "x", "", "no such value", *DATES[:2], *ADDRESSES[:2], MAILS[1]))
