"""Who may sign in: one suite over memory, SQLite and PostgreSQL."""

import asyncio
import multiprocessing
import time

import pytest

from tests.contract.access_worlds import OTHER, PASSWORD, ROOT, Gates
from veracord.access.service import AccessService
from veracord.access.sessions import is_csrf_token
from veracord.bootstrap.run_lookups import copy_store
from veracord.bootstrap.stores import open_store
from veracord.errors import AccessError, InputError
from veracord.ports import SystemClock
from veracord.review.people import Person, Service

ANN = Person("ann", "password", "reviewer")


@pytest.fixture
def gates(place):
    return Gates(place.open().access)


def code_of(call, *given, **more):
    with pytest.raises((AccessError, InputError)) as caught:
        call(*given, **more)
    return caught.value.code


def test_a_user_signs_in_and_out(gates):
    gates.add()
    signed = gates.enter()
    assert signed.person == ANN
    person, csrf = gates.person_of(signed.session_token)
    assert (person, csrf) == (ANN, signed.csrf_token)
    assert is_csrf_token(signed.session_token, csrf)
    assert not is_csrf_token(signed.session_token, gates.enter().csrf_token)
    gates.sign_out(signed.session_token)
    assert gates.person_of(signed.session_token) is None
    gates.sign_out(signed.session_token)


def test_whatever_is_wrong_the_answer_is_the_same(gates):
    gates.add()
    gates.add("off")
    gates.disable_user(ROOT, "off")
    errors = []
    tries = [("ann", OTHER), ("nobody", PASSWORD), ("off", PASSWORD), ("A\0 \ud800", PASSWORD)]
    for number, (name, password) in enumerate([*tries, ("ann", ""), ("ann", "x" * 9_000), ("ann", "\ud800" * 12)]):
        with pytest.raises(AccessError) as caught:
            gates.enter(name, password, address=f"a{number}")
        errors.append(f"{caught.value} {caught.value.details}")
        gates.clock.pass_by(seconds=2)
    assert set(errors) == {"sign_in_refused: this name and password are not known, check both {}"}
    refused = [one for one in gates.told() if one[0] == "access.denied"]
    assert len(refused) == 7
    # A name that nobody has may be a password in the wrong field, so it is not told.
    assert [one[2].get("user_id") for one in refused] == ["ann", None, "off", None, "ann", "ann", "ann"]
    assert {one[1] for one in refused} == {"unknown"}


def test_a_session_is_made_at_each_sign_in_and_the_former_one_ends(gates):
    gates.add()
    first = gates.enter()
    second = gates.enter(former=first.session_token)
    assert first.session_token != second.session_token
    assert gates.person_of(first.session_token) is None
    # What an attacker plants is no session, before and after somebody signed in over it.
    assert gates.person_of("planted") is None
    third = gates.enter(former="planted")
    assert gates.person_of("planted") is None
    assert gates.person_of(third.session_token) is not None


def test_a_session_ends_when_it_is_idle_and_when_it_is_old(gates):
    gates.add()
    idle, used = gates.enter(), gates.enter()
    for _ in range(4):
        gates.clock.pass_by(hours=5, minutes=30)
        assert gates.person_of(used.session_token) is not None
    assert gates.person_of(idle.session_token) is None
    gates.clock.pass_by(hours=2)
    assert gates.person_of(used.session_token) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda gates: gates.change_role(ROOT, "ann", "viewer"),
        lambda gates: gates.set_password(ROOT, "ann", "another horse battery"),
        lambda gates: gates.disable_user(ROOT, "ann"),
    ],
)
def test_sessions_and_links_of_a_user_end_with_what_they_were(gates, change):
    gates.add()
    gates.add("ben")
    ann, ben = gates.enter(), gates.enter("ben")
    link = gates.new_link("ann", None)
    change(gates)
    assert gates.person_of(ann.session_token) is None
    assert gates.person_of(ben.session_token) is not None
    assert code_of(gates.redeem_link, link) == "link_refused"


def test_a_password_that_was_changed_while_it_was_looked_at_does_not_sign_in(gates):
    gates.add()
    check = gates.service._checked  # noqa: SLF001 - the moment between two transactions

    async def slow(password, kept):
        is_right = await check(password, kept)
        await gates.service.set_password(ROOT, "ann", "another horse battery")
        return is_right

    gates.service._checked = slow  # noqa: SLF001 - the same
    assert code_of(gates.enter) == "sign_in_refused"


