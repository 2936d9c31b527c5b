"""`veracord verify`, `explain` and `evidence show`: what a result claims, checked from outside."""

import hashlib
import json

import pytest

REPAIR = ["repair", "record.json", "-p", "widget.toml", "-e", "evidence"]
VERIFY = ["verify", "result.json", "-e", "evidence"]


@pytest.fixture
def result(cli, shop):
    """A result in a file, and its JSON."""
    cli(*REPAIR, "--out", "result.json")
    return json.loads((shop / "result.json").read_text("utf-8"))


@pytest.fixture
def results(cli, lines):
    """Results of many records in a file; the third stands for a line that could not be read."""
    cli("repair", lines.name, "-p", "widget.toml", "-e", "evidence", "--out", "results.jsonl")
    return lines.parent / "results.jsonl"


def change_evidence(shop):
    path = shop / "evidence" / "maker.json"
    path.write_bytes(path.read_bytes().replace(b"Acme", b"Acne"))


@pytest.mark.usefixtures("result")
class TestVerify:
    def test_a_true_result(self, cli):
        ended = cli(*VERIFY)
        assert ended.code == 0
        assert ended.out.splitlines()[-1] == (
            "1 row checked, 0 failed: verified. Not checked: whether the sources are about this product and count,"
            " and rows are the same by key (give the profile with -p); the rest of the record."
        )
        told = cli(*VERIFY, "--json")
        assert told.code == 0
        assert told.json["ok"] is True
        assert told.json["rows"][0]["path"] == "/mass_kg"
        assert told.json["not_checked"] == ["same_product", "rest_of_record"]

    @pytest.mark.parametrize(
        ("known", "digests"),
        [(["-p", "widget.toml"], True), (["--schema", "widget.schema.json", "--identity", "/id"], False)],
    )
    def test_a_profile_decides_anew(self, cli, shop, known, digests):
        ended = cli(*VERIFY, *known)
        # A schema alone is another profile than the one that the result was made with.
        assert ended.code == (0 if digests else 1)
        assert ("its digest differs" in ended.out) is not digests
        assert ended.out.endswith("Not checked: the rest of the record.\n")
        text = (shop / "result.json").read_text("utf-8")
        sister = cli("repair", "good.json", "-p", "widget.toml", "-e", "evidence/sister.json", "--json").json
        assert sister["sources"][0]["used"] is False
        told = json.loads(text)
        ref = "sha256:" + hashlib.sha256((shop / "evidence" / "sister.json").read_bytes()).hexdigest()
        told["fills"][0] |= {"evidence_id": "sister", "evidence_ref": ref, "value": 9}
        told["record"]["mass_kg"] = 9
        (shop / "result.json").write_text(json.dumps(told), "utf-8")
        assert cli(*VERIFY).code == 0
        refused = cli(*VERIFY, *known, "--json")
        assert refused.code == 1
        reason = "the source is not about the same product, or does not count"
        assert reason in [row["reason"] for row in refused.json["rows"]]

    def test_a_seed_is_for_a_synthesis(self, cli, one_error):
        one_error(cli(*VERIFY, "--seed", "good.json"), "no_seed")
        one_error(cli(*VERIFY, "--identity", "/id"), "usage", words=("--profile",))

    def test_a_changed_byte_of_evidence(self, cli, shop):
        change_evidence(shop)
        ended = cli(*VERIFY)
        assert ended.code == 1
        assert "Not verified (1)" in ended.out
        assert "digest differs" in ended.out
        told = cli(*VERIFY, "--json")
        assert told.code == 1
        assert told.json["ok"] is False

    def test_a_changed_value(self, cli, shop):
        text = (shop / "result.json").read_text("utf-8").replace("1.250", "1.251")
        (shop / "result.json").write_text(text, "utf-8")
        assert cli(*VERIFY).code == 1

    def test_without_evidence_nothing_is_verified(self, cli):
        assert cli("verify", "result.json").code == 1

    def test_standard_input(self, cli, shop):
        data = (shop / "result.json").read_bytes()
        assert cli("verify", "-", "-e", "evidence", stdin=data).code == 0

    def test_what_is_no_result(self, cli, one_error):
        one_error(cli("verify", "record.json", "-e", "evidence"), "not_a_result")
        one_error(cli("verify", "none.json", "-e", "evidence"), "unreadable_file")
        one_error(cli("verify", "result.json", "-e", "none"), "unreadable_file")


