"""The size check itself: each limit at its edge, and each reason to need no docstring."""

from pathlib import Path

import pytest

from tools.check_sizes import FUNCTION_LIMIT, MODULE_LIMIT, check_module, check_tree, main


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "src" / "sample"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""A package."""\n')
    return folder


def findings_of(package: Path, text: str) -> list[tuple[int, str, bool]]:
    path = package / "module.py"
    path.write_text(text)
    return [(found.line, found.message, found.is_hard) for found in check_module(path)]


def module_of(lines: int) -> str:
    return '"""A module."""\n' + "X = 1\n" * (lines - 1)


def function_of(lines: int) -> str:
    body = "    x = 1\n" * (lines - 2)
    return f'"""A module."""\n\n\n@decorated\ndef f():\n    """Do."""\n{body}'


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (MODULE_LIMIT.note, []),
        (MODULE_LIMIT.note + 1, [(1, "module has 301 lines, better at most 300", False)]),
        (MODULE_LIMIT.hard, [(1, "module has 400 lines, better at most 300", False)]),
        (MODULE_LIMIT.hard + 1, [(1, "module has 401 lines, at most 400", True)]),
    ],
)
def test_length_of_a_module(package, lines, expected):
    assert findings_of(package, module_of(lines)) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (FUNCTION_LIMIT.note, []),
        (FUNCTION_LIMIT.note + 1, [(5, "f has 41 lines, better at most 40", False)]),
        (FUNCTION_LIMIT.hard, [(5, "f has 60 lines, better at most 40", False)]),
        (FUNCTION_LIMIT.hard + 1, [(5, "f has 61 lines, at most 60", True)]),
    ],
)
def test_length_of_a_function_without_its_decorators(package, lines, expected):
    assert findings_of(package, function_of(lines)) == expected


def test_public_names_need_a_docstring(package):
    text = (
        "import typing\n"
        "class Thing:\n"
        "    def method(self): ...\n"
        "    async def other(self): ...\n"
        "if typing.TYPE_CHECKING:\n"
        "    def function(): ...\n"
    )
    assert findings_of(package, text) == [
        (1, "module has no docstring", True),
        (2, "Thing has no docstring", True),
        (3, "Thing.method has no docstring", True),
        (4, "Thing.other has no docstring", True),
        (6, "function has no docstring", True),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "def _private(): ...",
        "class _Private:\n    def method(self): ...",
        'class Thing:\n    """A thing."""\n    def __init__(self): ...',
        'def function():\n    """Do."""\n    def inner(): ...\n    class Inner: ...',
        "@overload\ndef function(): ...",
        "@typing.override\ndef function(): ...",
        "@value.setter\ndef value(): ...",
    ],
)
def test_names_that_need_no_docstring(package, text):
    assert findings_of(package, f'"""A module."""\n{text}\n') == []


@pytest.mark.parametrize(("text", "line"), [("\n\ndef (\n", 3), ("\0", 1)])
def test_a_file_that_is_not_python(package, text, line):
    [(found_line, message, is_hard)] = findings_of(package, text)
    assert (found_line, is_hard) == (line, True)
    assert message.startswith("does not parse: ")


def test_folders_lie_one_deep_except_data(package):
    (package / "records" / "json" / "deeper").mkdir(parents=True)
    (package / "records" / "__pycache__").mkdir()
    (package / "bundled" / "demo" / "evidence").mkdir(parents=True)
    found = check_tree(package.parent)
    assert [(item.path, item.is_hard) for item in found] == [(package / "records" / "json", True)]


def test_exit_code_and_summary(package, capsys):
    source = str(package.parent)
    (package / "module.py").write_text(module_of(MODULE_LIMIT.note + 1))
    assert main([source]) == 0
    assert capsys.readouterr().out.endswith("sizes: 0 errors, 1 notes\n")
    (package / "module.py").write_text(module_of(MODULE_LIMIT.hard + 1))
    assert main([source]) == 1
    assert f"{package / 'module.py'}:1: error: module has 401 lines" in capsys.readouterr().out


def test_a_folder_without_a_package_is_no_success(tmp_path):
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path)])
