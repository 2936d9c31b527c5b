"""The routes of the page."""

from fastapi import APIRouter


def page_routers() -> list[APIRouter]:
    """Return them."""
    return []
