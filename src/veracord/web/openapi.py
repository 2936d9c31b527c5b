"""The OpenAPI of the API: made of the routes and of the very forms that bodies are checked against."""

from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.requests import Request
from starlette.responses import Response

from veracord.web.callers import cookie_name
from veracord.web.documenting import describe
from veracord.web.replies import json_reply
from veracord.web.schemas import components

router = APIRouter()


@router.get("/openapi.json", include_in_schema=False, **describe(None))
async def tell_openapi(request: Request) -> Response:
    """Tell what the API takes and answers."""
    return json_reply(request.app.openapi())


def openapi_of(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI of an application; pages are not in it."""
    if app.openapi_schema is None:
        document = get_openapi(title=app.title, version=app.version, routes=app.routes)
        document["paths"] = {
            path: told for path, told in document["paths"].items() if path.startswith(("/v1/", "/healthz"))
        }
        document["components"] = {
            "schemas": components(),
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "A key of `veracord keys add`."},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "veracord" if app.state.parts is None else cookie_name(app.state.parts),
                    "description": "A session; what changes something needs its token in X-CSRF-Token, too.",
                },
            },
        }
        document["security"] = [{"key": []}, {"session": []}]
        for path in ("/healthz", "/v1/session"):
            for name, operation in document["paths"].get(path, {}).items():
                if path == "/healthz" or name == "post":
                    operation["security"] = []
        app.openapi_schema = document
    return app.openapi_schema
