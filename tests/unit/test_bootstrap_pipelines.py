"""What a pipeline file may say and name: everything else is refused, with the place of the field."""

from pathlib import Path
from textwrap import dedent

import pytest

from tests.e2e.pipeline_folders import PROMPT, PipelineFolder, package
from veracord.bootstrap.pipelines import load_pipeline
from veracord.config import Settings
from veracord.errors import ConfigurationError

FIRST = ("producers", 0)
CHECK = (*FIRST, "validators", 0)
SECRET = "CANARY-4471"
INF = float("inf")
NAN = float("nan")

#: The path of a field, its value, the code of the error, and its place.
FIELDS = [
    (("colour",), 1, "unknown_field", ""),
    (("colour", "x"), 1, "unknown_field", ""),
    (("run", "colour"), 1, "unknown_field", "run"),
    (("model", "colour"), 1, "unknown_field", "model"),
    (("policy", "colour"), 1, "unknown_field", "policy"),
    ((*FIRST, "colour"), 1, "unknown_field", "producers[0]"),
    ((*FIRST, "policy"), {"rejektion": "fail_run"}, "unknown_field", "producers[0].policy"),
    ((*CHECK, "colour"), 1, "unknown_field", "producers[0].validators[0]"),
    (("run",), None, "missing_field", "run"),
    (("run", "name"), 1, "invalid_pipeline", "run.name"),
    (("run", "name"), "", "invalid_pipeline", "run.name"),
    (("run", "name"), None, "missing_field", "run.name"),
    (("run", "input"), None, "missing_field", "run.input"),
    (("run", "input"), "a\0b", "invalid_pipeline", "run.input"),
    (("run", "output"), "", "invalid_pipeline", "run.output"),
    (("run", "concurrency"), 0, "invalid_pipeline", "run.concurrency"),
    (("run", "concurrency"), 10_001, "invalid_pipeline", "run.concurrency"),
    (("run", "concurrency"), True, "invalid_pipeline", "run.concurrency"),
    (("run", "key"), "id", "invalid_pipeline", "run.key"),
    (("run", "key"), "/a~2", "invalid_pipeline", "run.key"),
    (("producers",), None, "missing_field", "producers"),
    (("producers",), [], "invalid_pipeline", "producers"),
    (("producers",), {"id": "x"}, "invalid_pipeline", "producers"),
    ((*FIRST, "id"), None, "missing_field", "producers[0].id"),
    ((*FIRST, "id"), "two words", "invalid_pipeline", "producers[0].id"),
    ((*FIRST, "id"), "line\n", "invalid_pipeline", "producers[0].id"),
    ((*FIRST, "id"), "x" * 65, "invalid_pipeline", "producers[0].id"),
    ((*FIRST, "kind"), "oracle", "unknown_producer", "producers[0].kind"),
    ((*FIRST, "retries"), -1, "invalid_pipeline", "producers[0].retries"),
    ((*FIRST, "retries"), 1.5, "invalid_pipeline", "producers[0].retries"),
    ((*FIRST, "retries"), True, "invalid_pipeline", "producers[0].retries"),
    ((*FIRST, "structure_repairs"), "1", "invalid_pipeline", "producers[0].structure_repairs"),
    ((*FIRST, "correction"), "maybe", "invalid_pipeline", "producers[0].correction"),
    ((*FIRST, "stop_when_stuck"), 1, "invalid_pipeline", "producers[0].stop_when_stuck"),
    ((*FIRST, "via"), "fax", "invalid_pipeline", "producers[0].via"),
    ((*FIRST, "prompt"), None, "missing_field", "producers[0].prompt"),
    ((*FIRST, "schema"), None, "missing_field", "producers[0].schema"),
    ((*FIRST, "prompt"), ".", "unreadable_file", "producers[0].prompt"),
    ((*FIRST, "schema"), "none.json", "unreadable_file", "producers[0].schema"),
    ((*FIRST, "settings"), {"x": 1}, "invalid_pipeline", "producers[0].settings"),
    ((*FIRST, "policy"), {"rejection": True}, "invalid_pipeline", "producers[0].policy.rejection"),
    ((*CHECK, "use"), None, "missing_field", "producers[0].validators[0].use"),
    ((*CHECK, "use"), "no_such", "unknown_validator", "producers[0].validators[0].use"),
    ((*CHECK, "use"), "checks:", "not_importable", "producers[0].validators[0].use"),
    ((*CHECK, "use"), ":check", "not_importable", "producers[0].validators[0].use"),
    ((*CHECK, "use"), "..checks:check", "not_importable", "producers[0].validators[0].use"),
    ((*CHECK, "use"), "checks:CHECKED", "invalid_validator", "producers[0].validators[0].use"),
    ((*CHECK, "use"), "profile:none.toml", "unreadable_file", "producers[0].validators[0].use"),
    ((*CHECK, "use"), "profile:no-such", "unknown_profile", "producers[0].validators[0].use"),
    ((*CHECK, "use"), "jsonschema:", "unreadable_file", "producers[0].validators[0].use"),
    ((*CHECK, "execution_retries"), -1, "invalid_pipeline", "producers[0].validators[0].execution_retries"),
    ((*CHECK, "timeout_s"), 0, "invalid_pipeline", "producers[0].validators[0].timeout_s"),
    ((*CHECK, "timeout_s"), NAN, "invalid_pipeline", "producers[0].validators[0].timeout_s"),
    ((*CHECK, "isolate"), "yes", "invalid_pipeline", "producers[0].validators[0].isolate"),
    (("policy", "rejection"), "retry", "invalid_pipeline", "policy.rejection"),
    (("policy", "rejection"), "", "invalid_pipeline", "policy.rejection"),
    (("model",), None, "no_model", "producers[0]"),
    (("model", "adapter"), "pigeon", "invalid_pipeline", "model.adapter"),
    (("model", "name"), None, "missing_field", "model.name"),
    (("model", "base_url"), None, "missing_field", "model.base_url"),
    (("model", "base_url"), "ftp://127.0.0.1", "base_url_invalid", "model"),
    (("model", "path"), "x.gguf", "invalid_pipeline", "model.path"),
    (("model", "api_key_env"), f"sk-{SECRET}", "invalid_pipeline", "model.api_key_env"),
    (("model", "threads"), 1, "invalid_pipeline", "model.threads"),
    (("model", "temperature"), 2.5, "invalid_pipeline", "model.temperature"),
    (("model", "temperature"), NAN, "invalid_pipeline", "model.temperature"),
    (("model", "max_tokens"), 0, "invalid_pipeline", "model.max_tokens"),
    (("model", "timeout_s"), INF, "invalid_pipeline", "model.timeout_s"),
    (("model", "transport_retries"), -1, "invalid_pipeline", "model.transport_retries"),
    (("model", "requests_per_minute"), 0, "invalid_pipeline", "model.requests_per_minute"),
    (("model", "max_cost_usd"), 1, "price_missing", "model"),
    (("model", "max_cost_usd"), NAN, "limit_invalid", "model"),
    (("model",), {"adapter": "cassette", "name": "x"}, "invalid_pipeline", "model.name"),
    (("model",), {"adapter": "llama_cpp"}, "missing_field", "model.path"),
    (("model",), {"adapter": "anthropic"}, "missing_field", "model.name"),
]


