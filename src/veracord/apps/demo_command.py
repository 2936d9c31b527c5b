"""`veracord demo`: the main job on bundled synthetic data, with nothing to configure."""

import shlex
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from veracord.apps import options
from veracord.apps.serve_command import DEFAULT_PORT, Port, require_extra, run

if TYPE_CHECKING:
    from veracord.bootstrap.demonstrations import Demonstration
    from veracord.bootstrap.serving import ServedParts

_MODULE: Final = "__main__.py"

Serve = Annotated[
    bool,
    typer.Option("--serve", help="Then open the review page on it, for who sits at this machine."),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="With --serve: where it is kept. Without it: in a folder that is removed at the end.",
        show_default=False,
    ),
]


def demo(
    *, serve: Serve = False, store: Store = None, port: Port = DEFAULT_PORT, as_json: options.AsJson = False
) -> int:
    """Run the main job on invented data.

    Repairs a product passport from evidence, shows a guess apart from it, builds another passport from a seed, refuses
    one in which a value is invented, answers a question, abstains from another, refuses a false answer, and shows how
    to go on. All of it is invented; no model is asked, its answers were written for the demonstration and are on file.

    Exit code 0: the demonstration ran.
    """
    from veracord.apps.failures import usage_error
    from veracord.apps.outputs import StandardOutput
    from veracord.bootstrap.demonstrations import demo_folder, demonstrate, recorded_model

    if store is not None and not serve:
        raise usage_error("--store was given without --serve", remedy="give both, or neither")
    if serve:
        require_extra()
    folder = demo_folder()
    shown = demonstrate(recorded_model(folder), folder)
    if as_json:
        StandardOutput().show(shown.repair.encode() + b"\n")
    else:
        from veracord.apps.demo_report import demo_report

        StandardOutput().show(demo_report(shown, folder, own_command(), is_served=serve))
    if not serve:
        return 0
    StandardOutput().finish()
    return _serve(shown, folder, store, port)


def own_command() -> str:
    """Return how this program is called, from where the user stands."""
    path = Path(sys.argv[0])
    if path.name == _MODULE:
        return shlex.join([_shortest(Path(sys.executable)), "-m", "veracord"])
    return shlex.quote(_shortest(path))


def _shortest(program: Path) -> str:
    """Return the name alone where the shell finds this very program by it."""
    found = shutil.which(program.name)
    return program.name if found is not None and Path(found).absolute() == program.absolute() else str(program)


def _serve(shown: "Demonstration", folder: Path, store: str | None, port: int) -> int:
    """Serve the page on what was shown, until a signal ends it.

    Raises:
        ConfigurationError: The store or the address cannot be used.
    """
    import asyncio

    from veracord.apps.failures import print_text
    from veracord.bootstrap.choices import Choices
    from veracord.bootstrap.demonstrations import keep_demonstration
    from veracord.bootstrap.serving import ServeWish
    from veracord.bootstrap.terminal import terminal_person

    def fill(parts: "ServedParts") -> None:
        asyncio.run(keep_demonstration(parts.service, terminal_person(), shown, folder))

    with ExitStack() as stack:
        if store is None:
            place = stack.enter_context(tempfile.TemporaryDirectory(prefix="veracord-demo-"))
            store = str(Path(place) / "store.db")
            print_text(f"The store is {store}, removed at the end; --store keeps one.")
        return run(ServeWish(Choices(store=store, asks=False)), None, port, fill)
