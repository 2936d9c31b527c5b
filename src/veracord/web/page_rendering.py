"""Templates and files of the page, out of the package itself.  Everything is escaped; what is missing is an error."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from veracord import __version__

#: Rows of the queue that are kept as they were made.
_MOST_ROWS: Final = 2_000
LOOK_COOKIE: Final = "veracord_look"
THEMES: Final = ("auto", "light", "dark")
KEYS: Final = ("on", "off")
#: The files that are served, each with its media type.
ASSETS: Final[Mapping[str, str]] = {
    "page.css": "text/css; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "vendor/htmx.min.js": "text/javascript; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks, as far as a page tells.

    Attributes:
        id: The person.
        role: Their role.
        csrf_token: What forms must hold.
    """

    id: str
    role: str
    csrf_token: str

    @property
    def may_decide(self) -> bool:
        """Whether forms are shown; what may be done is decided elsewhere."""
        return self.role != "viewer"

    @property
    def is_maintainer(self) -> bool:
        """Whether settings can be changed."""
        return self.role == "maintainer"


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("veracord", "bundled/page/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(asset=asset_address, version=__version__, kept_row=render_row)
    return environment


def load_page() -> None:
    """Read all templates and files now: a package that is replaced under a server that runs changes no page of it."""
    environment = _environment()
    for name in environment.list_templates():
        environment.get_template(name)
    for name in ASSETS:
        read_asset(name)


@lru_cache(maxsize=len(ASSETS))
def read_asset(name: str) -> tuple[bytes, str]:
    """Return a file of the page and the beginning of its digest.

    Raises:
        KeyError: There is none.
    """
    if name not in ASSETS:
        raise KeyError(name)
    data = files("veracord").joinpath("bundled/page/static", name).read_bytes()
    return data, hashlib.sha256(data).hexdigest()[:16]


def asset_address(name: str) -> str:
    """Return the address of a file; other bytes have another one, so that it may be kept for long."""
    return f"/static/{name}?v={read_asset(name)[1]}"


def render_text(template: str, **values: Any) -> str:  # noqa: ANN401 - whatever the template shows
    """Return what a template gives."""
    return _environment().get_template(template).render(**values)


def render_row(row: Mapping[str, Any]) -> Markup:
    """Return a row of the queue; one with the same content was made before, for most who look at a queue."""
    return _row_text(tuple((name, _hashed(value)) for name, value in row.items()))


def _hashed(value: Any) -> Any:  # noqa: ANN401 - what a row shows: texts, and badges of texts
    return tuple(value.items()) if type(value) is dict else value


@lru_cache(maxsize=_MOST_ROWS)
def _row_text(content: tuple[tuple[str, Any], ...]) -> Markup:
    row = {name: dict(value) if type(value) is tuple else value for name, value in content}
    return Markup(render_text("row.html", row=row))  # noqa: S704 - our own template escaped everything


def look_of(request: Request) -> dict[str, str]:
    """Return how somebody wants the page to look and whether keys are on; the cookie is no secret."""
    theme, _, keys = request.cookies.get(LOOK_COOKIE, "").partition(".")
    return {"theme": theme if theme in THEMES else "auto", "single_keys": keys if keys in KEYS else "on"}


def address_of(request: Request) -> str:
    """Return the address that was asked for, as it was written: so it leads here again whatever an id holds."""
    raw: bytes | None = request.scope.get("raw_path")
    path = quote(request.url.path) if raw is None else raw.decode("ascii", "replace").partition("?")[0]
    return f"{path}?{request.url.query}" if request.url.query else path


def is_fragment(request: Request) -> bool:
    """Whether only a part of a page is asked for."""
    return request.headers.get("hx-request") == "true"


def page(
    request: Request,
    template: str,
    viewer: Viewer | None,
    status: int = 200,
    **values: Any,  # noqa: ANN401 - as above
) -> HTMLResponse:
    """Return a whole page."""
    path, here = request.url.path, address_of(request)
    text = render_text(template, viewer=viewer, look=look_of(request), path=path, here=here, **values)
    return HTMLResponse(text, status)


def fragment(template: str, viewer: Viewer, status: int = 200, **values: Any) -> HTMLResponse:  # noqa: ANN401 - as above
    """Return a part of a page."""
    return HTMLResponse(render_text(template, viewer=viewer, **values), status)
