"""`veracord profiles`."""


def test_list(cli):
    ended = cli("profiles", "list")
    assert ended.code == 0
    assert "eu-dpp-demo" in ended.out
    rows = cli("profiles", "list", "--json").json["profiles"]
    assert [row["name"] for row in rows] == ["eu-dpp-demo"]
    assert "certifies nothing" in rows[0]["description"]


def test_show_a_bundled_profile(cli):
    ended = cli("profiles", "show", "eu-dpp-demo")
    assert ended.code == 0
    assert ended.out.startswith("eu-dpp-demo@1\n")
    for line in (
        "identity 1: /product/id",
        "identity 2: /product/brand and /product/model",
        "rows: /materials by /name",
        "rule: sum /materials/*/share_pct min 95 max 105",
    ):
        assert f"{line}\n" in ended.out


def test_show_as_json(cli):
    facts = cli("profiles", "show", "widget.toml", "--json").json
    assert facts["name"] == "widget"
    assert facts["identity"]["keys"] == [[{"member": "/id", "kind": None}]]
    assert facts["digests"]["profile"].startswith("sha256:")


def test_show_everything_that_a_profile_can_say(cli, shop):
    (shop / "full.toml").write_text(
        'name = "full"\nversion = "2"\nschema = "full.json"\n'
        "[identity]\n"
        'keys = [{ members = ["/gtin"], kind = "gtin" }, ["/a", "/b"]]\n'
        'level = "/level"\ndefault_level = "model"\n'
        '[administrative]\nrecord_id = "/rid"\nnever_filled = ["/a"]\n'
        '[[rows]]\nat = "/rows"\nkey = ["/k"]\n'
        '[[context]]\nvalue = "/a"\nagrees = ["/b"]\n'
        '[[levels]]\nlevel = "model"\nvalues = ["/b"]\n'
        '[[rules]]\nkind = "compare"\nleft = "/n"\nop = "<="\nright = "/m"\n'
        '[[rules]]\nkind = "unique"\nover = "/rows/*/k"\n'
        '[[rules]]\nkind = "sum"\nover = "/rows/*/n"\nmax = 10.5\n',
        "utf-8",
    )
    (shop / "full.json").write_text(
        '{"type": "object", "properties": {"gtin": {"type": "string"}, "a": {"type": "string"},'
        ' "b": {"type": "string"}, "level": {"type": "string"}, "rid": {"type": "string"},'
        ' "n": {"type": "number"}, "m": {"type": "number"}, "rows": {"type": "array", "items":'
        ' {"type": "object", "properties": {"k": {"type": "string"}, "n": {"type": "number"}}}}}}',
        "utf-8",
    )
    out = cli("profiles", "show", "full.toml").out
    for line in (
        "identity 1: /gtin (gtin)",
        "identity 2: /a and /b",
        "level: /level (without it: model)",
        "record id: /rid",
        "never filled: /a",
        "context: /a needs equal /b",
        "level of /b: model",
        "rule: compare left /n op <= right /m",
        "rule: unique /rows/*/k",
        "rule: sum /rows/*/n max 10.5",
    ):
        assert f"{line}\n" in out


def test_check(cli, shop):
    ended = cli("profiles", "check", "eu-dpp-demo", "widget.toml")
    assert ended.code == 0
    assert ended.out == ("eu-dpp-demo: eu-dpp-demo@1 can be used\nwidget.toml: widget@1 can be used\n")
    (shop / "bad.toml").write_text('name = "bad"\n', "utf-8")
    ended = cli("profiles", "check", "bad.toml", "widget.toml", "none.toml")
    assert ended.code == 2
    assert ended.out == "widget.toml: widget@1 can be used\n"
    assert [line.split(": ")[0] for line in ended.err.splitlines()] == ["error", "error"]
    told = cli("profiles", "check", "bad.toml", "widget.toml", "--json")
    assert told.code == 2
    assert [row["ok"] for row in told.json["profiles"]] == [False, True]
    assert told.json["ok"] is False


def test_a_profile_that_is_not_there(cli, one_error):
    one_error(cli("profiles", "show", "nobody"), "unknown_profile", words=["eu-dpp-demo"])