def test_failed_sign_ins_slow_down_by_name(place, gates):
    gates.add()
    for number in range(3):
        assert code_of(gates.enter, password=OTHER, address=f"a{number}") == "sign_in_refused"
    with pytest.raises(AccessError) as caught:
        gates.enter(address="elsewhere")
    assert (caught.value.code, caught.value.details) == ("slowed_down", {"retry_after_s": 1})
    # Another server on the same store, or the same one after a restart.
    other = Gates(place.open().access, gates.clock)
    assert code_of(other.enter, address="elsewhere") == "slowed_down"
    gates.clock.pass_by(seconds=1)
    assert other.enter(address="elsewhere").person == ANN
    assert gates.enter(address="elsewhere").person == ANN


def test_who_fails_at_an_address_keeps_nobody_else_there_out(gates):
    gates.add()
    gates.add("bob")
    for number in range(40):
        assert code_of(gates.enter, f"u{number}", address="office") == "sign_in_refused"
    for _ in range(8):
        code_of(gates.enter, "bob", OTHER, address="office")
    assert gates.enter(address="office").person == ANN
    assert gates.enter(address="office").person == ANN
    assert code_of(gates.enter, "bob", address="office") == "slowed_down"


def test_who_guesses_elsewhere_stays_slow_when_the_user_signs_in(gates):
    gates.add()
    for _ in range(2):
        code_of(gates.enter, password=OTHER, address="thief")
    for _ in range(5):
        code_of(gates.enter, password=OTHER, address="thief")
        gates.clock.pass_by(minutes=6)
        assert gates.enter(address="home").person == ANN
    code_of(gates.enter, password=OTHER, address="thief")
    gates.clock.pass_by(seconds=10)
    assert code_of(gates.enter, password=OTHER, address="thief") == "slowed_down"
    assert code_of(gates.enter, address="thief") == "slowed_down"
    assert gates.enter(address="home").person == ANN
    # What is set anew at the terminal lets them in at once, from wherever they had failed.
    gates.set_password(ROOT, "ann", OTHER)
    assert gates.enter(password=OTHER, address="thief").person == ANN


def test_few_sign_ins_of_one_address_are_under_way_at_a_time(gates):
    gates.add()

    async def flood():
        tries = [gates.service.sign_in(f"u{n}", OTHER, "bad") for n in range(30)]
        other = gates.service.sign_in("ann", PASSWORD, "good")
        *guesses, ann = await asyncio.gather(*tries, other, return_exceptions=True)
        return [error.code for error in guesses], ann.person

    codes, person = asyncio.run(flood())
    assert (codes.count("sign_in_refused"), codes.count("slowed_down")) == (8, 22)
    assert person == ANN


def test_a_name_that_nobody_has_slows_down_as_one_that_somebody_has(gates):
    gates.add()
    answers = []
    for name in ("ann", "nobody"):
        answers.append([])
        for number in range(6):
            with pytest.raises(AccessError) as caught:
                gates.enter(name, OTHER, address=f"{name}{number}")
            answers[-1].append((caught.value.code, str(caught.value)))
            gates.clock.pass_by(milliseconds=700)
    assert answers[0] == answers[1]
    assert [code for code, _ in answers[0]] == ["sign_in_refused"] * 3 + [
        "slowed_down",
        "sign_in_refused",
        "slowed_down",
    ]


def test_many_tries_at_once_are_counted_before_any_password_is_looked_at(gates):
    gates.add()

    async def guess():
        tries = [gates.service.sign_in("ann", f"guess number {n:04}", f"a{n}") for n in range(40)]
        return [error.code for error in await asyncio.gather(*tries, return_exceptions=True)]

    codes = asyncio.run(guess())
    assert (codes.count("sign_in_refused"), codes.count("slowed_down")) == (3, 37)


def test_a_link_signs_in_once(gates):
    token = gates.new_link("root")
    signed = gates.redeem_link(token)
    assert signed.person == Person("root", "login_link", "maintainer")
    assert gates.person_of(signed.session_token)[0] == signed.person
    assert code_of(gates.redeem_link, token) == "link_refused"
    assert code_of(gates.redeem_link, "x" * 43) == "link_refused"
    assert gates.told() == [
        ("access.denied", "unknown", {"action": "login_link", "code": "link_refused", "user_id": "root"})
    ]
    late = gates.new_link("root")
    gates.clock.pass_by(minutes=10)
    assert code_of(gates.redeem_link, late) == "link_refused"


