"""Mechanical checks of one claim against the evidence that it cites: deterministic, one rule per file."""
