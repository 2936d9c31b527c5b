"""The one place, besides an explicit recorder, where the texts of an attempt may be written down.

It is local and opt-in: a person names a folder.  Nothing else of the pipeline keeps a text.
"""

from typing import Protocol


class Transcript(Protocol):
    """Writes down what was asked and answered in one attempt."""

    def add(self, asked: list[dict[str, str]], answered: str) -> None:
        """Write down one exchange: the messages as role and content, and the text of the answer."""
