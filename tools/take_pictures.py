"""Takes the pictures of the page that docs/review.md shows, of a real server on the demonstration's store.

Run as ``python -m tools.take_pictures [FOLDER]``; it needs Debian's chromium.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.e2e.browsers import browsing, serving, state_of
from tests.e2e.page_worlds import make_runs, make_world

ROOT: Final = Path(__file__).resolve().parent.parent
PICTURES: Final = ROOT / "docs/pictures"
_CONFLICT: Final = "/records/hp-9-loft/place?pointer=/circularity/repairability_index"
_FILL: Final = "/records/hp-9-loft/place?pointer=/materials/1/share_pct"


def take(folder: Path) -> list[Path]:
    """Write all pictures into a folder, and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    taken: list[Path] = []
    with tempfile.TemporaryDirectory() as place:
        world = make_world(Path(place) / "world", lamps=6, is_plain=True)
        make_runs(world)
        with serving(world) as server, browsing() as browser:
            state = state_of(browser, server)
            for name, (address, look, do) in SHOTS.items():
                options = {"width": look.get("width", 1280), "height": 860}
                context = browser.new_context(
                    storage_state=state,
                    base_url=server.address,
                    viewport=options,
                    color_scheme=look.get("scheme", "light"),
                )
                page = context.new_page()
                page.goto(address)
                do(page)
                path = folder / f"{name}.png"
                page.screenshot(path=str(path), full_page=look.get("whole", True))
                taken.append(path)
                context.close()
    return taken


def _nothing(page: Any) -> None:  # noqa: ANN401 - the browser's types are for tests only
    del page


def _open_card(page: Any) -> None:  # noqa: ANN401 - as above
    page.get_by_role("link", name="Decide here").first.click()
    page.locator(".is-card").wait_for()
    page.locator("details[data-act=accept] > summary").click()
    page.get_by_role("button", name="Accept as unverified").click()
    page.locator(".wrong").wait_for()


def _open_run(page: Any) -> None:  # noqa: ANN401 - as above
    page.locator("tbody a").first.click()
    page.locator("h2").first.wait_for()


_Shot = tuple[str, dict[str, Any], Callable[[Any], None]]

#: What is taken: name, address, how, and what is done before.
SHOTS: Final[dict[str, _Shot]] = {
    "queue": ("/queue", {"whole": False}, _nothing),
    "card": ("/queue?record=hp-9-loft&pointer=/circularity/spare_parts_availability_years", {}, _open_card),
    "conflict": (_CONFLICT, {}, _nothing),
    "conflict-dark": (_CONFLICT, {"scheme": "dark"}, _nothing),
    "fill": (_FILL, {}, _nothing),
    "record": ("/records/hp-9-loft", {"whole": False}, _nothing),
    "declare": ("/records/hp-9-loft/declare?pointer=/circularity/spare_parts_availability_years", {}, _nothing),
    "bulk": ("/queue/reject?record=lamp-0", {}, _nothing),
    "run": ("/runs", {}, _open_run),
    "audit": ("/audit", {"whole": False}, _nothing),
    "narrow": ("/queue", {"width": 320, "whole": False}, _nothing),
}


def main(words: list[str]) -> int:
    """Take them; return the exit code."""
    for path in take(Path(words[0]) if words else PICTURES):
        print(path.name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
