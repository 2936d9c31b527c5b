"""The queue of a store with many open suggestions: how long a page of it, its counts and a decision take."""

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench.figures import Figure, expect
from veracord.audit.events import Actor, utc_text
from veracord.bootstrap.stores import open_store
from veracord.composer.ledgers import LedgerEntry
from veracord.ports import SystemClock
from veracord.records.values import digest
from veracord.review.decisions import Defer, Reject
from veracord.review.lookups import ReviewLookups
from veracord.review.people import Person
from veracord.review.records import StoredRecord
from veracord.review.service import DecisionService
from veracord.review.stores import ReviewTransaction
from veracord.review.suggestions import Status, StoredSuggestion, SuggestionFilter, suggestion_id
from veracord.storage.sql_store import SqlStore

_A_RECORD: Final = 5
_POINTERS: Final = tuple(f"/group{number // 8}/member{number % 8}" for number in range(40))
_RULES: Final = ("required", "type", "minLength", "enum", "exclusiveMinimum")
_MODELS: Final = ("model-a", "model-b", "model-c")
_ANN: Final = Person("ann", "password", "maintainer")
_PAGE: Final = 25
_READS_S: Final = 50
_DECISIONS_S: Final = 10
_BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
_EACH: Final = 30


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done.

    Attributes:
        suggestions: That are open.
        seconds: Of asking for the queue while others decide.
    """

    suggestions: int
    seconds: int


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Yield the figures of a store with so many open suggestions."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "store.db"))
        try:
            yield from asyncio.run(_measured(store, sizes))
        finally:
            store.close()


async def _measured(store: SqlStore, sizes: Sizes) -> list[Figure]:
    began = time.perf_counter()
    count = sizes.suggestions
    names = await fill_store(store, count)
    figures = [Figure("keeping a suggestion", (time.perf_counter() - began) * 1e6 / count, "us", detail=f"{count:,}")]
    service = DecisionService(store.review, _no_profile, SystemClock())
    for name, wanted in _filters(count).items():
        figures.append(
            await _timed(f"a page of the queue, {name}", partial(service.list_suggestions, wanted, limit=_PAGE))
        )
        figures.append(await _timed(f"facets counted anew, {name}", partial(_counted_anew, store, wanted)))
    figures.append(await _timed("page, counts and places, nothing decided since", lambda: service.queue(limit=_PAGE)))
    figures.append(await _last_page(service))
    figures += await _under_load(service, names, sizes.seconds)
    return figures


def _filters(count: int) -> dict[str, SuggestionFilter]:
    return {
        "no filter": SuggestionFilter(),
        "a rule": SuggestionFilter(rule="required"),
        "a place": SuggestionFilter(pointer="/group1/member3"),
        "below a place": SuggestionFilter(pointer="/group1"),
        "rule, model and place": SuggestionFilter(rule="type", model="model-b", pointer="/group2"),
        "a record": SuggestionFilter(record_id="record-7"),
        "older than half of them": SuggestionFilter(older_than=_BEGIN + timedelta(seconds=count // 2)),
        "all statuses": SuggestionFilter(status=()),
    }


async def _counted_anew(store: SqlStore, wanted: SuggestionFilter) -> None:
    """Count without what a service remembers."""
    await ReviewLookups(store.review, _no_profile, SystemClock(), str).facets(wanted)


async def _timed(name: str, work: Callable[[], Awaitable[Any]]) -> Figure:
    await work()
    spent = []
    for _ in range(_EACH):
        began = time.perf_counter()
        await work()
        spent.append((time.perf_counter() - began) * 1e3)
    spent.sort()
    return Figure(name, spent[len(spent) // 2], "ms", detail=f"the slowest of {_EACH}: {spent[-1]:.1f} ms")


async def _last_page(service: DecisionService) -> Figure:
    """Turn all pages, and tell what one of them costs."""
    began, pages, seen = time.perf_counter(), 0, set[str]()
    after: str | None = None
    while True:
        page = await service.list_suggestions(limit=500, after=after)
        pages, after = pages + 1, page.next
        seen.update(one.id for one in page.items)
        if after is None:
            break
    expect(holds=len(seen) == page.total, what="every suggestion comes once")
    return Figure("a page of 500, turning all of them", (time.perf_counter() - began) * 1e3 / pages, "ms")


async def _under_load(service: DecisionService, names: list[str], seconds: int) -> list[Figure]:
    """Ask for the queue 50 times a second and decide 10 times a second, whether answers came or not."""
    reads: list[float] = []
    decisions: list[float] = []
    filters = list(_filters(len(names)).values())
    random.seed(8)

    async def read() -> None:
        began = time.perf_counter()
        await service.queue(random.choice(filters), limit=_PAGE)
        reads.append((time.perf_counter() - began) * 1e3)

    async def decide(name: str, number: int) -> None:
        began = time.perf_counter()
        if number % 2:
            await service.reject(_ANN, Reject(name, "not_plausible"))
        else:
            await service.defer(_ANN, Defer(name))
        decisions.append((time.perf_counter() - began) * 1e3)

    # What counting anew costs is told above; here it is kept up with.
    for wanted in filters:
        await service.queue(wanted, limit=_PAGE)
    began, spent = time.perf_counter(), time.process_time()
    tasks = []
    for tick in range(_READS_S * seconds):
        await asyncio.sleep(max(0.0, began + tick / _READS_S - time.perf_counter()))
        tasks.append(asyncio.create_task(read()))
        if tick % (_READS_S // _DECISIONS_S) == 0:
            tasks.append(asyncio.create_task(decide(names[tick % len(names)], tick // 5)))
    await asyncio.gather(*tasks)
    busy_ms = (time.process_time() - spent) * 1e3 / len(reads)
    what = f"{_READS_S} readers and {_DECISIONS_S} deciders a second for {seconds} s, {len(filters)} filters"
    return [
        Figure("queue under load, 95 of 100", _percentile(reads, 95), "ms", at_most=150, detail=what),
        Figure("queue under load, half", _percentile(reads, 50), "ms", detail=what),
        Figure("decision under load, 95 of 100", _percentile(decisions, 95), "ms", detail=what),
        Figure("processor time of a look, decisions included", busy_ms, "ms", detail=what),
    ]


def _percentile(spent: list[float], share_pct: int) -> float:
    return sorted(spent)[min(len(spent) - 1, len(spent) * share_pct // 100)]


async def fill_store(store: SqlStore, count: int) -> list[str]:
    """Keep records with suggestions, as imports leave them; return the ids of these."""
    made = [_suggestion(number) for number in range(count)]
    step = 5_000
    for start in range(0, count, step):
        chunk = made[start : start + step]

        def keep(transaction: ReviewTransaction, chunk: list[StoredSuggestion] = chunk) -> None:
            transaction.head()
            for record_id in dict.fromkeys(one.record_id for one in chunk):
                transaction.put_record(_record(record_id))
            transaction.put_suggestions(chunk)

        await store.review.transact(keep)
    return [one.id for one in made]


def _record(record_id: str) -> StoredRecord:
    text = '{"id": "%s", "rows": [%s]}' % (record_id, ", ".join(map(str, range(2_000))))  # noqa: UP031 - braces
    return StoredRecord(record_id, "p", "p@1", digest(b"p"), digest(b"s"), 1, text, {})


def _suggestion(number: int) -> StoredSuggestion:
    record_id, pointer = f"record-{number // _A_RECORD}", _POINTERS[number * 7 % len(_POINTERS)]
    entries = (LedgerEntry(digest(record_id.encode()), pointer, digest(str(number).encode())),)
    return replace(
        _FIRST,
        id=suggestion_id(record_id, entries, pointer, number),
        record_id=record_id,
        pointer=pointer,
        value=number,
        created_at=utc_text(_BEGIN + timedelta(seconds=number)),
        rule=_RULES[number * 3 % len(_RULES)],
        model=_MODELS[number % len(_MODELS)],
        entries=entries,
    )


_FIRST: Final = StoredSuggestion(
    id="",
    record_id="",
    pointer="",
    value=None,
    status=Status.OPEN,
    created_at="",
    proposed_by=Actor("vrc_0", "service", "api_key", ""),
    rationale="It is usual for products of this kind, as far as is known.",
    confidence=0.3,
)


def _no_profile(_name: str) -> Any:  # noqa: ANN401 - nothing here needs one
    raise LookupError
