"""Who may sign in, in a database: the port `veracord.access.stores.AccessStore`; of secrets, only digests come here."""

from collections.abc import Callable
from datetime import datetime
from typing import Final, TypeVar

from veracord.access import login_links, slowing
from veracord.access.api_keys import ApiKey, check_scopes
from veracord.access.login_links import LoginLink
from veracord.access.sessions import IDLE
from veracord.access.sessions import Session as SignInSession
from veracord.access.slowing import Failures
from veracord.access.stores import AccessReader, AccessTransaction
from veracord.access.users import User, check_role
from veracord.audit.events import utc_text
from veracord.review.damage import kept_as_written
from veracord.review.people import Role
from veracord.storage.review_reads import SqlReviewReader
from veracord.storage.review_rows import Doing, SqlReviewTransaction, named
from veracord.storage.sessions import Row

T = TypeVar("T")

_USER: Final = "user_id, role, password_hash, created_at, is_disabled"
_KEY: Final = "prefix, digest, scopes, created_at, created_by, expires_at, last_used_at, revoked_at"
_SESSION: Final = "digest, user_id, how, role, created_at, expires_at, seen_at"
_LINK: Final = "digest, user_id, role, created_at, expires_at, used_at, refusals"


class SqlAccessStore:
    """Keeps who may sign in in the database of a store."""

    def __init__(self, do: Doing, look: Doing, where: str) -> None:
        """Remember how something is done in one transaction, how it is looked, and what errors call the store."""
        self._do = do
        self._look = look
        self._where = where

    async def transact(self, work: Callable[[AccessTransaction], T]) -> T:
        """Do something in one transaction; see `AccessStore`."""
        return await named(self._where, self._do(lambda session: work(SqlAccessTransaction(session))))

    async def look(self, work: Callable[[AccessReader], T]) -> T:
        """Look at one moment; see `AccessStore`."""
        return await named(self._where, self._look(lambda session: work(SqlAccessReader(session))))


class SqlAccessReader(SqlReviewReader):
    """What one transaction sees; see `AccessReader` for what each method does."""

    def user(self, user_id: str) -> User | None:
        """Return a user."""
        rows = self._session.execute(f"SELECT {_USER} FROM users WHERE user_id = ?", (user_id,))  # noqa: S608 - ours
        return _user(rows[0]) if rows else None

    def users(self) -> list[User]:
        """Return all users, by id."""
        return sorted(map(_user, self._session.execute(f"SELECT {_USER} FROM users")), key=lambda one: one.id)  # noqa: S608 - ours

    def api_key(self, prefix: str) -> ApiKey | None:
        """Return a key."""
        rows = self._session.execute(f"SELECT {_KEY} FROM api_keys WHERE prefix = ?", (prefix,))  # noqa: S608 - ours
        return _key(rows[0]) if rows else None

    def api_keys(self) -> list[ApiKey]:
        """Return all keys, the oldest first."""
        found = map(_key, self._session.execute(f"SELECT {_KEY} FROM api_keys"))  # noqa: S608 - ours
        return sorted(found, key=lambda one: (one.created_at, one.prefix))

    def session(self, digest: str) -> SignInSession | None:
        """Return a session."""
        rows = self._session.execute(f"SELECT {_SESSION} FROM sessions WHERE digest = ?", (digest,))  # noqa: S608 - ours
        return _session(rows[0]) if rows else None

    def login_link(self, digest: str) -> LoginLink | None:
        """Return a link."""
        rows = self._session.execute(f"SELECT {_LINK} FROM login_links WHERE digest = ?", (digest,))  # noqa: S608 - ours
        return _link(rows[0]) if rows else None

    def failures(self, subject: str) -> Failures | None:
        """Return the failed sign-ins of a name or an address."""
        rows = self._session.execute("SELECT failures, last_at FROM sign_in_failures WHERE subject = ?", (subject,))
        if not rows:
            return None
        with kept_as_written("failed sign-ins"):
            return Failures(subject, int(rows[0][0]), datetime.fromisoformat(rows[0][1]))


