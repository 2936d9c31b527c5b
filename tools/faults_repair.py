"""Faults of reading, validating and repairing records."""

from tools.faults import GOLDEN, LAWS, Mutant

FAULTS = (
    Mutant(
        "rows matched by index",
        "composer/alignment.py",
        "        if key is None:\n",
        "        if key is not None:\n            return index if index < len(array.theirs) else Misfit.ABSENT\n"
        "        if key is None:\n",
    ),
    Mutant(
        "another product's value",
        "records/matching.py",
        "            if not _agrees(values, source.values):\n",
        "            if False:\n",
    ),
    Mutant(
        "a value under another context",
        "composer/choosing.py",
        "            if agrees and not any(self._misplaces(statement, place, context) for context in lending):\n",
        "            if True:\n",
    ),
    Mutant(
        "a container replaced whole",
        "composer/targets.py",
        "    if value is MISSING or is_leaf(value):\n",
        "    if True:\n",
        (*GOLDEN, *LAWS),
    ),
    Mutant(
        "a conflict settled silently",
        "composer/choosing.py",
        "        if contradicting:\n",
        "        if False:\n",
    ),
    Mutant(
        "a clamp",
        "composer/planning.py",
        "                yield Statement(source, found.pointer, found.theirs)\n",
        "                value = min(found.theirs, 100) if type(found.theirs) is int else found.theirs\n"
        "                yield Statement(source, found.pointer, value)\n",
    ),
    Mutant(
        "a text fill",
        "records/evidence.py",
        "        return self.content if type(self.content) is dict else None\n",
        "        from veracord.records.reading import read_value\n\n"
        "        if self.text is not None and self.text.startswith('{'):\n"
        "            return read_value(self.text.encode())\n"
        "        return self.content if type(self.content) is dict else None\n",
    ),
    Mutant(
        "a joint group applied one by one",
        "composer/repair.py",
        "        for units, is_identity in unit_groups(self.profile, plan.units):\n",
        "        for units, is_identity in [({at: unit}, False) for at, unit in plan.units.items()]:\n",
        (*GOLDEN, *LAWS),
    ),
    Mutant(
        "an administrative fill",
        "records/profiles.py",
        "        return any(is_covered(place, at) for at in self.never_filled)\n",
        "        return False\n",
    ),
    Mutant(
        "an unmatched reference digest",
        "composer/verified_rows.py",
        "    if item.evidence_ref != evidence_ref:\n",
        "    if False:\n",
        ("tests/unit/test_composer_verification.py", "tests/e2e/test_cli_results.py"),
    ),
    Mutant(
        "a row mixed from sources that disagree",
        "composer/mixing.py",
        "source.evidence_id == other.evidence_id or _rows_agree(row, source, other, aligner)",
        "True",
    ),
    Mutant(
        "a level ignored",
        "records/identity.py",
        "        if self.level is None:\n            return True\n        if record_level is None",
        "        if True:\n            return True\n        if record_level is None",
    ),
    Mutant(
        "a placeholder filled",
        "composer/statements.py",
        "        return value in known.shown or _ZERO_UUID.search(value) is not None\n",
        "        return False\n",
    ),
    Mutant(
        "a wrong check digit accepted",
        "records/identity.py",
        "    if total % 10:\n",
        "    if False:\n",
    ),
    Mutant(
        "an accepted suggestion taken for evidence",
        "composer/statements.py",
        "        if origin is None or statement.is_guess:\n",
        "        if True:\n",
    ),
    Mutant(
        "the record taken as evidence for itself",
        "records/matching.py",
        "            elif own_id is not MISSING and self._record_id(source) == own_id:\n",
        "            elif False:\n",
    ),
    Mutant(
        "ranks settle which product it is",
        "records/matching.py",
        "            if len({source.values[tokens] for source in having}) > 1:\n",
        "            if False:\n",
    ),
    Mutant(
        "identity put together from two products",
        "composer/planning.py",
        "    for member in profile.identity.all_members:\n"
        "        own = {at: rest.pop(at) for at in list(rest) if is_under(at, member.tokens)}\n",
        "    members = [member.tokens for member in profile.identity.all_members]\n"
        "    for own in [{at: rest.pop(at) for at in list(rest) if any(is_under(at, m) for m in members)}]:\n",
    ),
    Mutant(
        "rows copied under another context",
        "composer/choosing.py",
        "            found += [neighbour for neighbour in outer if STAR not in neighbour]\n",
        "            found += []\n",
    ),
    Mutant(
        "a new violation kept",
        "composer/judging.py",
        "                if not self._judge.was_masked(finding, units):\n",
        "                if False:\n",
    ),
    Mutant(
        "a masked violation held against the fill",
        "composer/masking.py",
        "        if finding.shape is Shape.RULE:\n            return self._rule_was_masked(finding, units)\n",
        "        return False\n        if finding.shape is Shape.RULE:\n"
        "            return self._rule_was_masked(finding, units)\n",
    ),
    Mutant(
        "one of two exclusive fills chosen",
        "composer/judging.py",
        "        kept = frozenset.intersection(*largest)\n",
        "        kept = largest[0]\n",
    ),
    Mutant(
        "the search gives up silently",
        "composer/judging.py",
        '            self._give_up(group, units, "search_bound")\n',
        "            for place in group:\n                units.pop(place)\n",
    ),
    Mutant(
        "unknown members copied",
        "composer/planning.py",
        "            if self._places.at(at).is_known:\n",
        "            if True:\n",
    ),
    Mutant(
        "a duplicate name read",
        "records/reading.py",
        "catch_duplicate_keys=True",
        "catch_duplicate_keys=False",
    ),
    Mutant(
        "a number respelt in the written record",
        "composer/results.py",
        "        if not self.document.data:\n",
        "        if self.document.data:\n",
        ("tests/properties", "tests/e2e"),
    ),
    Mutant(
        "a message that shows the value",
        "records/violations.py",
        "            yield _finding(tokens, name, error.kind, Shape.VALUE, trail, reads)\n",
        "            shown = _finding(tokens, name, error.kind, Shape.VALUE, trail, reads)\n"
        "            told = shown.violation._replace(message=f'{shown.violation.message}: {error.instance}')\n"
        "            yield shown._replace(violation=told)\n",
    ),
    Mutant(
        "formats not checked",
        "records/schemas.py",
        "            validate_formats=True,\n",
        "            validate_formats=False,\n",
    ),
    Mutant(
        "candidates in the order of a set",
        "composer/mixing.py",
        "    for place in sorted(places):\n",
        "    for place in places:\n",
    ),
    Mutant(
        "rows of a source kept for every profile",
        "composer/statements.py",
        "if isinstance(kept, _Cleaned) and kept.known is known and",
        "if isinstance(kept, _Cleaned) and",
    ),
    Mutant(
        "a fill that shares its value with the evidence",
        "composer/reporting.py",
        "        value=copy(value),\n",
        "        value=value,\n",
    ),
)
