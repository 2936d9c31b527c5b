"""The options that several commands share, each told once."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from veracord.bootstrap.choices import Choices, load_settings

MAX_JOBS: Final = 256


def complete_profiles(incomplete: str) -> list[str]:
    """Return the bundled profiles that begin with what was typed."""
    from veracord.records.profiles import bundled_profiles

    return [name for name in bundled_profiles() if name.startswith(incomplete)]


Record = Annotated[
    str,
    typer.Argument(
        metavar="RECORD",
        help="A .json file, a .jsonl file of many records, or - for standard input.",
        show_default=False,
    ),
]
Lines = Annotated[
    bool,
    typer.Option("--jsonl", help="Read RECORD as JSON Lines, whatever its name is."),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        "-p",
        metavar="PROFILE",
        help="A bundled profile's name, or the path of a .toml file.",
        autocompletion=complete_profiles,
        show_default=False,
    ),
]
Schema = Annotated[
    list[Path] | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="Instead of a profile: a JSON Schema. Repeat it for files that the first refers to.",
        show_default=False,
    ),
]
Identity = Annotated[
    list[str] | None,
    typer.Option(
        "--identity",
        metavar="/A,/B",
        help="Members that together name the product. Repeatable, strongest first.",
        show_default=False,
    ),
]
Evidence = Annotated[
    list[str] | None,
    typer.Option(
        "--evidence",
        "-e",
        metavar="PATH",
        help="A file (.json, .jsonl, .txt, .md) or a folder of them. Repeatable.",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="The settings file. Without it: veracord.toml in the current folder, if it is there.",
        show_default=False,
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="Ask this model, at --base-url, instead of the one in the settings file.",
        show_default=False,
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="Where --model is: the address of its chat completions, such as http://127.0.0.1:8080/v1.",
        show_default=False,
    ),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="Where suggestions are remembered, so that one that is pasted back is known: a file, sqlite:///FILE,"
        " or postgresql://...",
        show_default=False,
    ),
]
ReviewStore = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="Look in this store of records under review: a file, sqlite:///FILE, or postgresql://...",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
LineNumber = Annotated[
    int | None,
    typer.Option("--line", metavar="N", min=1, help="The line of a .jsonl RESULT.", show_default=False),
]


def chosen(
    *,
    profile: str | None = None,
    schema: list[Path] | None = None,
    identity: list[str] | None = None,
    evidence: list[str] | None = None,
    config: Path | None = None,
) -> Choices:
    """Return the choices that options stand for, with the settings read.

    Raises:
        ConfigurationError: The settings file cannot be used, or an evidence path is empty.
    """
    return Choices(
        profile=profile,
        schemas=tuple(schema or ()),
        identity=tuple(identity or ()),
        evidence=tuple(_evidence_path(path) for path in evidence or ()),
        config=config,
        settings=load_settings(config),
    )


def asking(
    choices: Choices, *, model: str | None, base_url: str | None, store: str | None, suggest: bool = True
) -> Choices:
    """Return choices with who is asked, and where suggestions are remembered."""
    return replace(choices, model=model, base_url=base_url, store=store, asks=suggest)


def _evidence_path(text: str) -> Path:
    """Return a path; an empty text, as an unset variable gives it, would stand for the current folder."""
    from veracord.apps.failures import usage_error

    if not text:
        raise usage_error("an empty path was given as evidence", remedy="name a file or folder, or leave -e out")
    return Path(text)
