"""The command `serve`: the HTTP API and the page."""

import re
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final

import typer

from veracord.apps import options
from veracord.apps.exchange_commands import DEFAULT_STORE, SigningKey, Store

if TYPE_CHECKING:
    from veracord.bootstrap.serving import ServedParts, ServeWish
    from veracord.errors import ConfigurationError

DEFAULT_PORT: Final = 8321
#: A name, or an address of the sixth version in brackets.
_HOST: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]")
_NEEDED: Final = ("fastapi", "uvicorn", "jinja2", "argon2", "python_multipart")

Host = Annotated[
    str | None,
    typer.Option("--host", metavar="HOST", help="Where to listen. Without it: this machine alone.", show_default=False),
]
Port = Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0 takes one that is free.")]
Profiles = Annotated[
    list[str] | None,
    typer.Option(
        "--profile",
        "-p",
        metavar="PROFILE",
        help="A .toml file that requests may name by the name in it, beside the bundled ones. Repeatable.",
        show_default=False,
    ),
]
Users = Annotated[bool, typer.Option("--users", help="Named users sign in with their passwords; see `veracord users`.")]
BehindTls = Annotated[
    bool,
    typer.Option("--behind-tls", help="Browsers come by https, through a proxy on this machine: cookies are secure."),
]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allowed-host",
        metavar="NAME",
        help="Answer only requests for this name. Repeatable.",
        show_default=False,
    ),
]
NoSuggest = Annotated[bool, typer.Option("--no-suggest", help="Never ask a model.")]


def serve(
    *,
    store: Store = DEFAULT_STORE,
    host: Host = None,
    port: Port = DEFAULT_PORT,
    profile: Profiles = None,
    users: Users = False,
    behind_tls: BehindTls = False,
    allowed_host: AllowedHosts = None,
    model: options.Model = None,
    base_url: options.BaseUrl = None,
    no_suggest: NoSuggest = False,
    signing_key: SigningKey = None,
    config: options.Config = None,
) -> int:
    """Serve the HTTP API and the review page.

    Without --users the page is for whoever sits at this machine: a link that works once is printed. The store is made
    if it is not there. Ends with SIGINT or SIGTERM, when what is under way is finished.
    """
    require_extra()
    from veracord.bootstrap.serving import LOCAL_HOSTS, ServeWish

    choices = options.asking(
        options.chosen(config=config), model=model, base_url=base_url, store=store, suggest=not no_suggest
    )
    _check_options(allowed_host or [], is_behind_tls=behind_tls, is_for_users=users)
    names = frozenset(name.lower() for name in allowed_host or ())
    if users:
        _require_store(store)
    wish = ServeWish(
        choices=choices,
        mode="server" if users else "local",
        hosts=names if users else names | LOCAL_HOSTS,
        is_secure=behind_tls,
        profiles=tuple(profile or ()),
        signing_key=signing_key,
    )
    return run(wish, host, port)


def _check_options(names: list[str], *, is_behind_tls: bool, is_for_users: bool) -> None:
    """Refuse what would be taken and mean nothing.

    Raises:
        ConfigurationError: ``usage``.
    """
    from veracord.apps.failures import usage_error

    for name in names:
        if not _HOST.fullmatch(name):
            remedy = "give a name as browsers send it, without scheme, port and path"
            raise usage_error("this is no name of a host", where=f"--allowed-host {name}", remedy=remedy)
    if is_behind_tls and not is_for_users:
        raise usage_error(
            "without --users only this machine is served", where="--behind-tls", remedy="give --users, or leave it out"
        )


def _require_store(store: str) -> None:
    """Make sure that there is a store: one that was made just now knows no users.

    Raises:
        ConfigurationError: ``no_users``.
    """
    from veracord.bootstrap.stores import store_files

    if not all(path.exists() for path in store_files(store)[:1]):
        raise _no_users()


def is_installed() -> bool:
    """Whether what serves is installed."""
    return all(find_spec(name) for name in _NEEDED)


def require_extra() -> None:
    """Make sure that what serves is installed.

    Raises:
        ConfigurationError: ``missing_extra``: it is not.
    """
    from veracord.errors import ConfigurationError

    if not is_installed():
        raise ConfigurationError(
            "serving needs libraries that are not installed",
            remedy="install them with: pip install 'veracord[serve]'",
            code="missing_extra",
        )


def run(
    wish: "ServeWish", host: str | None, port: int, fill: Callable[["ServedParts"], None] = lambda _parts: None
) -> int:
    """Serve until a signal asks to end; return the exit code.

    Args:
        wish: What is served.
        host: Where to listen; None for this machine alone.
        port: 0 for one that is free.
        fill: Puts something into the store before anybody is let in.

    Raises:
        ConfigurationError: The store, the address or an option cannot be used.
    """
    import asyncio
    from dataclasses import replace

    from veracord.apps.failures import failure_of, print_text, print_warning, usage_error
    from veracord.bootstrap.serving import close_server, is_loopback, wire_server
    from veracord.bootstrap.terminal import terminal_person
    from veracord.web.application import make_app
    from veracord.web.server import address_of, bind, run_server

    where = host or "127.0.0.1"
    if wish.mode == "local" and not is_loopback(where):
        raise usage_error(
            "without --users only this machine is served", where=f"--host {where}", remedy="give --users, or no --host"
        )
    listening = bind(where, port)
    try:
        parts = wire_server(
            replace(wish, port=listening.getsockname()[1]),
            lambda error, request_id: print_text(f"error: {failure_of(error)}, request {request_id}"),
        )
        try:
            _require_users(parts)
            fill(parts)
            address = address_of(listening)
            said = [f"Serving on {address}"]
            if not wish.is_secure and not is_loopback(where):
                print_warning("passwords come here in the clear: put a proxy with TLS before it, and give --behind-tls")
            if wish.mode == "local":
                link = asyncio.run(parts.access.new_link(terminal_person().id))
                said.append(f"Sign in, once and within 10 minutes: {address}/login/{link}")
            run_server(make_app(parts), listening, lambda: print_text("\n".join(said)), is_proxied=wish.is_secure)
        finally:
            close_server(parts)
    finally:
        listening.close()
    return 0


def _require_users(parts: "ServedParts") -> None:
    """Make sure that somebody can sign in.

    Raises:
        ConfigurationError: ``no_users``: nobody could.
    """
    import asyncio

    if parts.mode == "server" and not asyncio.run(parts.access.has_users()):
        raise _no_users()


def _no_users() -> "ConfigurationError":
    from veracord.errors import ConfigurationError

    return ConfigurationError("the store knows no users", remedy="add one with `veracord users add`", code="no_users")