class TestVerifyMany:
    def test_each_line_is_checked(self, cli, results):
        whole = results.read_bytes().splitlines(keepends=True)
        results.write_bytes(b"".join(line for line in whole if b'"error"' not in line))
        ended = cli("verify", "results.jsonl", "-e", "evidence")
        assert ended.code == 0
        assert ended.out.splitlines()[-1].startswith("3 results: 3 verified, 0 not. Not checked: whether ")
        known = cli("verify", "results.jsonl", "-e", "evidence", "-p", "widget.toml")
        assert known.out.splitlines()[-1] == "3 results: 3 verified, 0 not. Not checked: the rest of the record."
        told = cli("verify", "results.jsonl", "-e", "evidence", "--json")
        assert [row["ok"] for row in told.lines] == [True, True, True]

    def test_a_line_that_fails(self, cli, shop, results):
        whole = results.read_bytes().splitlines(keepends=True)
        results.write_bytes(whole[0] + whole[1])
        change_evidence(shop)
        ended = cli("verify", "results.jsonl", "-e", "evidence")
        assert ended.code == 1
        assert "line 1: 1 row checked, 1 failed: not verified." in ended.out
        assert "  not verified /mass_kg: " in ended.out
        assert "line 2: 0 rows checked, 0 failed: verified." in ended.out

    @pytest.mark.usefixtures("results")
    def test_an_error_in_the_place_of_a_result_is_not_verified(self, cli):
        ended = cli("verify", "results.jsonl", "-e", "evidence", "--json")
        assert ended.code == 2
        assert ended.err.startswith("error: no_result: ")
        assert "results.jsonl line 3" in ended.err
        assert [row.get("ok") for row in ended.lines] == [True, True, None, True]
        assert cli("verify", "-", "--jsonl", "-e", "evidence", stdin=b"{}\n").code == 2


@pytest.mark.usefixtures("result")
class TestExplain:
    def test_a_fill(self, cli):
        ended = cli("explain", "result.json", "/mass_kg")
        assert ended.code == 0
        assert "/mass_kg = 1.25" in ended.out
        assert "from evidence maker" in ended.out

    def test_as_json(self, cli, result):
        told = cli("explain", "result.json", "/mass_kg", "--json").json
        assert told["pointer"] == "/mass_kg"
        assert told["fills"] == result["fills"]

    def test_an_open_place(self, cli):
        ended = cli("explain", "result.json", "/colour")
        assert ended.code == 0
        assert "no source about this product states it" in ended.out

    def test_a_value_that_came_with_the_record(self, cli):
        assert "came with the record" in cli("explain", "result.json", "/price").out

    def test_a_place_that_is_not_there(self, cli, one_error):
        one_error(cli("explain", "result.json", "/nowhere"), "no_such_place", words=["/nowhere"])
        one_error(cli("explain", "result.json", "nowhere"), "invalid_pointer", words=["nowhere"])

    def test_standard_input(self, cli, shop):
        data = (shop / "result.json").read_bytes()
        assert cli("explain", "-", "/mass_kg", stdin=data).code == 0

    @pytest.mark.parametrize(
        "text",
        [
            "{}",
            '{"fills": [{"path": "/a"}], "unresolved": [], "record": {"a": 1}}',
            '{"fills": [{"path": "a"}], "unresolved": [], "record": {"a": 1}}',
            '{"fills": [], "unresolved": [{"path": "/a"}], "record": {"a": 1}}',
            '{"fills": [], "unresolved": [], "record": {"a": 1}, "origins": {"x": 1}}',
        ],
    )
    def test_what_is_no_result(self, cli, shop, one_error, text):
        (shop / "other.json").write_text(text, "utf-8")
        one_error(cli("explain", "other.json", "/a"), "not_a_result")


