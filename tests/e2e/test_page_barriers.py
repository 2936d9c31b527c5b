"""Nothing of the page keeps people out: axe-core in every state, wide and narrow, light and dark; nothing is cut."""

import pytest

from tests.e2e.browsers import (
    Watched,
    axe_source,
    browsing,
    check_everywhere,
    find_barriers,
    is_cut,
    serving,
    state_of,
    until,
)
from tests.e2e.page_worlds import import_again, make_runs, make_world

pytestmark = pytest.mark.slow  # a browser and a server of its own

PAGES = {
    "queue": "/queue",
    "queue, narrowed": "/queue?model=demo-model-8b&age=day",
    "queue, nothing fits": "/queue?rule=none",
    "queue, decided": "/queue?status=rejected",
    "bulk": "/queue/reject?record=lamp-0",
    "records": "/records",
    "record": "/records/hp-9-loft",
    "record, long names": "/records/lamp-0",
    "conflict": "/records/hp-9-loft/place?pointer=/circularity/repairability_index",
    "fill": "/records/hp-9-loft/place?pointer=/materials/1/share_pct",
    "accepted": "/records/lamp-1/place?pointer=/finish",
    "whole record": "/records/hp-9-loft/place?pointer=",
    "source": "/records/hp-9-loft/evidence?id=lab_report&pointer=/circularity/repairability_index",
    "text": "/records/hp-9-loft/evidence?id=datasheet",
    "print": "/records/hp-9-loft/print",
    "declare": "/records/lamp-0/declare?pointer=/finish",
    "attach": "/records/lamp-0/attach",
    "runs": "/runs",
    "audit": "/audit",
    "verification": "/audit/verify",
    "settings": "/settings",
    "access": "/access",
    "password": "/password",
    "help": "/help",
    "problem": "/nothing",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    world = make_world(tmp_path_factory.mktemp("barriers"), lamps=4)
    make_runs(world)
    with serving(world) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser():
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module")
def axe():
    return axe_source()


@pytest.fixture(scope="module")
def signed_in(server, browser):
    state = state_of(browser, server)
    context = browser.new_context(storage_state=state, base_url=server.address)
    page = context.new_page()
    for name, act in (("lamp-1", "accept"), ("lamp-2", "reject")):
        page.goto(f"/records/{name}/place?pointer=/finish")
        page.locator(f"details[data-act={act}] > summary").click()
        if act == "accept":
            page.get_by_label("Why do you accept it?").fill("as I know it")
        else:
            page.get_by_label("Why is it rejected?").select_option("outdated")
        page.locator(f"details[data-act={act}] button").click()
        page.locator(".box.done").wait_for()
    context.close()
    return state


@pytest.fixture
def page(server, browser, signed_in):
    context = browser.new_context(storage_state=signed_in, base_url=server.address, reduced_motion="reduce")
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    watched = Watched()
    watched.watch(opened, server.address)
    yield opened
    context.close()
    watched.check()


@pytest.mark.parametrize("what", PAGES)
def test_a_page_is_free_of_barriers_and_nothing_is_cut(page, axe, what):
    page.goto(PAGES[what])
    check_everywhere(page, axe, what)


def test_a_run_is_free_of_barriers(page, axe):
    page.goto("/runs")
    page.locator("tbody a").first.click()
    page.locator("svg[role=img]").wait_for()
    check_everywhere(page, axe, "run")


def send(page, act):
    """Send the form of an act, and wait until what comes back stands there."""
    with page.expect_response("**/decide/*"):
        page.locator(f"details[data-act={act}] button").click()
    until(page, "!document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added')")


def test_every_state_of_a_decision_is_free_of_barriers(page, axe):
    page.goto("/queue?record=lamp-3&pointer=/mass_kg")
    page.get_by_role("link", name="Decide here").first.click()
    page.locator(".is-card").wait_for()
    check_everywhere(page, axe, "card in the queue")
    for act in ("accept", "reject", "edit", "defer"):
        page.locator(f"details[data-act={act}] > summary").click()
        check_everywhere(page, axe, f"{act} opened")
    page.locator("details[data-act=accept] > summary").click()
    send(page, "accept")
    check_everywhere(page, axe, "accept refused")
    page.locator("details[data-act=reject] > summary").click()
    send(page, "reject")
    check_everywhere(page, axe, "reject refused")
    page.locator("details[data-act=edit] > summary").click()
    page.locator("textarea[name=value]").fill("{")
    send(page, "edit")
    page.locator("textarea[name=value][aria-invalid]").wait_for()
    check_everywhere(page, axe, "edit refused")
    page.locator("details[data-act=defer] > summary").click()
    send(page, "defer")
    page.locator(".box.done").wait_for()
    check_everywhere(page, axe, "done")


def test_a_change_underneath_is_free_of_barriers(page, axe, server):
    page.goto("/records/lamp-2/place?pointer=/mass_kg")
    page.locator("details[data-act=accept] > summary").click()
    page.get_by_label("Why do you accept it?").fill("I weighed it")
    import_again(server.world, 2, mass_kg=-2)
    send(page, "accept")
    page.get_by_role("heading", name="This has changed since you looked").wait_for()
    check_everywhere(page, axe, "changed underneath")


def test_every_refused_form_of_its_own_is_free_of_barriers(page, axe):
    page.goto("/records/lamp-0/declare?pointer=/finish")
    page.get_by_role("button", name="Declare this value").click()
    page.locator("[aria-invalid], [role=alert]").first.wait_for()
    check_everywhere(page, axe, "declaration refused")
    page.goto("/records/lamp-0/attach")
    page.get_by_role("button", name="Attach, and repair the record").click()
    page.locator(".wrong").first.wait_for()
    check_everywhere(page, axe, "attachment refused")
    page.goto("/queue/reject?record=lamp-0")
    page.get_by_role("button", name="Reject them all").click()
    page.locator(".wrong").first.wait_for()
    check_everywhere(page, axe, "bulk refused")


def test_signing_in_is_free_of_barriers(browser, server, axe):
    context = browser.new_context(base_url=server.address)
    page = context.new_page()
    for address in ("/login", "/login/none"):
        page.goto(address)
        check_everywhere(page, axe, address)
    page.get_by_role("button", name="Sign in").click()
    page.locator("[role=alert]").first.wait_for()
    check_everywhere(page, axe, "link refused")
    context.close()


def test_the_check_bites(page, axe):
    page.goto("/help")
    page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img src=\"/favicon.ico\">')")
    assert [one[0] for one in find_barriers(page, axe)] == ["image-alt"]
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<p class=\"w\">' + 'w'.repeat(400) + '</p>')"
    )
    page.evaluate("document.styleSheets[0].insertRule('.w { white-space: nowrap; color: #777; background: #888 }')")
    assert [one[0] for one in find_barriers(page, axe, colours_alone=True)] == ["color-contrast"]
    assert is_cut(page)
