"""A composer with everything that was chosen for it: its profile, a model to ask, a store that remembers.

Each process wires its own: neither a connection nor a store is carried from one to another.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from veracord.bootstrap.choices import Choices, load_profile, profile_of_keys
from veracord.composer.record_composer import RecordComposer
from veracord.config import SETTINGS_FILE
from veracord.errors import ConfigurationError

if TYPE_CHECKING:
    from veracord.ports import Model
    from veracord.storage.sql_store import SqlStore

#: Limits of a model that hold for one process alone.
_OF_ONE_PROCESS: Final = ("requests_per_minute", "tokens_per_minute", "max_cost_usd")


class WiredComposer:
    """A composer with its parts; use it as a context.

    Attributes:
        composer: The composer.
        has_model: Whether there is somebody to ask.
    """

    def __init__(self, choices: Choices, *, needs_profile: bool = True) -> None:
        """Load the profile, make the model and open the store.

        Args:
            choices: What was chosen.
            needs_profile: Whether a profile must have been; questions can be answered without one.

        Raises:
            ConfigurationError: One of them cannot be used.
        """
        is_named = choices.profile is not None or bool(choices.schemas)
        if choices.store is not None and not is_named:
            # Guesses are known by product, and what a product is only a profile says.
            raise ConfigurationError(
                "a store was given without a profile", remedy="give --profile NAME, or no --store", code="usage"
            )
        # Without a profile, keys alone may say what a product is, where questions are asked.
        profile = load_profile(choices) if needs_profile or is_named else profile_of_keys(choices)
        model = load_model(choices)
        self.has_model = model is not None
        self._store: SqlStore | None = None if choices.store is None else _opened(choices.store)
        self.composer = RecordComposer(profile, model, ledger=None if self._store is None else self._store.ledger)

    def close(self) -> None:
        """Close the model and the store."""
        self.composer.close()
        if self._store is not None:
            self._store.close()

    def __enter__(self) -> Self:
        """Return it."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close everything; see `close`."""
        self.close()


def load_model(choices: Choices) -> "Model | None":
    """Return the model that was chosen; None where none was, or none may be asked.

    Nothing is opened or asked yet.

    Raises:
        ConfigurationError: It cannot be used; the error names the file and the field.
    """
    if (choices.model is None) != (choices.base_url is None):
        given, missing = ("--model", "--base-url") if choices.base_url is None else ("--base-url", "--model")
        raise ConfigurationError(f"{given} was given without {missing}", remedy="give both, or none", code="usage")
    if not choices.asks:
        return None
    if choices.model is not None:
        # In the place of the table, not over it: its key is not for another server.
        return _of_options(choices)
    table = choices.settings.model
    return None if table is None else _made(table, choices.config or Path(SETTINGS_FILE))


def _of_options(choices: Choices) -> "Model":
    """Return the model that the options name.

    Raises:
        ConfigurationError: It cannot be used; the error names the option.
    """
    options = {"--model": choices.model, "--base-url": choices.base_url}
    for option, value in options.items():
        if not value:
            raise ConfigurationError(f"an empty text was given as {option}", remedy="give both, or none", code="usage")
    try:
        return _made({"adapter": "chat_completions", "name": choices.model, "base_url": choices.base_url}, Path())
    except ConfigurationError as error:
        place = "--base-url" if "base_url" in (error.code + error.where) else "--model"
        raise ConfigurationError(error.what, where=place, remedy=error.remedy, code=error.code) from None


def refuse_shared_limits(choices: Choices, jobs: int) -> None:
    """Make sure that no limit of a model is meant for several processes together.

    Raises:
        ConfigurationError: One is (``usage``).
    """
    table = choices.settings.model if choices.asks and choices.model is None else None
    found = next((name for name in _OF_ONE_PROCESS if name in (table or {})), None)
    if jobs > 1 and found is not None:
        raise ConfigurationError(
            f"model.{found} holds for one process, and --jobs asks for {jobs}",
            remedy="leave --jobs out, or say --no-suggest",
            code="usage",
        )


def _made(table: Mapping[str, Any], file: Path) -> "Model":
    from veracord.bootstrap.models import make_model
    from veracord.bootstrap.pipeline_tables import read_model_table

    return make_model(read_model_table(table, str(file)), file)


def _opened(url: str) -> "SqlStore":
    """Return a store that can be used."""
    from veracord.bootstrap.run_lookups import in_use
    from veracord.bootstrap.stores import open_store

    if not url:
        raise ConfigurationError("an empty address was given as store", remedy="name a store", code="usage")
    store = open_store(url)
    try:
        asyncio.run(in_use(store, lambda _session: None))
    except BaseException:
        store.close()
        raise
    return store
