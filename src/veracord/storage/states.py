"""The states of a unit, as they stand in a store."""

from typing import Final

READY: Final = 0
RUNNING: Final = 1
DONE: Final = 2

#: Claims of one unit that may be lost before it is set aside.
MOST_LOST: Final = 3
