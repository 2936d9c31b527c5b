"""What a store gives back that it was never given: rows that were damaged, or changed by others than us."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from veracord.errors import InputError, StorageError

#: One code for all of it.
STORE_DAMAGED: Final = "store_damaged"
_REMEDY: Final = "restore a copy of the store; audit verify and audit replay tell what is wrong with this one"


def damaged(what: str, where: str) -> StorageError:
    """Return the error for something that is not what was kept."""
    return StorageError(what, where=where, remedy=_REMEDY, code=STORE_DAMAGED)


@contextmanager
def kept_as_written(where: str) -> Iterator[None]:
    """Read something that was written by us; what cannot be read is damaged.

    Args:
        where: What errors call it; its id, and no content.

    Raises:
        StorageError: ``store_damaged``.
    """
    try:
        yield
    except (InputError, TypeError, ValueError, LookupError, AttributeError):
        # Their texts may quote what stands there.
        raise damaged("it is not what was kept", where) from None
