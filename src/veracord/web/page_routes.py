"""The routes of the page."""

from fastapi import APIRouter

from veracord.web import (
    page_audit_routes,
    page_deciding_routes,
    page_entry_routes,
    page_overview_routes,
    page_password_routes,
    page_queue_routes,
    page_record_routes,
    page_settings_routes,
    page_sign_in_routes,
    page_static_routes,
)


def page_routers() -> list[APIRouter]:
    """Return them; what is entered comes before what is decided, whose path would take it, too."""
    return [
        page_static_routes.router,
        page_sign_in_routes.router,
        page_password_routes.router,
        page_queue_routes.router,
        page_record_routes.router,
        page_entry_routes.router,
        page_deciding_routes.router,
        page_overview_routes.router,
        page_audit_routes.router,
        page_settings_routes.router,
    ]
