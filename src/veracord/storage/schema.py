"""The tables of a store, as numbered steps that only go forward.

Source: runs.md of the project's design (what is kept, and what is not).
"""

from typing import Final

from veracord.errors import StorageError
from veracord.storage.sessions import Session

#: Each step is applied once, in one transaction with its number.
STEPS: Final = (
    """
CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    input TEXT NOT NULL,
    spec TEXT NOT NULL,
    parts TEXT NOT NULL,
    facts TEXT NOT NULL,
    created_at TEXT NOT NULL,
    units BIGINT,
    epoch BIGINT NOT NULL,
    owner TEXT,
    lease_until DOUBLE PRECISION NOT NULL
);
CREATE TABLE starts (
    run_id TEXT NOT NULL REFERENCES runs,
    epoch BIGINT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    ended_by TEXT,
    PRIMARY KEY (run_id, epoch)
);
CREATE TABLE units (
    run_id TEXT NOT NULL REFERENCES runs,
    position BIGINT NOT NULL,
    unit_key TEXT NOT NULL,
    digest TEXT NOT NULL,
    state INTEGER NOT NULL,
    fence BIGINT NOT NULL,
    lost INTEGER NOT NULL,
    outcome TEXT,
    producer_id TEXT,
    facts TEXT,
    ended_run INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)
);
CREATE UNIQUE INDEX units_by_key ON units (run_id, unit_key);
CREATE TABLE receipts (
    run_id TEXT NOT NULL REFERENCES runs,
    position BIGINT NOT NULL,
    fence BIGINT NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    requests BIGINT NOT NULL,
    input_tokens BIGINT,
    output_tokens BIGINT,
    cost_usd TEXT,
    unmetered BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run_id, position, fence, number)
);
CREATE TABLE records (
    run_id TEXT NOT NULL REFERENCES runs,
    position BIGINT NOT NULL,
    producer_id TEXT NOT NULL,
    request_key TEXT NOT NULL,
    result_key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_id, position, producer_id)
);
CREATE INDEX records_by_request ON records (request_key, result_key);
CREATE TABLE provisional (
    run_id TEXT NOT NULL REFERENCES runs,
    position BIGINT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);
""",
    # A key begins with the product, which is what rows are looked up by; it is their index.
    """
CREATE TABLE issued_suggestions (
    product TEXT NOT NULL,
    place TEXT NOT NULL,
    value_digest TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    PRIMARY KEY (product, place, value_digest)
);
CREATE TABLE rejected_suggestions (
    product TEXT NOT NULL,
    place TEXT NOT NULL,
    value_digest TEXT NOT NULL,
    rejected_at TEXT NOT NULL,
    PRIMARY KEY (product, place, value_digest)
);
""",
    # Records under review; what is looked for has a column, and the rest is text that we wrote.
    """
CREATE TABLE passports (
    record_id TEXT PRIMARY KEY,
    revision BIGINT NOT NULL,
    text TEXT NOT NULL,
    facts TEXT NOT NULL
);
CREATE TABLE evidence_items (
    record_id TEXT NOT NULL,
    item_key TEXT NOT NULL,
    body_digest TEXT NOT NULL,
    is_attached INTEGER NOT NULL,
    is_active INTEGER NOT NULL,
    PRIMARY KEY (record_id, item_key)
);
CREATE TABLE evidence_bodies (
    body_digest TEXT PRIMARY KEY,
    evidence_ref TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX evidence_bodies_by_ref ON evidence_bodies (evidence_ref);
CREATE INDEX evidence_items_by_body ON evidence_items (body_digest);
CREATE TABLE proposals (
    suggestion_id TEXT PRIMARY KEY,
    record_id TEXT NOT NULL,
    pointer TEXT NOT NULL,
    rule TEXT NOT NULL,
    model TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    ledger_key TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX proposals_by_record ON proposals (record_id, created_at);
CREATE INDEX proposals_by_status ON proposals (status, created_at);
CREATE INDEX proposals_by_ledger_key ON proposals (ledger_key);
CREATE TABLE audit_events (
    seq BIGINT PRIMARY KEY,
    event_id TEXT NOT NULL,
    record_id TEXT,
    body TEXT NOT NULL
);
CREATE UNIQUE INDEX audit_events_by_id ON audit_events (event_id);
CREATE INDEX audit_events_by_record ON audit_events (record_id, seq);
CREATE TABLE audit_head (
    name TEXT PRIMARY KEY,
    seq BIGINT NOT NULL,
    hash TEXT NOT NULL
);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
""",
    # Who may sign in, requests that may come twice, and what a queue of many suggestions is read by: indexes in its
    # order, and counts that are kept with what they count.
    """
CREATE TABLE users (
    user_id TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at TEXT NOT NULL,
    is_disabled INTEGER NOT NULL
);
CREATE TABLE api_keys (
    prefix TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    last_used_at TEXT,
    revoked_at TEXT
);
CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    how TEXT NOT NULL,
    role TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    seen_at TEXT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE TABLE login_links (
    digest TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    role TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    refusals BIGINT NOT NULL
);
CREATE TABLE sign_in_failures (
    subject TEXT PRIMARY KEY,
    failures BIGINT NOT NULL,
    last_at TEXT NOT NULL
);
CREATE TABLE answered_requests (
    caller TEXT NOT NULL,
    request_key TEXT NOT NULL,
    request_digest TEXT NOT NULL,
    answer TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (caller, request_key)
);
CREATE INDEX answered_requests_by_time ON answered_requests (until);
CREATE TABLE jobs (
    run_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    once_key TEXT,
    request_digest TEXT NOT NULL,
    state TEXT NOT NULL,
    code TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE UNIQUE INDEX jobs_by_once ON jobs (asked_by, once_key);
DROP INDEX proposals_by_status;
DROP INDEX proposals_by_record;
CREATE INDEX proposals_by_status ON proposals (status, created_at, suggestion_id);
CREATE INDEX proposals_by_pointer ON proposals (pointer, status, created_at, suggestion_id);
CREATE INDEX proposals_by_rule ON proposals (rule, status, created_at, suggestion_id);
CREATE INDEX proposals_by_model ON proposals (model, status, created_at, suggestion_id);
CREATE INDEX proposals_by_record ON proposals (record_id, status, pointer, rule, model, created_at);
CREATE TABLE suggestion_counts (
    pointer TEXT NOT NULL,
    rule TEXT NOT NULL,
    model TEXT NOT NULL,
    status TEXT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (pointer, rule, model, status)
);
INSERT INTO suggestion_counts (pointer, rule, model, status, number)
    SELECT pointer, rule, model, status, COUNT(*) FROM proposals GROUP BY pointer, rule, model, status;
CREATE TABLE suggestion_changes (
    at BIGINT NOT NULL,
    record_id TEXT NOT NULL,
    pointer TEXT NOT NULL,
    rule TEXT NOT NULL,
    model TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    number BIGINT NOT NULL
);
CREATE INDEX suggestion_changes_by_end ON suggestion_changes (at);
""",
)