@pytest.mark.usefixtures("results")
class TestExplainMany:
    def test_a_line_is_chosen(self, cli):
        ended = cli("explain", "results.jsonl", "/mass_kg", "--line", "4")
        assert "from evidence maker" in ended.out
        ended = cli("explain", "results.jsonl", "/mass_kg", "--line", "2")
        assert "came with the record" in ended.out

    def test_a_line_that_holds_no_result(self, cli, one_error):
        ended = cli("explain", "results.jsonl", "/mass_kg", "--line", "3")
        one_error(ended, "not_a_result", words=["results.jsonl line 3"])
        ended = cli("explain", "results.jsonl", "/mass_kg", "--line", "5")
        one_error(ended, "no_such_line", words=["results.jsonl"])


class TestEvidenceShow:
    def test_structured_evidence(self, cli, result):
        ref = result["fills"][0]["evidence_ref"]
        ended = cli("evidence", "show", ref, "-e", "evidence")
        assert ended.code == 0
        assert f"reference: {ref}\n" in ended.out
        assert "read from: evidence/maker.json\n" in ended.out
        assert '  "mass_kg": 1.250,\n' in ended.out
        told = cli("evidence", "show", ref, "-e", "evidence", "--json")
        assert told.json["id"] == "maker"
        assert told.json["content"]["maker"] == "Acme"
        assert '"mass_kg":1.250' in told.out

    def test_text(self, cli, shop):
        import hashlib

        data = (shop / "evidence" / "leaflet.txt").read_bytes()
        ref = f"sha256:{hashlib.sha256(data).hexdigest()}"
        ended = cli("evidence", "show", ref, "-e", "evidence")
        assert ended.out.endswith("The widget W-1 is red.\n")
        told = cli("evidence", "show", ref, "-e", "evidence", "--json")
        assert told.json["text"] == "The widget W-1 is red.\n"

    def test_a_changed_byte(self, cli, shop, result, one_error):
        change_evidence(shop)
        ref = result["fills"][0]["evidence_ref"]
        ended = cli("evidence", "show", ref, "-e", "evidence")
        one_error(ended, "unresolved_reference", words=[ref])

    def test_without_evidence(self, cli, one_error):
        one_error(cli("evidence", "show", "sha256:00"), "unresolved_reference")


def test_the_result_of_the_deepest_record_is_read(cli, shop):
    record = json.loads((shop / "record.json").read_text("utf-8"))
    record["deep"] = json.loads("[" * 126 + "]" * 126)
    (shop / "record.json").write_text(json.dumps(record), "utf-8")
    assert cli(*REPAIR, "--out", "result.json").code in (0, 1)
    assert cli(*VERIFY).code == 0
    assert cli("explain", "result.json", "/mass_kg").code == 0


def test_a_file_that_is_not_read_as_evidence_is_named(cli, shop):
    (shop / "evidence" / "sheet.pdf").write_bytes(b"%PDF")
    ended = cli(*REPAIR)
    assert ended.err.startswith("warning: unread_files: ")
    assert "sheet.pdf" in ended.err


@pytest.fixture
def built(cli, shop):
    """A result of synthesis in a file, and its JSON."""
    (shop / "seed.json").write_text('{"id": "W-1", "name": "Widget"}', "utf-8")
    assert cli("synthesize", "seed.json", "-p", "widget.toml", "-e", "evidence", "--out", "result.json").code == 0
    return json.loads((shop / "result.json").read_text("utf-8"))


