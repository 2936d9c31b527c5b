"""docs/decisions.md tells every code, setting, action and origin that there is."""

import re
from dataclasses import fields
from pathlib import Path

from veracord.records.evidence import ORIGINS, SILENT_ORIGINS
from veracord.review.permissions import Action
from veracord.review.settings import REJECT_REASONS, ReviewSettings

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
SOURCES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/veracord/review").glob("*.py"))]


def test_every_code_of_a_refusal_is_told():
    codes = {code for source in SOURCES for code in re.findall(r'code="([a-z_]+)"', source)}
    codes |= {code for source in SOURCES for code in re.findall(r'Refusal\("([a-z_]+)"', source)}
    own = {
        "evidence_damaged",
        "no_key",
        # Told in docs/access.md and docs/http.md.
        "idempotency_key",
        "idempotency_key_reused",
        "invalid_cursor",
        "no_such_place",
        "wrong_key",
        "record_id",
        "invalid_pointer",
        "invalid_time",
        "unresolved_reference",
    }
    told = set(re.findall(r"^\| (`[a-z_`, ]+) \|", TEXT.partition("## Refusals")[2], re.MULTILINE))
    listed = {code for cell in told for code in re.findall(r"`([a-z_]+)`", cell)}
    assert listed == codes - own


def test_every_setting_reason_and_origin_is_told():
    for name in (*(one.name for one in fields(ReviewSettings)), *REJECT_REASONS, *SILENT_ORIGINS, "evidence"):
        assert f"`{name}`" in TEXT
    assert ORIGINS > SILENT_ORIGINS


def test_every_act_has_its_row():
    acts = re.findall(r"^\| ([a-z ]+) \| [^|]+ \| [^|]+ \|$", TEXT, re.MULTILINE)
    decisions = set(Action) - {
        Action.IMPORT,
        Action.EXPORT,
        Action.CHECKPOINT,
        Action.CHANGE_SETTINGS,
        Action.ROTATE_KEY,
        Action.CHANGE_USERS,
        Action.CHANGE_KEYS,
        Action.CHANGE_PASSWORD,
        Action.SIGN_IN,
        Action.LOGIN_LINK,
        Action.REQUEST,
        Action.USE_KEY,
        Action.DROP_DECISIONS,
    }
    assert {"reject in bulk" if one is Action.BULK_REJECT else one.value for one in decisions} <= set(acts)
