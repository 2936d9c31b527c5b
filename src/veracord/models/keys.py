"""A key for a model's server, kept where no message, log or file can pick it up."""

from typing import NoReturn

from veracord.errors import ConfigurationError


class ApiKey:
    """A key that is shown to nobody but the server.

    It has no public attribute, hides itself in ``repr`` and cannot be pickled or copied.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Keep a key; blanks around it are dropped, as a key read from a file ends with a line break.

        Raises:
            ConfigurationError: It is empty, or holds what cannot stand in an HTTP header.
        """
        self._value = value.strip()
        fits = self._value.isascii() and self._value.isprintable() and self._value
        del value
        if not fits:
            self._value = ""
            raise ConfigurationError(
                "the API key is empty, or holds a control character or one beyond ASCII",
                remedy="check the variable that it comes from",
                code="api_key_invalid",
            )

    def reveal(self) -> str:
        """Return the key; call it only to write a request's header."""
        return self._value

    def __repr__(self) -> str:
        return "ApiKey(hidden)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is neither pickled nor copied")
