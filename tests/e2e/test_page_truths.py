"""What the page says is so: of guesses, of what was done, of evidence that does not count, and of who was signed in."""

import re
from html import unescape
from urllib.parse import quote, urlencode

import pytest

from tests.contract.http_servers import HOST, PASSWORD, Served, lamp_import, lamp_profile

FORM = "application/x-www-form-urlencoded"
_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("truths")
    with Served(folder / "s.db", [lamp_profile(folder)]) as server:
        server.add_users()
        yield server


@pytest.fixture(scope="module")
def people(served):
    return {user: served.person(user) for user in ("rob", "roy", "mia", "vera")}


@pytest.fixture
def rob(people):
    return people["rob"]


@pytest.fixture
def name(served, request):
    found = re.sub(r"\W", "-", request.node.name)
    assert served.client().post("/v1/records", lamp_import(found)).status == 201
    return found


def send(client, path, fields, **more):
    return client.post(path, urlencode(fields).encode(), kind=FORM, **more)


def text_of(answer):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.data.decode())))


def place(name, pointer, page="place"):
    return f"/records/{name}/{page}?{urlencode({'pointer': pointer})}"


def hidden(answer, act):
    """The hidden fields of the form of an act."""
    told = answer.data.decode()
    form = told[told.index(f'action="{act}"') :].partition("</form>")[0]
    return {key: unescape(value) for key, value in _FIELD.findall(form)}


def accept(client, name, pointer="/finish", **more):
    fields = hidden(client.get(place(name, pointer)), "/decide/accept")
    return {**fields, "reason": "it is so", **more}


def undo(client, event_id):
    assert client.post("/v1/decisions", {"act": "undo", "event_id": event_id, "reason": "no"}).status == 200


def event_of(answer):
    assert answer.status == 303, text_of(answer)
    return answer.headers["location"].rpartition("done=")[2]


def test_a_declaration_shows_that_a_guess_stands_there_and_not_the_guess(rob, name):
    page = place(name, "/finish", "declare")
    assert "Nothing stands there" in text_of(rob.get(page))
    seen = hidden(rob.get(page), "/decide/declare")
    assert send(rob, "/decide/accept", accept(rob, name)).status == 303
    told = text_of(rob.get(page))
    assert "accepted, unverified" in told
    assert "A guess was accepted here" in told
    assert "matt" not in told
    assert "several origins" not in told
    # Also where it changed underneath: what stood and what stands there may be guesses.
    more = {"kind": "text", "value": "glossy", "page": "1", "quote": "glossy", "reason": "read"}
    refused = send(rob, "/decide/declare", {**seen, **more, "document_digest": "sha256:" + "a" * 64})
    assert refused.status == 409
    assert "has changed since you looked" in text_of(refused)
    assert "matt" not in text_of(refused)


def test_a_guess_over_which_another_is_suggested_is_marked_in_the_queue(served, rob):
    told = lamp_import("over", record={"id": "P-over", "note": "x", "mass_kg": 3, "finish": ""})
    served_client = served.client()
    assert served_client.post("/v1/records", {**told, "origins": {"/finish": "suggestion_origin"}}).status == 201
    assert "itself a guess, unverified" in text_of(rob.get("/queue?record=over"))
    assert "guess, unverified" in text_of(rob.get(place("over", "/finish")))


def test_the_badge_of_a_place_without_violation_is_its_true_origin(rob, name):
    assert "came with the record" in text_of(rob.get(place(name, "/note", "declare")))
    told = text_of(rob.get(place(name, "/nope/x", "declare")))
    assert "nothing there" in told
    assert "several origins" not in told


def test_settings_that_another_one_has_set_are_kept(people):
    mia = people["mia"]
    before = mia.get("/v1/settings").json
    fields = hidden(mia.get("/settings"), "/settings")
    told = {"second_person": "\n".join(before["second_person"]), "own_proposals": "on"}
    reasons = "\n".join(before["reject_reasons"])
    assert mia.ask("PATCH", "/v1/settings", {"second_person": ["/mass_kg"]}).status == 200
    done = send(mia, "/settings", {**fields, **told, "reject_reasons": f"{reasons}\nmine"})
    assert done.status == 303
    now = mia.get("/v1/settings").json
    assert now["second_person"] == ["/mass_kg"]
    assert now["reject_reasons"][-1] == "mine"
    assert "Set." in text_of(mia.get(done.headers["location"]))
    # What both changed is refused in place, and goes through once it names what stands there now.
    refused = send(mia, "/settings", {**fields, "second_person": "/finish", "reject_reasons": reasons, **OWN})
    assert refused.status == 409
    assert "/mass_kg" in text_of(refused)
    assert ">\n/finish</textarea>" in refused.data.decode()
    assert mia.get("/v1/settings").json["second_person"] == ["/mass_kg"]
    again = hidden(refused, "/settings")
    now_reasons = "\n".join(now["reject_reasons"])
    assert send(mia, "/settings", {**again, "second_person": "/finish", "reject_reasons": now_reasons, **OWN}).status
    assert mia.get("/v1/settings").json["second_person"] == ["/finish"]
    # What is sent without a change sets nothing, and one that names nothing is refused.
    same = hidden(mia.get("/settings"), "/settings")
    kept = send(mia, "/settings", {**same, "second_person": "/finish", "reject_reasons": now_reasons, **OWN})
    assert "nothing was set" in text_of(kept)
    del same["seen"]
    assert send(mia, "/settings", {**same, "second_person": "", "reject_reasons": "x"}).status == 422
    assert mia.ask("PATCH", "/v1/settings", {"second_person": before["second_person"]}).status == 200


