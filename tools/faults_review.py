"""Faults of decisions and of the log: a guess that is taken for a fact, an act that is lost, changed or not refused."""

from tools.faults import Mutant

EFFECTS = ("tests/unit/test_review_effects.py",)
REFUSALS = ("tests/unit/test_review_refusals.py",)
STORES = ("tests/contract/test_review_stores.py",)
CHAIN = ("tests/unit/test_audit_chain.py", "tests/unit/test_audit_verification.py")

FAULTS = (
    Mutant(
        "acceptance sets the origin evidence",
        "review/accepting.py",
        'ACCEPTED: Final = "accepted_suggestion"',
        'ACCEPTED: Final = "evidence"',
        EFFECTS,
    ),
    Mutant(
        "undo deletes an event",
        "storage/audit_rows.py",
        '    session.change("UPDATE audit_head',
        '    if event.type == "decision.undone":\n'
        '        session.change("DELETE FROM audit_events WHERE event_id = ?", (str(event.data["undone"]),))\n'
        '    session.change("UPDATE audit_head',
        STORES,
    ),
    Mutant(
        "a decision without a check of what was seen",
        "review/seeing.py",
        "    if seen.revision == record.revision and seen.value_hash == value_hash(now):\n",
        "    if seen:\n",
        REFUSALS,
    ),
    Mutant(
        "the chain over the wrong bytes",
        "audit/chain.py",
        "    return digest(canonical(event.content()))",
        '    return digest(canonical({**event.content(), "data": {}}))',
        CHAIN,
    ),
    Mutant(
        "export with unverified values by default",
        "review/service.py",
        "        include_unverified: bool = False,\n",
        "        include_unverified: bool = True,\n",
        EFFECTS,
    ),
    Mutant(
        "services may decide",
        "review/permissions.py",
        "    if type(caller) is not Person:\n",
        "    if caller is None:\n",
        REFUSALS,
    ),
    Mutant(
        "refusals are not told",
        "review/service.py",
        "                chronicle.append(transaction, [act.refused(error)], act.now)\n",
        "",
        REFUSALS,
    ),
    Mutant(
        "evidence fills over a guessed key of a row",
        "review/attaching.py",
        "    text, value, _ = without(record.text, record.value, accepted_leaves(record))\n",
        "    text, value = record.text, record.value\n",
        EFFECTS,
    ),
    Mutant(
        "origins that come with an import are believed",
        "review/importing.py",
        "for at, origin in asked.origins.items() if origin in UNSUPPORTING_ORIGINS}",
        "for at, origin in asked.origins.items()}",
        EFFECTS,
    ),
    Mutant(
        "what was declared supports other records",
        "records/evidence.py",
        'SILENT_ORIGINS: Final = UNSUPPORTING_ORIGINS | {"declared"}',
        "SILENT_ORIGINS: Final = UNSUPPORTING_ORIGINS",
        EFFECTS,
    ),
    Mutant(
        "a rejected suggestion comes back",
        "review/service.py",
        "    transaction.reject(changes.reject)\n",
        "",
        EFFECTS,
    ),
    Mutant(
        "undo leaves a guess without its origin",
        "review/undoing.py",
        "    _check_leaves(text, span)\n",
        "",
        EFFECTS,
    ),
    Mutant(
        "a key that signs this log no more signs it",
        "review/chronicle.py",
        "    _check_signer(transaction, key.public)\n",
        "",
        EFFECTS,
    ),
    Mutant(
        "evidence never grounds what was accepted where nothing must stand",
        "review/attaching.py",
        "    text, value = _as_it_was(act, record, text, value)\n",
        "",
        EFFECTS,
    ),
    Mutant(
        "a decision taken away by an import without a word",
        "review/importing.py",
        "        if not asked.drops_decisions:\n",
        "        if False:\n",
        EFFECTS,
    ),
    Mutant(
        "a record taken over by another product",
        "review/reimporting.py",
        "    if ours and theirs and not ours & theirs:\n",
        "    if False:\n",
        EFFECTS,
    ),
    Mutant(
        "an edited value that the ledger does not know",
        "review/accepting.py",
        "if isinstance(asked, Edit) else []\n",
        "if False else []\n",
        EFFECTS,
    ),
)
