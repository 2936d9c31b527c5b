"""Whether the server and its store are well."""

from fastapi import APIRouter
from starlette.responses import Response

from veracord import __version__
from veracord.web.callers import Parts
from veracord.web.replies import json_reply

router = APIRouter()


@router.get("/healthz")
async def tell_health(parts: Parts) -> Response:
    """Tell that the store answers."""
    await parts.service.settings()
    return json_reply({"status": "ok", "tool": f"veracord {__version__}"})
