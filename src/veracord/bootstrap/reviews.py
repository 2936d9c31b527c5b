"""A store of records under review, with the person at the terminal and the service that decides.

Commands are plain code; what they ask of the service runs here, one thing after the other.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from veracord.access.service import AccessService
from veracord.bootstrap.run_lookups import in_use, refuse_missing
from veracord.bootstrap.signing import key_change, key_file, key_files, ordinary_key, required_key
from veracord.bootstrap.stores import open_store, store_files
from veracord.bootstrap.terminal import terminal_person
from veracord.errors import ConfigurationError, InputError
from veracord.ports import SystemClock
from veracord.records.profiles import Profile
from veracord.review.chronicle import signer
from veracord.review.service import DecisionService
from veracord.review.suggestions import SuggestionFilter

if TYPE_CHECKING:
    from veracord.audit.keys import PublicKey, SigningKey
    from veracord.audit.signatures import Rotation
    from veracord.bootstrap.signing import KeyChange

T = TypeVar("T")

_PAGE: Final = 500
_DIGEST: Final = "sha256:"
_DIGEST_LENGTH: Final = len(_DIGEST) + 64


class ReviewDesk:
    """What the person at the terminal can ask of one store; use it as a context.

    Attributes:
        person: Who that is.
        service: Decides, and tells the log.
        access: Who may sign in, and which keys there are.
        ledger: What was suggested and refused, for whoever asks a model.
        lacks_key: Whether something is to be written to a log that was signed, and its key is not there.
    """

    def __init__(self, url: str, *, is_new: bool = False, signs: bool = False, signing_key: Path | None = None) -> None:
        """Open the store.

        Args:
            url: Its address.
            is_new: Whether it may be made; else it must be there.
            signs: Whether something is written, so that checkpoints may be due.
            signing_key: Where the key is; by default beside the file of the store.

        Raises:
            ConfigurationError: The store or the key cannot be used.
        """
        if not url:
            raise ConfigurationError("an empty address was given as store", remedy="name a store", code="usage")
        if not is_new:
            refuse_missing(url, "name it with --store, or import a record first")
        self.person = terminal_person()
        self._url = url
        self._key_path = key_file(url, signing_key)
        self._store = open_store(url)
        self._review = self._store.review
        self.ledger = self._store.ledger
        self._runner = asyncio.Runner()
        try:
            self.run(in_use(self._store, lambda _session: None))
            key = self._ordinary_key(is_chosen=signing_key is not None) if signs else None
            self.lacks_key = signs and key is None and self._signer() is not None
            self.service = self._service(key)
            self.access = AccessService(self._store.access, SystemClock(), key=key)
        except BaseException:
            self.close()
            raise

    def _service(self, key: "SigningKey | None") -> DecisionService:
        return DecisionService(self._review, lru_cache(Profile.load), SystemClock(), key=key)

    def _ordinary_key(self, *, is_chosen: bool) -> "SigningKey | None":
        return ordinary_key(self._key_path, is_chosen=is_chosen, is_empty=self._is_empty, signer=self._signer)

    def _signer(self) -> "PublicKey | None":
        """Return the key that the log goes on with."""
        return self.run(self._review.transact(signer))

    def _is_empty(self) -> bool:
        """Whether the log has no event."""
        return self.run(self._review.transact(lambda transaction: transaction.head().seq)) == 0

    def require_key(self) -> None:
        """Make sure that checkpoints can be signed.

        Raises:
            ConfigurationError: There is no key, and none may be made; or it is not the one that signs this log.
        """
        self.service = self._service(required_key(self._key_path, self._signer))

    def rotate_key(self, new_file: Path | None) -> tuple["Rotation", "KeyChange"]:
        """Let a new key sign the log from now on; return what the log tells, and where both keys are.

        Args:
            new_file: A file that is not there yet; None to put the new key where the old one is.

        Raises:
            ConfigurationError: See `key_change`; ``output_is_input``: the file is one of the store's.
        """
        if new_file is not None and new_file.absolute() in {path.absolute() for path in self.files()}:
            raise ConfigurationError(
                "the new key would be a file of the store",
                where=str(new_file),
                remedy="name another file",
                code="output_is_input",
            )
        change = key_change(self._key_path, new_file, self._signer)
        self.service = self._service(change.old)
        rotation = self.run(self.service.rotate_key(self.person, change.new))
        change.finish()
        return rotation, change

    def files(self) -> list[Path]:
        """Return the files of the store and its keys, none of which is ever an output."""
        return [*store_files(self._url), *key_files(self._key_path)]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something that the service does."""
        return self._runner.run(work)

    def each(self, stream: AsyncIterator[T]) -> Iterator[T]:
        """Yield what the service yields."""

        async def following() -> tuple[T, ...]:
            return (await anext(stream),)

        while True:
            try:
                found = self.run(following())
            except StopAsyncIteration:
                return
            yield from found

    def whole_id(self, beginning: str) -> str:
        """Return the id of the one suggestion whose id begins so, with or without ``sha256:``; else what was given.

        Raises:
            InputError: ``ambiguous_id``: several begin so.
        """
        wanted = beginning if beginning.startswith(_DIGEST) else f"{_DIGEST}{beginning}"
        if not beginning or len(wanted) >= _DIGEST_LENGTH:
            return wanted
        found = [one for one in self._ids() if one.startswith(wanted)]
        if len(found) > 1:
            raise InputError(
                "several suggestions have an id that begins so",
                where=beginning,
                remedy="give more of it",
                code="ambiguous_id",
            )
        return found[0] if found else wanted

    def whole_event_id(self, beginning: str) -> str:
        """Return the id of the one event whose id begins so; else what was given.

        Raises:
            InputError: ``ambiguous_id``: several begin so.
        """
        found = self.run(self.service.event_ids(beginning, 2)) if beginning else []
        if len(found) > 1 and beginning not in found:
            raise InputError(
                "several events have an id that begins so",
                where=beginning,
                remedy="give more of it",
                code="ambiguous_id",
            )
        return found[0] if len(found) == 1 else beginning

    def _ids(self) -> Iterator[str]:
        offset = 0
        wanted = SuggestionFilter(status=())
        while page := self.run(self.service.list_suggestions(wanted, limit=_PAGE, offset=offset)).items:
            yield from (one.id for one in page)
            offset += len(page)

    def close(self) -> None:
        """Close the store."""
        self._runner.close()
        self._store.close()

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close it; see `close`."""
        self.close()
