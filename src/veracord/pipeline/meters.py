"""Counts what one attempt spends, while it spends it: so that nothing is lost when it is cancelled."""

from veracord.ports import Usage


class Meter:
    """The usage of one attempt.

    Attributes:
        structure_repairs: How often a model was asked again because its answer did not have the form asked for.
    """

    __slots__ = ("_known", "_waiting", "structure_repairs")

    def __init__(self) -> None:
        """Start at nothing."""
        self._known = Usage()
        self._waiting = 0
        self.structure_repairs = 0

    def sent(self) -> None:
        """Count a request whose answer is awaited."""
        self._waiting += 1

    def answered(self, usage: Usage) -> None:
        """Count what an awaited request has cost, as far as it is known."""
        self._waiting -= 1
        self._known += usage

    @property
    def usage(self) -> Usage:
        """What was spent; a request that is still awaited counts as one of unknown cost."""
        return self._known + Usage(requests=self._waiting, unmetered=self._waiting)