@pytest.mark.usefixtures("built")
class TestVerifySynthesis:
    def test_without_its_seed_its_rows_are_told_as_not_checked(self, cli):
        ended = cli(*VERIFY, "-p", "widget.toml")
        assert ended.code == 0
        assert "Not checked (2)" in ended.out
        assert "the seed was not given" in ended.out
        assert ended.out.endswith(
            "2 rows checked, 0 failed: verified as far as checked."
            " Not checked: 2 rows of the seed (give it with --seed).\n"
        )
        told = cli(*VERIFY, "--json").json
        assert told["counts"] == {"verified": 2, "failed": 0, "not_checked": 2}
        assert {row["path"] for row in told["rows"] if row["ok"] is None} == {"/id", "/name"}

    def test_with_it_all_is_checked(self, cli):
        ended = cli(*VERIFY, "--seed", "seed.json", "-p", "widget.toml")
        assert ended.code == 0
        assert ended.out.endswith("4 rows checked, 0 failed: verified.\n")

    def test_an_invented_leaf_of_the_seed(self, cli, shop, built):
        built["record"]["name"] = "Invented"
        (shop / "result.json").write_text(json.dumps(built), "utf-8")
        assert cli(*VERIFY).code == 0
        ended = cli(*VERIFY, "--seed", "seed.json")
        assert ended.code == 1
        assert "the seed does not hold this value there" in ended.out

    def test_another_seed(self, cli, shop):
        (shop / "seed.json").write_text('{"id": "W-1"}', "utf-8")
        ended = cli(*VERIFY, "--seed", "seed.json")
        assert ended.code == 1
        assert "the seed given is another one: its digest differs" in ended.out

    def test_origins_beside_the_seed_are_read(self, cli, shop, one_error):
        (shop / "seed.origins.json").write_text('{"/name": "accepted_suggestion"}', "utf-8")
        ended = cli(*VERIFY, "--seed", "seed.json")
        assert ended.code == 1
        assert "the seed itself held a suggestion there" in ended.out
        (shop / "seed.origins.json").write_text('{"/name": "wat"}', "utf-8")
        one_error(cli(*VERIFY, "--seed", "seed.json"), "invalid_origins", words=("seed.origins.json /name",))

    def test_a_seed_that_cannot_be_read(self, cli, shop, one_error):
        one_error(cli(*VERIFY, "--seed", "none.json"), "unreadable_file")
        one_error(cli(*VERIFY, "--seed", "many.jsonl"), "usage")
        one_error(cli("verify", "-", "-e", "evidence", "--seed", "-"), "usage")
        data = (shop / "seed.json").read_bytes()
        assert cli(*VERIFY, "--seed", "-", stdin=data).code == 0


def test_a_suggestion_that_came_back_is_told(cli, shop):
    (shop / "record.origins.json").write_text('{"/price": "suggestion_origin", "/name": "declared"}', "utf-8")
    shown = cli(*REPAIR, "--out", "result.json", "--record-out", "fixed.json")
    assert shown.code == 1
    shown = cli(*REPAIR)
    assert "Origins (2)" in shown.out
    rows = [" ".join(line.split()) for line in shown.out.splitlines()]
    assert "/price a suggestion that came back; it supports nothing" in rows
    explained = cli("explain", "result.json", "/price")
    assert "it supports nothing (suggestion_origin)" in explained.out
    assert cli("explain", "result.json", "", "--json").json["origins"] == {
        "/name": "declared",
        "/price": "suggestion_origin",
    }
    assert "Origins" not in cli("repair", "good.json", "-p", "widget.toml").out


def test_a_suggestion_that_came_back_is_told_of_a_line(cli, lines):
    lines.with_name("many.origins.json").write_text('{"2":{"/name":"suggestion_origin"}}', "utf-8")
    shown = cli("repair", "many.jsonl", "-p", "widget.toml")
    assert "  /name is a suggestion that came back; it supports nothing\n" in shown.out
