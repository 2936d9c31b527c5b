"""One connection: how long somebody may take to ask, how many may be open, and what is told of a request that is none.

What uvicorn limits by itself is set in `veracord.web.server`: the size of a head, and how long a connection stays open
behind an answer.  Its limit on requests at once answers in plain text, so the guard has that one.

Source: RFC 9112, sections 6.3 and 9.3; RFC 9110, section 15.5.9.
"""

import asyncio
import secrets
from http import HTTPStatus
from typing import Any, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from veracord.errors import VeracordError
from veracord.web.guards import HEADERS
from veracord.web.problems import bad_request, problem_of, problem_response

#: From when a connection is open, or the first byte of a further request came, until its head is whole.
_MOST_SECONDS: Final = 20.0
#: Connections that are open at once; a process may often have no more than 1,024 files.
_MOST_OPEN: Final = 768


class Connection(H11Protocol):
    """A connection on which nobody keeps the server waiting."""

    _timer: asyncio.TimerHandle | None = None
    _has_begun = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as that of uvicorn
        """Begin to wait for a request; one connection too many is closed at once."""
        super().connection_made(transport)
        if len(self.connections) > _MOST_OPEN:
            transport.abort()
            return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; what comes behind an answer and makes no request is waited for as long as a first one."""
        self._has_begun = True
        super().data_received(data)
        if self._is_answering():
            self._stop_waiting()
        elif self._timer is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Tell of a request that HTTP does not allow as of everything else; its own words may quote it."""
        del msg
        self._refuse(bad_request("this is no request that HTTP allows", remedy="send another one"))

    def _is_answering(self) -> bool:
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._timer = self.loop.call_later(_MOST_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        # Behind an answer it may also be the rest of a body that nobody read.
        if self._has_begun and self.conn.their_state is h11.IDLE:
            self._refuse(bad_request("the request came too slowly", remedy="send it again", code="too_slow"))
        else:
            self.transport.close()

    def _refuse(self, error: VeracordError) -> None:
        """Answer and close; where an answer has begun, only close."""
        if not self.transport.is_closing() and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            response = problem_response(problem_of(error))
            told = {**HEADERS, "x-request-id": secrets.token_hex(16), **response.headers, "connection": "close"}
            headers = [(name.encode(), value.encode()) for name, value in told.items()]
            events: tuple[Any, ...] = (
                h11.Response(
                    status_code=response.status_code, headers=headers, reason=HTTPStatus(response.status_code).phrase
                ),
                h11.Data(data=bytes(response.body)),
                h11.EndOfMessage(),
            )
            for event in events:
                self.transport.write(cast("bytes", self.conn.send(event)))
        self.transport.close()
