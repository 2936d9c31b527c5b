"""Faults of the verifier: gates that let through what they must not."""

from tools.faults import Mutant

GATES = ("tests/unit/gates", "tests/unit/grounding", "tests/golden/test_answer_lines.py")

FAULTS = (
    Mutant(
        "another number passes",
        "gates/number.py",
        '    for outcome in ("number_differs", "value_added", "place_differs"):\n',
        '    for outcome in ("value_added", "place_differs"):\n',
        GATES,
    ),
    Mutant(
        "a value said of another thing passes",
        "gates/number.py",
        '    for outcome in ("number_differs", "value_added", "place_differs"):\n',
        '    for outcome in ("number_differs", "value_added"):\n',
        GATES,
    ),
    Mutant(
        "units are ignored",
        "gates/unit.py",
        '    if "unit_differs" in outcomes:\n',
        "    if False:\n",
        GATES,
    ),
    Mutant(
        "a bound taken for a value",
        "gates/comparator.py",
        '    if "comparator_differs" in outcomes:\n',
        "    if False:\n",
        GATES,
    ),
    Mutant(
        "a quotation by its beginning",
        "gates/quote.py",
        "        if _is_whole(text, start, end):\n",
        "        if True:\n",
        GATES,
    ),
    Mutant(
        "a quotation without what turns it",
        "gates/quote.py",
        'found.append("qualifier_left_out" if _is_turned(text, start, end) else "")',
        'found.append("")',
        GATES,
    ),
    Mutant(
        "a citation of anything",
        "gates/citation.py",
        "    if bound.missing:\n",
        "    if False:\n",
        GATES,
    ),
    Mutant(
        "no citation needed",
        "gates/citation.py",
        "    if not claim.claim.evidence_ids:\n",
        "    if False:\n",
        GATES,
    ),
    Mutant(
        "negation ignored",
        "gates/polarity.py",
        "    if said == held:\n",
        "    if True:\n",
        GATES,
    ),
    Mutant(
        "a day of another role",
        "gates/date.py",
        '("date_differs", "finer", "value_added")',
        '("finer", "value_added")',
        GATES,
    ),
    Mutant(
        "an identifier that differs",
        "gates/identifier.py",
        "        if said.text != held.text:\n",
        "        if False:\n",
        GATES,
    ),
    Mutant(
        "another product's evidence",
        "gates/product.py",
        "    if binding.foreign_product:\n",
        "    if False:\n",
        GATES,
    ),
    Mutant(
        "one side of a conflict",
        "gates/conflict.py",
        "    if silent:\n",
        "    if False:\n",
        GATES,
    ),
)
