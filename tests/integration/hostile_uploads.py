"""Two hundred uploads that nobody sends who means well: (name, path, body, headers, what is wrong with it)."""

import json
from dataclasses import dataclass, field
from urllib.parse import quote

from tests.contract.http_servers import lamp_import

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>'\"&{{7*7}}"
JSON_PATHS = (
    "/v1/validate",
    "/v1/repair",
    "/v1/synthesize",
    "/v1/answer",
    "/v1/check-answer",
    "/v1/records",
    "/v1/decisions",
    "/v1/runs",
    "/v1/exports",
)
PATH_TRICKS = (
    "../../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "/etc/passwd",
    "file:///etc/passwd",
    "lamp.toml",
    "./lamp",
    "lamp\u0000",
    "C:\\windows\\win.ini",
    "http://127.0.0.1:1/x",
    "eu-dpp-demo/../lamp",
)


@dataclass(frozen=True)
class Upload:
    """One request; `statuses` are those that it may end in."""

    name: str
    path: str
    body: object
    headers: dict = field(default_factory=dict)
    kind: str | None = "application/json"
    statuses: tuple = (400, 413, 415, 422)
    method: str = "POST"


def all_uploads():
    return [*_texts(), *_types(), *_paths(), *_large(), *_media(), *_places()]


def _valid(path):
    return {
        "/v1/validate": {"record": {}, "profile": "lamp"},
        "/v1/repair": {"record": {}, "profile": "lamp", "evidence": []},
        "/v1/synthesize": {"seed": {}, "profile": "lamp", "evidence": []},
        "/v1/answer": {"question": "What?", "evidence": []},
        "/v1/check-answer": {"id": 1, "answer": "x", "evidence": []},
        "/v1/records": lamp_import("h"),
        "/v1/decisions": {"act": "defer", "suggestion_id": "x"},
        "/v1/runs": {"kind": "repair", "profile": "lamp", "records": [{}]},
        "/v1/exports": {"record_ids": ["h"]},
    }[path]


def _texts():
    """Texts that are no strict JSON."""
    deep = 100_000
    texts = {
        "empty": b"",
        "half": b'{"record": {',
        "list": b"[]",
        "number": b"1",
        "two values": b"{}{}",
        "duplicate": b'{"record": {}, "record": {"a": 1}}',
        "duplicate inside": b'{"record": {"a": 1, "a": 2}}',
        "nan": b'{"record": {"a": NaN}}',
        "infinity": b'{"record": {"a": -Infinity}}',
        "comment": b'{"record": {} /* so */}',
        "deep": b'{"record": ' + b'{"a":' * deep + b"1" + b"}" * deep + b"}",
        "deep list": b"[" * deep,
        "half a pair": b'{"record": {"a": "\\ud800"}}',
        "not utf-8": b'{"record": {"a": "\xff"}}',
        "utf-32": '{"record": {}}'.encode("utf-32"),
        "latin": '{"record": {"ä": 1}}'.encode("latin-1"),
        "exponent": b'{"record": {"a": 1e999999999}}',
        "digits": b'{"record": {"a": ' + b"9" * 10_000 + b"}}",
        "nul": b"\x00",
        "binary": bytes(range(256)),
    }
    for path in ("/v1/repair", "/v1/records", "/v1/decisions", "/v1/runs"):
        for name, data in texts.items():
            yield Upload(f"{name} to {path}", path, data)


def _types():
    """Members of another type than they must be."""
    odd = (None, True, 7, "text", [], {"a": [1]})
    for path in JSON_PATHS:
        body = _valid(path)
        for number, name in enumerate(sorted(body)):
            value = next(
                item for item in odd[number % 3 :] + odd if type(item) is not type(body[name]) and item != body[name]
            )
            if path == "/v1/check-answer" and name == "id":
                value = [1]
            yield Upload(f"{name} is {value!r} at {path}", path, {**body, name: value})
        yield Upload(f"unknown member at {path}", path, {**body, "__proto__": {"x": 1}})


def _paths():
    """Paths and addresses where names are meant."""
    for trick in PATH_TRICKS:
        for path in ("/v1/repair", "/v1/records", "/v1/runs"):
            yield Upload(f"profile {trick!r} at {path}", path, {**_valid(path), "profile": trick})
    remote = {"$ref": "http://127.0.0.1:1/schema.json"}
    for ref in ("http://127.0.0.1:1/s", "file:///etc/passwd", "../x.json", "ftp://127.0.0.1/x", "//127.0.0.1/x"):
        body = {"record": {}, "schemas": [{"name": "s.json", "content": {**remote, "$ref": ref}}]}
        yield Upload(f"schema refers to {ref}", "/v1/validate", body)
        named = {"record": {}, "schemas": [{"name": ref, "content": {"$ref": "other.json"}}]}
        yield Upload(f"schema is called {ref}", "/v1/validate", named)


