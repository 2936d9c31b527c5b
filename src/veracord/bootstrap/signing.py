"""Which key signs the log of a store, when one may be made, and how another one takes its place.

A key that is made where another one has signed before would break the log for whoever verifies it, so one is made only
for a log that has no signature.

When a key is changed, the new one is durable in a file of its own before the log tells of it, and no key ever loses its
file.  So a crash at any moment leaves the key that the log goes on with; what was not finished then is finished by the
next command that signs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from veracord.bootstrap.stores import store_files
from veracord.errors import ConfigurationError

if TYPE_CHECKING:
    from veracord.audit.keys import PublicKey, SigningKey

#: Tells which key a log goes on with; None where nobody has signed it.
Signer = Callable[[], "PublicKey | None"]

_ENDING: Final = ".audit.pem"
_DIGEST: Final = "sha256:"
#: So much of its id is in the name of the file that a key has to itself.
_ID_LENGTH: Final = 12


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A key and the one that follows it, which is in a file already.

    Attributes:
        old: Signs until now.
        new: Signs from then on.
        old_file: Where the old one is, when all is done.
        new_file: Where the new one is then.
    """

    old: "SigningKey"
    new: "SigningKey"
    old_file: Path
    new_file: Path

    def finish(self) -> None:
        """Put the new key where the old one was, if it is to be there; the log must tell of it already.

        Raises:
            ConfigurationError: ``key_file``: a file cannot be written.
        """
        if self.old_file == _own_file(self.new_file, self.old.public):
            _put(self.new_file, self.old, self.new)


def key_file(url: str, chosen: Path | None) -> Path | None:
    """Return where the key of a store is: where it was said, or beside the file of the store; None for a server."""
    if chosen is not None:
        return chosen
    store = next(iter(store_files(url)), None)
    return None if store is None else store.with_name(f"{store.name}{_ENDING}")


def key_files(path: Path | None) -> list[Path]:
    """Return the files that hold a key or held one there, with their public halves."""
    if path is None:
        return []
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    return [path, path.with_name(f"{path.name}.pub"), *(one for one in beside if one.name.startswith(f"{path.name}."))]


def ordinary_key(
    path: Path | None, *, is_chosen: bool, is_empty: Callable[[], bool], signer: Signer
) -> "SigningKey | None":
    """Return the key for checkpoints that come by themselves; None where the log goes unsigned.

    Args:
        path: Where it is.
        is_chosen: Whether a user named it; then it must be usable.
        is_empty: Whether the log has no event yet.
        signer: Tells which key the log goes on with.

    Raises:
        ConfigurationError: It cannot be used, another key signs this log (``wrong_key``), its library is not installed
            and it was named, or it was named and is not there (``no_key``).
    """
    if path is None or not (is_chosen or find_spec("cryptography")):
        return None
    from veracord.audit.key_files import load_key, open_or_make_key

    if _is_there(path):
        return _current(path, load_key(path), signer())
    if is_empty():
        return open_or_make_key(path)
    if is_chosen:
        message = "the file of the key is not there, and the log goes on without it"
        raise ConfigurationError(message, where=str(path), remedy="name one that is there", code="no_key")
    return None


def required_key(path: Path | None, signer: Signer) -> "SigningKey":
    """Return the key for a checkpoint that somebody asks for; it is made where no other one has signed.

    Raises:
        ConfigurationError: ``no_key``: it has no place, or the log is signed by a key that is not there; ``wrong_key``:
            another key signs this log; ``key_file``, ``missing_extra``: see `open_or_make_key`.
    """
    path = _place_of(path)
    from veracord.audit.key_files import open_or_make_key

    known = signer()
    if known is not None and not _is_there(path):
        raise ConfigurationError(
            "the log is signed by a key that is not here",
            where=str(path),
            remedy="put it there, or name it with --signing-key FILE",
            code="no_key",
        )
    if known is not None:
        _settled(path, known)
    return open_or_make_key(path)


def key_change(path: Path | None, new_file: Path | None, signer: Signer) -> KeyChange:
    """Return the key of a log with a new one, which is made and durable; the log does not tell of it yet.

    Args:
        path: Where the key is.
        new_file: Where the new one is to be; None for the same place, and then the old one gets a file of its own.
        signer: Tells which key the log goes on with.

    Raises:
        ConfigurationError: ``no_key``: there is none to be changed; ``wrong_key``: another one signs this log;
            ``key_file``: a file cannot be used, or the one for the new key is there already; ``missing_extra``.
    """
    path = _place_of(path)
    from veracord.audit.key_files import keep_key, load_key, make_new_key
    from veracord.audit.keys import SigningKey

    if not _is_there(path):
        raise ConfigurationError(
            "there is no key that could sign a new one",
            where=str(path),
            remedy="name it with --signing-key FILE",
            code="no_key",
        )
    old = _current(path, load_key(path), signer())
    if new_file is not None:
        return KeyChange(old, make_new_key(new_file), path, new_file)
    if path.is_symlink():
        raise ConfigurationError(
            "the key file is a link", where=str(path), remedy="name a file with --new-key FILE", code="key_file"
        )
    new = SigningKey.make()
    keep_key(_own_file(path, new.public), new)
    return KeyChange(old, new, _own_file(path, old.public), path)


def _current(path: Path, key: "SigningKey", known: "PublicKey | None") -> "SigningKey":
    """Return the key that a log goes on with: that of the file, or the one that was to take its place.

    Raises:
        ConfigurationError: ``wrong_key``: it is neither.
    """
    return key if known in (None, key.public) else _settled(path, known)


def _settled(path: Path, known: "PublicKey") -> "SigningKey":
    """Return the key that a log goes on with, and put it in its place where a change was not finished.

    Raises:
        ConfigurationError: ``wrong_key``: it is not here.
    """
    from veracord.audit.key_files import load_key

    key = load_key(path)
    if key.public == known:
        return key
    own = _own_file(path, known)
    if not _is_there(own) or (new := load_key(own)).public != known:
        raise ConfigurationError(
            "another key signs this log", where=str(path), remedy="name it with --signing-key FILE", code="wrong_key"
        )
    _put(path, key, new)
    return new


def _put(path: Path, old: "SigningKey", new: "SigningKey") -> None:
    """Put a key where another one is, which gets a file of its own before; twice does no harm."""
    from veracord.audit.key_files import exchange_key, keep_key

    keep_key(_own_file(path, old.public), old)
    exchange_key(path, new)


def _own_file(path: Path, key: "PublicKey") -> Path:
    """Return the file beside a key's place that a key has to itself."""
    return path.with_name(f"{path.name}.{key.id.removeprefix(_DIGEST)[:_ID_LENGTH]}")


def _place_of(path: Path | None) -> Path:
    if path is None:
        raise ConfigurationError(
            "the store has no file beside which its key could be",
            remedy="name it with --signing-key FILE",
            code="no_key",
        )
    return path


def _is_there(path: Path) -> bool:
    """Whether there is a file; a link to nowhere is one."""
    return path.exists() or path.is_symlink()