def test_a_file_that_is_no_checkpoint_does_not_stand_under_a_sound_log(people):
    mia = people["mia"]
    body, kind = multipart({}, b"junk")
    body = body.replace(b'name="document"', b'name="checkpoint"')
    told = mia.post("/audit/verify", body, kind=kind)
    assert told.status == 422
    assert "<h1>The checkpoint was not used</h1>" in told.data.decode()


OWN = {"own_proposals": "on"}


@pytest.mark.parametrize("act", ["/decide/edit", "/decide/declare", "/settings"])
def test_what_was_typed_is_shown_to_who_is_not_signed_in_any_more(served, act):
    nobody = served.nobody()
    fields = {"value": "<b>typed</b>", "reason": "a long story", "second_person": "/a", "csrf_token": "x" * 64}
    refused = send(nobody, act, fields, headers={"Referer": f"{served.address}/records/r%20x/place?pointer=/a"})
    assert refused.status == 401
    text = refused.data.decode()
    assert "a long story</textarea>" in text
    assert "&lt;b&gt;typed&lt;/b&gt;</textarea>" in text
    assert f'href="/login?next={quote("/records/r%20x/place?pointer=/a", safe="")}"' in text
    assert "give a key" not in text
    assert "x" * 64 not in text
    elsewhere = send(nobody, act, fields, headers={"Referer": "http://evil.example/x"})
    assert 'href="/login?next=%2Fqueue"' in elsewhere.data.decode()


def test_a_form_of_the_session_before_keeps_what_was_typed(rob):
    fields = {"reason": "a long story", "csrf_token": "0" * 64}
    refused = send(rob, "/decide/accept", fields, headers={"X-CSRF-Token": None})
    assert refused.status == 403
    assert "a long story</textarea>" in refused.data.decode()


def test_what_was_done_is_what_the_log_tells(people, name):
    rob, roy = people["rob"], people["roy"]
    for made_up in ("accept", "declare", "attach.999", "bulk.7", "f" * 32, "bulk." + "f" * 32):
        told = rob.get(f"{place(name, '/finish')}&done={made_up}")
        assert 'class="box done"' not in told.data.decode(), made_up
        assert 'class="box done"' not in rob.get(f"/queue?done={made_up}").data.decode(), made_up
        assert 'class="box done"' not in people["mia"].get(f"/settings?done={made_up}").data.decode(), made_up
    form = accept(rob, name)
    done = send(rob, "/decide/accept", form)
    event = event_of(done)
    assert "Accepted. It stays unverified" in text_of(rob.get(done.headers["location"]))
    assert "It was rob" in text_of(roy.get(done.headers["location"]))
    assert event_of(send(rob, "/decide/accept", form)) == event
    undo(roy, event)
    again = send(rob, "/decide/accept", form)
    assert "was taken back since" in text_of(rob.get(again.headers["location"]))
    assert "Accepted. It stays" not in text_of(rob.get(again.headers["location"]))
    part = send(rob, "/decide/accept", form, headers={"HX-Request": "true"})
    assert "was taken back since" in text_of(part)


def test_a_rejection_in_bulk_is_counted_in_the_log_and_not_done_twice(rob, name):
    fields = hidden(rob.get(f"/queue/reject?record={name}"), "/decide/bulk-reject")
    form = {**fields, "reason_code": "outdated", "count": "2"}
    done = send(rob, "/decide/bulk-reject", form)
    assert done.status == 303
    assert "2 suggestions rejected" in text_of(rob.get(done.headers["location"]))
    again = send(rob, "/decide/bulk-reject", form)
    assert "Nothing was done now" in text_of(again)


