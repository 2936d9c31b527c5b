"""docs/access.md tells every code, role, scope, event and limit that there is."""

import re
from pathlib import Path

from veracord.access import login_links, passwords, sessions, slowing
from veracord.access.api_keys import MOST_DAYS, SCOPES
from veracord.access.passwords import Hashing
from veracord.access.users import ROLES
from veracord.audit.events import EventType

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/access.md").read_text(encoding="utf-8")
SOURCES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/veracord/access").glob("*.py"))]


def test_every_code_of_a_refusal_is_told():
    codes = {code for source in SOURCES for code in re.findall(r'code="([a-z_]+)"', source)}
    codes |= {code for source in SOURCES for code in re.findall(r'_refused\("([a-z_]+)"', source)}
    rows = re.findall(r"^\| (`[a-z_`, ]+) \|", TEXT.partition("## Refusals")[2], re.MULTILINE)
    listed = {code for row in rows for code in re.findall(r"`([a-z_]+)`", row)}
    assert listed - {"not_allowed", "not_a_person", "not_signed_in"} == codes - {"missing_extra"}


def test_every_role_scope_event_and_change_is_told():
    changes = {
        change
        for source in SOURCES
        for change in re.findall(r'"(added|role|password|disabled|enabled|revoked)"', source)
    }
    for word in (*ROLES, *SCOPES, EventType.USER_CHANGED, EventType.API_KEY_CHANGED, *changes):
        assert f"`{word}`" in TEXT, word


def test_every_limit_is_told():
    hours = [one.total_seconds() / 3_600 for one in (sessions.IDLE, sessions.LONGEST, slowing.FORGOTTEN_AFTER)]
    assert hours == [8, 24, 1]
    hashing = Hashing()
    for told in (
        "8 hours after it was last used",
        "24 hours after it began",
        "forgotten after an hour",
        f"within {login_links.LIFE.seconds // 60} minutes",
        f"{login_links.MOST_TOLD} such uses at most",
        f"{passwords.LEAST_CHARACTERS} to {passwords.MOST_CHARACTERS:,} characters",
        f"({hashing.memory_kib // 1024} MiB, {hashing.passes} passes",
        f"up to {slowing.FREE}",
        f"at most {slowing.LONGEST_WAIT_S // 60} minutes",
        f"1 to {MOST_DAYS:,} days",
    ):
        assert told in TEXT, told