def test_who_has_a_used_link_does_not_fill_the_log(gates):
    token = gates.new_link()
    gates.redeem_link(token)
    for _ in range(30):
        code_of(gates.redeem_link, token)
    assert len(gates.lines()) == 20


def test_a_link_of_a_named_user_gives_the_role_of_their_own(gates):
    assert code_of(gates.new_link, "ann", None) == "unknown_user"
    gates.add(role="viewer")
    signed = gates.redeem_link(gates.new_link("ann", None))
    assert signed.person.role == "viewer"
    gates.disable_user(ROOT, "ann")
    assert gates.person_of(signed.session_token) is None
    assert code_of(gates.new_link, "ann", None) == "unknown_user"
    gates.enable_user(ROOT, "ann")
    assert gates.person_of(signed.session_token) is None


def redeem(url, token, barrier, out):
    store = open_store(url)
    service = AccessService(store.access, SystemClock())

    async def once():
        await store.access.look(lambda reader: reader.end())
        barrier.wait(30)
        try:
            return (await service.redeem_link(token)).person.id
        except AccessError as error:
            return error.code

    out.put(asyncio.run(once()))
    store.close()


def test_of_two_processes_one_gets_the_link(sql_place):
    gates = Gates(sql_place.open().access, SystemClock())
    method = multiprocessing.get_context("spawn")
    for _ in range(2):
        token = gates.new_link("root")
        barrier, out = method.Barrier(2), method.Queue()
        both = [method.Process(target=redeem, args=(sql_place.url, token, barrier, out)) for _ in range(2)]
        for process in both:
            process.start()
        assert sorted(out.get(timeout=60) for _ in both) == ["link_refused", "root"]
        for process in both:
            process.join(30)


def test_a_key_opens_what_it_is_for_until_it_ends(gates):
    made = gates.add_key(ROOT, ["propose", "read"], 30)
    assert made.text.startswith(f"{made.key.id}_")
    holder = gates.service_of(made.text)
    assert (holder.service, holder.scopes) == (Service(made.key.id), {"read", "propose"})
    wrong = made.text[:-1] + ("A" if made.text[-1] != "A" else "B")
    for text in (wrong, made.key.id, "", "vrc_\ud800", made.text + "x", "vrc_00000000_" + "a" * 43):
        assert gates.service_of(text) is None
    gates.clock.pass_by(days=29)
    assert gates.service_of(made.text) is not None
    gates.clock.pass_by(days=1)
    assert gates.service_of(made.text) is None


def test_a_revoked_key_opens_nothing_at_once_for_every_server(place, gates):
    made = gates.add_key(ROOT, ["read"], 1)
    other = Gates(place.open().access, gates.clock)
    assert other.service_of(made.text) is not None
    gates.revoke_key(ROOT, made.key.id)
    assert other.service_of(made.text) is None
    assert gates.revoke_key(ROOT, made.key.prefix).revoked_at is not None
    # Who still comes with it is told of: at once, though its last good use was just before, then once a minute.
    refused = ("access.denied", made.key.id, {"action": "use_key", "code": "key_revoked"})
    assert [one[0] for one in gates.told()] == ["api_key.changed", "api_key.changed", "access.denied"]
    for _ in range(6):
        gates.clock.pass_by(seconds=30)
        assert other.service_of(made.text) is None
    assert gates.told()[2:] == [refused] * 4


def test_a_key_that_has_just_expired_is_told_of_at_once(gates):
    made = gates.add_key(ROOT, ["read"], 1)
    gates.clock.pass_by(hours=23, minutes=59, seconds=50)
    assert gates.service_of(made.text) is not None
    for _ in range(4):
        gates.clock.pass_by(seconds=11)
        assert gates.service_of(made.text) is None
    assert [one[2] for one in gates.told()[1:]] == [{"action": "use_key", "code": "key_expired"}]


NEW = "staple horse correct"


def test_somebody_changes_their_own_password(gates):
    gates.add(role="viewer")
    here, elsewhere = (gates.sign_in("ann", PASSWORD, "10.0.0.1") for _ in range(2))
    person, _ = gates.person_of(here.session_token)
    length = len(gates.told())
    fresh = gates.change_own_password(person, PASSWORD, NEW, "10.0.0.1")
    assert gates.told()[length:] == [("user.changed", "ann", {"user_id": "ann", "change": "password"})]
    for token in (here.session_token, elsewhere.session_token):
        assert gates.person_of(token) is None
    assert gates.person_of(fresh.session_token) == (person, fresh.csrf_token)
    assert code_of(gates.sign_in, "ann", PASSWORD, "10.0.0.1") == "sign_in_refused"
    assert gates.sign_in("ann", NEW, "10.0.0.1").person == person


