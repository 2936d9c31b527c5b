"""Faults of HTTP: a decision by a key, a check that is missing, a secret where it is written down."""

from tools.faults import Mutant

DECISIONS = ("tests/integration/test_http_decisions.py",)
ACCESS = ("tests/integration/test_http_access.py",)
HOSTILE = ("tests/integration/test_http_hostile.py",)
GUARDS = ("tests/unit/web/test_guards.py",)
PROBLEMS = ("tests/unit/web/test_problems.py",)

FAULTS = (
    Mutant(
        "a decision by a key",
        "web/callers.py",
        "    return Asking(holder.service, request_id_of(request), holder.scopes)\n",
        '    return Asking(Person(holder.service.id, "password", "reviewer"), request_id_of(request), holder.scopes)\n',
        DECISIONS,
    ),
    Mutant(
        "a decision over HTTP without what was seen",
        "web/api_decisions.py",
        '    seen = read_seen(told.body["seen"])\n    asked = Accept(',
        '    seen = (await told.service.show(told.body["suggestion_id"])).seen\n    asked = Accept(',
        DECISIONS,
    ),
    Mutant(
        "no check of the token of a session",
        "web/protections.py",
        "    if not hmac.compare_digest(told.encode(",
        "    if told and not hmac.compare_digest(told.encode(",
        ACCESS,
    ),
    Mutant(
        "no check of the site that sends",
        "web/guards.py",
        "            _check_site(headers, is_secure=self._parts.is_secure)\n",
        "            pass\n",
        GUARDS,
    ),
    Mutant(
        "a key in an address is let through",
        "web/guards.py",
        "        _check_address(scope)\n",
        "        pass\n",
        GUARDS,
    ),
    Mutant(
        "any name for this machine",
        "web/guards.py",
        "        if self._parts.hosts and host.lower() not in self._parts.hosts:\n",
        "        if False:\n",
        ACCESS,
    ),
    Mutant(
        "a cookie that scripts read",
        "web/cookies.py",
        '        max_age=_ABSOLUTE_S,\n        path="/",\n        secure=parts.is_secure,\n        httponly=True,\n',
        '        max_age=_ABSOLUTE_S,\n        path="/",\n        secure=parts.is_secure,\n',
        ACCESS,
    ),
    Mutant(
        "a way out to another host",
        "web/redirects.py",
        '    is_path = text.startswith("/") and not text.startswith(("//", "/\\\\"))\n',
        '    is_path = text.startswith("/")\n',
        ACCESS,
    ),
    Mutant(
        "the text of a foreign exception",
        "web/guards.py",
        "answer_problem(Request(scope), fault(request_id)))",
        "answer_problem(Request(scope), fault(str(error))))",
        GUARDS,
    ),
    Mutant(
        "no limit on bodies without a length",
        "web/bodies.py",
        "                if size > most:\n",
        "                if size < 0:\n",
        HOSTILE,
    ),
    Mutant(
        "a file that a caller names as profile",
        "bootstrap/composing.py",
        "        if name not in self._refs:\n",
        "        if False:\n",
        HOSTILE,
    ),
    Mutant(
        "a change underneath without what was and is",
        "web/problems.py",
        '        more["change"] = change_row(error.change)\n',
        "        pass\n",
        PROBLEMS,
    ),
    Mutant(
        "the second of two like requests acts, too",
        "web/parameters.py",
        "    if key is None:\n        return None\n",
        "    if key is not None or key is None:\n        return None\n",
        DECISIONS,
    ),
)
