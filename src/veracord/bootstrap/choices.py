"""What a user chose on the command line, and the parts that are loaded from it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from veracord.config import SETTINGS_FILE, Settings
from veracord.errors import ConfigurationError

if TYPE_CHECKING:
    from veracord.records.evidence import EvidencePack
    from veracord.records.profiles import Profile

#: A comma parts two members of a key only where a new pointer begins: names may hold commas.
_NEXT_POINTER: Final = re.compile(r",(?=/)")


@dataclass(frozen=True, slots=True)
class Choices:
    """What a user chose; a plain value that any process can be wired from.

    Attributes:
        profile: A bundled name or the path of a `.toml` file.
        schemas: Instead of a profile: the main schema, then files that it may refer to.
        identity: Keys as text, each `/a,/b`; strongest first, after those of the profile.
        evidence: Files and folders.
        config: The settings file, when one was named.
        settings: What it says.
        model: The name of a model that takes the place of the one in the settings.
        base_url: Its address.
        store: Where suggestions are remembered; None remembers none.
        asks: Whether a model may be asked at all.
    """

    profile: str | None = None
    schemas: tuple[Path, ...] = ()
    identity: tuple[str, ...] = ()
    evidence: tuple[Path, ...] = ()
    config: Path | None = None
    settings: Settings = field(default_factory=Settings)
    model: str | None = None
    base_url: str | None = None
    store: str | None = None
    asks: bool = True


def load_settings(config: Path | None) -> Settings:
    """Return the settings of the file named, or of `veracord.toml` in the current folder."""
    return Settings.load(config)


def load_profile(choices: Choices) -> "Profile":
    """Return the profile, or one made of the schemas.

    Raises:
        ConfigurationError: Neither or both were chosen, or what was chosen cannot be used.
    """
    from veracord.records.profiles import Profile

    keys = [_key(text) for text in choices.identity]
    if choices.profile is not None and choices.schemas:
        raise _usage("a profile and a schema were given", "give --profile or --schema, not both")
    if choices.schemas:
        return Profile.from_schema(choices.schemas, keys)
    if choices.profile is None:
        raise _usage("no profile was given", "give --profile NAME or --schema FILE")
    profile = Profile.load(choices.profile)
    return profile.with_identity(keys) if keys else profile


def profile_of_keys(choices: Choices) -> "Profile":
    """Return the profile that says nothing but which members together name a product.

    Raises:
        ConfigurationError: A key is none.
    """
    from veracord.records.profile_tables import parse_keys
    from veracord.records.profiles import Profile

    profile = Profile.of_anything()
    keys = parse_keys([list(_key(text)) for text in choices.identity], "--identity")
    # No schema has to know the members: there is none.
    return replace(profile, identity=replace(profile.identity, keys=keys))


def load_evidence(choices: Choices) -> "EvidencePack":
    """Return the evidence; none chosen is an empty pack.

    Raises:
        InputError: A file cannot be read, or two items have the same id.
    """
    from veracord.records.evidence import EvidencePack

    return EvidencePack.from_paths(choices.evidence, max_bytes=choices.settings.max_record_bytes)


def unread_files(choices: Choices) -> list[str]:
    """Return files in the evidence folders that are of no kind that is read."""
    from veracord.records.evidence_files import unread_files as files_not_read

    return files_not_read(choices.evidence)


def files_read(choices: Choices) -> list[Path]:
    """Return the files that an application wired from the choices reads."""
    files = [choices.config or Path(SETTINGS_FILE), *choices.schemas]
    if choices.profile is not None:
        files += profile_files(Path(choices.profile))
    path = (choices.settings.model or {}).get("path")
    if isinstance(path, str):
        files.append(files[0].parent / path)
    for path in choices.evidence:
        files += path.rglob("*") if _is(Path.is_dir, path) else [path]
    read = [file for file in files if _is(Path.is_file, file)]
    if choices.store is not None:
        from veracord.bootstrap.stores import store_files

        # Also where the store is not there yet: it is made before an output is put in its place.
        read += store_files(choices.store)
    return read


def profile_files(profile: Path) -> list[Path]:
    """Return a profile file and its schemas; a profile that cannot be read is told when it is loaded."""
    from veracord.records.profile_files import read_profile

    if not _is(Path.is_file, profile):
        return []
    schema = read_profile(profile).get("schema")
    names = schema if isinstance(schema, list) else [schema]
    return [profile, *(profile.parent / name for name in names if isinstance(name, str))]


def _is(kind: Callable[[Path], bool], path: Path) -> bool:
    """Whether a path is of a kind; one that the system refuses to look at is of none."""
    try:
        return kind(path)
    except OSError:
        return False


def _key(text: str) -> list[str]:
    members = _NEXT_POINTER.split(text)
    if not all(member.startswith("/") for member in members):
        raise _usage("an identity key is not made of pointers", "write it like --identity /brand,/model")
    return members


def _usage(what: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(what, remedy=remedy, code="usage")
