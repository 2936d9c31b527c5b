"""What a reviewer does in a browser, on a real server and store: decisions where value and sources are seen."""

import json
import re

import pytest

from tests.e2e.browsers import Watched, browsing, serving, state_of, until
from tests.e2e.page_worlds import import_again, make_world

pytestmark = pytest.mark.slow  # a browser and a server of its own

NOW_BESIDE = "has changed since you looked"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(make_world(tmp_path_factory.mktemp("flows"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser():
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module")
def signed_in(server, browser):
    return state_of(browser, server)


@pytest.fixture
def page(server, browser, signed_in):
    context = browser.new_context(
        storage_state=signed_in, base_url=server.address, viewport={"width": 1280, "height": 900}
    )
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    watched = Watched()
    watched.watch(opened, server.address)
    yield opened
    context.close()
    watched.check()


def events(page, record_id):
    found = page.request.get(f"/v1/audit?record={record_id}&limit=500")
    assert found.ok, found.text()
    return found.json()["events"]


def stands(page, record_id):
    """Return what the record holds now, and where its leaves come from."""
    told = page.request.get(f"/v1/records/{record_id}").json()
    return told["record"], told["origins"]


def place(page, record_id, pointer):
    page.goto(f"/records/{record_id}/place?pointer={pointer}")


def card(page):
    return page.locator("[data-row]").first


def open_act(page, act):
    card(page).locator(f"details[data-act={act}] > summary").click()
    return card(page).locator(f"details[data-act={act}] form")


def said(page, words):
    until(page, "document.getElementById('live').textContent.includes(" + json.dumps(words) + ")")


def has_focus(locator):
    return locator.evaluate("one => one === document.activeElement")


def test_the_address_holds_the_filter_and_the_counts_are_exact(page):
    page.goto("/queue")
    total = int(page.locator(".tabs a[aria-current] .number").inner_text().replace(",", ""))
    filters = page.get_by_role("complementary", name="Filters")
    filters.get_by_role("region", name="Model").get_by_text("demo-model-8b").click()
    page.wait_for_url("**/queue?model=demo-model-8b")
    assert page.locator("[data-row]").count() == 3 < total
    filters.get_by_role("region", name="Place").get_by_text("/carbon/total_kg_co2e").click()
    page.wait_for_url(lambda url: "pointer=" in url and "model=" in url)
    assert page.locator("[data-row]").count() == 1
    address = page.url
    page.goto("/queue")
    page.goto(address)
    assert page.locator("[data-row]").count() == 1
    page.get_by_role("link", name=re.compile("leave out this filter")).first.click()
    assert page.locator("[data-row]").count() > 1


def test_the_evidence_of_a_fill_is_opened_at_its_place(page):
    place(page, "lamp-0", "/power_w")
    assert page.locator(".badge.good").first.inner_text() == "from evidence"
    marked = page.locator(".source li.marked")
    assert marked.count() == 1
    assert '"power_w": 7.50' in marked.inner_text()
    assert "the value was read here" in page.locator(".source-box").first.inner_text()


def test_sources_that_disagree_stand_side_by_side_with_nothing_chosen(page):
    place(page, "lamp-0", "/colour")
    candidates = page.locator(".candidate")
    assert sorted(candidates.locator(".value").all_inner_texts()) == ['"blue"', '"red"']
    tops = {round(box.bounding_box()["y"]) for box in candidates.all()}
    assert len(tops) == 1
    assert page.locator("input:checked").count() == 0
    assert page.locator(".source li.marked").count() == 2


def test_an_acceptance_needs_a_reason_and_stays_unverified(page):
    place(page, "lamp-1", "/finish")
    form = open_act(page, "accept")
    assert has_focus(form.get_by_label("Why do you accept it?"))
    form.get_by_role("button").click()
    wrong = card(page).locator(".wrong")
    wrong.wait_for()
    assert "without a reason" in wrong.inner_text()
    field = card(page).get_by_label("Why do you accept it?")
    assert has_focus(field)
    assert field.get_attribute("aria-invalid") == "true"
    assert "finish" not in stands(page, "lamp-1")[0]
    field.fill("measured by me")
    field.press("Control+Enter")
    card(page).locator(".box.done").wait_for()
    said(page, "stays unverified")
    assert has_focus(card(page))
    record, origins = stands(page, "lamp-1")
    assert (record["finish"], origins["/finish"]) == ("matt", "accepted_suggestion")
    assert [one["type"] for one in events(page, "lamp-1")][-2:] == ["access.denied", "suggestion.accepted"]


def test_what_was_accepted_is_undone_in_place(page):
    place(page, "lamp-1", "/mass_kg")
    open_act(page, "accept").get_by_label("Why do you accept it?").fill("as I know it")
    card(page).get_by_role("button", name="Accept as unverified").click()
    card(page).locator(".box.done").wait_for()
    form = open_act(page, "undo")
    form.get_by_role("button").click()
    assert "Say why" in card(page).locator(".wrong").inner_text()
    card(page).get_by_label("Why do you take it back?").fill("the wrong lamp")
    card(page).locator("details[data-act=undo] button").click()
    said(page, "stands again")
    assert card(page).locator("details[data-act=accept]").count() == 1
    assert stands(page, "lamp-1")[0]["mass_kg"] == -1


def test_a_rejection_needs_a_code_and_nothing_is_chosen_before(page):
    page.goto("/queue?record=lamp-2&pointer=/finish")
    assert [page.locator(".tabs a").nth(at).inner_text() for at in (0, 4)] == ["Waiting 1", "Rejected 0"]
    page.get_by_role("link", name="Decide here: lamp-2, /finish").click()
    form = open_act(page, "reject")
    assert form.get_by_label("Why is it rejected?").input_value() == ""
    form.get_by_role("button").click()
    assert "Choose why" in card(page).locator(".wrong").inner_text()
    card(page).get_by_label("Why is it rejected?").select_option("not_plausible")
    card(page).get_by_label("Note (optional)").first.fill("never seen")
    card(page).get_by_role("button", name="Reject").click()
    said(page, "not suggested again")
    # What is counted is counted anew, without loading the page again.
    assert [page.locator(".tabs a").nth(at).inner_text() for at in (0, 4)] == ["Waiting 0", "Rejected 1"]
    assert page.locator("#queue-total").inner_text().startswith("0 suggestions")
    assert page.locator("#queue-tabs").count() == page.locator("#filters").count() == 1
    assert has_focus(card(page))
    assert events(page, "lamp-2")[-1]["type"] == "suggestion.rejected"
    page.goto("/queue?record=lamp-2&status=rejected")
    assert page.locator("[data-row]").count() == 1


def test_another_value_is_accepted_and_the_log_keeps_both(page):
    place(page, "lamp-2", "/mass_kg")
    form = open_act(page, "edit")
    assert form.get_by_label("Value", exact=True).input_value() == "5"
    form.get_by_label("Value", exact=True).fill("five")
    form.get_by_label("Why is this the value?").fill("read off the box")
    form.get_by_role("button").click()
    assert "no JSON" in card(page).locator(".wrong").inner_text()
    assert card(page).get_by_label("Why is this the value?").input_value() == "read off the box"
    card(page).get_by_label("Value", exact=True).fill("5.250")
    card(page).locator("details[data-act=edit] button").click()
    said(page, "Accepted with your value")
    text = page.request.get("/v1/records/lamp-2").text()
    assert '"mass_kg":5.250' in text.replace(" ", "")


def test_a_suggestion_is_deferred(page):
    place(page, "lamp-2", "/colour")
    open_act(page, "defer").get_by_role("button").click()
    said(page, "Deferred")
    assert card(page).locator("details[data-act=accept]").count() == 1
    assert card(page).locator("details[data-act=defer]").count() == 0


def test_a_declaration_is_entered_afresh_and_its_quote_is_found(page, tmp_path):
    document = tmp_path / "sheet.txt"
    document.write_text("Lamp 3\nFinish: brushed\n  steel.\n", "utf-8")
    place(page, "lamp-3", "/finish")
    page.get_by_role("link", name="Declare from a document…").click()
    assert "matt" not in page.locator("main").inner_text()
    assert page.get_by_label("Value", exact=True).input_value() == ""
    page.get_by_label("The value is").select_option("text")
    page.get_by_label("Value", exact=True).fill("brushed steel")
    page.get_by_label("File").set_input_files(document)
    page.get_by_label("Page").fill("1")
    page.get_by_label("Quote").fill("Finish: polished")
    page.get_by_label("Why do you declare it?").fill("I hold the sheet")
    page.get_by_role("button", name="Declare this value").click()
    page.locator(".wrong").wait_for()
    assert has_focus(page.get_by_label("Quote"))
    assert page.get_by_label("Why do you declare it?").input_value() == "I hold the sheet"
    page.get_by_label("File").set_input_files(document)
    page.get_by_label("Quote").fill("Finish: brushed steel.")
    page.get_by_role("button", name="Declare this value").click()
    page.wait_for_url("**/place?*done=*")
    assert page.locator(".badge.said").first.inner_text() == "declared"
    assert stands(page, "lamp-3")[1]["/finish"] == "declared"
    # Declared from a document that is evidence of the record: its quote is marked in it.
    place(page, "lamp-3", "/mass_kg")
    page.get_by_role("link", name="Declare from a document…").click()
    page.get_by_label("The value is").select_option("json")
    page.get_by_label("Value", exact=True).fill("5")
    reference = page.request.get("/v1/records/lamp-3/explain?pointer=/mass_kg").json()["evidence"][-1]["evidence_ref"]
    page.get_by_label("Or its digest").fill(reference)
    page.get_by_label("Page").fill("1")
    page.get_by_label("Quote").fill("The mass is 5 kg")
    page.get_by_label("Why do you declare it?").fill("it says so")
    page.get_by_role("button", name="Declare this value").click()
    page.wait_for_url("**/place?*done=*")
    assert page.locator(".source mark").all_inner_texts() == ["The mass is", "5 kg"]


def test_evidence_that_is_attached_grounds_what_was_a_guess(page, tmp_path):
    place(page, "lamp-4", "/finish")
    open_act(page, "accept").get_by_label("Why do you accept it?").fill("as I know it")
    card(page).get_by_role("button", name="Accept as unverified").click()
    card(page).locator(".box.done").wait_for()
    assert page.reload().ok
    assert page.locator(".badge.guess").first.is_visible()
    source = tmp_path / "maker.json"
    source.write_text('{"id": "L-4", "finish": "matt"}', "utf-8")
    page.get_by_role("link", name="Attach evidence…").click()
    page.get_by_role("button", name="Attach, and repair the record").click()
    assert "name" in page.locator(".wrong").inner_text()
    page.get_by_label("Name of the source").fill("maker-2026")
    page.get_by_label("File").set_input_files(source)
    page.get_by_role("button", name="Attach, and repair the record").click()
    page.wait_for_url("**/place?*done=*")
    assert "1 place filled" in page.locator(".box.done").inner_text()
    assert stands(page, "lamp-4")[1]["/finish"] == "evidence"
    assert "matt" in page.locator(".source li.marked").inner_text()
    # Undone from the history of the place: the guess stands there again.
    row = page.locator("tr", has_text="evidence attached")
    row.get_by_text("Undo…").click()
    row.get_by_label("Why do you take it back?").fill("a mistake")
    row.get_by_role("button", name="Undo").click()
    page.wait_for_url("**/place?*done=*")
    assert stands(page, "lamp-4")[1]["/finish"] == "accepted_suggestion"


def test_what_somebody_else_decided_meanwhile_is_refused_in_place(page, browser, server, signed_in):
    place(page, "lamp-5", "/mass_kg")
    form = open_act(page, "accept")
    form.get_by_label("Why do you accept it?").fill("I weighed it myself")
    other = browser.new_context(storage_state=signed_in, base_url=server.address)
    try:
        beside = other.new_page()
        beside.goto("/records/lamp-5/declare?pointer=/mass_kg")
        beside.get_by_label("The value is").select_option("json")
        beside.get_by_label("Value", exact=True).fill("6.5")
        beside.get_by_label("Or its digest").fill("sha256:" + "0" * 64)
        beside.get_by_label("Page").fill("2")
        beside.get_by_label("Quote").fill("6.5 kg")
        beside.get_by_label("Why do you declare it?").fill("the sheet says so")
        beside.get_by_role("button", name="Declare this value").click()
        beside.wait_for_url("**/place?*done=*")
    finally:
        other.close()
    with page.expect_response("**/decide/accept") as answered:
        form.get_by_role("button").click()
    assert answered.value.status == 409
    card(page).locator(".box.alert").wait_for()
    assert stands(page, "lamp-5")[0]["mass_kg"] == 6.5


def test_old_and_new_value_are_shown_where_the_value_changed(page, server):
    place(page, "lamp-6", "/mass_kg")
    form = open_act(page, "accept")
    form.get_by_label("Why do you accept it?").fill("I weighed it myself")
    import_again(server.world, 6, mass_kg=-2)
    with page.expect_response("**/decide/accept") as answered:
        form.get_by_role("button").click()
    assert answered.value.status == 409
    told = card(page).locator("form .box.alert")
    told.wait_for()
    assert NOW_BESIDE in told.inner_text()
    assert told.locator("del").inner_text().endswith("-1")
    assert told.locator("ins").inner_text().endswith("-2")
    assert has_focus(told)
    field = card(page).get_by_label("Why do you accept it?")
    assert field.input_value() == "I weighed it myself"
    assert stands(page, "lamp-6")[0]["mass_kg"] == -2
    card(page).locator("details[data-act=accept] button").click()
    said(page, "stays unverified")
    assert stands(page, "lamp-6")[0]["mass_kg"] == 5


def test_a_rejection_in_bulk_lists_what_is_meant_and_wants_their_number(page):
    page.goto("/queue?record=lamp-7")
    page.get_by_role("link", name="Reject all 3…").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Reject 3 suggestions"
    assert page.locator("ol.meant li").count() == 3
    page.get_by_label("Why are they rejected?").select_option("not_needed")
    page.get_by_label("How many are they?").fill("2")
    page.get_by_role("button", name="Reject them all").click()
    assert "3 are meant now" in page.locator(".wrong").inner_text()
    assert page.get_by_label("Why are they rejected?").input_value() == "not_needed"
    page.get_by_label("How many are they?").fill("3")
    page.get_by_role("button", name="Reject them all").click()
    page.wait_for_url("**/queue?*done=bulk.*")
    assert "3 suggestions rejected" in page.locator(".box.done").inner_text()
    assert [one["type"] for one in events(page, "lamp-7")][-3:] == ["suggestion.rejected"] * 3
    assert page.locator("[data-row]").count() == 0


def test_there_is_no_acceptance_in_bulk(page):
    page.goto("/queue")
    assert page.get_by_text(re.compile("accept all", re.IGNORECASE)).count() == 0
    assert page.get_by_role("link", name=re.compile("Reject all")).count() == 0


def test_the_whole_flow_by_keyboard_alone(page):
    page.goto("/queue?record=lamp-8")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert has_focus(page.locator("[data-row]").first)
    page.keyboard.press("a")
    field = card(page).get_by_label("Why do you accept it?")
    field.wait_for()
    until(page, "document.activeElement.name === 'reason'")
    before = len(events(page, "lamp-8"))
    page.keyboard.press("Control+Enter")
    card(page).locator(".wrong").wait_for()
    until(page, "document.activeElement.getAttribute('aria-invalid') === 'true'")
    # What is typed is no key.
    page.keyboard.type("aerjku? I measured it")
    assert field.input_value() == "aerjku? I measured it"
    page.keyboard.press("Control+Enter")
    said(page, "stays unverified")
    assert has_focus(card(page))
    page.keyboard.press("u")
    until(page, "document.activeElement.name === 'reason'")
    page.keyboard.type("no, the other one")
    page.keyboard.press("Control+Enter")
    said(page, "stands again")
    page.keyboard.press("r")
    until(page, "document.activeElement.name === 'reason_code'")
    page.keyboard.type("wrong v")
    page.keyboard.press("Control+Enter")
    said(page, "not suggested again")
    page.keyboard.press("j")
    page.keyboard.press("e")
    until(page, "document.activeElement.name === 'value'")
    page.keyboard.press("Escape")
    assert page.locator("details[data-act=edit][open]").count() == 0
    assert len(events(page, "lamp-8")) == before + 4
    page.keyboard.press("?")
    page.wait_for_url("**/help#keys")


def test_no_single_key_decides_and_keys_can_be_switched_off(page):
    page.goto("/queue?record=lamp-9")
    before = len(events(page, "lamp-9"))
    for key in "jareu":
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    assert len(events(page, "lamp-9")) == before
    page.goto("/queue?record=lamp-9")
    page.get_by_label("Single keys").select_option("off")
    with page.expect_navigation():
        page.get_by_role("button", name="Set").click()
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement === document.body")
    page.get_by_label("Colours").select_option("dark")
    with page.expect_navigation():
        page.get_by_role("button", name="Set").click()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"


def test_settings_are_changed_by_a_maintainer_and_told(page):
    page.goto("/settings")
    page.get_by_label("Places that need a second person").fill("no pointer")
    page.get_by_role("button", name="Set").first.click()
    page.locator(".wrong").wait_for()
    assert "Write each place like" in page.locator(".wrong").inner_text()
    assert page.get_by_label("Places that need a second person").input_value() == "no pointer"
    page.get_by_label("Places that need a second person").fill("/never/*")
    page.locator("main form button").click()
    page.wait_for_url("**/settings?done=*")
    assert page.get_by_label("Places that need a second person").input_value() == "/never/*"


def test_the_log_is_verified_and_says_what_it_cannot_show(page):
    page.goto("/audit")
    assert page.locator("tbody tr").count() == 50
    page.get_by_role("link", name="Older events").click()
    assert page.locator("tbody tr").count() > 1
    page.goto("/audit")
    page.get_by_role("link", name="Verify the log").click()
    assert page.get_by_role("heading", level=1).inner_text() == "The log is sound"
    assert "cannot be excluded" in page.locator("main").inner_text()
    page.get_by_label("Checkpoint").set_input_files(
        {"name": "c.json", "mimeType": "application/json", "buffer": json.dumps({"seq": 1}).encode()}
    )
    page.get_by_role("button", name="Verify against it").click()
    page.locator("form [role=alert]").wait_for()
