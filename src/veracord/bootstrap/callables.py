"""Callables of a user: from a file beside the pipeline file, from an installed module, or from an entry point.

A callable is known by where it comes from, so that it can be sent to another process.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from veracord.errors import ConfigurationError

#: Modules from files are kept under names that no import statement can mean.
_PREFIX: Final = "veracord-file:"


def load_callable(folder: Path, reference: str, where: str) -> Any:  # noqa: ANN401 - whatever the user named
    """Return what ``module:name`` names.

    Args:
        folder: Where a file ``module.py`` is looked for first; otherwise an installed module is meant.
        reference: The module and the name in it, both with dots where they are nested.
        where: What errors call the place of the reference.

    Raises:
        ConfigurationError: The module cannot be imported, or has no such name.
    """
    module_name, _, name = reference.partition(":")
    if not module_name or not name:
        raise _not_importable("the reference is not module:name", where, "write it like checks:is_complete")
    file = folder.joinpath(*module_name.split(".")).with_suffix(".py")
    found: Any = _module(file, where) if file.is_file() else _installed(module_name, where)
    for part in name.split("."):
        found, error = call_foreign(partial(getattr, found, part))
        if error is not None:
            raise _not_importable(f"{module_name} has no {name}", where, "correct the name")
    return found


def load_entry_point(group: str, name: str, where: str) -> Any:  # noqa: ANN401 - whatever the package offers
    """Return what an installed package offers under a name; None where none does.

    Raises:
        ConfigurationError: It cannot be imported, or several packages offer the name.
    """
    offered = list(entry_points(group=group, name=name))
    if not offered:
        return None
    if len(offered) > 1:
        packages = ", ".join(sorted(_package(point) for point in offered))
        raise _not_importable(f"several packages offer {name}: {packages}", where, "uninstall all but one")
    found, error = call_foreign(offered[0].load)
    if error is None:
        return found
    fault = type(error).__name__
    raise _not_importable(
        f"{name} of {_package(offered[0])} cannot be imported ({fault})", where, "correct the package"
    )


def known_entry_points(group: str) -> list[str]:
    """Return the names that installed packages offer, sorted."""
    return sorted({point.name for point in entry_points(group=group)})


def call_foreign(function: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """Call code that is not ours and return what it returns, or what it raises.

    Also a `SystemExit`: code that is imported has no say in whether we end.  Only the user has, by an interruption.
    """
    try:
        return function(), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - foreign code may raise anything
        return None, error


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.module


def _module(file: Path, where: str) -> ModuleType:
    file = file.resolve()
    name = f"{_PREFIX}{file}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise _not_importable("the file is no Python module", where, "correct the name")
    module = importlib.util.module_from_spec(spec)
    # Known before it runs: dataclasses and pickle look their module up by its name.
    sys.modules[name] = module
    if str(file.parent) not in sys.path:
        # So that the file can import its neighbours.
        sys.path.insert(0, str(file.parent))
    loader = spec.loader
    _, error = call_foreign(lambda: loader.exec_module(module))
    if error is None:
        return module
    del sys.modules[name]
    # Its text stays out of ours.
    fault = f"{type(error).__name__}{_line(error, file)}"
    raise _not_importable(f"{file.name} cannot be imported ({fault})", where, "correct the file")


def _installed(name: str, where: str) -> ModuleType:
    found: ModuleType
    found, error = call_foreign(lambda: importlib.import_module(name))
    if error is None:
        return found
    fault = type(error).__name__
    raise _not_importable(
        f"there is no file {name}.py beside the pipeline file, and no installed module ({fault})",
        where,
        "correct the name",
    )


def _line(error: BaseException, file: Path) -> str:
    """Return the line of a file in which an error arose."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f" in line {error.lineno}"
    trace = error.__traceback__
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" in line {line}" if line is not None else ""


class FileCallable:
    """A callable of a file, known by the file, so that a child process can load it for itself."""

    def __init__(self, folder: Path, reference: str, where: str) -> None:
        """Load it.

        Raises:
            ConfigurationError: It cannot be loaded.
        """
        self._source = (folder, reference, where)
        self.target = load_callable(folder, reference, where)

    def __call__(self, *arguments: object) -> Any:  # noqa: ANN401 - whatever the callable returns
        """Call it, here."""
        return self.target(*arguments)

    def __reduce__(self) -> tuple[object, ...]:
        """Be sent as the place of the callable."""
        return (_load, self._source)


def _load(folder: Path, reference: str, where: str) -> Any:  # noqa: ANN401 - whatever the user named
    return load_callable(folder, reference, where)


def _not_importable(what: str, where: str, remedy: str) -> ConfigurationError:
    return ConfigurationError(what, where=where, remedy=remedy, code="not_importable")
