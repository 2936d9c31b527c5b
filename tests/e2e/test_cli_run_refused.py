"""`veracord run` with something that cannot be used: one line that names file and field, and no request is made."""

import json

import pytest

from tests.contract.model_server import ModelServer
from tests.e2e.pipeline_folders import PROMPT, PipelineFolder, one_error, package

SECRET = "CANARY-7104"
FIRST = "weather.toml producers[0]"
VALIDATOR = f"{FIRST}.validators[0]"


@pytest.fixture
def server():
    with ModelServer() as opened:
        yield opened


@pytest.fixture
def folder(tmp_path, server):
    return PipelineFolder.make(tmp_path / "job", server.chat_url)


@pytest.fixture
def refused(folder, server):
    """Run the pipeline and check that it is refused before anything is asked or written."""

    def check(code, *words, arguments=(), **variables):
        folder.save()
        before = folder.files()
        done = folder.run(*arguments, **variables)
        one_error(done, code, *words)
        assert SECRET not in done.err
        assert folder.files() == before
        assert not server.connections

    return check


def setting(*path, value=1):
    """Return a change that sets a field of the pipeline file; None takes it out."""
    return lambda folder: folder.put(*path, value=value)


def producer(name, value=1):
    return setting("producers", 0, name, value=value)


def validator(name, value=1):
    return setting("producers", 0, "validators", 0, name, value=value)


def _named(value):
    """Return a name for a test: the place that its error must tell."""
    return value[-1] if isinstance(value, list) else value if isinstance(value, str) else ""


def file(name, text):
    return lambda folder: folder.write(name, text)


def prompt(old, new):
    assert old in PROMPT
    return file("reading.md", PROMPT.replace(old, new))


def checks(text):
    return file("checks.py", text)


#: What is changed, the code of the error, and words that it must hold.  All fields: unit/test_bootstrap_pipelines.py.
FIELDS = [
    (setting("colour", "x"), "unknown_field", ["colour", "weather.toml"]),
    (validator("colour"), "unknown_field", ["colour", VALIDATOR]),
    (setting("run", "input", value="a\0b"), "invalid_pipeline", ["weather.toml run.input"]),
    (setting("run", "key", value="id"), "invalid_pipeline", ["weather.toml run.key", "/id"]),
    (producer("retries", -1), "invalid_pipeline", [f"{FIRST}.retries"]),
    (producer("policy", {"rejection": True}), "invalid_pipeline", [f"{FIRST}.policy.rejection"]),
    (setting("model", value=None), "no_model", [FIRST, "[model]"]),
    (setting("model", "path", value="x.gguf"), "invalid_pipeline", ["chat_completions", "weather.toml model.path"]),
    (
        setting("model", "base_url", value=f"http://u:{SECRET}@127.0.0.1/v1"),
        "base_url_invalid",
        ["weather.toml model"],
    ),
]


@pytest.mark.parametrize(("change", "code", "words"), FIELDS, ids=_named)
def test_a_field_that_cannot_be_used(folder, refused, change, code, words):
    change(folder)
    refused(code, *words)


@pytest.mark.parametrize("adapter", ["llama_cpp", "cassette"])
def test_a_model_file_that_is_not_there(folder, refused, adapter):
    folder.tables["model"] = {"adapter": adapter, "path": "none.gguf"}
    refused("unreadable_file", "weather.toml model", "none.gguf")


