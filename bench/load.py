"""Many people at one server: 50 look at the queue and 10 decide, each once a second, and it is killed in between.

The loop is open: when something is asked is fixed in advance, and its time counts from then, whether those before it
were answered or not.  Who is cut off asks again until there is an answer, a decision under the same idempotency key.
"""

import asyncio
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import aiohttp

from bench.figures import Figure, expect
from bench.served_store import DECIDERS, READERS, Server, prepare_store
from bench.timing import own_environment, run_command
from veracord.audit.events import EventType
from veracord.bootstrap.stores import open_store
from veracord.ports import SystemClock
from veracord.review.service import DecisionService
from veracord.review.suggestions import Status, SuggestionFilter

#: Of ten readers so many look at the page; the others ask the API for the list.
_PAGES_OF_TEN: Final = 8
_PAGE: Final = 25
_TICKS_S: Final = READERS + DECIDERS
#: Who is cut off asks again after so long.
_AGAIN_S: Final = 0.25
_WAIT_S: Final = 0.05
_START_S: Final = 60.0
_OK: Final = 200
_SEE_OTHER: Final = 303
#: Of so many who ask, the last one decides.
_EVERY: Final = _TICKS_S // DECIDERS
#: What people look at; the page and the API name these alike.
_QUERIES: Final = (
    "",
    "rule=required",
    "pointer=%2Fgroup1%2Fmember3",
    "pointer=%2Fgroup1",
    "rule=type&model=model-b&pointer=%2Fgroup2",
    "record=record-7",
    "model=model-a",
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is done.

    Attributes:
        suggestions: That are open.
        seconds: Of asking.
    """

    suggestions: int
    seconds: int


@dataclass(slots=True)
class Asked:
    """One request.

    Attributes:
        kind: ``page``, ``list`` or ``decision``.
        due: When it was to be asked, in seconds from the beginning.
        took_s: How long until it was answered, from then.
        tries: How often it was asked.
    """

    kind: str
    due: float
    took_s: float = 0.0
    tries: int = 0


@dataclass(slots=True)
class Seen:
    """What those who asked saw.

    Attributes:
        asked: All requests.
        acknowledged: The event of each decision that was acknowledged, by suggestion.
        wrong: Answers that are none.
        down: From when until when the server was away, in seconds from the beginning.
    """

    asked: list[Asked] = field(default_factory=list)
    acknowledged: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    down: tuple[float, float] = (0.0, 0.0)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Yield what people at one server see."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "store.db"
        names, links = asyncio.run(prepare_store(store, sizes.suggestions))
        server = Server(store)
        try:
            seen = asyncio.run(_load(server, names, links, sizes.seconds))
            server.end()
        finally:
            server.kill()
        asyncio.run(_check(store, seen))
        run_command([sys.executable, "-m", "veracord", "audit", "verify", "--store", str(store)], own_environment())
        yield from _figures(sizes, seen, server.busy_s)


async def _load(server: Server, names: list[str], links: list[str], seconds: int) -> Seen:
    """Ask as many people do, kill the server in the middle, and return what they saw."""
    seen = Seen()
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=20)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        await _ready(session, server)
        people = [await _signed_in(session, server, link) for link in links]
        for query in _QUERIES:
            await _get(session, f"{server.address}/queue?{query}", people[0])
        began = time.perf_counter()
        killer = asyncio.create_task(_kill(session, server, seen, began, seconds / 2))
        tasks = []
        for number in range(_TICKS_S * seconds):
            due = number / _TICKS_S
            await asyncio.sleep(max(0.0, began + due - time.perf_counter()))
            person = number % _TICKS_S
            one = _one(server, names, people, person, number)
            tasks.append(asyncio.create_task(_ask(session, seen, began, due, one)))
        await asyncio.gather(*tasks, killer)
    return seen


@dataclass(frozen=True, slots=True)
class _Request:
    kind: str
    address: str
    headers: dict[str, str]
    body: dict[str, Any] | None = None


def _one(server: Server, names: list[str], people: list[dict[str, str]], person: int, number: int) -> _Request:
    """Return what a person asks next.  Decisions are spread over the second."""
    if person % _EVERY == _EVERY - 1:
        which = names[(number // _EVERY) % len(names)]
        act = {"act": "defer"} if number // _EVERY % 2 else {"act": "reject", "code": "not_plausible"}
        headers = {**people[READERS + person // _EVERY], "Idempotency-Key": f"{which}-{act['act']}"}
        return _Request("decision", f"{server.address}/v1/decisions", headers, {**act, "suggestion_id": which})
    reader = person - person // _EVERY
    query = random.choice(_QUERIES)
    if reader % 10 < _PAGES_OF_TEN:
        return _Request("page", f"{server.address}/queue?{query}", people[reader])
    return _Request("list", f"{server.address}/v1/suggestions?limit={_PAGE}&{query}", people[reader])


async def _ask(session: aiohttp.ClientSession, seen: Seen, began: float, due: float, one: _Request) -> None:
    """Ask until there is an answer; take its time from when it was due."""
    asked = Asked(one.kind, due)
    seen.asked.append(asked)
    while True:
        asked.tries += 1
        try:
            await _answered(session, seen, one)
            break
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError):
            await asyncio.sleep(_AGAIN_S)
    asked.took_s = time.perf_counter() - began - due


async def _answered(session: aiohttp.ClientSession, seen: Seen, one: _Request) -> None:
    if one.body is None:
        status, text = await _get(session, one.address, one.headers)
        if status != _OK or (one.kind == "page" and b"</html>" not in text):
            seen.wrong.append(f"{one.kind}: {status}")
        return
    async with session.post(one.address, json=one.body, headers=one.headers) as answer:
        told = await answer.json(content_type=None)
        if answer.status == _OK:
            seen.acknowledged[one.body["suggestion_id"]] = told["event_id"]
        else:
            seen.wrong.append(f"{one.kind}: {answer.status} {told.get('code')}")


async def _get(session: aiohttp.ClientSession, address: str, headers: dict[str, str]) -> tuple[int, bytes]:
    async with session.get(address, headers=headers) as answer:
        return answer.status, await answer.read()


async def _ready(session: aiohttp.ClientSession, server: Server) -> None:
    """Wait until the server answers."""
    until = time.perf_counter() + _START_S
    while True:
        try:
            await _get(session, f"{server.address}/healthz", {})
        except aiohttp.ClientConnectionError:
            expect(holds=time.perf_counter() < until, what="the server starts")
            await asyncio.sleep(_WAIT_S)
        else:
            return


async def _signed_in(session: aiohttp.ClientSession, server: Server, link: str) -> dict[str, str]:
    """Sign somebody in; return the headers of what they ask."""
    async with session.post(f"{server.address}/login/{link}", data={"a": "b"}, allow_redirects=False) as answer:
        expect(holds=answer.status == _SEE_OTHER, what="a link signs in")
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
    status, text = await _get(session, f"{server.address}/v1/session", {"Cookie": cookie})
    found = re.search(rb'"csrf_token":\s*"([^"]+)"', text)
    expect(holds=status == _OK and found is not None, what="a session has a token")
    return {"Cookie": cookie, "X-CSRF-Token": found[1].decode() if found else ""}


async def _kill(session: aiohttp.ClientSession, server: Server, seen: Seen, began: float, at: float) -> None:
    """Kill the server when it is time, start it again, and note how long it was away."""
    await asyncio.sleep(max(0.0, began + at - time.perf_counter()))
    left = time.perf_counter() - began
    server.kill()
    server.restart()
    await _ready(session, server)
    seen.down = (left, time.perf_counter() - began)


async def _check(path: Path, seen: Seen) -> None:
    """Make sure that nobody saw an error, and that each acknowledged decision was made, once.

    Raises:
        WrongResultError: It is not so.
    """
    expect(holds=not seen.wrong, what=f"{len(seen.wrong)} errors: {seen.wrong[:3]}")
    store = open_store(str(path))
    try:
        service = DecisionService(store.review, _no_profile, SystemClock())
        made: dict[str, list[str]] = {}
        async for event in service.events():
            if event.type in (EventType.SUGGESTION_REJECTED, EventType.SUGGESTION_DEFERRED):
                made.setdefault(str(event.data["suggestion_id"]), []).append(event.id)
        for name, event_id in seen.acknowledged.items():
            expect(holds=made.get(name) == [event_id], what="each acknowledged decision is in the log, once")
        decided = SuggestionFilter(status=(Status.REJECTED, Status.DEFERRED))
        counted = (await service.list_suggestions(decided, limit=1)).total
        expect(holds=counted == len(made) == len(seen.acknowledged), what="the store says what the log says")
    finally:
        store.close()


def _figures(sizes: Sizes, seen: Seen, busy_s: float) -> Iterator[Figure]:
    left, back = seen.down
    # All who asked before it was back have been answered.
    caught_up = max((one.due + one.took_s for one in seen.asked if one.due <= back), default=back)
    what = f"{sizes.suggestions:,} open, {sizes.seconds} s, {READERS} readers and {DECIDERS} deciders a second"
    for kind, name, at_most in (
        ("page", "page of the queue over HTTP", 150.0),
        ("list", "list of suggestions over HTTP", 150.0),
        ("decision", "decision over HTTP", None),
    ):
        all_of = [one for one in seen.asked if one.kind == kind]
        # Who asks while it is away cannot be answered; that is a figure of its own.
        times = sorted(one.took_s * 1e3 for one in all_of if not left - 1 <= one.due <= caught_up)
        with_all = sorted(one.took_s * 1e3 for one in all_of)
        rest = (
            f"half: {_share(times, 50):.0f} ms, 99 of 100: {_share(times, 99):.0f} ms,"
            f" with the restart 95 of 100: {_share(with_all, 95):.0f} ms"
        )
        yield Figure(f"{name}, 95 of 100", _share(times, 95), "ms", at_most=at_most, detail=f"{rest}; {what}")
    again = sum(one.tries > 1 for one in seen.asked)
    yield Figure(
        "killed and back",
        back - left,
        "s",
        detail=f"all answered {caught_up - back:.1f} s later, {again} asked again;"
        f" none of {len(seen.acknowledged)} decisions lost",
    )
    yield Figure(
        "processor time of a request", busy_s * 1e3 / len(seen.asked), "ms", detail="of the server, starts included"
    )


def _share(times: list[float], share_pct: int) -> float:
    return times[min(len(times) - 1, len(times) * share_pct // 100)] if times else 0.0


def _no_profile(_name: str) -> Any:  # noqa: ANN401 - nothing here needs one
    raise LookupError
