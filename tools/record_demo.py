"""Record the answers that `veracord demo` plays.

No model is asked: the answers below were written for it, to show what becomes of such ones.  They are recorded with the
very requests that the demonstration makes, so that a changed prompt, profile or file of it needs a new recording.

    python tools/record_demo.py
"""

import asyncio
import sys
from pathlib import Path
from typing import Final

from veracord.bootstrap.demonstrations import ANSWERS, demo_folder, demonstrate
from veracord.models.cassettes import Cassette
from veracord.testing import ScriptedModel

_READABLE: Final = 0o644

#: One that can be shown, a number moved to its bound, and an identifier that nobody asked for.
GUESSES: Final = """\
{"suggestions": [
  {"path": "/circularity/spare_parts_availability_years", "value": 10, "confidence": 0.6,
   "rationale": "Makers of heat pumps often name ten years; I recall nothing about this model."},
  {"path": "/circularity/repairability_index", "value": 10, "confidence": 0.5,
   "rationale": "The index ends at ten."},
  {"path": "/product/id", "value": "QM-HP9-2041-B", "confidence": 0.2,
   "rationale": "It looks like an identifier of this maker."}
]}
"""

#: All of it stands in the seed and in the parts list, but for the standard.
INVENTION: Final = """\
{
  "schema_version": "1",
  "dpp_id": "DPP-SK-P48-0007",
  "issued_at_utc": "2025-05-06T10:00:00Z",
  "product": {"id": "SK-P48", "brand": "Skerrow", "model": "Pack 48", "category": "battery"},
  "materials": [
    {"name": "Cells", "share_pct": 71},
    {"name": "Aluminium", "share_pct": 20.5},
    {"name": "Polyamide", "share_pct": 8.5}
  ],
  "compliance": {"standards": ["EN 62133-2"]}
}
"""


def record(path: Path) -> None:
    """Write the cassette; one that is there is replaced."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    scripted = ScriptedModel([GUESSES, INVENTION, INVENTION])
    recorder = Cassette.record(new, scripted)
    demonstrate(recorder, demo_folder())
    asyncio.run(recorder.aclose())
    new.chmod(_READABLE)
    new.replace(path)


if __name__ == "__main__":
    record(demo_folder() / ANSWERS)
    sys.exit(0)
