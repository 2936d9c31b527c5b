"""Files of the page: style, script and sign, each under an address that holds a digest of its bytes."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from veracord.web.page_rendering import ASSETS, read_asset
from veracord.web.problems import bad_request

router = APIRouter(include_in_schema=False)

_FOR_GOOD: Final = "public, max-age=31536000, immutable"


@router.get("/static/{name:path}")
async def read_file(request: Request, name: str) -> Response:
    """Return a file; one that is asked for with its digest may be kept."""
    try:
        data, version = read_asset(name)
    except KeyError:
        raise bad_request("there is no such file", code="not_found") from None
    is_named = request.query_params.get("v") == version
    headers = {"cache-control": _FOR_GOOD if is_named else "no-cache", "etag": f'"{version}"'}
    return Response(data, headers=headers, media_type=ASSETS[name])


@router.get("/favicon.ico")
async def read_icon() -> Response:
    """Return the sign of the page where browsers look for it unasked."""
    data, _ = read_asset("icon.svg")
    return Response(data, headers={"cache-control": "public, max-age=86400"}, media_type=ASSETS["icon.svg"])