PARTS = [
    (producer("kind", "oracle"), "unknown_producer", [f"{FIRST}.kind", "structured"]),
    (validator("use", "no_such"), "unknown_validator", [f"{VALIDATOR}.use", "module:name"]),
    (validator("use", "nowhere:check"), "not_importable", [f"{VALIDATOR}.use", "nowhere.py"]),
    (validator("use", "checks:colder"), "not_importable", [f"{VALIDATOR}.use", "checks has no colder"]),
    (validator("use", "jsonschema:none.json"), "unreadable_file", [f"{VALIDATOR}.use", "none.json"]),
    (checks("def not_too_cold(value:\n"), "not_importable", ["checks.py", "SyntaxError in line 1", f"{VALIDATOR}.use"]),
    (
        checks(f"X = 1\nraise ValueError('{SECRET}')\n"),
        "not_importable",
        ["checks.py", "ValueError in line 2", f"{VALIDATOR}.use"],
    ),
    (
        checks(f"import sys\nsys.exit('{SECRET}')\n"),
        "not_importable",
        ["checks.py", "SystemExit in line 2", f"{VALIDATOR}.use"],
    ),
    (
        lambda folder: (
            checks("async def not_too_cold(value): pass\n")(folder),
            validator("isolate", value=True)(folder),
        ),
        "invalid_pipeline",
        [f"{VALIDATOR}.isolate", "coroutine"],
    ),
    (producer("prompt", "none.md"), "unreadable_file", [f"{FIRST}.prompt", "none.md"]),
    (prompt("variables: [input]\n", ""), "invalid_prompt", [f"{FIRST}.prompt", "reading.md", "input"]),
    (prompt("[input]", "[input, style]"), "invalid_prompt", [f"{FIRST}.prompt", "reading.md", "style"]),
    (file("reading.json", '{"type": '), "invalid_json", [f"{FIRST}.schema", "reading.json line 1"]),
    (
        lambda folder: folder.tables["producers"].append(dict(folder.producer)),
        "invalid_pipeline",
        ["weather.toml producers", "two producers have the id reading"],
    ),
]


@pytest.mark.parametrize(("change", "code", "words"), PARTS, ids=_named)
def test_a_part_that_cannot_be_used(folder, refused, change, code, words):
    change(folder)
    refused(code, *words)


UNITS = [
    (None, "unreadable_file", ["weather.toml run.input", "notes.jsonl"]),
    ('{"id": "a"}\n\n{"id": "a"}\n', "duplicate_key", ["weather.toml run.input", "notes.jsonl:1", "notes.jsonl:3"]),
    (f'{{"id": "a"}}\n{{"id": {SECRET}}}\n', "invalid_json", ["weather.toml run.input", "notes.jsonl:2"]),
    (f'{{"id": "a"}}\n{{"key": "{SECRET}"}}\n', "no_key", ["notes.jsonl:2", "run.key"]),
]


@pytest.mark.parametrize(("text", "code", "words"), UNITS, ids=_named)
def test_an_input_that_cannot_be_used(folder, refused, text, code, words):
    if text is None:
        (folder.path / "notes.jsonl").unlink()
    else:
        folder.write("notes.jsonl", text)
    refused(code, *words)


@pytest.mark.parametrize(
    ("data", "code", "words"),
    [
        (b'[run]\nname = "x\n', "invalid_toml", ["line 2"]),
        (b"[run]\nname = 1\nname = 2\n", "invalid_toml", ["line 3"]),
        (b"name = '\xff'", "invalid_toml", ["UTF-8"]),
        (b"", "missing_field", ["run"]),
        (None, "unreadable_file", ["no such file"]),
    ],
)
def test_a_pipeline_file_that_cannot_be_read(cli, tmp_path, one_error, data, code, words):
    if data is not None:
        (tmp_path / "own.toml").write_bytes(data)
    one_error(cli("run", "own.toml", cwd=tmp_path), code, words=["own.toml", *words])


@pytest.mark.parametrize("arguments", [[], ["own.toml", "--concurrency", "0"], ["own.toml", "--colour"]])
def test_arguments_that_are_none(cli, one_error, arguments):
    one_error(cli("run", *arguments), "usage")