def test_a_password_is_not_changed_without_the_old_one(gates):
    gates.add()
    signed = gates.sign_in("ann", PASSWORD, "10.0.0.1")
    length = len(gates.told())
    for wrong in ("wrong horse battery", "", "\ud800"):
        assert code_of(gates.change_own_password, signed.person, wrong, NEW, "10.0.0.1") == "password_refused"
    refused = ("access.denied", "ann", {"action": "change_password", "code": "password_refused", "user_id": "ann"})
    assert gates.told()[length:] == [refused] * 3
    # Guessing is as slow as at the door, and closes the door, too; the session goes on.
    assert code_of(gates.change_own_password, signed.person, PASSWORD, NEW, "10.0.0.1") == "slowed_down"
    assert code_of(gates.sign_in, "ann", PASSWORD, "10.0.0.1") == "slowed_down"
    assert gates.person_of(signed.session_token) is not None
    gates.clock.pass_by(hours=2)
    for bad in ("short", PASSWORD, "a" * 20, ""):
        assert code_of(gates.change_own_password, signed.person, PASSWORD, bad, "10.0.0.1") == "password"
    assert gates.sign_in("ann", PASSWORD, "10.0.0.1")


def test_who_has_no_password_changes_none(gates):
    assert code_of(gates.change_own_password, ROOT, "x", NEW, "") == "no_password"
    for who, code in (
        (Service("vrc_00000000"), "not_a_person"),
        (None, "not_a_person"),
        (Person("x", "", "viewer"), "not_signed_in"),
    ):
        assert code_of(gates.change_own_password, who, PASSWORD, NEW, "") == code


def test_refused_requests_do_not_fill_the_log(gates):
    for _ in range(50):
        gates.note_refusal("key_in_url")
        gates.note_refusal("key_in_url", key_prefix="00000000")
    assert len(gates.lines()) == 1
    made = gates.add_key(ROOT, ["read"], 1)
    for _ in range(3):
        gates.note_refusal("key_in_url", key_prefix=made.key.prefix)
        gates.note_refusal("not_a_person", caller=Service(made.key.id))
    told = gates.told()
    assert [one[2].get("key_id") for one in told] == [None, made.key.id, made.key.id, None]
    gates.clock.pass_by(minutes=1)
    gates.note_refusal("key_in_url")
    assert len(gates.lines()) == 5


def test_the_last_use_of_a_key_is_kept_to_the_minute(gates):
    made = gates.add_key(ROOT, ["read"], 1)
    uses = []
    for _ in range(4):
        gates.clock.pass_by(seconds=30)
        gates.service_of(made.text)
        uses.append(gates.keys(ROOT)[0].last_used_at[11:19])
    assert uses == ["09:00:30", "09:00:30", "09:01:30", "09:01:30"]
    gates.revoke_key(ROOT, made.key.id)
    assert gates.keys(ROOT)[0].last_used_at[11:19] == "09:01:30"


@pytest.mark.parametrize(
    "caller",
    [None, Service("vrc_00000000"), ANN, Person("vic", "password", "viewer"), Person("x", "nowhere", "maintainer")],
)
def test_only_a_maintainer_who_is_signed_in_manages(gates, caller):
    gates.add()
    made = gates.add_key(ROOT, ["read"], 1)
    calls = [
        (gates.add_user, "eve", "maintainer", PASSWORD),
        (gates.change_role, "ann", "maintainer"),
        (gates.set_password, "ann", "another horse battery"),
        (gates.disable_user, "ann"),
        (gates.enable_user, "ann"),
        (gates.users,),
        (gates.add_key, ["export"], 1),
        (gates.revoke_key, made.key.id),
        (gates.keys,),
    ]
    before = (gates.users(ROOT), gates.keys(ROOT))
    for call, *given in calls:
        with pytest.raises(AccessError):
            call(caller, *given)
    assert (gates.users(ROOT), gates.keys(ROOT)) == before
    refused = [one for one in gates.told() if one[0] == "access.denied"]
    assert [one[2]["action"] for one in refused] == ["change_users"] * 6 + ["change_keys"] * 3


