"""A store in a database: the port `veracord.pipeline.Store` over one writer."""

import secrets
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any, Final, TypeVar

from veracord.errors import VeracordError
from veracord.pipeline.candidates import Unit
from veracord.pipeline.outcomes import Outcome, Receipt, UnitResult
from veracord.pipeline.runs import Claim, Lease, RunSpec, Settlement, StepRecord, lease_lost
from veracord.storage import unit_rows
from veracord.storage.access_rows import SqlAccessStore
from veracord.storage.leases import HEARTBEAT_S, extend_lease, give_back_lease, take_lease
from veracord.storage.ledger_rows import SqlLedger
from veracord.storage.owners import Owner
from veracord.storage.readers import Readers
from veracord.storage.review_rows import SqlReviewStore
from veracord.storage.schema import migrate
from veracord.storage.sessions import Session
from veracord.storage.writer import GroupWriter

T = TypeVar("T")

_PAGE: Final = 500
_SALT_BYTES: Final = 32


class SqlStore:
    """Keeps runs in a database.

    Attributes:
        where: What errors call it.
    """

    def __init__(self, open_session: Callable[[], Session], where: str) -> None:
        """Open nothing yet.

        Args:
            open_session: Opens a connection.
            where: What errors call the store.
        """
        self._open_session = open_session
        self.where = where
        self._owner = Owner.of_this_process()
        self._lost: set[tuple[str, int]] = set()
        self._leases: list[Lease] = []
        self._writer = GroupWriter(self._opened, pulse_s=HEARTBEAT_S)
        self._writer.pulse = self._beat
        self._readers = Readers(open_session)
        self._is_known_to_be_there = False

    def _opened(self) -> Session:
        session = self._open_session()
        try:
            migrate(session, self.where)
        except VeracordError:
            session.close()
            raise
        except Exception as error:  # noqa: BLE001 - of a driver: its text may quote anything
            failure = session.failure(error)
            session.close()
            raise failure from None
        return session

    def _beat(self, session: Session) -> None:
        for lease in self._leases:
            if not extend_lease(session, lease):
                self._lost.add((lease.run_id, lease.epoch))

    async def open_run(self, spec: RunSpec, *, again: Collection[Outcome] = ()) -> Lease:
        """Take the lease of a run; see `Store`."""
        lease = await self._writer.do(lambda session: take_lease(session, spec, self._owner, _salt(session), again))
        self._leases.append(lease)
        return lease

    async def plan(self, lease: Lease, units: Sequence[Unit]) -> list[int]:
        """Make units known; see `Store`."""
        return await self._do(lease, lambda session: unit_rows.plan_units(session, lease, units))

    async def finish_plan(self, lease: Lease, units: int) -> None:
        """Say that all units are known; see `Store`."""
        await self._do(lease, lambda session: unit_rows.finish_plan(session, lease, units))

    async def claim(self, lease: Lease, position: int) -> Claim | None:
        """Take a unit before it is worked on; see `Store`."""
        return await self._do(lease, lambda session: unit_rows.claim_unit(session, lease, position))

    async def add_receipts(self, lease: Lease, claim: Claim, receipts: Sequence[Receipt]) -> None:
        """Keep what happened in attempts of a unit that has not ended; see `Store`."""
        await self._do(lease, lambda session: unit_rows.add_attempts(session, lease, claim, receipts))

    async def add_record(self, lease: Lease, claim: Claim, record: StepRecord) -> None:
        """Keep the accepted value of a producer that is not the last one; see `Store`."""
        await self._do(lease, lambda session: unit_rows.add_record(session, lease, claim, record))

    async def find_record(self, request_key: str, result_key: str) -> StepRecord | None:
        """Return a record of an accepted value; see `Store`."""
        return await self._look(lambda session: unit_rows.find_record(session, request_key, result_key))

    async def settle(self, lease: Lease, claim: Claim, settlement: Settlement) -> bool:
        """Keep how a unit ended; see `Store`."""
        return await self._writer.do(lambda session: unit_rows.settle_unit(session, lease, claim, settlement))

    async def close_run(self, lease: Lease, ended_by: str) -> None:
        """Give the lease back; see `Store`."""
        if lease in self._leases:
            self._leases.remove(lease)
        await self._writer.do(lambda session: give_back_lease(session, lease, ended_by))

    async def results(self, run_id: str, *, as_text: bool = False) -> AsyncIterator[UnitResult[Any]]:
        """Yield the results of a run in the order of its units; see `Store`.

        Args:
            run_id: The run.
            as_text: Whether values are the JSON that is kept of them (`veracord.records.writing.Raw`), for who only
                writes them on.  A float or a Decimal of -0 is written otherwise once it has been read.
        """
        after = -1
        while page := await self._look(
            lambda session, after=after: unit_rows.read_results(session, run_id, after, _PAGE, as_text=as_text)  # type: ignore[misc]  # bound now
        ):
            for result in page:
                yield result
            after = page[-1].position

    @property
    def ledger(self) -> SqlLedger:
        """What was suggested, and what was refused."""
        return SqlLedger(self.read, self._look)

    @property
    def review(self) -> SqlReviewStore:
        """Records under review, with what was decided about them."""
        return SqlReviewStore(self.read, self.look, self.where)

    @property
    def access(self) -> SqlAccessStore:
        """Who may sign in, beside the records under review."""
        return SqlAccessStore(self.read, self.look, self.where)

    async def read(self, work: Callable[[Session], T]) -> T:
        """Do something with the database that needs no lease."""
        done = await self._writer.do(work)
        self._is_known_to_be_there = True
        return done

    async def look(self, work: Callable[[Session], T]) -> T:
        """Look at one moment of the database, without waiting for who writes."""
        if not self._is_known_to_be_there:
            # Made, or brought to this version, by who may write.
            await self.read(_nothing)
        return await self._readers.do(work)

    async def _look(self, work: Callable[[Session], T]) -> T:
        return await self._writer.do(work, changes=False)

    async def _do(self, lease: Lease, work: Callable[[Session], T]) -> T:
        if (lease.run_id, lease.epoch) in self._lost:
            raise lease_lost()
        return await self._writer.do(work)

    def close(self) -> None:
        """Write what waits and close the database."""
        self._readers.close()
        self._writer.close()


def _nothing(_session: Session) -> None:
    """Ask for nothing but that the store is open."""


def _salt(session: Session) -> bytes:
    """Return the key of this store, making it where there is none."""
    question = "SELECT value FROM store WHERE name = 'salt'"
    if not session.execute(question):
        # Another process may make one at this moment: the first stays.
        session.change(
            "INSERT INTO store (name, value) VALUES ('salt', ?) ON CONFLICT DO NOTHING",
            (secrets.token_bytes(_SALT_BYTES).hex(),),
        )
    ((salt,),) = session.execute(question)
    return bytes.fromhex(salt)
