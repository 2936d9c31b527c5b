"""What a text says: tokens, numbers, units, quantities, dates, identifiers and cues, in English and German.

Everything here is pure and keeps spans: `text[start:end]` is what was written.  A reading that is not certain is
an outcome of its own (`Ambiguous`, `AmbiguousQuantity`, `AmbiguousDate`); nothing is guessed.
"""
