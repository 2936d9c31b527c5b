"""A real server on a real store, and Debian's browser in front of it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.e2e.conftest import environment
from tests.e2e.page_worlds import PASSWORD, World

WIDTHS = (320, 1280)
SCHEMES = ("light", "dark")
_LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/login/(\S+)")
_SERVING = re.compile(r"Serving on (http://\S+)")

#: What a browser writes down of answers that the page is made for.
_EXPECTED = re.compile(
    r"Failed to load resource.*status of (401|403|404|409|422|429)|Response Status Error Code 401 from /decide/"
)


def chromium() -> str:
    """Return the browser; without one tests are skipped, and with CI=true that is a failure."""
    found = shutil.which("chromium")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is not installed (on Debian: apt install chromium)", pytrace=False)
        pytest.skip("chromium is not installed, so nothing looks at the page")
    return found


@dataclass
class Server:
    """A server that runs.

    Attributes:
        address: Where.
        link: The link that signs in once, in local mode.
        world: Its store.
        lines: What it wrote.
    """

    address: str
    link: str | None
    world: World
    lines: list[str] = field(default_factory=list)


@contextmanager
def serving(world: World, *options: str):
    """Run `veracord serve` on a store until the end of the block."""
    command = [sys.executable, "-m", "veracord", "serve", "--store", str(world.store), "--port", "0"]
    command += ["--profile", str(world.profile), *options]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=world.folder, env=environment()
    )
    lines: list[str] = []
    ready = threading.Event()
    needs_link = "--users" not in options

    def read() -> None:
        for line in process.stderr:
            lines.append(line)
            if (_LINK if needs_link else _SERVING).search(line):
                ready.set()
        ready.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        assert ready.wait(30), lines
        text = "".join(lines)
        assert process.poll() is None, text
        link = _LINK.search(text)
        yield Server(_SERVING.search(text)[1], link[0] if link else None, world, lines)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        finally:
            process.kill()
        reader.join(5)
        process.stderr.close()


@dataclass
class Watched:
    """What a browser did while it was looked at.

    Attributes:
        outside: Addresses that it asked for and that are not the server's.
        faults: Errors of scripts and of the policy.
    """

    outside: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def watch(self, page, address: str) -> None:
        def note_request(request) -> None:
            if not request.url.startswith((address, "data:", "about:")):
                self.outside.append(request.url)

        def note_console(message) -> None:
            if message.type == "error" and not _EXPECTED.search(message.text):
                self.faults.append(message.text)

        page.on("request", note_request)
        page.on("console", note_console)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def check(self) -> None:
        assert not self.outside, self.outside
        assert not self.faults, self.faults


@contextmanager
def browsing():
    """Open the browser."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, headless=True)
        try:
            yield browser
        finally:
            browser.close()


def sign_in(page, server: Server, user: str | None = None) -> None:
    """Sign in, by the link or by name."""
    if user is None:
        page.goto(server.link)
        page.get_by_role("button", name="Sign in").click()
    else:
        page.goto(f"{server.address}/login")
        page.get_by_label("User").fill(user)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/queue*")


def state_of(browser, server: Server, user: str | None = None) -> dict:
    """Sign in once, and return what further contexts begin with."""
    context = browser.new_context()
    try:
        sign_in(context.new_page(), server, user)
        return context.storage_state()
    finally:
        context.close()


def until(page, what: str) -> None:
    """Wait until something holds in the page: asked from outside, as its own policy forbids it to be asked inside."""
    for _ in range(100):
        if page.evaluate(what):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"this never held: {what}")


def axe_source() -> str:
    """Return the script that looks for what keeps people out."""
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
#: Of all rules, these alone depend on colours.
_COLOUR_RULES = ["color-contrast", "link-in-text-block"]
_RUN_AXE = """async (wanted) => {
  const found = await axe.run(document, { runOnly: wanted, resultTypes: ["violations"] });
  return found.violations.map((one) => [one.id, one.nodes.map((node) => node.html + " :: " + node.failureSummary)]);
}"""


def find_barriers(page, source: str, *, colours_alone: bool = False) -> list:
    """Return what axe-core finds wrong with what is shown; it runs under the page's own policy."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(source)
    wanted = {"type": "rule", "values": _COLOUR_RULES} if colours_alone else {"type": "tag", "values": _TAGS}
    return page.evaluate(_RUN_AXE, wanted)


def check_everywhere(page, source: str, what: str) -> None:
    """Make sure that a state has no barriers, narrow and wide, light and dark, and that nothing of it is cut.

    What is shown differs by width, and in the other scheme by its colours alone.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = find_barriers(page, source, colours_alone=scheme != SCHEMES[0])
            assert found == [], f"{what}, {width} px, {scheme}"
        assert is_cut(page) == [], f"{what}, {width} px"


def is_cut(page) -> list:
    """Return what stands beyond the right edge, or is cut inside its own box."""
    return page.evaluate("""() => {
      const wide = document.documentElement.clientWidth;
      const found = [];
      if (document.documentElement.scrollWidth > wide) found.push("the page scrolls sideways");
      for (const one of document.querySelectorAll("body *")) {
        const box = one.getBoundingClientRect();
        if (!box.width || !box.height || one.closest(".hidden-text, .skip")) continue;
        if (one.closest("thead") && getComputedStyle(one.closest("thead")).position === "absolute") continue;
        if (box.right > wide + 0.5) found.push(one.tagName + "." + one.className + ": beyond the edge");
        const style = getComputedStyle(one);
        const isField = one.matches("textarea, input, select");
        if (style.overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1 && !isField)
          found.push(one.tagName + "." + one.className + ": cut");
      }
      return found;
    }""")
