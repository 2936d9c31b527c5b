"""The page without scripts, its headers, who may do what on it, and texts that would rather be markup."""

import re
from urllib.parse import quote

import pytest

from tests.e2e.browsers import Watched, browsing, serving, sign_in, state_of
from tests.e2e.page_worlds import HOSTILE, PASSWORD, make_world

pytestmark = pytest.mark.slow  # a browser and a server of its own

#: Finds what no page may hold: each would be against the policy, so the browser would not do it.
_INLINE = """() => [...document.querySelectorAll("*")].filter((one) =>
  one.matches("style, script:not([src]), iframe, object, embed, base")
  || [...one.attributes].some((attribute) => /^(on|hx-on|style$)/.test(attribute.name))
  || /^\\s*(javascript|data|https?):/.test(one.getAttribute("href") ?? one.getAttribute("action") ?? "")
).map((one) => one.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(make_world(tmp_path_factory.mktemp("plain"), lamps=7, users=True), "--users") as opened:
        yield opened


@pytest.fixture(scope="module")
def browser():
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module")
def states(server, browser):
    return {user: state_of(browser, server, user) for user in ("mia", "rob", "vera")}


@pytest.fixture
def open_page(server, browser, states):
    contexts = []
    watched = Watched()

    def make(user="rob", **options):
        context = browser.new_context(storage_state=states[user] if user else None, base_url=server.address, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        watched.watch(page, server.address)
        return page

    yield make
    for context in contexts:
        context.close()
    watched.check()


def test_the_main_flow_works_without_scripts(open_page):
    page = open_page(java_script_enabled=False)
    page.goto("/queue?model=small")
    page.get_by_role("region", name="Product (record)").get_by_text("lamp-0", exact=True).click()
    page.get_by_role("link", name="Decide here: lamp-0, /finish").click()
    page.wait_for_url("**/records/lamp-0/place?*")
    page.locator("details[data-act=accept] > summary").click()
    page.get_by_role("button", name="Accept as unverified").click()
    assert "without a reason" in page.locator(".wrong").inner_text()
    page.get_by_label("Why do you accept it?").fill("seen on the shelf")
    page.get_by_role("button", name="Accept as unverified").click()
    page.wait_for_url("**/place?*done=*")
    assert "stays unverified" in page.locator(".box.done").first.inner_text()
    assert page.locator("section .badge.guess").first.inner_text() == "accepted, unverified"
    page.locator("details[data-act=undo] > summary").click()
    page.get_by_label("Why do you take it back?").first.fill("another shelf")
    page.locator("details[data-act=undo] button").click()
    page.wait_for_url("**/place?*done=*")
    page.locator("details[data-act=reject] > summary").click()
    page.get_by_label("Why is it rejected?").select_option("outdated")
    page.get_by_role("button", name="Reject").click()
    page.wait_for_url("**/place?*done=*")
    assert "not suggested again" in page.locator(".box.done").first.inner_text()


def test_a_form_is_refused_in_place_without_scripts_with_its_text_kept(open_page, server):
    from tests.e2e.page_worlds import import_again

    page = open_page(java_script_enabled=False)
    page.goto("/records/lamp-1/place?pointer=/mass_kg")
    page.locator("details[data-act=accept] > summary").click()
    page.get_by_label("Why do you accept it?").fill("I weighed it")
    import_again(server.world, 1, mass_kg=-2)
    page.get_by_role("button", name="Accept as unverified").click()
    told = page.locator("form .box.alert")
    assert "has changed since you looked" in told.inner_text()
    assert page.get_by_label("Why do you accept it?").input_value() == "I weighed it"


def test_a_viewer_sees_no_form_and_is_refused_and_the_log_tells(open_page):
    page = open_page("vera")
    page.goto("/records/lamp-2/place?pointer=/finish")
    assert page.locator("[data-row]").count() == 1
    assert page.locator("details[data-act]").count() == 0
    assert page.get_by_text("Your role reads").is_visible()
    assert page.get_by_role("link", name="Attach evidence…").count() == 0
    # The form of a reviewer, with the session of the viewer.
    other = open_page("rob")
    other.goto("/records/lamp-2/place?pointer=/finish")
    fields = other.locator("details[data-act=accept] form").evaluate("one => Object.fromEntries(new FormData(one))")
    token = page.locator("input[name=csrf_token]").first.get_attribute("value")
    answer = page.request.post("/decide/accept", form={**fields, "csrf_token": token, "reason": "me, too"})
    assert answer.status == 403
    assert "viewer may not do this" in answer.text()
    settings = page.request.post("/settings", form={"csrf_token": token, "reject_reasons": "a"})
    assert settings.status == 403
    last = other.request.get("/v1/audit?limit=500").json()["events"][-2:]
    assert [one["type"] for one in last] == ["access.denied"] * 2
    assert {one["actor"]["id"] for one in last} == {"vera"}
    page.goto("/settings")
    assert page.locator("main form").count() == 0
    page.goto("/access")
    assert "for maintainers" in page.locator("main").inner_text()


def test_a_form_without_the_token_of_its_session_does_nothing(open_page):
    page = open_page("rob")
    page.goto("/records/lamp-2/place?pointer=/mass_kg")
    fields = page.locator("details[data-act=accept] form").evaluate("one => Object.fromEntries(new FormData(one))")
    for token in ("", "0" * 64):
        answer = page.request.post("/decide/accept", form={**fields, "csrf_token": token, "reason": "by another site"})
        assert answer.status == 403
    assert page.request.get("/v1/records/lamp-2").json()["record"]["mass_kg"] == -1


def test_two_persons_do_the_same_where_the_settings_say_so(open_page):
    mia = open_page("mia")
    mia.goto("/settings")
    mia.get_by_label("Places that need a second person").fill("/mass_kg")
    mia.locator("main form button").click()
    mia.wait_for_url("**/settings?done=*")
    for page, words in ((open_page("rob"), "a second person must do the same"), (mia, "stays unverified")):
        page.goto("/records/lamp-3/place?pointer=/mass_kg")
        page.locator("details[data-act=accept] > summary").click()
        page.get_by_label("Why do you accept it?").fill("weighed")
        page.get_by_role("button", name="Accept as unverified").click()
        page.locator(".box.done").wait_for()
        assert words in page.locator(".box.done").inner_text()
    assert mia.request.get("/v1/records/lamp-3").json()["record"]["mass_kg"] == 5
    rob = open_page("rob")
    rob.goto("/records/lamp-4/declare?pointer=/mass_kg")
    rob.get_by_label("The value is").select_option("json")
    rob.get_by_label("Value", exact=True).fill("5.5")
    rob.get_by_label("Or its digest").fill("sha256:" + "0" * 64)
    rob.get_by_label("Page").fill("2")
    rob.get_by_label("Quote").fill("5.5 kg")
    rob.get_by_label("Why do you declare it?").fill("the sheet says so")
    rob.get_by_role("button", name="Declare this value").click()
    rob.wait_for_url("**/place?*done=*")
    mia.goto("/records/lamp-4/place?pointer=/mass_kg")
    mia.get_by_role("link", name="Declare it, too…").click()
    assert mia.get_by_label("Value", exact=True).input_value() == ""


def test_a_form_that_is_sent_twice_is_done_once(open_page):
    page = open_page("rob")
    page.goto("/records/lamp-5/place?pointer=/finish")
    fields = page.locator("details[data-act=accept] form").evaluate("one => Object.fromEntries(new FormData(one))")
    for _ in range(2):
        answer = page.request.post("/decide/accept", form={**fields, "reason": "twice"}, max_redirects=0)
        assert answer.status == 303
    told = [one["type"] for one in page.request.get("/v1/audit?record=lamp-5&limit=500").json()["events"]]
    assert told.count("suggestion.accepted") == 1


def test_what_was_typed_is_kept_where_the_session_has_ended(open_page, server):
    page = open_page(None)
    sign_in(page, server, "rob")
    page.goto("/records/lamp-5/place?pointer=/mass_kg")
    page.locator("details[data-act=accept] > summary").click()
    page.get_by_label("Why do you accept it?").fill("a long story")
    token = page.locator("input[name=csrf_token]").first.get_attribute("value")
    page.request.post("/logout", form={"csrf_token": token})
    page.get_by_role("button", name="Accept as unverified").click()
    page.get_by_text("You are signed out").wait_for()
    assert page.get_by_label("Why do you accept it?").input_value() == "a long story"
    # Signed in again in another tab: the form is of the session before, and says so without losing anything.
    other = page.context.new_page()
    sign_in(other, server, "rob")
    page.get_by_role("button", name="Accept as unverified").click()
    page.get_by_text("not one of this session").wait_for()
    assert page.get_by_label("Why do you accept it?").input_value() == "a long story"


def test_without_scripts_what_was_typed_is_kept_on_a_page_that_leads_to_sign_in(open_page, server):
    page = open_page(None, java_script_enabled=False)
    sign_in(page, server, "rob")
    page.goto("/records/lamp-5/place?pointer=/mass_kg")
    page.locator("details[data-act=edit] > summary").click()
    form = page.locator("details[data-act=edit]")
    form.get_by_label("Value", exact=True).fill("5.75")
    form.get_by_label("Why is this the value?").fill("a long story")
    page.context.clear_cookies()
    form.get_by_role("button").click()
    page.get_by_role("heading", name="What you typed").wait_for()
    assert page.get_by_label("Value", exact=True).input_value() == "5.75"
    assert page.get_by_label("Reason", exact=True).input_value() == "a long story"
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in").click()
    assert opened.value.locator("main input[name=next]").input_value() == "/records/lamp-5/place?pointer=/mass_kg"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_from_another_site_leads_on_for_who_is_signed_in(open_page, server, scripts):
    page = open_page("rob", java_script_enabled=scripts)
    # The page of the other site is not watched: what it asks for is elsewhere.
    elsewhere = "http://wiki.example/page"
    link = f"<a href='{server.address}/queue?model=small'>the queue</a>"
    page.context.route(elsewhere, lambda route: route.fulfill(body=link, content_type="text/html"))
    other = page.context.new_page()
    other.goto(elsewhere)
    other.get_by_role("link").click()
    other.wait_for_url("**/queue?model=small")
    assert other.get_by_role("heading", level=1).inner_text() == "Queue"


def test_signing_in_leads_on_to_where_one_was_going_and_nowhere_else(open_page):
    page = open_page(None)
    page.goto("/queue?model=small")
    assert "/login?next=" in page.url
    page.get_by_label("User").fill("rob")
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    page.locator("[role=alert]").first.wait_for()
    assert page.get_by_label("User").input_value() == "rob"
    assert page.get_by_label("Password").input_value() == ""
    page.wait_for_timeout(1_100)  # the next attempt is let in after a second
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/queue?model=small")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login")
    page.goto("/queue")
    assert "/login" in page.url
    for elsewhere in ("//evil.example", "https://evil.example/", "/\\evil.example"):
        page.goto(f"/login?next={quote(elsewhere, safe='')}")
        assert page.locator("main input[name=next]").input_value() == "/"


def test_a_maintainer_sees_users_and_keys(open_page):
    page = open_page("mia")
    page.goto("/access")
    rows = page.locator("tbody tr")
    assert sorted(one.split()[0] for one in rows.all_inner_texts()) == ["mia", "rob", "vera"]
    assert PASSWORD not in page.content()


def pages_of(name):
    """Return the pages of a record whose id is hostile."""
    segment = quote(name.replace("~", "~0").replace("/", "~1"), safe="~")
    base = f"/records/{segment}"
    return [
        "/queue",
        "/queue?status=all&model=" + quote(HOSTILE),
        "/queue/reject?model=" + quote(HOSTILE),
        "/records",
        base,
        f"{base}/place?pointer=/finish",
        f"{base}/place?pointer=/note",
        f"{base}/place?pointer=",
        f"{base}/print",
        f"{base}/evidence?id=sheet-0",
        f"{base}/declare?pointer=/finish",
        f"{base}/attach?pointer={quote('/' + HOSTILE)}",
        "/audit",
        f"/audit?record={quote(name)}",
        f"/nothing/{quote(HOSTILE)}",
    ]


def test_hostile_texts_are_shown_and_nothing_runs(open_page):
    name = f"lamp-{HOSTILE.rstrip(chr(0x202E))}"
    page = open_page("rob")
    page.goto(pages_of(name)[5])
    for act, field in (("accept", "Why do you accept it?"),):
        page.locator(f"details[data-act={act}] > summary").click()
        page.get_by_label(field).fill(HOSTILE)
        page.get_by_role("button", name="Accept as unverified").click()
        page.locator(".box.done").wait_for()
    shown = 0
    for address in pages_of(name):
        page.goto(address)
        text = page.locator("body").inner_text()
        shown += "<script>window.hacked" in text
        assert page.evaluate("window.hacked") is None, address
        assert page.locator("main script, main img, main iframe").count() == 0, address
        assert page.evaluate(_INLINE) == [], address
        assert "\u202e" not in text, address
        assert "{{ 7 * 7 }}" in text or "49" not in text.split("hacked")[-1]
    assert shown >= 11
    page.goto("/queue?status=all&model=" + quote(HOSTILE))
    page.get_by_role("link", name=re.compile("Show|Decide here")).first.click()
    page.locator(".is-card").wait_for()
    assert page.evaluate("window.hacked") is None


def test_the_headers_hold_on_every_page(open_page):
    page = open_page("mia")
    for address in ("/queue", "/records/lamp-0", "/audit", "/login", "/nothing", "/static/page.css", "/decide/accept"):
        answer = page.request.get(address, max_redirects=0)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'"), address
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "base-uri 'none'" in policy
        assert "form-action 'self'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] in ("same-origin", "no-referrer")
        if not address.startswith("/static"):
            assert answer.headers["cache-control"] == "no-store", address
    cookie = next(one for one in page.context.cookies() if one["name"].startswith(("veracord", "__Host")))
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")


def test_an_address_with_a_digest_may_be_kept_and_files_lead_nowhere_else(open_page):
    page = open_page("rob")
    page.goto("/queue")
    address = page.locator("link[rel=stylesheet]").get_attribute("href")
    assert "immutable" in page.request.get(address).headers["cache-control"]
    assert page.request.get("/static/page.css?v=0").headers["cache-control"] == "no-cache"
    for path in ("/static/../templates/base.html", "/static/%2e%2e/templates/base.html", "/static/nothing.js"):
        assert page.request.get(path).status == 404


def test_a_link_works_once_and_only_when_its_button_is_pressed(tmp_path, browser):
    with serving(make_world(tmp_path / "link", lamps=1)) as server:
        context = browser.new_context()
        page = context.new_page()
        for _ in range(3):
            assert page.request.get(server.link).ok
        sign_in(page, server)
        assert page.locator(".who").inner_text().strip()
        again = browser.new_context()
        stolen = again.new_page()
        stolen.goto(server.link)
        stolen.get_by_role("button", name="Sign in").click()
        stolen.locator("[role=alert]").first.wait_for()
        assert stolen.goto(f"{server.address}/queue").url.startswith(f"{server.address}/login")
        context.close()
        again.close()
