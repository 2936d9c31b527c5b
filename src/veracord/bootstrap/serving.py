"""Everything that a server needs, wired from what was chosen: one store, its services, and who may come in."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from veracord.access.service import AccessService
from veracord.bootstrap.choices import Choices
from veracord.bootstrap.composing import Composing, ServedProfiles
from veracord.bootstrap.importing import ServedImporting
from veracord.bootstrap.run_lookups import in_use
from veracord.bootstrap.served_runs import RunJobs, ServedRuns
from veracord.bootstrap.signing import key_file, ordinary_key
from veracord.bootstrap.stores import open_store
from veracord.ports import SystemClock
from veracord.review.chronicle import signer
from veracord.review.service import DecisionService

if TYPE_CHECKING:
    from veracord.audit.keys import SigningKey
    from veracord.storage.sql_store import SqlStore

Mode = Literal["local", "server"]

#: Hosts by which a browser on this machine reaches it.
LOCAL_HOSTS: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
#: Of a body: the largest record with its evidence, escaped.
MOST_BODY_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServeWish:
    """What was asked for when the server was started.

    Attributes:
        choices: Settings and model; the store is in it.
        mode: ``local`` for who sits at the machine, ``server`` for named users.
        hosts: Names by which it is reached; empty for any.
        is_secure: Whether browsers reach it by https.
        profiles: Profiles beside the bundled ones, each a bundled name or a file.
        signing_key: Where the key of the log is.
        port: Where it listens, if that is known: browsers keep what two servers on one machine set apart by it.
    """

    choices: Choices
    mode: Mode = "local"
    hosts: frozenset[str] = LOCAL_HOSTS
    is_secure: bool = False
    profiles: tuple[str, ...] = ()
    signing_key: Path | None = None
    port: int | None = None


@dataclass(frozen=True)
class ServedParts:
    """What the routes call.

    Attributes:
        service: Decisions, and all that is looked up about records.
        access: Who may come in.
        composing: Validates, repairs, builds and answers.
        importing: Brings records in.
        runs: What the store knows of runs.
        jobs: Runs that callers ask for.
        mode: How the server was started.
        hosts: Names by which it is reached; empty for any.
        is_secure: Whether browsers reach it by https.
        most_body_bytes: The largest body that is read.
        report_fault: Is told what was not foreseen, with the request's id.
        store: The store.
        port: Where it listens; None where that is not known.
    """

    service: DecisionService
    access: AccessService
    composing: Composing
    importing: ServedImporting
    runs: ServedRuns
    jobs: RunJobs
    mode: Mode
    store: "SqlStore" = field(repr=False)
    hosts: frozenset[str] = LOCAL_HOSTS
    is_secure: bool = False
    most_body_bytes: int = MOST_BODY_BYTES
    report_fault: Callable[[Exception, str], None] = lambda _error, _request_id: None
    port: int | None = None


def wire_server(wish: ServeWish, report_fault: Callable[[Exception, str], None]) -> ServedParts:
    """Open the store and make the services; runs that were not finished go on.

    Raises:
        ConfigurationError: The store or the key cannot be used.
    """
    url = wish.choices.store or ""
    store = open_store(url)
    try:
        asyncio.run(in_use(store, lambda _session: None))
        review = store.review
        key = ordinary_key(
            key_file(url, wish.signing_key),
            is_chosen=wish.signing_key is not None,
            is_empty=lambda: asyncio.run(review.transact(lambda transaction: transaction.head().seq)) == 0,
            signer=lambda: asyncio.run(review.transact(signer)),
        )
    except BaseException:
        store.close()
        raise
    parts = _parts(wish, store, key, report_fault)
    asyncio.run(parts.jobs.go_on())
    return parts


def _parts(
    wish: ServeWish, store: "SqlStore", key: "SigningKey | None", report_fault: Callable[[Exception, str], None]
) -> ServedParts:
    clock = SystemClock()
    try:
        profiles = ServedProfiles(wish.profiles)
        service = DecisionService(store.review, profiles.load, clock, key=key)
        composing = Composing(wish.choices, profiles, store.ledger)
    except BaseException:
        store.close()
        raise
    return ServedParts(
        service=service,
        access=AccessService(store.access, clock, key=key),
        composing=composing,
        importing=ServedImporting(service, composing),
        runs=ServedRuns(store),
        jobs=RunJobs(store, composing, clock, report_fault),
        mode=wish.mode,
        store=store,
        hosts=wish.hosts,
        is_secure=wish.is_secure,
        report_fault=report_fault,
        port=wish.port,
    )


def close_server(parts: ServedParts) -> None:
    """End what is under way, write what waits and close the store."""
    parts.composing.close()
    parts.store.close()


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