def test_what_is_no_user_and_no_key_is_refused(gates):
    gates.add()
    wrong_ids = ("", "Ann", "a" * 65, "-a", "a b", "a\n", "ä", "\0")
    assert {code_of(gates.add_user, ROOT, name, "viewer", PASSWORD) for name in wrong_ids} == {"user_id"}
    assert code_of(gates.add) == "user_exists"
    assert code_of(gates.add_user, ROOT, "ben", "king", PASSWORD) == "role"
    for password in ("short", "x" * 12, "y" * 1_025, "\ud800" * 12):
        assert code_of(gates.add_user, ROOT, "ben", "viewer", password) == "password"
    assert code_of(gates.add_user, ROOT, "twelve-chars", "viewer", "Twelve-Chars") == "password"
    assert code_of(gates.change_role, ROOT, "ben", "viewer") == "unknown_user"
    assert code_of(gates.add_key, ROOT, [], 1) == "scopes"
    assert code_of(gates.add_key, ROOT, ["decide"], 1) == "scopes"
    assert {code_of(gates.add_key, ROOT, ["read"], days) for days in (0, -1, 3_651)} == {"expiry"}
    assert {code_of(gates.revoke_key, ROOT, text) for text in ("", "vrc_0", "vrc_00000000")} == {"unknown_key"}


def test_the_last_maintainer_stays_one_but_for_who_sits_at_the_terminal(gates):
    gates.add("meg", "maintainer")
    meg = gates.enter("meg").person
    assert code_of(gates.disable_user, meg, "meg") == "last_maintainer"
    assert code_of(gates.change_role, meg, "meg", "viewer") == "last_maintainer"
    gates.add("mo", "maintainer")
    assert gates.change_role(meg, "meg", "reviewer").role == "reviewer"
    assert gates.disable_user(ROOT, "mo").is_disabled
    assert gates.has_users()


def test_letters_that_keyboards_compose_in_two_ways_are_one_password(gates):
    gates.add("ann", "reviewer", "cre\u0301me bru\u0302le\u0301e!")
    assert gates.enter("ann", "cr\u00e9me br\u00fbl\u00e9e!").person == ANN


def test_nothing_secret_is_in_the_store_the_log_or_a_repr(sql_place):
    gates = Gates(sql_place.open().access)
    user = gates.add()
    signed = gates.enter()
    link = gates.new_link("root")
    made = gates.add_key(ROOT, ["read"], 1)
    gates.service_of(made.text)
    code_of(gates.enter, "my secret password", OTHER)
    rest = made.text.split("_", 2)[2]
    secrets = [PASSWORD, signed.session_token, signed.csrf_token, link, rest, "my secret password", "wrong horse"]
    tables = ("users", "api_keys", "sessions", "login_links", "sign_in_failures", "audit_events")
    kept = repr([sql_place.ask(f"SELECT * FROM {table}") for table in tables])  # noqa: S608 - names of ours
    shown = repr([user, signed, made, gates.users(ROOT), gates.keys(ROOT), gates.person_of(signed.session_token)[0]])
    assert [secret for secret in secrets if secret in kept] == []
    assert [secret for secret in secrets if secret in shown] == []
    log = repr(gates.lines())
    hashes = [row[2] for row in sql_place.ask("SELECT * FROM users")] + [made.key.digest]
    assert not any(secret in log or secret in shown for secret in hashes)


def test_an_unknown_name_costs_the_work_of_a_known_one(gates):
    gates.add()
    asked = []
    fits = gates.service._hashing.fits  # noqa: SLF001 - what is spent on each

    class Watched:
        def fits(self, password, kept):
            began = time.perf_counter()
            found = fits(password, kept)
            asked.append((kept is None, time.perf_counter() - began))
            return found

    gates.service._hashing = Watched()  # noqa: SLF001 - the same
    code_of(gates.enter, "ann", OTHER)
    code_of(gates.enter, "nobody", OTHER)
    code_of(gates.enter, "Not An Id", OTHER)
    assert [is_unknown for is_unknown, _ in asked] == [False, True, True]


def test_users_and_keys_are_copied_and_nobody_stays_signed_in(sql_place, tmp_path):
    gates = Gates(sql_place.open().access)
    gates.add()
    made = gates.add_key(ROOT, ["read"], 1)
    signed, link = gates.enter(), gates.new_link("root")
    target = str(tmp_path / "copy.db")
    copy_store(sql_place.url, target)
    store = open_store(target)
    try:
        copied = Gates(store.access, gates.clock)
        assert copied.users(ROOT) == gates.users(ROOT)
        assert copied.service_of(made.text) is not None
        assert copied.person_of(signed.session_token) is None
        assert code_of(copied.redeem_link, link) == "link_refused"
        assert copied.enter().person == ANN
    finally:
        store.close()