_META: Final = "CREATE TABLE IF NOT EXISTS store (name TEXT PRIMARY KEY, value TEXT NOT NULL)"


def migrate(session: Session, where: str) -> None:
    """Bring a store to the newest version.

    Raises:
        StorageError: It is of a newer version than this code knows.
    """
    session.begin()
    session.hold_store()
    session.change(_META)
    rows = session.execute("SELECT value FROM store WHERE name = 'version'")
    session.commit()
    version = _number(rows[0][0], where) if rows else 0
    if version > len(STEPS):
        raise StorageError(
            f"the store has version {version}, and this program knows {len(STEPS)}",
            where=where,
            remedy="use a newer veracord",
            code="store_newer",
        )
    if 0 < version < len(STEPS):
        session.back_up(version)
    for number in range(version + 1, len(STEPS) + 1):
        _step(session, number)


def _number(text: object, where: str) -> int:
    if isinstance(text, str) and text.isascii() and text.isdigit() and int(text):
        return int(text)
    raise StorageError(
        "the store has no version", where=where, remedy="it is damaged; restore a copy", code="store_unusable"
    )


def _step(session: Session, number: int) -> None:
    session.begin()
    try:
        session.hold_store()
        # Another process may have been faster.
        rows = session.execute("SELECT value FROM store WHERE name = 'version'")
        if not rows or int(rows[0][0]) < number:
            session.run_script(STEPS[number - 1])
            session.change("DELETE FROM store WHERE name = 'version'")
            session.change("INSERT INTO store (name, value) VALUES ('version', ?)", (str(number),))
        session.commit()
    except BaseException:
        session.roll_back()
        raise
