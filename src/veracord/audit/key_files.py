"""Files that hold keys: the secret half readable by its owner alone, and no secret is ever written over.

A file may come to hold another key, but only when the one before is in a file of its own.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from veracord.audit.keys import PublicKey, SigningKey
from veracord.errors import ConfigurationError, InputError

_OWNER_ONLY: Final = 0o600
_FOR_ALL: Final = 0o644
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
#: A PEM file of such a key has about 120 bytes.
_MAX_BYTES: Final = 4096


def open_or_make_key(path: Path) -> SigningKey:
    """Return the key of a file; make the file, and ``PATH.pub`` beside it, where there is none.

    Of several processes that make it at the same time, one makes it and all get the same key.

    Raises:
        ConfigurationError: ``key_file``: it cannot be read or made, others than its owner may read it, or the public
            key beside it is another one; ``missing_extra``: the library is not installed.
        InputError: ``audit_key``: one of them holds something else.
    """
    # A link to nowhere is no missing file: making one there could put a secret where nobody expects it.
    if not path.exists() and not path.is_symlink():
        _place(path, SigningKey.make().to_pem(), _OWNER_ONLY)
    key = load_key(path)
    public = public_file(path)
    if not public.exists():
        _place(public, key.public.to_pem(), _FOR_ALL)
    # Whoever verifies takes it from here, so it must be the right one.
    if load_public_key(public) != key.public:
        raise ConfigurationError(
            "the public key is not that of the key beside it",
            where=str(public),
            remedy="move it away; it is written anew",
            code="key_file",
        )
    return key


def make_new_key(path: Path) -> SigningKey:
    """Return a new key in a new file, with ``PATH.pub`` beside it; both are durable then.

    Raises:
        ConfigurationError: ``key_file``: one of the files is there already, or cannot be made; ``missing_extra``: the
            library is not installed.
    """
    key = SigningKey.make()
    for file in (path, public_file(path)):
        if file.exists() or file.is_symlink():
            raise ConfigurationError(
                "a new key is never written over a file", where=str(file), remedy="name another file", code="key_file"
            )
    keep_key(path, key)
    return key


def keep_key(path: Path, key: SigningKey) -> None:
    """Make sure that a file holds a key, and ``PATH.pub`` its public half.

    Raises:
        ConfigurationError: ``key_file``: it cannot be made, or holds another key.
    """
    _place(path, key.to_pem(), _OWNER_ONLY)
    if open_or_make_key(path).public != key.public:
        raise ConfigurationError("the file holds another key", where=str(path), remedy="move it away", code="key_file")


def exchange_key(path: Path, key: SigningKey) -> None:
    """Let a file hold another key, at once or not at all; the one that it held is in another file already.

    Raises:
        ConfigurationError: ``key_file``: it cannot be written.
    """
    # The secret last: it tells whether this is done, so that a crash between the two is seen and mended.
    _exchange(public_file(path), key.public.to_pem(), _FOR_ALL)
    _exchange(path, key.to_pem(), _OWNER_ONLY)


def public_file(path: Path) -> Path:
    """Return where the public half of a key is."""
    return path.with_name(f"{path.name}.pub")


def load_key(path: Path) -> SigningKey:
    """Return the key of a file.

    Raises:
        ConfigurationError: ``key_file``: it cannot be read, or others than its owner may read it;
            ``missing_extra``: the library is not installed.
        InputError: ``audit_key``: it holds something else.
    """
    try:
        with path.open("rb") as file:
            # Where there are no such permissions, the bits say what they always say there.
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & _OTHERS:
                raise ConfigurationError(
                    "others than its owner may use this key", where=str(path), remedy="chmod 600", code="key_file"
                )
            data = file.read(_MAX_BYTES)
    except OSError as error:
        raise _unusable(path, error) from None
    return SigningKey.from_pem(data, where=str(path))


def load_public_key(path: Path) -> PublicKey:
    """Return the public key of a file.

    Raises:
        InputError: ``unreadable_file``: it cannot be read; ``audit_key``: it holds something else.
        ConfigurationError: ``missing_extra``: the library is not installed.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES)
    except OSError as error:
        remedy = (error.strerror or "check the path").lower()
        raise InputError("the file cannot be read", where=str(path), remedy=remedy, code="unreadable_file") from None
    return PublicKey.from_pem(data, where=str(path))


def _place(path: Path, data: bytes, mode: int) -> None:
    """Write a file beside its place and link it there: whole or not at all, and never over another one."""
    with _written(path, data, mode) as written, suppress(FileExistsError):
        # Another process was faster where it is there already: its file is the one.
        os.link(written, path)


def _exchange(path: Path, data: bytes, mode: int) -> None:
    """Write a file beside its place and move it there: whole or not at all."""
    with _written(path, data, mode) as written:
        written.replace(path)


@contextmanager
def _written(path: Path, data: bytes, mode: int) -> Iterator[Path]:
    """Write a file beside its place, and make durable what is done with it."""
    try:
        handle, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")  # only its owner may read it
        try:
            with open(handle, "wb") as file:  # noqa: PTH123 - a handle, not a path
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(mode)
            yield Path(name)
        finally:
            Path(name).unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise _unusable(path, error) from None


def _sync_folder(folder: Path) -> None:
    """Make the names in a folder durable; where folders cannot be opened, the system does so itself."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unusable(path: Path, error: OSError) -> ConfigurationError:
    remedy = (error.strerror or "check the path").lower()
    return ConfigurationError("the key file cannot be used", where=str(path), remedy=remedy, code="key_file")