def _large():
    """What is too much of something."""
    yield Upload("a text of 3 MB", "/v1/repair", b'{"record": {"a": "' + b"x" * 3_000_000 + b'"}}', statuses=(413,))
    yield Upload("a length that is a lie", "/v1/repair", b"{}", {"Content-Length": "99999999999999"}, statuses=(413,))
    yield Upload("chunks without a length", "/v1/repair", iter([b"x" * 65_536] * 64), statuses=(413,))
    yield Upload("many keys", "/v1/decisions", {f"k{n}": n for n in range(20_000)})
    yield Upload("long id", "/v1/records", {**lamp_import("h"), "record_id": "i" * 501})
    yield Upload("long pointer", "/v1/runs", {**_valid("/v1/runs"), "key": "/a" * 10_000})
    yield Upload("long question", "/v1/answer", {"question": "why " * 100_000, "evidence": []})
    pattern = {
        "record": {"a": "a" * 5_000 + "!"},
        "schemas": [{"name": "s", "content": {"properties": {"a": {"pattern": "^(a+)+$"}}}}],
    }
    yield Upload("a pattern that goes back and forth", "/v1/validate", pattern, statuses=(200, 422))


def _media():
    """Other kinds of bodies."""
    kinds = (
        None,
        "text/plain",
        "text/xml",
        "application/xml",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "application/json2",
        "application/octet-stream",
        "application/x-ndjson",
        "jsön".encode().decode("latin-1"),
    )
    for kind in kinds:
        yield Upload(f"kind {kind!r}", "/v1/repair", b'{"record": {}}', kind=kind, statuses=(415, 422))
        yield Upload(f"kind {kind!r} of a decision", "/v1/decisions", b'{"act": "x"}', kind=kind, statuses=(415, 422))
    yield Upload("compressed", "/v1/repair", b"\x1f\x8b\x08\x00", {"Content-Encoding": "gzip"})


def _places():
    """Ids, pointers and cursors in addresses."""
    odd = ("..", "%00", "%0a", "%ff", "%c0%ae", "a%1fb", quote("\u202e"), "x" * 600, "%2e%2e%2f%2e%2e%2fetc%2fpasswd")
    for text in odd:
        refused = (400, 404, 405, 422)
        yield Upload(f"record {text[:20]}", f"/v1/records/{text}", None, method="GET", statuses=refused)
        yield Upload(f"suggestion {text[:20]}", f"/v1/suggestions/{text}", None, method="GET", statuses=refused)
        yield Upload(f"evidence {text[:20]}", f"/v1/evidence/{text}", None, method="GET", statuses=refused)
        yield Upload(f"run {text[:20]}", f"/v1/runs/{text}", None, method="GET", statuses=refused)
    for query in (
        "pointer=a",
        "pointer=%00",
        "limit=0",
        "limit=x",
        "limit=99999999999999999999",
        "after=x",
        "after=%00",
        "status=x",
        "older=yesterday",
        "older=9999-12-31T23:59:59-23:59",
        "record=%00",
    ):
        yield Upload(f"query {query}", f"/v1/suggestions?{query}", None, method="GET", statuses=(422,))


def hostile_import():
    """A record in which every text is a script."""
    return {
        "record_id": f"r {SCRIPT}",
        "record": {"id": SCRIPT, "note": SCRIPT, "mass_kg": -1, SCRIPT: SCRIPT},
        "profile": "lamp",
        "evidence": [
            {"id": f"e {SCRIPT}", "content": {"id": SCRIPT, "finish": SCRIPT}, "source_ref": {"x": SCRIPT}},
            {"id": f"t {SCRIPT}", "text": SCRIPT},
        ],
        "suggestions": [
            {"path": "/mass_kg", "value": 5, "rationale": SCRIPT, "confidence": 0.1},
            {"path": "/tags", "value": [SCRIPT, "b"], "rationale": SCRIPT},
        ],
        "model": SCRIPT,
    }


def as_bytes(body):
    return body if body is None or isinstance(body, bytes) or hasattr(body, "__next__") else json.dumps(body).encode()
