"""Hold the source tree to its size limits, and every public name to a docstring.

A module that outgrows its limit is split by idea, not by line. Ruff counts arguments and branches
but caps neither lines nor folders, and one comment silences it where a docstring is missing.

Exit code 0: within all hard limits (notes may be printed). 1: beyond one. 2: nothing to check.
"""

import argparse
import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Limit:
    """A number of lines: above ``note`` it is mentioned, above ``hard`` it is a fault."""

    note: int
    hard: int


MODULE_LIMIT: Final = Limit(note=300, hard=400)
FUNCTION_LIMIT: Final = Limit(note=40, hard=60)

#: Folders below the package: veracord/records is one, veracord/records/json would be two.
MAX_DEPTH: Final = 1

#: Folders directly below the package that hold data, in folders as deep as the data needs.
DATA_FOLDERS: Final = frozenset({"bundled"})

#: What a decorator of this name marks is described where it is first declared.
_DESCRIBED_ELSEWHERE: Final = frozenset({"deleter", "overload", "override", "setter"})

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell about a place in the tree; ``is_hard`` says that it fails the check."""

    path: Path
    line: int
    message: str
    is_hard: bool

    def __str__(self) -> str:
        """Return one line in the form that editors make clickable."""
        return f"{self.path}:{self.line}: {'error' if self.is_hard else 'note'}: {self.message}"


def check_tree(source: Path) -> list[Finding]:
    """Check every package directly below a folder.

    Returns:
        The findings, by path and then by line.
    """
    findings: list[Finding] = []
    for package in find_packages(source):
        findings += check_folders(package)
        for path in sorted(package.rglob("*.py")):
            findings += check_module(path)
    return sorted(findings, key=lambda finding: (finding.path, finding.line))


def find_packages(source: Path) -> list[Path]:
    """List the folders directly below ``source`` that hold an ``__init__.py``."""
    return sorted(marker.parent for marker in source.glob("*/__init__.py"))


def check_folders(package: Path) -> list[Finding]:
    """Report the uppermost of the folders that lie too deep."""
    findings = []
    for folder in package.rglob("*/"):
        parts = folder.relative_to(package).parts
        is_code = parts[0] not in DATA_FOLDERS and "__pycache__" not in parts
        if folder.is_dir() and is_code and len(parts) == MAX_DEPTH + 1:
            message = f"folder lies {len(parts)} below the package, at most {MAX_DEPTH}"
            findings.append(Finding(folder, 1, message, is_hard=True))
    return findings


def check_module(path: Path) -> list[Finding]:
    """Check one file: its length, the length of its functions, and its docstrings."""
    data = path.read_bytes()
    try:
        tree = ast.parse(data, filename=str(path))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        message = f"does not parse: {getattr(error, 'msg', None) or error}"
        return [Finding(path, line, message, is_hard=True)]
    findings = list(_check_length(path, 1, "module", len(data.splitlines()), MODULE_LIMIT))
    if ast.get_docstring(tree) is None:
        findings.append(Finding(path, 1, "module has no docstring", is_hard=True))
    for name, node, is_public in _iter_definitions(tree):
        if not isinstance(node, ast.ClassDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            findings += _check_length(path, node.lineno, name, lines, FUNCTION_LIMIT)
        if is_public and not _is_described(node):
            findings.append(Finding(path, node.lineno, f"{name} has no docstring", is_hard=True))
    return findings


def _check_length(path: Path, line: int, name: str, lines: int, limit: Limit) -> Iterator[Finding]:
    if lines > limit.hard:
        yield Finding(path, line, f"{name} has {lines} lines, at most {limit.hard}", is_hard=True)
    elif lines > limit.note:
        message = f"{name} has {lines} lines, better at most {limit.note}"
        yield Finding(path, line, message, is_hard=False)


def _iter_definitions(
    node: ast.AST, owner: str = "", *, is_public: bool = True
) -> Iterator[tuple[str, _Definition, bool]]:
    """Yield ``(dotted name, node, is public)`` of each class and function, outer before inner."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _Definition):
            yield from _iter_definitions(child, owner, is_public=is_public)
            continue
        name = f"{owner}{child.name}"
        child_is_public = is_public and not child.name.startswith("_")
        yield name, child, child_is_public
        # Nobody outside can reach what is defined inside a function.
        members_are_public = child_is_public and isinstance(child, ast.ClassDef)
        yield from _iter_definitions(child, f"{name}.", is_public=members_are_public)


def _is_described(node: _Definition) -> bool:
    decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    return ast.get_docstring(node) is not None or not decorators.isdisjoint(_DESCRIBED_ELSEWHERE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the findings below a folder and return the exit code."""
    parser = argparse.ArgumentParser(description="Check sizes and docstrings of the source tree.")
    parser.add_argument("source", nargs="?", type=Path, default=Path("src"))
    source: Path = parser.parse_args(arguments).source
    if not find_packages(source):
        parser.error(f"no package below {source}")
    findings = check_tree(source)
    for finding in findings:
        print(finding)
    errors = sum(finding.is_hard for finding in findings)
    print(f"sizes: {errors} errors, {len(findings) - errors} notes")
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
