"""Taking secrets out of what is written down: those that are named, and what looks like a key to a service."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from veracord.ports import Response
from veracord.records.values import JsonObject, JsonValue

MARK: Final = "[redacted]"

#: The forms in which well-known services give out keys, and a bearer token in a header.
_KEYS: Final = re.compile(
    r"""\b(?:
        (?:sk|pk|rk)-[A-Za-z0-9_-]{16,}
      | gh[oprsu]_[A-Za-z0-9]{20,}
      | github_pat_[A-Za-z0-9_]{20,}
      | xox[abeoprs]-[A-Za-z0-9-]{10,}
      | AKIA[A-Z0-9]{16}
      | AIza[A-Za-z0-9_-]{30,}
      | hf_[A-Za-z0-9]{20,}
      | (?<=Bearer\ )[A-Za-z0-9._~+/-]{8,}=*
    )""",
    re.VERBOSE,
)


class Redaction:
    """Puts a mark in the place of each secret."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        """Name secrets; an empty text is none."""
        # The longest first: one may be a part of another.
        self._secrets = sorted(filter(None, set(secrets)), key=lambda secret: (-len(secret), secret))

    def of_text(self, text: str) -> str:
        """Return a text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, MARK)
        return _KEYS.sub(MARK, text)

    def of_object(self, value: JsonObject) -> JsonObject:
        """Return an object without secrets in its texts and names."""
        return {self.of_text(name): self._of_value(item) for name, item in value.items()}

    def of_response(self, response: Response) -> Response:
        """Return an answer without secrets."""
        tool_name = None if response.tool_name is None else self.of_text(response.tool_name)
        return replace(response, text=self.of_text(response.text), tool_name=tool_name)

    def _of_value(self, value: JsonValue) -> JsonValue:
        if type(value) is str:
            return self.of_text(value)
        if type(value) is dict:
            return self.of_object(value)
        return [self._of_value(item) for item in value] if type(value) is list else value
