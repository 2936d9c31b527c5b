"""Random texts that open something, and the digests that are kept of them: whoever reads a store can use none."""

import hashlib
import hmac
import secrets
from typing import Final

_BYTES: Final = 32
#: Longer than any text of ours; what is longer is none, and is not even hashed.
_MOST: Final = 200


def new_token() -> str:
    """Return 256 random bits in 43 characters that an address takes."""
    return secrets.token_urlsafe(_BYTES)


def token_digest(token: str) -> str:
    """Return what is kept of a token; of a text that cannot be one, the digest of none."""
    data = token.encode(errors="replace") if len(token) <= _MOST else b""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def are_same(one: str, other: str) -> bool:
    """Whether two texts are the same; the time that it takes tells nothing of them."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))
