"""Everything that a text mentions, read once: tokens, dates, identifiers and quantities."""

from dataclasses import dataclass

from veracord.language.dates import AnyDate, dates_of
from veracord.language.identifiers import Identifier, identifiers_of
from veracord.language.locales import Locale
from veracord.language.quantities import AnyQuantity, quantities_of, taken_spans
from veracord.language.tokens import Span, Token, tokens_of


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a text mentions, each in the order of the text; a digit belongs to one of dates, identifiers, quantities."""

    tokens: tuple[Token, ...]
    quantities: tuple[AnyQuantity, ...]
    dates: tuple[AnyDate, ...]
    identifiers: tuple[Identifier, ...]


def mentions_of(text: str, locale: Locale | None = None) -> Mentions:
    """Read a text once; the locale is that of the text, or None to look for it there."""
    dates = dates_of(text)
    ends = [one.span for one in dates]
    identifiers = _outside(identifiers_of(text), ends)
    taken = taken_spans(ends, [one.span for one in identifiers])
    return Mentions(tuple(tokens_of(text)), tuple(quantities_of(text, locale, taken)), tuple(dates), tuple(identifiers))


def _outside(identifiers: list[Identifier], dates: list[Span]) -> list[Identifier]:
    """Leave out what is part of a date; both are in order."""
    out: list[Identifier] = []
    following = 0
    for one in identifiers:
        while following < len(dates) and dates[following][1] <= one.span[0]:
            following += 1
        if following == len(dates) or dates[following][0] >= one.span[1]:
            out.append(one)
    return out
