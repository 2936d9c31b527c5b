"""The commands and their options, put together for the parser.

Nothing but the parser is loaded here; each command loads what it needs when it runs.
"""

from pathlib import Path
from typing import Annotated, Final

import typer

from veracord import __version__
from veracord.apps.answer_commands import answer, check_answer
from veracord.apps.audit_commands import export_log, replay_log, rotate_key, sign_checkpoint, verify_log
from veracord.apps.demo_command import demo
from veracord.apps.entry_commands import attach, declare
from veracord.apps.exchange_commands import export_records, import_records
from veracord.apps.failures import ReaderGone, usage_error
from veracord.apps.keys_commands import add_key, list_keys, revoke_key
from veracord.apps.lookup_commands import (
    check_profiles,
    list_profiles,
    show_evidence,
    show_profile,
)
from veracord.apps.queue_commands import list_suggestions, reject, settings
from veracord.apps.record_commands import repair, synthesize, validate
from veracord.apps.result_commands import explain, verify
from veracord.apps.review_commands import accept, defer, edit, show_suggestion, undo
from veracord.apps.run_command import run
from veracord.apps.runs_commands import copy, explain_run, list_runs, remove_runs, show_run
from veracord.apps.serve_command import serve
from veracord.apps.users_commands import add_user, change_role, disable_user, list_users, make_link, set_password
from veracord.errors import VeracordError

_NAME: Final = "veracord"
_TAKE_CONFIG: Final = (
    "validate",
    "repair",
    "synthesize",
    "verify",
    "explain",
    "run",
    "answer",
    "check-answer",
    "import",
    "serve",
)
_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def dispatch(arguments: list[str]) -> int:
    """Parse the arguments, run the command that they name and return its exit code.

    Raises:
        VeracordError: The arguments are none, or the command failed.
        ReaderGone: Nobody reads its output any more.
    """
    command = typer.main.get_command(_app())
    try:
        code = command.main(args=arguments, prog_name=_NAME, standalone_mode=False)
    except Exception as error:
        # Not every version of the parser gives its errors a public base; all of them can tell themselves.
        tell = getattr(error, "format_message", None)
        if tell is None:
            raise
        raise _parser_error(tell(), getattr(error, "ctx", None)) from None
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
    app.command()(synthesize)
    app.command()(verify)
    app.command()(explain)
    app.command()(answer)
    app.command("check-answer")(check_answer)
    app.command()(run)
    runs = _group("Runs that a store has.")
    runs.callback(invoke_without_command=True)(_help_without_command)
    runs.command("list")(list_runs)
    runs.command("show")(show_run)
    runs.command("explain")(explain_run)
    runs.command("gc")(remove_runs)
    app.add_typer(runs, name="runs")
    store = _group("Where runs are kept.")
    store.callback(invoke_without_command=True)(_help_without_command)
    store.command("copy")(copy)
    app.add_typer(store, name="store")
    _add_review(app)
    _add_access(app)
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
    app.command()(serve)
    app.command()(demo)
    return app


def _add_review(app: typer.Typer) -> None:
    """Add what is done with records under review."""
    app.command("import")(import_records)
    app.command("export")(export_records)
    review = _group("Decisions about suggestions.")
    review.callback(invoke_without_command=True)(_help_without_command)
    review.command("list")(list_suggestions)
    review.command("show")(show_suggestion)
    review.command()(accept)
    review.command()(edit)
    review.command()(reject)
    review.command()(defer)
    review.command()(declare)
    review.command()(attach)
    review.command()(undo)
    review.command()(settings)
    app.add_typer(review, name="review")
    audit = _group("The log of what was done.")
    audit.callback(invoke_without_command=True)(_help_without_command)
    audit.command("verify")(verify_log)
    audit.command("checkpoint")(sign_checkpoint)
    audit.command("rotate")(rotate_key)
    audit.command("replay")(replay_log)
    audit.command("export")(export_log)
    app.add_typer(audit, name="audit")


def _add_access(app: typer.Typer) -> None:
    """Add what is said about who may sign in."""
    users = _group("Who may sign in to the review page.")
    users.callback(invoke_without_command=True)(_help_without_command)
    users.command("add")(add_user)
    users.command("list")(list_users)
    users.command("role")(change_role)
    users.command("password")(set_password)
    users.command("disable")(disable_user)
    users.command("link")(make_link)
    app.add_typer(users, name="users")
    keys = _group("Keys of programs that use the HTTP API.")
    keys.callback(invoke_without_command=True)(_help_without_command)
    keys.command("add")(add_key)
    keys.command("list")(list_keys)
    keys.command("revoke")(revoke_key)
    app.add_typer(keys, name="keys")


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
        context.default_map = {**below, **_below_groups({"config": str(config)})}
    _help_without_command(context)


def _below_groups(given: dict[str, object]) -> dict[str, object]:
    """Return what commands of groups take over from the options in front."""
    return {"evidence": {"show": given}, "review": {"declare": given, "attach": given}}


def _help_without_command(context: typer.Context) -> None:
    """Print what there is when no command was given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _parser_error(message: str, context: typer.Context | None) -> VeracordError:
    """Return what the parser found wrong with the command line as one of our errors."""
    what = " ".join(message.rstrip(".").split())
    command = context.command_path if context is not None else _NAME
    return usage_error(what[:1].lower() + what[1:], where=command, remedy=f"see {command} --help")
