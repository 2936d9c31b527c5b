"""The command line `veracord`: commands, and the one place where a run's end becomes an exit code.

Nothing but the parser is loaded here; each command loads what it needs when it runs.
"""

import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Annotated, Final, NoReturn

import typer

from veracord import __version__
from veracord.apps.demo_command import demo
from veracord.apps.failures import (
    INTERRUPTED,
    ReaderGone,
    failure_of,
    print_error,
    usage_error,
)
from veracord.apps.lookup_commands import (
    check_profiles,
    list_profiles,
    show_evidence,
    show_profile,
)
from veracord.apps.outputs import StandardOutput
from veracord.apps.record_commands import repair, validate
from veracord.apps.result_commands import explain, verify
from veracord.errors import VeracordError

_NAME: Final = "veracord"
_TAKE_CONFIG: Final = ("validate", "repair", "verify", "explain")
_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    signal.signal(signal.SIGTERM, _end)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command and return its exit code; whatever goes wrong is one line on standard error."""
    try:
        code = _dispatch(arguments)
        StandardOutput().finish()
    except ReaderGone:
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except typer.TyperException as error:
        return print_error(_parser_error(error))
    except VeracordError as error:
        return print_error(error)
    except Exception as error:  # noqa: BLE001 - the user gets one line, and the exit code says whose fault it is
        return print_error(failure_of(error))
    return code


def _dispatch(arguments: list[str]) -> int:
    command = typer.main.get_command(_app())
    try:
        code = command.main(args=arguments, prog_name=_NAME, standalone_mode=False)
    except SystemExit as ended:
        # The parser ends the process itself after completion, and when nobody reads its help.
        if isinstance(ended.__context__, BrokenPipeError):
            raise ReaderGone from None
        code = ended.code
    return code if isinstance(code, int) else 0


def _app() -> typer.Typer:
    app = _group("Completes structured records so that no guess ever passes for a fact.")
    app.callback(invoke_without_command=True)(_root)
    app.command()(validate)
    app.command()(repair)
    app.command()(verify)
    app.command()(explain)
    profiles = _group("Bundled profiles and your own.")
    profiles.callback(invoke_without_command=True)(_help_without_command)
    profiles.command("list")(list_profiles)
    profiles.command("show")(show_profile)
    profiles.command("check")(check_profiles)
    app.add_typer(profiles, name="profiles")
    evidence = _group("What sources say.")
    evidence.callback(invoke_without_command=True)(_help_without_command)
    evidence.command("show")(show_evidence)
    app.add_typer(evidence, name="evidence")
    app.command()(demo)
    return app


def _group(words: str) -> typer.Typer:
    # Plain help: the decorated one takes longer to load than to read.
    return typer.Typer(
        help=words,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=dict(_SETTINGS),
        no_args_is_help=False,
    )


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{_NAME} {__version__}")
        raise typer.Exit


def _root(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="The settings file; the same as --config behind a command.",
            show_default=False,
        ),
    ] = None,
    version: Annotated[  # noqa: ARG001 - its callback has answered it before
        bool,
        typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Complete structured records so that no guess ever passes for a fact."""
    if config is not None:
        below: dict[str, object] = {name: {"config": str(config)} for name in _TAKE_CONFIG}
        context.default_map = {**below, "evidence": {"show": {"config": str(config)}}}
    _help_without_command(context)


def _help_without_command(context: typer.Context) -> None:
    """Print what there is when no command was given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _parser_error(error: typer.TyperException) -> VeracordError:
    """Return what the parser found wrong with the command line as one of our errors."""
    what = error.format_message().rstrip(".")
    what = " ".join(what.split())
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else _NAME
    return usage_error(what[:1].lower() + what[1:], where=command, remedy=f"see {command} --help")


def _end(signal_number: int, _frame: FrameType | None) -> NoReturn:
    """End as the signal asks, but through the cleaning up that is under way."""
    sys.exit(128 + signal_number)
