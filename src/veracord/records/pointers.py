"""JSON Pointers: text outside, tuples of tokens inside.

Source: RFC 6901.
"""

from collections.abc import Iterable, Sequence

from veracord.records.values import MISSING, JsonValue, Missing

Tokens = tuple[str, ...]


def split(pointer: str) -> Tokens:
    """Split a pointer into its unescaped tokens.

    Args:
        pointer: "" for the whole record, or text that begins with "/".

    Raises:
        ValueError: The text is no pointer.
    """
    if not pointer:
        return ()
    if pointer[0] != "/":
        message = "a pointer is empty or begins with '/'"
        raise ValueError(message)
    if "~" not in pointer:
        return tuple(pointer[1:].split("/"))
    parts = pointer[1:].split("/")
    for part in parts:
        if "~" in part.replace("~0", "").replace("~1", ""):
            message = "'~' in a pointer must be written '~0' (or '~1' for '/')"
            raise ValueError(message)
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def is_pointer(text: str) -> bool:
    """Whether a text is a pointer."""
    try:
        split(text)
    except ValueError:
        return False
    return True


def join(tokens: Iterable[str | int]) -> str:
    """Return the pointer text of tokens; the inverse of `split`."""
    texts = list(map(str, tokens))
    text = "/".join(texts)
    # Hardly any token needs escaping, and results write a pointer or two for every leaf.
    if "~" in text or text.count("/") >= len(texts):
        return "".join(f"/{escape(token)}" for token in texts)
    return f"/{text}"


def escape(token: str | int) -> str:
    """Return one token as it stands in a pointer."""
    text = str(token)
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text


def index_of(token: str) -> int | None:
    """Return the array index that a token spells, or None ("0", "17"; not "01", "-", "+1")."""
    if token == "0" or (token.isascii() and token.isdigit() and token[0] != "0"):
        return int(token) if len(token) < 19 else None  # noqa: PLR2004 - longer is no index of any list
    return None


def step(node: JsonValue | Missing, token: str) -> JsonValue | Missing:
    """Return the child of a node that one token names, or MISSING."""
    if type(node) is dict:
        return node.get(token, MISSING)
    if type(node) is list:
        index = index_of(token)
        if index is not None and index < len(node):
            return node[index]
    return MISSING


def get(node: JsonValue | Missing, tokens: Sequence[str]) -> JsonValue | Missing:
    """Return the value at tokens below a node, or MISSING."""
    for token in tokens:
        node = node.get(token, MISSING) if type(node) is dict else step(node, token)
        if node is MISSING:
            return MISSING
    return node


def is_under(tokens: Tokens, top: Tokens) -> bool:
    """Whether tokens name the place `top` or one below it."""
    return tokens[: len(top)] == top


#: In a pointer of a profile: every row of an array.
STAR = "*"


def matches(place: Tokens, pattern: Tokens) -> bool:
    """Whether a place is one that a pattern with stars stands for."""
    # Most patterns have no star, and this is asked for every leaf.
    if STAR not in pattern:
        return place == pattern
    return len(place) == len(pattern) and all(part in (STAR, token) for token, part in zip(place, pattern, strict=True))


def is_covered(place: Tokens, pattern: Tokens) -> bool:
    """Whether a place is one that a pattern with stars stands for, or one below it."""
    return matches(place[: len(pattern)], pattern)
