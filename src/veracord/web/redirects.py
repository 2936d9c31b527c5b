"""Where a browser is sent: only to a path of this server."""


def local_path(text: str) -> str:
    """Return a path with its question if it is one of this server, else ``/``.

    Browsers take a second slash, or a backslash, for the beginning of another host, and pass over control characters.
    """
    is_path = text.startswith("/") and not text.startswith(("//", "/\\"))
    is_plain = all("!" <= character <= "~" for character in text) and "\\" not in text
    return text if is_path and is_plain else "/"
