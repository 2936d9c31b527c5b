"""Checkpoints: signed statements of where a log ended, which show a cut tail and a log that was written anew.

They do so only when they are kept, or their keys are known, outside the reach of who could change the log.
"""

from base64 import b64encode
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from veracord.audit.chain import Head
from veracord.audit.events import is_count, is_digest
from veracord.audit.keys import SIGNATURE_BYTES, PublicKey, SigningKey, read_base64
from veracord.errors import InputError
from veracord.records.reading import read_value
from veracord.records.values import JsonObject, JsonValue, canonical

#: So many events are followed by a checkpoint; every export is, too.
CHECKPOINT_EVERY: Final = 1_000

_MAX_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed statement: after so many events, the last hash was this.

    Attributes:
        seq: The number of the last event; 0 for a log without one.
        head: Its hash.
        key: The key that signed, as the statement itself tells; whether it is trusted is another question.
        signature: 64 bytes over the canonical form of ``{"head": ..., "seq": ...}``.
    """

    seq: int
    head: str
    key: PublicKey
    signature: bytes

    def is_genuine(self) -> bool:
        """Whether the signature is over this statement and by this key.

        Raises:
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        return self.key.verifies(self.signature, _statement(self.seq, self.head))

    def to_object(self) -> JsonObject:
        """Return what an event ``checkpoint.signed`` holds as its data."""
        return {
            "seq": self.seq,
            "head": self.head,
            "key_id": self.key.id,
            "public_key": self.key.text,
            "signature": _base64(self.signature),
        }

    def to_json(self) -> bytes:
        """Return a small file of its own: one line."""
        return canonical(self.to_object()) + b"\n"

    @classmethod
    def from_object(cls, value: JsonValue, *, where: str = "") -> "Checkpoint":
        """Read the members; the signature is not checked here.

        Raises:
            InputError: ``audit_checkpoint``: it has not exactly these members, or a key id of another key.
        """
        members, key, signature = _signed(value, _CHECKPOINT, where)
        seq, head = members["seq"], members["head"]
        if not (is_count(seq, 0) and is_digest(head)):
            _refuse("the checkpoint names no event", where)
        return cls(seq, head, key, signature)

    @classmethod
    def from_json(cls, data: bytes, *, where: str = "") -> "Checkpoint":
        """Read a file as `to_json` gives it; blanks around the object do not matter.

        Raises:
            InputError: No strict JSON; ``audit_checkpoint``, see `from_object`, also for a file that is too large.
        """
        if len(data) > _MAX_BYTES:
            _refuse("the file is no checkpoint: it is too large", where)
        return cls.from_object(read_value(data, where=where), where=where)


@dataclass(frozen=True, slots=True)
class Rotation:
    """A signed statement by a key: from the next event on, another key signs.

    Attributes:
        key: The key that signs no more; it made the signature.
        new_key: The key that signs from now on.
        signature: 64 bytes over the canonical form of ``{"head": ..., "new_public_key": ..., "seq": ...}``, where
            head and seq are those of the event before: the statement fits nowhere else.
    """

    key: PublicKey
    new_key: PublicKey
    signature: bytes

    def is_genuine(self, head: Head) -> bool:
        """Whether the signature is over this statement, after this head, and by the old key.

        Raises:
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        return self.key.verifies(self.signature, _rotation_statement(head, self.new_key))

    def to_object(self) -> JsonObject:
        """Return what an event ``key.rotated`` holds as its data."""
        return {
            "key_id": self.key.id,
            "public_key": self.key.text,
            "new_key_id": self.new_key.id,
            "new_public_key": self.new_key.text,
            "signature": _base64(self.signature),
        }

    @classmethod
    def from_object(cls, value: JsonValue, *, where: str = "") -> "Rotation":
        """Read the members; the signature is not checked here.

        Raises:
            InputError: ``audit_checkpoint``: it has not exactly these members, or a key id of another key.
        """
        members, key, signature = _signed(value, _ROTATION, where)
        return cls(key, _key(members["new_public_key"], members["new_key_id"], where), signature)


_CHECKPOINT: Final = frozenset({"seq", "head", "key_id", "public_key", "signature"})
_ROTATION: Final = frozenset({"key_id", "public_key", "new_key_id", "new_public_key", "signature"})


def sign_checkpoint(seq: int, head: str, key: SigningKey) -> Checkpoint:
    """Return a checkpoint over an event, given by its number and hash."""
    return Checkpoint(seq, head, key.public, key.sign(_statement(seq, head)))


def sign_rotation(head: Head, old: SigningKey, new: PublicKey) -> Rotation:
    """Return the statement that another key signs from the event after this head on."""
    return Rotation(old.public, new, old.sign(_rotation_statement(head, new)))


def _statement(seq: int, head: str) -> bytes:
    return canonical({"seq": seq, "head": head})


def _rotation_statement(head: Head, new: PublicKey) -> bytes:
    return canonical({"seq": head.seq, "head": head.hash, "new_public_key": new.text})


def _signed(value: JsonValue, wanted: frozenset[str], where: str) -> tuple[dict[str, Any], PublicKey, bytes]:
    """Return the members, the key and the signature of a statement with exactly these members."""
    if type(value) is not dict or value.keys() != wanted:
        _refuse(f"a signed statement has exactly the members {', '.join(sorted(wanted))}", where)
    try:
        signature = read_base64(value["signature"], SIGNATURE_BYTES, "a signature")
    except InputError as error:
        _refuse(error.what, where)
    return value, _key(value["public_key"], value["key_id"], where), signature


def _key(text: JsonValue, key_id: JsonValue, where: str) -> PublicKey:
    if type(text) is not str:
        _refuse("a public key is text", where)
    try:
        key = PublicKey.from_text(text)
    except InputError as error:
        _refuse(error.what, where)
    if key.id != key_id:
        _refuse("the key id is not that of the public key", where)
    return key


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def _refuse(what: str, where: str) -> NoReturn:
    raise InputError(what, where=where, remedy="give a checkpoint as it was signed", code="audit_checkpoint")
