"""The collector of cyclic garbage during a run: it looks seldom, and not at what was there before.

A run makes and drops some thousand objects a record, next to none of them in cycles.  What was loaded before, such as
evidence, lives as long as the run, and to look through all of it again and again is a tenth of the work.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: Objects that may be made, less those that were dropped, before the collector looks at them.
_YOUNG: Final = 10_000


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Let the collector be while the context lasts; then all is as it was."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