#: A file, its text, the code of the error, and words that it holds.
FILES = [
    ("reading.md", ("[input]\n---\n", "[input, style]\n---\n{{ style }}"), "invalid_prompt", ["style", "previous"]),
    (
        "reading.md",
        ("[input]\n---\n", "[input, previous]\n---\n{{ previous }}"),
        "invalid_prompt",
        ["reading.md", "first producer"],
    ),
    ("reading.md", ("{{ input }}", "{{ input }"), "invalid_prompt", ["reading.md", "placeholder"]),
    ("reading.md", ("---\nid", "id"), "invalid_prompt", ["---"]),
    ("reading.md", ("version: 1", "version: one"), "invalid_prompt", ["version"]),
    ("reading.md", ("purpose", "purpoze"), "invalid_prompt", ["reading.md:4", "purpoze"]),
    ("reading.md", ("id: reading\n", ""), "invalid_prompt", ["no id"]),
    ("reading.json", '{"type": "text"}', "invalid_schema", ["producers[0].schema: reading /type"]),
    ("reading.json", "[]", "invalid_pipeline", ["producers[0].schema: "]),
    (
        "checks.py",
        f"class Own(BaseException): pass\nraise Own('{SECRET}')\n",
        "not_importable",
        ["checks.py", "Own in line 2"],
    ),
    ("checks.py", f"def f():\n    raise OSError('{SECRET}')\n\nf()\n", "not_importable", ["OSError in line 2"]),
    ("checks.py", f"import absent_{SECRET[:6].lower()}\n", "not_importable", ["ModuleNotFoundError in line 1"]),
    ("checks.py", f"def __getattr__(name):\n    raise OSError('{SECRET}')\n", "not_importable", ["no not_too_cold"]),
]

