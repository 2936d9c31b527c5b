"""Requests that may come twice: who does not know whether the first one arrived sends it again, under the same key.

The answer is kept in the transaction of what it answers, so that there is never the one without the other.  What was
refused is not kept: it changed nothing, and may be tried again.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from veracord.errors import InputError

_MOST_KEY: Final = 255


@dataclass(frozen=True, slots=True)
class Once:
    """What makes a request the same as one before.

    Attributes:
        key: Made up by the caller, for this request alone.
        request_digest: Of all that was asked for; another request under the same key is a mistake.
    """

    key: str
    request_digest: str

    def __post_init__(self) -> None:
        """Refuse what is no key.

        Raises:
            InputError: ``idempotency_key``.
        """
        if not 1 <= len(self.key) <= _MOST_KEY or not all("!" <= character <= "~" for character in self.key):
            raise InputError(
                f"an idempotency key has 1 to {_MOST_KEY} visible ASCII characters",
                remedy="make up another one, such as a UUID",
                code="idempotency_key",
            )

    @classmethod
    def of(cls, key: str, *parts: str | bytes) -> "Once":
        """Return it for a request, of which all parts count."""
        total = hashlib.sha256()
        for part in parts:
            data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
            total.update(len(data).to_bytes(8, "big") + data)
        return cls(key, f"sha256:{total.hexdigest()}")


@dataclass(frozen=True, slots=True)
class AnsweredRequest:
    """A request that was answered.

    Attributes:
        caller: Who asked, as `caller_key` says it.
        key: Under which key.
        request_digest: What was asked for.
        answer: The answer, as JSON.
        until: Until when it is kept, as events tell it.
    """

    caller: str
    key: str
    request_digest: str
    answer: str = field(repr=False)
    until: str
