"""Faults of durable runs: what is told before it is kept, and what is kept that must not be."""

from tools.faults import Mutant

STORES = ("tests/contract/test_stores.py",)
SQLITE = ("tests/integration/test_storage_sqlite.py",)
RAW = ("tests/integration/test_store_contains_nothing_raw.py",)
KEYS = ("tests/unit/test_pipeline_keys.py",)
COMMANDS = ("tests/e2e/test_cli_runs.py",)

FAULTS = (
    Mutant(
        "a commit without its fence",
        "storage/unit_rows.py",
        ' WHERE run_id = ? AND position = ? AND fence = ? AND state = {RUNNING}",\n',
        ' WHERE run_id = ? AND position = ? AND fence >= ? AND (state = {RUNNING} OR 1 = 1)",\n',
        STORES,
    ),
    Mutant(
        "a commit without the lease",
        "storage/unit_rows.py",
        "    is_held = holds_lease(session, lease)\n    changed = is_held and session.change(\n",
        "    changed = session.change(\n",
        STORES,
    ),
    Mutant(
        "an acknowledgement before the commit",
        "storage/writer.py",
        "                _attempt(session, operation)\n            session.commit()\n",
        "                _attempt(session, operation)\n"
        "                operation.loop.call_soon_threadsafe(operation.future.set_result, operation.result)\n"
        "            session.commit()\n",
        SQLITE,
    ),
    Mutant(
        "no intent before a call",
        "storage/unit_rows.py",
        '    add_word(session, lease.run_id, position, fence, "intent", {"epoch": lease.epoch})\n',
        "",
        (*STORES, "tests/e2e/test_cli_runs.py"),
    ),
    Mutant(
        "a checkpoint of an incomplete unit",
        "pipeline/units.py",
        "            if not unchecked:\n                await self._keep(turn, keys, value)\n",
        "            await self._keep(turn, keys, value)\n",
        COMMANDS,
    ),
    Mutant(
        "a step made from an incomplete value that is recalled",
        "pipeline/units.py",
        "keys = None if unchecked else self._keys(turn, first)\n",
        "keys = self._keys(turn, first)\n",
        COMMANDS,
    ),
    Mutant(
        "a deferred transaction",
        "storage/sqlite.py",
        '"BEGIN IMMEDIATE"',
        '"BEGIN DEFERRED"',
        SQLITE,
    ),
    Mutant(
        "a response in a receipt",
        "pipeline/units.py",
        "                    code=end.code,\n",
        '                    code=end.code or (attempt.correction.response if attempt.correction else ""),\n',
        RAW,
    ),
    Mutant(
        "a key that forgets the model",
        "promptkit/structured_producer.py",
        '"model": dict(self._model.settings)}',
        '"model": {}}',
        KEYS,
    ),
    Mutant(
        "a record taken without its new validators",
        "pipeline/units.py",
        "        if record.result_key != keys.result:\n",
        "        if False:\n",
        KEYS,
    ),
)
