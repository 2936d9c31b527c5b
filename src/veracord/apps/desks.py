"""A store of records under review for commands that write to its log."""

from pathlib import Path
from typing import TYPE_CHECKING

from veracord.apps.failures import print_warning

if TYPE_CHECKING:
    from veracord.bootstrap.reviews import ReviewDesk


def signing_desk(store: str, signing_key: Path | None, *, is_new: bool = False) -> "ReviewDesk":
    """Open a store to write; use it as a context.  It is told where a log that was signed goes on without its key.

    Args:
        store: Its address.
        signing_key: Where the key is; by default beside the file of the store.
        is_new: Whether the store may be made; else it must be there.

    Raises:
        ConfigurationError: The store or the key cannot be used.
    """
    from veracord.bootstrap.reviews import ReviewDesk

    desk = ReviewDesk(store, is_new=is_new, signs=True, signing_key=signing_key)
    if desk.lacks_key:
        print_warning(
            "the log was signed before and goes on unsigned: its key is not there, name it with --signing-key"
        )
    return desk
