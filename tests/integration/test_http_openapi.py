"""The OpenAPI is true: what it allows and what it does not is sent, and every answer is one that it tells of."""

import json
from unittest import SkipTest

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.contract.http_servers import Served, lamp_import, lamp_profile
from veracord.web.application import make_app

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
#: What only people may do; signing out would end the session of the others.
FOR_PEOPLE = {"POST /v1/decisions", "PATCH /v1/settings", "GET /v1/session"}
#: Examples for each operation; `tools` and people who look for more raise it.
EXAMPLES = 6


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openapi")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        client = server.client()
        for number in range(3):
            assert client.post("/v1/records", lamp_import(f"r{number}")).status == 201
        server.add_users()
        mia = server.person("mia")
        server.by_key = {"Authorization": f"Bearer {client.key}"}
        server.by_session = {"Cookie": mia.cookie, "X-CSRF-Token": mia.csrf}
        yield server


@pytest.fixture(scope="module")
def operations(served):
    found = schemathesis.openapi.from_url(f"{served.address}/openapi.json")
    return {one.label: one for one in (result.ok() for result in found.get_all_operations())}


def all_labels():
    """Every operation, as the application tells them without a server."""
    document = make_app(None).openapi()
    return sorted(f"{method.upper()} {path}" for path, told in document["paths"].items() for method in told)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("label", all_labels())
def test_every_answer_is_one_that_is_told_of(operations, served, label, mode):
    try:
        cases = operations[label].as_strategy(generation_mode=mode)
    except SkipTest:
        pytest.skip("nothing can be sent that it does not allow")

    headers = served.by_session if label in FOR_PEOPLE else served.by_key

    @given(case=cases)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    def ask(case):
        response = case.call(headers=headers, timeout=30)
        case.validate_response(response, checks=CHECKS)
        assert served.faults == []

    try:
        ask()
    except (SkipTest, Unsatisfiable):
        pytest.skip("nothing can be sent that it does not allow")


def test_all_paths_of_the_design_are_told_of(served):
    document = served.nobody().get("/openapi.json").json
    assert {
        "/v1/validate",
        "/v1/repair",
        "/v1/synthesize",
        "/v1/answer",
        "/v1/check-answer",
        "/v1/records",
        "/v1/records/{record_id}/explain",
        "/v1/evidence/{evidence_ref}",
        "/v1/suggestions",
        "/v1/decisions",
        "/v1/audit",
        "/v1/runs",
        "/healthz",
    } <= set(document["paths"])
    assert not [path for path in document["paths"] if not path.startswith(("/v1/", "/healthz"))]


def test_every_reference_of_it_leads_somewhere(served):
    document = served.nobody().get("/openapi.json").json
    text = json.dumps(document, default=str)
    names = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert names <= set(document["components"]["schemas"])
    assert "HTTPValidationError" not in text


def test_the_checks_do_bite(served, operations, monkeypatch):
    operation = operations["GET /v1/records/{record_id}"]
    case = operation.Case(path_parameters={"record_id": "none"})
    response = case.call(headers=served.by_key, timeout=30)
    case.validate_response(response, checks=CHECKS)
    monkeypatch.setattr(response, "status_code", 418)
    # Not an Exception: a group of failures as the tool tells them.
    with pytest.raises(FailureGroup, match="418"):
        case.validate_response(response, checks=CHECKS)
