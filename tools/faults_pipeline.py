"""Faults of pipelines: turns that grow, budgets that are shared, texts that get out."""

from tools.faults import Mutant

DECISIONS = ("tests/golden/test_decisions.py",)
WORDS = ("tests/golden/test_corrections.py", "tests/properties/test_correction_laws.py")
LAWS = ("tests/properties/test_pipeline_laws.py",)
PRODUCERS = ("tests/unit/test_pipeline_producers.py",)
ANSWERS = ("tests/unit/test_promptkit_structured_output.py",)
CONTAINMENT = ("tests/memory/test_containment.py",)
MODELS = ("tests/contract",)

FAULTS = (
    Mutant(
        "growing turns",
        "promptkit/structured_producer.py",
        '    return (Message("assistant", correction.response), Message("user", correction_text(correction)))\n',
        "    turns = _added.__dict__.setdefault(attempt.unit.key, [])\n"
        '    turns += [Message("assistant", correction.response), Message("user", correction_text(correction))]\n'
        "    return tuple(turns)\n",
        LAWS,
    ),
    Mutant(
        "turns that grow in a structural repair",
        "promptkit/structured_output.py",
        '            added = (Message("assistant", _sendable(response.text)), told)\n',
        '            added = (*added, Message("assistant", _sendable(response.text)), told)\n',
        (*LAWS, *ANSWERS),
    ),
    Mutant(
        "a shared budget",
        "pipeline/attempts.py",
        "        return attempt.number <= self.binding.retries\n",
        "        return attempt.number + attempt.meter.structure_repairs <= self.binding.retries\n",
        LAWS,
    ),
    Mutant(
        "an execution retry that is not given anew",
        "pipeline/execution.py",
        "            if verdict.status is not Status.EXECUTION_FAILED or spent == self._retries:\n",
        "            if verdict.status is not Status.EXECUTION_FAILED or not self._retries:\n"
        "                return verdict, spent\n"
        "            self._retries -= 1\n"
        "            if spent == self._retries:\n",
        (*LAWS, "tests/integration/test_validator_execution.py"),
    ),
    Mutant(
        "a crash told to the model",
        "pipeline/corrections.py",
        "        defects.update(dict.fromkeys(verdict.defects))\n",
        "        defects.update(dict.fromkeys(verdict.defects))\n"
        "        if verdict.code:\n"
        '            defects[Defect(verdict.code, "", verdict.code)] = None\n',
        ("tests/unit/test_pipeline_corrections.py",),
    ),
    Mutant(
        "a stop at the first rejection",
        "pipeline/attempts.py",
        "            verdicts.append(verdict)\n            checks.append(_check(execution.id, verdict, retries))\n",
        "            verdicts.append(verdict)\n            checks.append(_check(execution.id, verdict, retries))\n"
        "            if verdict.status is Status.REJECTED:\n"
        "                break\n",
        (*LAWS, *DECISIONS),
    ),
    Mutant(
        "a rejected candidate that advances",
        "pipeline/decisions.py",
        "        return Decision(Outcome.REJECTED, disposition=policy.rejection)\n",
        "        if policy.rejection is Disposition.WARN_CONTINUE:\n"
        "            return Decision(Outcome.ACCEPTED_INCOMPLETE, disposition=policy.rejection)\n"
        "        return Decision(Outcome.REJECTED, disposition=policy.rejection)\n",
        DECISIONS,
    ),
    Mutant(
        "a correction after execution failures alone",
        "pipeline/decisions.py",
        "    if Status.REJECTED in statuses:\n",
        "    if Status.REJECTED in statuses or (Status.EXECUTION_FAILED in statuses and can_correct):\n",
        DECISIONS,
    ),
    Mutant(
        "a default changed",
        "pipeline/policies.py",
        "    rejection=Disposition.FAIL_RUN,\n",
        "    rejection=Disposition.WARN_CONTINUE,\n",
        (*DECISIONS, *PRODUCERS, "tests/docs/test_pipeline_document.py"),
    ),
    Mutant(
        "a default budget changed",
        "pipeline/bindings.py",
        "    retries: int = 1\n",
        "    retries: int = 2\n",
        (*PRODUCERS, "tests/docs/test_pipeline_document.py"),
    ),
    Mutant(
        "a correction without a controlling response",
        "pipeline/attempts.py",
        "self.binding.can_be_corrected and response is not None\n",
        'self.binding.can_be_corrected\n        response = response or ""\n',
        (*PRODUCERS, *DECISIONS),
    ),
    Mutant(
        "an answer kept on an exception",
        "promptkit/structured_output.py",
        "                return _no_form(read)\n",
        "                error = _no_form(read)\n"
        "                error.add_note(response.text)\n"
        "                return error\n",
        (*ANSWERS, *CONTAINMENT),
    ),
    Mutant(
        "an answer kept in the frames of an exception",
        "promptkit/structured_output.py",
        "        del messages, added, exchange\n",
        "",
        (*ANSWERS, *CONTAINMENT),
    ),
    Mutant(
        "an exit that keeps its text",
        "pipeline/interruptions.py",
        "            return cls(Reason.SYSTEM_EXIT, exception.code if isinstance(exception.code, int) else 1)\n",
        "            return cls(Reason.SYSTEM_EXIT, exception.code)\n",
        CONTAINMENT,
    ),
    Mutant(
        "an answer in a log",
        "promptkit/structured_output.py",
        "    exchange.meter.answered(response.usage)\n",
        '    __import__("logging").getLogger("veracord").debug("answered %s", response.text)\n'
        "    exchange.meter.answered(response.usage)\n",
        CONTAINMENT,
    ),
    Mutant(
        "a body of a server in an error",
        "models/connections.py",
        "                await response.read()\n",
        '                return Failure("model_http_status", response.status, cause=(await response.text()))\n',
        MODELS,
    ),
    Mutant(
        "defects in the order in which they were found",
        "pipeline/verdicts.py",
        "        ordered = sorted(found, key=lambda defect: defect.order)\n",
        "        ordered = list(found)\n",
        WORDS,
    ),
    Mutant(
        "a control character told to the model",
        "pipeline/texts.py",
        '    return _UNSAFE.sub("\\ufffd", short)\n',
        "    return short\n",
        WORDS,
    ),
    Mutant(
        "a correction without a bound",
        "promptkit/wording.py",
        "        if room < 0:\n            break\n",
        "",
        WORDS,
    ),
    Mutant(
        "a tool that was not asked for",
        "promptkit/structured_output.py",
        '        if self._via == "tool" and response.tool_name != self.name:\n',
        '        if self._via == "tool" and response.tool_name is None:\n',
        ANSWERS,
    ),
    Mutant(
        "a truncated answer read",
        "promptkit/structured_output.py",
        "            if response.finish is Finish.LENGTH:\n",
        "            if response.finish is Finish.LENGTH and not isinstance(self.read(response), Answer):\n",
        ANSWERS,
    ),
    Mutant(
        "a value that ends its block in a prompt",
        "promptkit/prompts.py",
        '.replace("<", "\\\\u003c")',
        "",
        ("tests/unit/test_promptkit_prompts.py",),
    ),
    Mutant(
        "an unknown cost that counts as none",
        "promptkit/structured_output.py",
        "        count = requests_before(stop)\n"
        "        exchange.meter.answered(Usage(requests=count, unmetered=count))\n",
        "        count = requests_before(stop)\n"
        "        exchange.meter.answered(Usage(requests=count, input_tokens=0, output_tokens=0))\n",
        ("tests/integration/test_cancellation.py",),
    ),
    Mutant(
        "a 4xx sent again",
        "models/failures.py",
        '        return Failure("model_redirect", status, unbilled=True)\n'
        '    return Failure("model_http_status", status, unbilled=True)\n',
        '        return Failure("model_redirect", status, unbilled=True)\n'
        '    return Failure("model_http_status", status, unbilled=True, passing=True)\n',
        MODELS,
    ),
    Mutant(
        "a run that goes on after fail_run",
        "pipeline/workers.py",
        "            self.report.failed_by = replace(result, value=None)\n            self._is_ending = True\n",
        "            self.report.failed_by = replace(result, value=None)\n",
        ("tests/integration/test_cancellation.py",),
    ),
    Mutant(
        "a cassette that answers what it was never asked",
        "models/cassettes.py",
        "self._tape.entries.get(key) if key else None\n",
        "self._tape.entries.get(key) or next(iter(self._tape.entries.values()), None)\n",
        ("tests/unit/test_models_cassettes.py",),
    ),
)