#: The text of the input, the code of the error, and its place.
UNITS = [
    ('{"id": 1}\n{"id": "1"}\n', "duplicate_key", "notes.jsonl:1 and notes.jsonl:2"),
    (f'{{"id": "{SECRET}", "id": "b"}}\n', "duplicate_key", "notes.jsonl:1 column 28"),
    ('{"id": "a"}\n{"id": "b", "n": NaN}\n', "invalid_json", "notes.jsonl:2 column 18"),
    (f'["{SECRET}"]\n', "no_key", "notes.jsonl:1"),
    ('{"id": ""}\n', "no_key", "notes.jsonl:1"),
    (f'{{"id": "{"k" * 501}"}}\n', "no_key", "notes.jsonl:1"),
    ('{"id": true}\n', "no_key", "notes.jsonl:1"),
    ('{"id": 1.0}\n', "no_key", "notes.jsonl:1"),
    ('\n{"id": null}\n', "no_key", "notes.jsonl:2"),
]


@pytest.fixture
def folder(tmp_path: Path) -> PipelineFolder:
    made = PipelineFolder.make(tmp_path, "http://127.0.0.1:9/v1")
    made.write("checks.py", "CHECKED = 1\n\n\ndef not_too_cold(value):\n    return None\n")
    return made


def load(folder: PipelineFolder):
    return load_pipeline(folder.save(), Settings())


@pytest.mark.parametrize(("name", "text", "code", "words"), FILES)
def test_a_file_that_cannot_be_used_is_named(folder, name, text, code, words):
    folder.write(name, PROMPT.replace(*text) if isinstance(text, tuple) else text)
    with pytest.raises(ConfigurationError) as refused:
        load(folder)
    assert refused.value.code == code
    told = str(refused.value)
    assert SECRET not in told
    for word in ("weather.toml producers[0]", *words):
        assert word in told


@pytest.mark.parametrize(("text", "code", "place"), UNITS)
def test_an_input_that_cannot_be_used_is_told_with_its_line(folder, text, code, place):
    folder.write("notes.jsonl", text)
    with pytest.raises(ConfigurationError) as refused:
        load(folder).check_units()
    assert refused.value.code == code
    field, where = refused.value.where.split(": ")
    assert field.endswith("weather.toml run.input")
    assert where.replace(f"{folder.path}/", "") == place
    assert SECRET not in str(refused.value)


def test_each_field_is_needed_or_has_a_default(folder):
    folder.put("run", "key", value=None)
    folder.put("run", "output", value=None)
    del folder.producer["validators"]
    wired = load(folder)
    assert wired.output is None
    assert [unit.key for unit in wired.units] == ["1", "2", "3"]


@pytest.fixture
def own_package(tmp_path, monkeypatch):
    """A package with producers and validators that cannot be used."""
    code = f"""
        class Odd:
            correction_protocol = "telepathy_v2"

            async def produce(self, attempt):
                pass

        def odd(*, model, settings, folder):
            return Odd()

        def broken(*, model, settings, folder):
            raise RuntimeError("{SECRET}")

        def ends(*, model, settings, folder):
            raise SystemExit("{SECRET}")

        def nothing(*, model, settings, folder):
            return object()

        async def later(value):
            pass
    """
    names = ("odd", "broken", "ends", "nothing")
    package(
        tmp_path / "site",
        "own_unit_parts",
        dedent(code),
        {
            "veracord.producers": {name: f"own_unit_parts:{name}" for name in names},
            "veracord.validators": {
                "later": "own_unit_parts:later",
                "no-module": "own_absent_parts:x",
                "number": "own_unit_parts:__name__",
            },
        },
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))


