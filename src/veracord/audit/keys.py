"""Keys that sign the log: Ed25519, through the library cryptography of the extra ``audit``, loaded on first use.

Source: RFC 8032.
"""

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, NoReturn

from veracord.errors import ConfigurationError, InputError
from veracord.records.values import digest

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class PublicKey:
    """The half of a key that anybody may have, and by which signatures are checked.

    Attributes:
        data: Its 32 bytes.
    """

    data: bytes

    @property
    def id(self) -> str:
        """``sha256:<hex>`` of its bytes."""
        return digest(self.data)

    @property
    def text(self) -> str:
        """Its bytes in base64, as checkpoints tell it."""
        return b64encode(self.data).decode()

    @classmethod
    def from_text(cls, text: str) -> "PublicKey":
        """Read a key as `text` gives it.

        Raises:
            InputError: ``audit_key``: it is no base64 of 32 bytes.
        """
        return cls(read_base64(text, KEY_BYTES, "a public key"))

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Whether a signature over a message was made with the other half of this key.

        Raises:
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        library = _library("hazmat.primitives.asymmetric.ed25519")
        invalid = _library("exceptions").InvalidSignature
        try:
            library.Ed25519PublicKey.from_public_bytes(self.data).verify(signature, message)
        except (invalid, ValueError):
            # ValueError: the bytes are no point of the curve, so nothing was signed with this key.
            return False
        return True

    def to_pem(self) -> bytes:
        """Return the key as a PEM file that other tools read.

        Raises:
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        forms = _library("hazmat.primitives.serialization")
        key = _library("hazmat.primitives.asymmetric.ed25519").Ed25519PublicKey.from_public_bytes(self.data)
        data: bytes = key.public_bytes(forms.Encoding.PEM, forms.PublicFormat.SubjectPublicKeyInfo)
        return data

    @classmethod
    def from_pem(cls, data: bytes, *, where: str = "") -> "PublicKey":
        """Read a PEM file.

        Raises:
            InputError: ``audit_key``: it is no public Ed25519 key.
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        forms = _library("hazmat.primitives.serialization")
        kind = _library("hazmat.primitives.asymmetric.ed25519").Ed25519PublicKey
        unsupported = _library("exceptions").UnsupportedAlgorithm
        try:
            key = forms.load_pem_public_key(data)
        except (ValueError, unsupported):
            key = None
        if not isinstance(key, kind):
            _refuse("this is no public Ed25519 key in PEM", where)
        return cls(key.public_bytes(forms.Encoding.Raw, forms.PublicFormat.Raw))


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that can sign; its secret half is in no representation, and leaves only through `to_pem`.

    Attributes:
        public: The half that may be given away.
    """

    public: PublicKey
    _secret: Any = field(repr=False, compare=False)

    @classmethod
    def make(cls) -> "SigningKey":
        """Return a new key, from the random numbers of the operating system.

        Raises:
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        return cls._of(_library("hazmat.primitives.asymmetric.ed25519").Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, data: bytes, *, where: str = "") -> "SigningKey":
        """Read a PEM file.

        Raises:
            InputError: ``audit_key``: it is no private Ed25519 key, or one with a pass phrase.
            ConfigurationError: ``missing_extra``: the library is not installed.
        """
        kind = _library("hazmat.primitives.asymmetric.ed25519").Ed25519PrivateKey
        unsupported = _library("exceptions").UnsupportedAlgorithm
        try:
            key = _library("hazmat.primitives.serialization").load_pem_private_key(data, password=None)
        except (ValueError, TypeError, unsupported):
            # TypeError: it asks for a pass phrase.
            key = None
        if not isinstance(key, kind):
            _refuse("this is no private Ed25519 key in PEM without a pass phrase", where)
        return cls._of(key)

    @classmethod
    def _of(cls, secret: Any) -> "SigningKey":  # noqa: ANN401 - a class of a library that may be absent
        forms = _library("hazmat.primitives.serialization")
        return cls(PublicKey(secret.public_key().public_bytes(forms.Encoding.Raw, forms.PublicFormat.Raw)), secret)

    def to_pem(self) -> bytes:
        """Return the secret as a PEM file, without a pass phrase."""
        forms = _library("hazmat.primitives.serialization")
        data: bytes = self._secret.private_bytes(forms.Encoding.PEM, forms.PrivateFormat.PKCS8, forms.NoEncryption())
        return data

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the signature over a message."""
        signature: bytes = self._secret.sign(message)
        return signature


def read_base64(text: object, size: int, what: str) -> bytes:
    """Return so many bytes from base64 in its one right spelling.

    Raises:
        InputError: ``audit_key``: it is another thing.
    """
    data = b""
    if type(text) is str:
        try:
            data = b64decode(text, validate=True)
        except ValueError:
            data = b""
    if len(data) != size or b64encode(data).decode() != text:
        _refuse(f"{what} is not the base64 of {size} bytes", "")
    return data


def _refuse(what: str, where: str) -> NoReturn:
    raise InputError(what, where=where, remedy="give the file or text that was made for it", code="audit_key")


def _library(part: str) -> Any:  # noqa: ANN401 - modules of a library that may be absent
    try:
        return import_module(f"cryptography.{part}")
    except ImportError:
        pass
    raise ConfigurationError(
        "signatures need cryptography, which is not installed",
        remedy="pip install 'veracord[audit]'",
        code="missing_extra",
    )