def test_a_decision_in_the_queue_brings_what_is_counted_now(rob, name):
    """The script swaps these parts in; they are those of the filter that stands in the address."""
    form = {**accept(rob, name), "view": "queue"}
    address = f"http://x/queue?record={name}&status=open"
    refused = send(
        rob, "/decide/accept", {**form, "reason": ""}, headers={"HX-Request": "true", "HX-Current-URL": address}
    )
    assert "hx-swap-oob" not in refused.data.decode()
    done = send(rob, "/decide/accept", form, headers={"HX-Request": "true", "HX-Current-URL": address})
    told = done.data.decode()
    assert [told.count(f'id="{part}" hx-swap-oob="true"') for part in ("queue-tabs", "queue-total", "filters")] == [
        1
    ] * 3
    assert "Waiting 1 Open 1 Deferred 0 Accepted 1" in text_of(done)
    assert "1 suggestion, the oldest first" in text_of(done)
    for elsewhere in ("http://x/records/r1", "http://x/queue?age=never", "http://[", ""):
        more = {"HX-Request": "true", "HX-Current-URL": elsewhere}
        again = send(rob, "/decide/accept", form, headers=more)
        assert again.status == 200
        assert "hx-swap-oob" not in again.data.decode()


def test_the_list_of_records_tells_what_is_open_and_is_searched(served, rob):
    gaps = {"record_id": "Gaps/1", "record": {"id": "P-gaps"}, "profile": "lamp", "suggestions": []}
    assert served.client().post("/v1/records", gaps).status == 201
    told = text_of(rob.get("/records?contains=gAPS"))
    assert re.search(r"Gaps/1 lamp@1 1 [1-9]", told)
    assert "r1" not in told.partition("Revision")[2]
    explained = rob.get("/v1/records/Gaps%2F1/place?pointer=").json["violations"]
    assert f"Gaps/1 lamp@1 1 {len(explained)} " in told
    assert "No id contains this" in text_of(rob.get("/records?contains=nowhere"))
    assert 'value="&lt;b&gt;"' in rob.get("/records?contains=%3Cb%3E").data.decode()


def test_a_form_that_cannot_be_sent_is_not_offered(people, served, name):
    before, vera = len(served.events()), people["vera"]
    for path in (place(name, "/finish", "declare"), place(name, "/finish", "attach"), f"/queue/reject?record={name}"):
        refused = vera.get(path)
        assert refused.status == 403
        assert "<textarea" not in refused.data.decode()
        assert people["rob"].get(path).status == 200
    refused = people["rob"].get("/queue/reject")
    assert (refused.status, "no filter says which" in text_of(refused).lower()) == (422, True)
    assert len(served.events()) == before


def test_a_password_is_changed_on_the_page(served):
    served.do(served.parts.access.add_user(HOST, "pia", "viewer", PASSWORD))
    pia, new = served.person("pia"), "a password of my own"
    assert 'href="/password"' in pia.get("/access").data.decode()
    told = {"csrf_token": pia.csrf, "old": PASSWORD, "new": new, "again": new}
    for wrong, at in (
        ({"old": "wrong horse battery"}, "old"),
        ({"new": "too-little", "again": "too-little"}, "new"),
        ({"again": "x"}, "again"),
    ):
        refused = send(pia, "/password", {**told, **wrong})
        assert refused.status in (403, 422)
        assert f'id="password-{at}-wrong"' in refused.data.decode()
        assert not [one for one in (PASSWORD, new, *wrong.values()) if f'"{one}"' in refused.data.decode()]
    done = send(pia, "/password", told)
    assert done.status == 303
    pia.cookie = done.headers["set-cookie"].partition(";")[0]
    assert "Changed." in text_of(pia.get(done.headers["location"]))
    assert "Changed." not in text_of(pia.get("/password?done=1"))
    assert served.nobody().sign_in("pia", new).status == 200


def test_filters_are_reached_from_the_top_of_the_queue(rob, name):
    """On a narrow screen they come behind all rows."""
    told = rob.get(f"/queue?record={name}").data.decode()
    assert told.index('href="#filters"') < told.index('class="rows"') < told.index('id="filters"')


def multipart(fields, data, filename="s.json"):
    edge = "edge"
    lines = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n'.encode() + value + b"\r\n"
        for key, value in fields.items()
    ]
    head = f'--{edge}\r\nContent-Disposition: form-data; name="document"; filename="{filename}"\r\n\r\n'
    body = b"".join([*lines, head.encode(), data, f"\r\n--{edge}--\r\n".encode()])
    return body, f"multipart/form-data; boundary={edge}"


def attach(client, name, data, **more):
    told = client.get(place(name, "/mass_kg", "attach"))
    fields = {key: value.encode() for key, value in hidden(told, "/decide/attach").items()}
    body, kind = multipart({**fields, "evidence_id": b"maker", "rank": b"", **more}, data)
    return client.post("/decide/attach", body, kind=kind)


