"""How many bytes of bodies are held at once: what is made of a body takes many times its size until it is answered."""

from collections.abc import MutableMapping
from typing import Any, Final

from veracord.bootstrap.serving import MOST_BODY_BYTES
from veracord.errors import StorageError

#: Of all requests together: the largest body, and half as much beside it.
MOST_HELD_BYTES: Final = MOST_BODY_BYTES * 3 // 2
_HELD: Final = "veracord.held_body"


class HeldBodies:
    """The bodies of all requests that are under way."""

    def __init__(self) -> None:
        """Begin with none."""
        self._total = 0

    def begin(self, scope: MutableMapping[str, Any]) -> "HeldBody":
        """Return what counts the body of a request; it stands in its scope."""
        scope[_HELD] = found = HeldBody(self)
        return found

    def add(self, size: int) -> None:
        """Count bytes that came, or with less than nothing those that are no longer held.

        Raises:
            StorageError: ``busy``: they would be too many.
        """
        if self._total + size > MOST_HELD_BYTES:
            raise StorageError(
                "too much is sent at once by all together",
                remedy="come again, or send less",
                code="busy",
                details={"retry_after_s": 5},
            )
        self._total += size


class HeldBody:
    """The body of one request."""

    def __init__(self, every: HeldBodies) -> None:
        """Begin with nothing."""
        self._every = every
        self._size = 0

    def add(self, size: int) -> None:
        """Count bytes that came.

        Raises:
            StorageError: ``busy``.
        """
        self._every.add(size)
        self._size += size

    def end(self) -> None:
        """Count them no more."""
        self._every.add(-self._size)
        self._size = 0


def held_body(scope: MutableMapping[str, Any]) -> HeldBody:
    """Return what counts the body of a request; without a guard before it, for itself alone."""
    found: HeldBody = scope.setdefault(_HELD, HeldBody(HeldBodies()))
    return found
