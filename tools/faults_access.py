"""Faults of access and of the queue: somebody stays in who should not, a request acts twice, a row is passed over."""

from tools.faults import Mutant

STORES = ("tests/contract/test_access_stores.py",)
QUEUE = ("tests/contract/test_review_queue.py",)

FAULTS = (
    Mutant(
        "a one-time link signs in twice",
        "storage/access_rows.py",
        "WHERE digest = ? AND used_at IS NULL AND expires_at > ?",
        "WHERE digest = ? AND expires_at > ?",
        STORES,
    ),
    Mutant(
        "sessions outlive a disabled user",
        "access/managing.py",
        "            act.transaction.end_sessions_of(user.id)\n",
        "            del user\n",
        STORES,
    ),
    Mutant(
        "no work for a name that nobody has",
        "access/signing_in.py",
        "            return await asyncio.to_thread(self._hashing.fits, password, kept)\n",
        "            return kept is not None and self._hashing.fits(password, kept)\n",
        STORES,
    ),
    Mutant(
        "a try counts only when its password was looked at",
        "access/signing_in.py",
        "        act.transaction.put_failures(one_more(one, subject, act.now))\n",
        "        del one, subject\n",
        STORES,
    ),
    Mutant(
        "a revoked key opens",
        "access/api_keys.py",
        "        return self.revoked_at is None and utc_text(now) < self.expires_at\n",
        "        return utc_text(now) < self.expires_at\n",
        STORES,
    ),
    Mutant(
        "the log tells a name that nobody has",
        "access/signing_in.py",
        '{"user_id": user_id} if known else None)',
        '{"user_id": user_id.encode(errors="replace").decode()})',
        STORES,
    ),
    Mutant(
        "an answer is given for another request",
        "review/kept_answers.py",
        "    if not hmac.compare_digest(known.request_digest, once.request_digest):\n",
        "    if False:\n",
        QUEUE,
    ),
    Mutant(
        "a page begins behind a moment and not behind a row",
        "storage/suggestion_rows.py",
        '("(created_at, suggestion_id) > (?, ?)", list(behind))',
        '("created_at > ?", [behind[0]])',
        QUEUE,
    ),
    Mutant(
        "counts do not follow what was decided",
        "storage/suggestion_counts.py",
        "    rows = [(end + 1, *kind, number) for kind, number in changed.items()]\n",
        "    rows = [(end, *kind, number) for kind, number in changed.items()]\n",
        QUEUE,
    ),
)
