"""The server process: one socket, one loop, and an end in which what is under way is finished."""

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from veracord.errors import ConfigurationError, system_remedy
from veracord.web.connections import Connection
from veracord.web.page_rendering import load_page
from veracord.web.schemas import load_forms

_BACKLOG: Final = 2048
#: After a signal to end, requests have so long to be finished.
_GRACE_S: Final = 10
_MOST_HEADERS: Final = 64 * 1024
#: How long a connection stays open behind an answer.
_KEPT_OPEN_S: Final = 30


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes one that is free.

    Raises:
        ConfigurationError: ``address``: it is taken, or no address of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError):
        raise _unusable(host, port, "name an address of this machine") from None
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        remedy = system_remedy(error) if isinstance(error, OSError) else "name another port"
        raise _unusable(host, port, remedy) from None
    return listening


def run_server(app: ASGIApp, listening: socket.socket, on_ready: Callable[[], None], *, is_proxied: bool) -> None:
    """Serve until a signal asks to end.

    Args:
        app: The application.
        listening: The socket.
        on_ready: Called when requests are answered.
        is_proxied: Whether a proxy on this machine tells who asks.
    """
    load_page()
    load_forms()
    config = server_config(app, is_proxied=is_proxied)
    # Uvicorn sends itself the signal again when all is finished; for us that is an end as any other.
    with suppress(KeyboardInterrupt, SystemExit):
        _Server(config, on_ready).run(sockets=[listening])


def server_config(app: ASGIApp, *, is_proxied: bool = False) -> uvicorn.Config:
    """Return how requests are read and answered."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        ws="none",
        http=Connection,
        h11_max_incomplete_event_size=_MOST_HEADERS,
        proxy_headers=is_proxied,
        timeout_graceful_shutdown=_GRACE_S,
        timeout_keep_alive=_KEPT_OPEN_S,
    )


class _Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()


def address_of(listening: socket.socket) -> str:
    """Return the address at which a socket listens, as it is: one for all networks is told as such."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _unusable(host: str, port: int, remedy: str) -> ConfigurationError:
    return ConfigurationError("the address cannot be served", where=f"{host}:{port}", remedy=remedy, code="address")
