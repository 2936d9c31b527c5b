"""Whether the server and its store are well, and which profiles it has."""

from fastapi import APIRouter
from starlette.responses import Response

from veracord import __version__
from veracord.web.callers import Parts, ReadingOrProposing
from veracord.web.documenting import describe
from veracord.web.replies import json_reply

router = APIRouter()


@router.get("/healthz", **describe("Health"))
async def tell_health(parts: Parts) -> Response:
    """Tell that the store answers; nobody needs to be signed in."""
    await parts.service.settings()
    return json_reply({"status": "ok", "tool": f"veracord {__version__}"})


@router.get("/v1/profiles", **describe("Profiles"))
async def list_profiles(parts: Parts, _asking: ReadingOrProposing) -> Response:
    """List the profiles that requests may name."""
    return json_reply({"profiles": parts.composing.profiles.rows()})
