"""What is told of users and keys: never a password, a digest, or more of a key than its beginning."""

from typing import Any

from veracord.access.api_keys import ApiKey
from veracord.access.users import User
from veracord.apps.rendering import Look, Sheet

Row = dict[str, Any]


def user_row(user: User) -> Row:
    """Return what is told of a user."""
    return {"id": user.id, "role": user.role, "created_at": user.created_at, "disabled": user.is_disabled}


def key_row(key: ApiKey) -> Row:
    """Return what is told of a key."""
    return {
        "id": key.id,
        "scopes": list(key.scopes),
        "created_at": key.created_at,
        "created_by": key.created_by,
        "expires_at": key.expires_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }


def users_text(report: Row, look: Look) -> str:
    """Return users for people."""
    sheet = Sheet(look)
    rows = [
        (row["id"], row["role"], row["created_at"], "disabled" if row["disabled"] else "may sign in")
        for row in report["users"]
    ]
    sheet.table("Users", ("id", "role", "added", "state"), rows)
    if not rows:
        sheet.line("there is no user; add one with veracord users add")
    return sheet.text()


def user_text(report: Row, look: Look) -> str:
    """Return one user for people."""
    sheet = Sheet(look)
    state = ", disabled" if report["disabled"] else ""
    sheet.line(f"{report['id']}: {report['role']}{state}")
    return sheet.text()


def link_text(report: Row, look: Look) -> str:
    """Return a link for people."""
    sheet = Sheet(look)
    sheet.line(report["link"])
    return sheet.text()


def keys_text(report: Row, look: Look) -> str:
    """Return keys for people."""
    sheet = Sheet(look)
    rows = [
        (
            *(row["id"], " ".join(row["scopes"]), row["created_by"], row["expires_at"]),
            *(row["last_used_at"] or "never", f"revoked {row['revoked_at']}" if row["revoked_at"] else ""),
        )
        for row in report["keys"]
    ]
    sheet.table("Keys", ("id", "scopes", "made by", "ends", "last used", ""), rows)
    if not rows:
        sheet.line("there is no key; make one with veracord keys add")
    return sheet.text()


def new_key_text(report: Row, look: Look) -> str:
    """Return a key that was made just now, the one time that it is told."""
    sheet = Sheet(look)
    sheet.line(report["key"], is_whole=True)
    sheet.line(f"it may {', '.join(report['scopes'])} until {report['expires_at']}; it is not shown again")
    return sheet.text()


def key_text(report: Row, look: Look) -> str:
    """Return a key that was taken back."""
    sheet = Sheet(look)
    sheet.line(f"{report['id']}: revoked {report['revoked_at']}")
    return sheet.text()