@pytest.mark.parametrize(
    ("fields", "code", "word"),
    [
        ({"kind": "odd"}, "invalid_producer", "protocol"),
        ({"kind": "broken"}, "not_importable", "RuntimeError"),
        ({"kind": "ends"}, "not_importable", "SystemExit"),
        ({"kind": "nothing"}, "not_importable", "produce"),
        ({"kind": "odd", "prompt": "reading.md"}, "invalid_pipeline", "producers[0].prompt"),
        ({"kind": "absent"}, "unknown_producer", "structured, repair, synthesis, answer, broken, ends, nothing, odd"),
        ({"validators": [{"id": "x", "use": "no-module"}]}, "not_importable", "ModuleNotFoundError"),
        ({"validators": [{"id": "x", "use": "number"}]}, "invalid_validator", "producers[0].validators[0].use"),
        ({"validators": [{"id": "x", "use": "later", "isolate": True}]}, "invalid_validator", "coroutine"),
        ({"validators": [{"id": "x", "use": "checks:not_too_cold"}] * 2}, "invalid_producer", "two validators"),
    ],
)
@pytest.mark.usefixtures("own_package")
def test_a_part_of_a_package_that_cannot_be_used_is_named(folder, fields, code, word):
    if "kind" in fields:
        folder.tables["producers"] = [{"id": "own"}]
    folder.producer.update(fields)
    with pytest.raises(ConfigurationError) as refused:
        load(folder)
    assert refused.value.code == code
    assert word in str(refused.value)
    assert "weather.toml producers" in refused.value.where
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(("path", "value", "code", "place"), FIELDS)
def test_a_field_that_cannot_be_used_is_named(folder, path, value, code, place):
    folder.put(*path, value=value)
    with pytest.raises(ConfigurationError) as refused:
        load(folder)
    file = folder.path / "weather.toml"
    assert refused.value.code == code
    assert refused.value.where.split(": ")[0] == f"{file} {place}".strip()
    assert SECRET not in str(refused.value)


def test_fields_that_can_be_used_are(folder):
    folder.tables["model"].update(
        temperature=0.25,
        max_tokens=9,
        seed=-1,
        timeout_s=0.5,
        total_time_s=3,
        transport_retries=2,
        structured="json_object",
        requests_per_minute=60,
        max_cost_usd=0.5,
        price_per_mtok_in=1,
        price_per_mtok_out=2.5,
    )
    folder.producer.update(retries=0, structure_repairs=0, correction="required", stop_when_stuck=True, via="prompt")
    folder.validator.update(timeout_s=0.5, execution_retries=0, isolate=True, version="2")
    folder.put("policy", "refusal", value="warn_continue")
    wired = load(folder)
    assert wired.check_units() == 3
    assert wired.model is not None
    assert wired.model.settings["temperature"] == 0.25
    assert wired.pipeline.policies["reading"].origins["refusal"] == "pipeline"


def test_a_long_path_is_no_mistake(folder, tmp_path):
    deep = tmp_path.joinpath(*["d" * 100] * 3)
    deep.mkdir(parents=True)
    (deep / "notes.jsonl").write_text('{"id": 1}\n', "utf-8")
    folder.put("run", "input", value=str(deep / "notes.jsonl"))
    assert load(folder).check_units() == 1


def test_what_is_read_is_known(folder):
    folder.write("form.json", "{}")
    folder.producer["validators"].append({"id": "form", "use": "jsonschema:form.json"})
    names = {path.name for path in load(folder).files_read}
    assert names == {"weather.toml", "notes.jsonl", "reading.md", "reading.json", "checks.py", "form.json"}