def test_evidence_about_another_product_is_said_to_be_so(rob, name):
    done = attach(rob, name, b'{"id": "another", "mass_kg": 7.10}')
    assert "It fills nothing: it is about another product" in text_of(rob.get(done.headers["location"]))
    told = text_of(rob.get(place(name, "/mass_kg")))
    assert "about another product, so it fills nothing here" in told
    for page in (f"/records/{name}", f"/records/{name}/print", f"/records/{name}/evidence?id=maker"):
        assert "about another product" in text_of(rob.get(page)), page
    card = hidden(rob.get(place(name, "/mass_kg")), "/decide/accept")["suggestion_id"]
    part = rob.get(f"/suggestions/{card.removeprefix('sha256:')}", headers={"HX-Request": "true"})
    assert "about another product" in text_of(part)


def test_evidence_about_the_product_is_not(rob, name):
    product = f"P-{name}"
    attach(rob, name, f'{{"id": "{product}", "colour": "red"}}'.encode())
    assert "another product" not in text_of(rob.get(f"/records/{name}"))


@pytest.mark.parametrize(
    ("act", "fields", "at"),
    [
        ("accept", {"reason": "x" * 10_001}, "reason"),
        ("edit", {"reason": "x" * 10_001, "kind": "text", "value": "v"}, "edit-reason"),
        ("reject", {"note": "x" * 10_001, "reason_code": "outdated"}, "note"),
        ("defer", {"note": "x" * 10_001}, "note"),
        ("accept", {"reason": "\u200b"}, "reason"),
    ],
)
def test_a_form_is_refused_what_the_api_refuses(rob, name, act, fields, at):
    sent = hidden(rob.get(place(name, "/finish")), f"/decide/{act}") | fields
    refused = send(rob, f"/decide/{act}", sent)
    assert refused.status == 422
    assert re.search(rf'class="wrong" id="[\w-]*{at}-wrong"', refused.data.decode()), text_of(refused)
    words = refused.data.decode().partition('class="wrong"')[2].partition("</p>")[0]
    assert "body" not in words
    assert len(words) < 200


@pytest.mark.parametrize(
    ("data", "more", "at"),
    [
        (b'{"id": 1}', {"evidence_id": b"a\tb"}, "attach-id"),
        (b'{"id": 1}', {"evidence_id": b"a" * 501}, "attach-id"),
        (b"[1]", {}, "attach-file"),
        (b'{"id": 1}', {"rank": b"99999999999999999999"}, "attach-rank"),
        (b'{"id": 1}', {"reason": b"x" * 10_001}, "attach-reason"),
    ],
)
def test_evidence_is_refused_what_the_api_refuses(rob, name, data, more, at):
    refused = attach(rob, name, data, **more)
    assert refused.status in (400, 422)
    assert f'id="{at}-wrong"' in refused.data.decode(), text_of(refused)


def test_a_field_that_is_not_utf8_is_refused(rob, name):
    refused = attach(rob, name, b'{"id": 1}', reason=b"\xff\xfe")
    assert refused.status == 422
    assert "wrong_encoding" in text_of(refused)
    refused = rob.post("/decide/accept", b"reason=%FF", kind=FORM)
    assert "wrong_encoding" in text_of(refused)
    assert attach(rob, name, b'{"id": 1}', reason="Maß, 中".encode()).status == 303


def test_a_link_from_another_site_goes_on_by_a_page_of_our_own(served, rob):
    nobody = served.nobody()
    first = nobody.get("/queue?model=m", headers={"Sec-Fetch-Site": "cross-site"})
    assert first.status == 303
    page = nobody.get(first.headers["location"], headers={"Sec-Fetch-Site": "cross-site"})
    on = unescape(re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', page.data.decode())[1])
    assert on.startswith("/login?next=%2Fqueue%3Fmodel%3Dm")
    # From there the cookie comes along; who has none signs in.
    assert rob.get(on, headers={"Sec-Fetch-Site": "same-origin"}).headers["location"] == "/queue?model=m"
    assert 'name="password"' in nobody.get(on, headers={"Sec-Fetch-Site": "cross-site"}).data.decode()
    for elsewhere in ("//evil.example", "https://evil.example/", "/\\evil.example", "javascript:x"):
        told = nobody.get(f"/login?next={quote(elsewhere, safe='')}", headers={"Sec-Fetch-Site": "cross-site"})
        assert 'content="0; url=/login?next=%2F&amp;on=1"' in told.data.decode()


def test_the_page_of_an_id_of_any_letters_is_come_back_to(served, rob):
    for record_id in ("é ü", "a%2Fb"):
        assert served.client().post("/v1/records", lamp_import(record_id)).status == 201
        path = f"/records/{quote(record_id, safe='')}"
        fields = hidden(rob.get(path), "/look")
        assert send(rob, "/look", {**fields, "theme": "dark", "keys": "on"}).headers["location"] == path
