"""What people call the fields of a record: labels of the profile, and titles of its schema."""

from collections.abc import Iterator, Mapping

from veracord.records.pointers import STAR, Tokens, split
from veracord.records.profiles import Profile


class ProfileLabels(Mapping[str, tuple[str, ...]]):
    """Labels by pointer, looked up when they are asked for; ``*`` stands for any row."""

    def __init__(self, profile: Profile) -> None:
        """Remember the profile."""
        self._profile = profile
        self._known: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, pointer: str) -> tuple[str, ...]:
        """Return the labels of a place.

        Raises:
            KeyError: It has none.
        """
        found = self._known.get(pointer)
        if found is None:
            found = self._known[pointer] = self._labels(split(pointer))
        if not found:
            raise KeyError(pointer)
        return found

    def _labels(self, place: Tokens) -> tuple[str, ...]:
        own = self._profile.labels.get(place, ())
        titles = self._profile.place.below(["0" if token == STAR else token for token in place]).titles
        return tuple(dict.fromkeys((*own, *titles)))

    def __iter__(self) -> Iterator[str]:
        """Yield the pointers that were asked for so far."""
        return iter([pointer for pointer, labels in self._known.items() if labels])

    def __len__(self) -> int:
        """Return how many they are."""
        return len(list(iter(self)))

    def __bool__(self) -> bool:
        """Whether there may be any: always, for they are looked up."""
        return True


def labels_of(profile: Profile) -> ProfileLabels | None:
    """Return the labels of a profile; None for the one that says nothing."""
    return ProfileLabels(profile) if profile.name else None
