"""Faults of suggestions, synthesis and the ledger: a guess that passes for a fact, a record that is not grounded."""

from tools.faults import Mutant

SUPPRESSION = ("tests/unit/test_composer_suppression.py",)
SUGGESTING = ("tests/unit/test_composer_suggesting.py",)
MATRIX = ("tests/golden/test_suggestion_matrix.py",)
LAWS = ("tests/properties/test_suggestion_laws.py",)
SYNTHESIS = ("tests/unit/test_composer_synthesis.py",)
SUPPORT = ("tests/unit/test_composer_support.py",)
SEEDS = ("tests/unit/test_composer_seeds.py",)
KEPT_PLANS = ("tests/unit/test_composer_kept_plans.py",)
LAUNDERING = ("tests/unit/test_composer_laundering.py", "tests/integration/test_laundering.py")
LEDGERS = ("tests/unit/test_composer_ledgers.py", "tests/integration/test_laundering.py")

FAULTS = (
    Mutant(
        "the cap on confidence removed",
        "composer/suppression.py",
        "confidence = min(float(candidate.confidence), MOST_CONFIDENCE) + 0.0",
        "confidence = float(candidate.confidence) + 0.0",
        (*SUPPRESSION, *LAWS),
    ),
    Mutant(
        "a suggestion applied to the record",
        "composer/suggesting.py",
        "            suggestions=sifted.suggestions,\n",
        "            suggestions=sifted.suggestions,\n"
        "            record={**result.record, **{found.path[1:]: found.value for found in sifted.suggestions}},\n",
        (*MATRIX, *LAWS),
    ),
    Mutant(
        "the annotation read from a caller",
        "promptkit/system_prompts.py",
        "is_ours = form is SUGGESTIONS_FORM and form.get(ANNOTATION) is True",
        "is_ours = form.get(ANNOTATION) is True",
        SUGGESTING,
    ),
    Mutant(
        "the rules for suggestions given to every form",
        "promptkit/system_prompts.py",
        "FROM_TRAINING if is_ours else EVIDENCE_ONLY",
        "FROM_TRAINING",
        SUGGESTING,
    ),
    Mutant(
        "a second request for suggestions",
        "composer/suggesting.py",
        "structure_repairs=0",
        "structure_repairs=1",
        (*SUGGESTING, *MATRIX),
    ),
    Mutant(
        "a guess at what somebody issues",
        "composer/suppression.py",
        "        if not self._profile.has_administrative and any(self._is_issued(place) for place in places):\n"
        "            return Suppression.ADMINISTRATIVE\n",
        "",
        (*SUPPRESSION, *MATRIX),
    ),
    Mutant(
        "an id inside an object",
        "composer/suppression.py",
        "if any(is_covered(place, never) for place in places for never in self._profile.never_suggested):",
        "if any(is_covered(tokens, never) for never in self._profile.never_suggested):",
        (*SUPPRESSION, *MATRIX),
    ),
    Mutant(
        "a number moved to its bound",
        "composer/suppression.py",
        "        if clamps(self._profile.place, candidate.tokens, present, candidate.value):\n"
        "            return Suppression.CLAMPED\n",
        "",
        (*SUPPRESSION, *MATRIX),
    ),
    Mutant(
        "a suggestion that makes another violation",
        "composer/suppression.py",
        "        if any(finding.key not in self._known for finding in findings):\n"
        "            return Suppression.NEW_VIOLATION\n",
        "",
        SUPPRESSION,
    ),
    Mutant(
        "a second correction of a synthesis",
        "composer/synthesis.py",
        "        retries=1,\n",
        "        retries=2,\n",
        SYNTHESIS,
    ),
    Mutant(
        "an invented leaf",
        "composer/support.py",
        "            self.fail(ours, at, reason_at(self.profile, self.basis, place))\n",
        "            pass\n",
        (*SUPPORT, *SYNTHESIS),
    ),
    Mutant(
        "a value that the sources do not hold",
        "composer/support.py",
        "            if theirs is not MISSING and equal(ours, theirs):\n",
        "            if theirs is not MISSING:\n",
        (*SUPPORT, *SYNTHESIS),
    ),
    Mutant(
        "a value that the plan does not hold",
        "composer/support.py",
        "        if unit is not None and at == place and equal(ours, unit.value):\n",
        "        if unit is not None and at == place:\n",
        (*SUPPORT, *SYNTHESIS),
    ),
    Mutant(
        "a plan of another context",
        "composer/kept_plans.py",
        "name: value if profile.contexts_near((name,)) else _without_values(value)",
        "name: _without_values(value)",
        KEPT_PLANS,
    ),
    Mutant(
        "a plan that its askers share",
        "composer/kept_plans.py",
        "        return found[0].copy()\n",
        "        return found[0]\n",
        KEPT_PLANS,
    ),
    Mutant(
        "plans of sources that others took the place of",
        "records/matching.py",
        "        other.kept = None\n",
        "",
        KEPT_PLANS,
    ),
    Mutant(
        "a row of two sources",
        "composer/whole_rows.py",
        "            if source is not None and source.evidence_id in unit.supporters:\n"
        "                kept[place] = unit.named_after(source.evidence_id)\n",
        "            if source is not None or unit.supporters:\n                kept[place] = unit\n",
        ("tests/unit/test_composer_assembly.py", *SUPPORT, *SYNTHESIS),
    ),
    Mutant(
        "a seed leaf dropped",
        "composer/seeds.py",
        "        if held is MISSING:\n            problems.append(",
        "        if held is MISSING and False:\n            problems.append(",
        (*SEEDS, *SYNTHESIS),
    ),
    Mutant(
        "a seed leaf changed",
        "composer/seeds.py",
        "        elif not equal(held, leaf.value):\n",
        "        elif False:\n",
        (*SEEDS, *SYNTHESIS),
    ),
    Mutant(
        "a guess in a source taken for evidence",
        "composer/laundering.py",
        "index.swapped(marked) if is_changed else index)",
        "index)",
        LAUNDERING,
    ),
    Mutant(
        "a guess in a seed taken for what was known",
        "composer/laundering.py",
        "return Marks({**given, **found, **kept}, ",
        "return Marks({**given, **kept}, ",
        LAUNDERING,
    ),
    Mutant(
        "a guess in another spelling taken for another value",
        "composer/ledgers.py",
        "        return form(value)\n",
        "        return value\n",
        LEDGERS,
    ),
    Mutant(
        "a value of an earlier run that is a known guess by now",
        "pipeline/units.py",
        "if record is None or not await _still_stands(turn, attempt):",
        "if record is None:",
        ("tests/e2e/test_cli_run_records.py",),
    ),
    Mutant(
        "a guess that decides a dispute for the others",
        "composer/choosing.py",
        "contradicting = [s for s in others if s.source.standing <= standing]",
        "contradicting = [s for s in others if s.source.standing <= standing and not s.is_guess]",
        LAUNDERING,
    ),
    Mutant(
        "a source that does not count taken for a witness",
        "composer/laundering.py",
        "if row.outcome == Outcome.CONFLICT and row.detail not in _NO_STATEMENT",
        "if True",
        LAUNDERING,
    ),
    Mutant(
        "suggestions that are shown before they are entered",
        "composer/laundering.py",
        "        await ledger.issue(new)\n",
        "        pass\n",
        LAUNDERING,
    ),
)