class SqlAccessTransaction(SqlReviewTransaction, SqlAccessReader):
    """One transaction that changes; see `AccessTransaction` for what each method does."""

    def put_user(self, user: User) -> None:
        """Keep a user as they are now."""
        self._session.change(
            f"INSERT INTO users ({_USER}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (user_id) DO UPDATE SET"  # noqa: S608 - ours
            " role = excluded.role, password_hash = excluded.password_hash, is_disabled = excluded.is_disabled",
            (user.id, user.role, user.password_hash, user.created_at, int(user.is_disabled)),
        )

    def put_api_key(self, key: ApiKey) -> None:
        """Keep a key as it is now, but for its last use."""
        self._session.change(
            f"INSERT INTO api_keys ({_KEY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (prefix) DO UPDATE SET"  # noqa: S608 - ours
            " revoked_at = excluded.revoked_at",
            (
                *(key.prefix, key.digest, " ".join(key.scopes), key.created_at),
                *(key.created_by, key.expires_at, key.last_used_at, key.revoked_at),
            ),
        )

    def note_key_use(self, prefix: str, at: str) -> None:
        """Keep when a key was last used."""
        self._session.change(
            "UPDATE api_keys SET last_used_at = ? WHERE prefix = ? AND (last_used_at IS NULL OR last_used_at < ?)",
            (at, prefix, at),
        )

    def put_session(self, session: SignInSession) -> None:
        """Keep a session that was made just now."""
        self._session.change(
            f"INSERT INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - ours
            (
                *(session.digest, session.user_id, session.how, session.role),
                *(session.created_at, session.expires_at, session.seen_at),
            ),
        )

    def note_session_use(self, digest: str, at: str) -> None:
        """Keep when a session was last used."""
        self._session.change("UPDATE sessions SET seen_at = ? WHERE digest = ? AND seen_at < ?", (at, digest, at))

    def end_session(self, digest: str) -> None:
        """Remove a session."""
        self._session.change("DELETE FROM sessions WHERE digest = ?", (digest,))

    def end_sessions_of(self, user_id: str) -> None:
        """Remove all sessions of a user, and the links that were made for them."""
        self._session.change("DELETE FROM sessions WHERE user_id = ?", (user_id,))
        self._session.change("DELETE FROM login_links WHERE user_id = ? AND used_at IS NULL", (user_id,))

    def put_login_link(self, link: LoginLink) -> None:
        """Keep a link that was made just now."""
        self._session.change(
            f"INSERT INTO login_links ({_LINK}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - ours
            (link.digest, link.user_id, link.role, link.created_at, link.expires_at, link.used_at, link.refusals),
        )

    def take_login_link(self, digest: str, at: str) -> bool:
        """Use a link up; the row decides, whoever else tries at the same moment."""
        taken = self._session.change(
            "UPDATE login_links SET used_at = ? WHERE digest = ? AND used_at IS NULL AND expires_at > ?",
            (at, digest, at),
        )
        return taken == 1

    def note_link_refusal(self, digest: str) -> None:
        """Count one more refused use of a link."""
        self._session.change("UPDATE login_links SET refusals = refusals + 1 WHERE digest = ?", (digest,))

    def put_failures(self, failures: Failures) -> None:
        """Keep failed sign-ins of a name or an address."""
        self._session.change(
            "INSERT INTO sign_in_failures (subject, failures, last_at) VALUES (?, ?, ?)"
            " ON CONFLICT (subject) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at",
            (failures.subject, failures.count, utc_text(failures.last_at)),
        )

    def forget_failures(self, subject: str) -> None:
        """Remove them."""
        self._session.change("DELETE FROM sign_in_failures WHERE subject = ?", (subject,))

    def remove_ended(self, now: datetime) -> None:
        """Remove sessions, links and failures that are too old to matter."""
        self._session.change(
            "DELETE FROM sessions WHERE expires_at <= ? OR seen_at <= ?", (utc_text(now), utc_text(now - IDLE))
        )
        self._session.change("DELETE FROM login_links WHERE created_at <= ?", (utc_text(now - login_links.REMEMBERED),))
        self._session.change(
            "DELETE FROM sign_in_failures WHERE last_at <= ?", (utc_text(now - slowing.FORGOTTEN_AFTER),)
        )


def _user(row: Row) -> User:
    with kept_as_written(f"user {row[0]}"):
        return User(row[0], check_role(row[1]), row[2], row[3], bool(row[4]))


def _key(row: Row) -> ApiKey:
    with kept_as_written(f"key {row[0]}"):
        return ApiKey(row[0], row[1], check_scopes(row[2].split()), *row[3:])


def _session(row: Row) -> SignInSession:
    digest, user_id, how, role, created_at, expires_at, seen_at = row
    return SignInSession(digest, user_id, how, _role(role), created_at, expires_at, seen_at)


def _link(row: Row) -> LoginLink:
    digest, user_id, role, created_at, expires_at, used_at, refusals = row
    return LoginLink(digest, user_id, _role(role), created_at, expires_at, used_at, refusals)


def _role(text: str | None) -> Role | None:
    with kept_as_written("a sign-in"):
        return None if text is None else check_role(text)
