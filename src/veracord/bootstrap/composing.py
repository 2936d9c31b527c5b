"""Composing for callers of a server: profiles by name, one model, one loop beside that of the requests.

No path and no address of a caller is ever used: a profile is one of those that the server was started with, and schemas
come as documents.
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from veracord.bootstrap.answer_lines import judge_line
from veracord.bootstrap.answer_steps import chosen_answer_settings
from veracord.bootstrap.choices import Choices
from veracord.bootstrap.composers import load_model
from veracord.composer.record_composer import AsyncRecordComposer
from veracord.errors import ConfigurationError, InputError
from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile, bundled_profiles
from veracord.records.reading import Document
from veracord.records.schemas import SchemaFile
from veracord.records.values import JsonValue
from veracord.reports.validations import validation_report

if TYPE_CHECKING:
    from veracord.answers.results import Answered
    from veracord.composer.ledgers import Ledger
    from veracord.composer.results import RepairResult
    from veracord.composer.synthesis_results import SynthesisResult
    from veracord.ports import Model

T = TypeVar("T")

_PATIENCE_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class ProfileWish:
    """Which profile a caller means.

    Attributes:
        name: The name of one that the server has.
        schemas: Instead of one: documents, the main one first.
        identity: Further identity keys, strongest first.
    """

    name: str | None = None
    schemas: tuple[SchemaFile, ...] = field(default=(), repr=False)
    identity: tuple[tuple[str, ...], ...] = ()

    @property
    def is_given(self) -> bool:
        """Whether anything was said."""
        return self.name is not None or bool(self.schemas) or bool(self.identity)


class ServedProfiles:
    """The profiles that callers may name."""

    def __init__(self, files: Sequence[str]) -> None:
        """Load them, so that one that cannot be used is told at the start.

        Args:
            files: Profile files beside the bundled ones; a bundled name does no harm.

        Raises:
            ConfigurationError: One cannot be used, or two have the same name (``profile_name``).
        """
        self._refs = {name: name for name in bundled_profiles()}
        self.load = lru_cache(Profile.load)
        for name in files:
            if name in self._refs:
                continue
            profile = self.load(str(Path(name).resolve()) if name.endswith(".toml") else name)
            if profile.name in self._refs:
                raise ConfigurationError(
                    "two profiles have the same name", where=name, remedy="give it another name", code="profile_name"
                )
            self._refs[profile.name] = str(Path(name).resolve())

    def ref(self, name: str) -> str:
        """Return how the store refers to a profile.

        Raises:
            InputError: ``unknown_profile``: the server has none of this name.
        """
        if name not in self._refs:
            raise InputError(
                "the server has no profile of this name", remedy="see GET /v1/profiles", code="unknown_profile"
            )
        return self._refs[name]

    def rows(self) -> list[dict[str, str]]:
        """Return what can be named."""
        found = [(name, self.load(ref)) for name, ref in sorted(self._refs.items())]
        return [{"name": name, "version": one.version, "description": one.description} for name, one in found]

    def find(self, wish: ProfileWish) -> Profile:
        """Return the profile that a caller means.

        Raises:
            InputError: ``unknown_profile``; ``usage``: neither a name nor a schema was given, or both.
            ConfigurationError: A schema or a key cannot be used.
        """
        if wish.name is not None and wish.schemas:
            raise InputError("a profile and schemas were given", remedy="give one of them", code="usage")
        if wish.schemas:
            return Profile.of_schemas(wish.schemas, wish.identity)
        if wish.name is None:
            raise InputError("no profile was given", remedy="give profile or schemas", code="usage")
        profile = self.load(self.ref(wish.name))
        return profile.with_identity(wish.identity) if wish.identity else profile


class Composing:
    """Validates, repairs, builds and answers, on a loop of its own.

    What takes long there keeps nobody waiting who only looks.

    Attributes:
        profiles: What callers may name.
        model: Who is asked, or None.
        model_name: Its name; "" where there is none.
        asks: Whether a model may be asked at all.
        answering: What was chosen about answers.
        ledger: What was suggested and refused.
        max_bytes: The largest record.
    """

    def __init__(self, choices: Choices, profiles: ServedProfiles, ledger: "Ledger") -> None:
        """Make the model; nothing is asked yet.

        Raises:
            ConfigurationError: It cannot be used.
        """
        self.profiles = profiles
        self.model: Model | None = load_model(choices)
        self.model_name = "" if self.model is None else str(self.model.settings.get("name", ""))
        self.asks = choices.asks
        self.answering = chosen_answer_settings(choices)
        self.max_bytes = choices.settings.max_record_bytes
        self.ledger = ledger
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="veracord-composing", daemon=True)
        self._thread.start()

    async def validate(self, wish: ProfileWish, document: Document, *, with_values: bool) -> dict[str, Any]:
        """Return everything that is wrong with a record."""

        async def work() -> dict[str, Any]:
            return validation_report(self.profiles.find(wish), document, with_values=with_values)

        return await self.do(work())

    async def repair(
        self,
        wish: ProfileWish,
        document: Document,
        evidence: Sequence[Mapping[str, object]],
        *,
        origins: Mapping[str, str],
        suggest: bool,
    ) -> "RepairResult":
        """Fill what violates from evidence; see `RecordComposer.repair`."""

        async def work() -> "RepairResult":
            pack = EvidencePack.from_items(evidence)
            composer = self.composer(self.profiles.find(wish))
            return await composer.repair(
                document, pack, suggest_from_training=suggest and self.asks, origins=dict(origins)
            )

        return await self.do(work())

    async def synthesize(
        self,
        wish: ProfileWish,
        seed: Document,
        evidence: Sequence[Mapping[str, object]],
        *,
        origins: Mapping[str, str],
        assemble: bool,
    ) -> "SynthesisResult":
        """Build a whole record; see `RecordComposer.synthesize`."""

        async def work() -> "SynthesisResult":
            pack = EvidencePack.from_items(evidence)
            composer = self.composer(self.profiles.find(wish))
            return await composer.synthesize(seed, pack, assemble=assemble, origins=dict(origins))

        return await self.do(work())

    async def answer(
        self,
        wish: ProfileWish,
        question: str,
        evidence: Sequence[Mapping[str, object]],
        product: Document | None,
    ) -> "Answered":
        """Answer a question from evidence, or abstain; see `RecordComposer.answer`."""

        async def work() -> "Answered":
            pack = EvidencePack.from_items(evidence)
            profile = self.profiles.find(wish) if wish.is_given else Profile.of_anything()
            return await self.composer(profile).answer(question, pack, product, settings=self.answering)

        return await self.do(work())

    async def check_answer(self, question: Mapping[str, JsonValue]) -> dict[str, Any]:
        """Judge an answer that somebody made; see `judge_line`."""

        async def work() -> dict[str, Any]:
            return {"id": question.get("id"), **judge_line(Verifier(), question)}

        return await self.do(work())

    def composer(self, profile: Profile) -> AsyncRecordComposer:
        """Return a composer; it is used on this loop alone."""
        return AsyncRecordComposer(profile, self.model, ledger=self.ledger)

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something on the loop, and wait for it; who goes away cancels it."""
        return await asyncio.wrap_future(self.begin(work))

    def begin(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Begin something on the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Cancel what is under way, and close the model."""
        ending = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        try:
            ending.result(_PATIENCE_S)
        except TimeoutError:
            # Something holds the loop; its thread does not keep the process alive.
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others)
        close = getattr(self.model, "aclose", None)
        if close is not None:
            await close()