PACKAGE = f'''
from veracord.errors import ConfigurationError


class Fixed:
    """Makes a value without a model, and cannot be corrected."""

    def __init__(self, place, degrees):
        self.value = {{"place": place, "degrees": degrees}}

    async def produce(self, attempt):
        if attempt.unit.key == self.value["place"]:
            return attempt.candidate({{"place": object()}})
        return attempt.candidate(dict(self.value))


class Capable(Fixed):
    correction_protocol = "single_response_v1"


def fixed(*, model, settings, folder):
    return Fixed(settings["place"], settings.get("degrees", 4))


def capable(*, model, settings, folder):
    return Capable("x", 1)


def picky(*, model, settings, folder):
    raise ConfigurationError("it wants a place", remedy="set settings.place", code="own")


def ends(*, model, settings, folder):
    raise SystemExit("{SECRET}")


def warm(value):
    return [] if value["degrees"] > 0 else ["it is not warm"]
'''


@pytest.fixture
def own_parts(tmp_path):
    """A package with producers and validators, good and bad ones."""
    return package(
        tmp_path / "site",
        "own_parts",
        PACKAGE,
        {
            "veracord.producers": {name: f"own_parts:{name}" for name in ("fixed", "capable", "picky", "ends")},
            "veracord.validators": {"warm": "own_parts:warm", "lost": "own_parts:lost"},
        },
    )


def foreign(folder, kind, **fields):
    folder.tables["producers"] = [
        {"id": "own", "kind": kind, "validators": [{"id": "warm", "use": "warm"}], **fields},
    ]
    folder.tables.pop("model", None)


def test_producers_and_validators_of_a_package_do_their_work(folder, own_parts):
    foreign(folder, "fixed", settings={"place": "Rome", "degrees": 31})
    done = folder.run("--json", **own_parts)
    assert (done.code, done.err) == (0, "")
    assert {json.dumps(row["value"]) for row in folder.results()} == {'{"place": "Rome", "degrees": 31}'}
    assert done.json["usage"]["requests"] == 0
    folder.producer["settings"]["place"] = "b"
    folder.producer["policy"] = {"structural_failure": "warn_continue"}
    done = folder.run(**own_parts)
    assert done.code == 3, done
    assert done.err == "warning: unit b of own is structural_failure: not_json\n"
    assert folder.outcomes() == {"a": "accepted", "b": "structural_failure", "c": "accepted"}
    folder.producer["settings"] = {"place": "Rome", "degrees": -1}
    folder.producer["policy"] = {"rejection": "warn_continue"}
    folder.validator["isolate"] = True
    done = folder.run(**own_parts)
    assert done.code == 3, done
    assert set(folder.outcomes().values()) == {"rejected"}


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        (
            {"kind": "fixed", "correction": "required", "settings": {"place": "x"}},
            "incapable_producer",
            [FIRST, "required"],
        ),
        ({"kind": "picky"}, "own", [FIRST, "it wants a place"]),
        ({"kind": "ends"}, "not_importable", [FIRST, "SystemExit"]),
        ({"kind": "unknown"}, "unknown_producer", [f"{FIRST}.kind", "structured", "fixed"]),
    ],
)
def test_a_producer_of_a_package_that_cannot_be_used(folder, refused, own_parts, fields, code, words):
    foreign(folder, **fields)
    refused(code, *words, **own_parts)


def test_correction_may_be_required_of_a_producer_that_can_be_corrected(folder, own_parts):
    foreign(folder, "capable", correction="required")
    assert folder.run("--dry-run", **own_parts).code == 0


@pytest.mark.parametrize(
    ("use", "code", "words"),
    [
        ("lost", "not_importable", ["AttributeError", "own_parts"]),
        ("cold", "unknown_validator", ["warm"]),
    ],
)
def test_a_validator_of_a_package_that_cannot_be_used(folder, refused, own_parts, use, code, words):
    folder.validator["use"] = use
    refused(code, f"{VALIDATOR}.use", *words, **own_parts)


def test_a_name_that_two_packages_offer_is_refused(folder, refused, tmp_path, own_parts):
    other = package(tmp_path / "other", "other_parts", PACKAGE, {"veracord.validators": {"warm": "other_parts:warm"}})
    folder.validator["use"] = "warm"
    path = f"{own_parts['PYTHONPATH']}:{other['PYTHONPATH']}"
    refused("not_importable", f"{VALIDATOR}.use", "other_parts", "own_parts", PYTHONPATH=path)
