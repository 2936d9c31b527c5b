"""Faults of the page: markup of others that runs, a form that is filled in beforehand, a mark at the wrong place."""

from tools.faults import Mutant

TEMPLATES = ("tests/unit/web/test_page_templates.py",)
LAYOUTS = ("tests/unit/web/test_page_layouts.py",)
ASSETS = ("tests/unit/web/test_page_assets.py",)

FAULTS = (
    Mutant(
        "an unescaped field",
        "bundled/page/templates/card.html",
        '<dd class="prose">{{ card.rationale }}</dd>',
        '<dd class="prose">{{ card.rationale | safe }}</dd>',
        TEMPLATES,
    ),
    Mutant(
        "a page without escaping",
        "web/page_rendering.py",
        "        autoescape=True,\n",
        "        autoescape=False,\n",
        TEMPLATES,
    ),
    Mutant(
        "a row of the queue that is shown for another",
        "web/page_rendering.py",
        "tuple((name, _hashed(value)) for name, value in row.items()))",
        'tuple((name, _hashed(value if name != "present" else "1")) for name, value in row.items()))',
        TEMPLATES,
    ),
    Mutant(
        "evidence that is marked at another place",
        "web/page_layouts.py",
        "is_marked = marked is not None and is_under(place, marked)",
        "is_marked = marked is not None and is_under(marked, place)",
        LAYOUTS,
    ),
    Mutant(
        "a script from elsewhere",
        "bundled/page/templates/base.html",
        "<script src=\"{{ asset('page.js') }}\" defer></script>",
        '<script src="https://cdn.example/page.js" defer></script>',
        ASSETS,
    ),
)
