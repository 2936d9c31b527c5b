"""A source opens where it matters: the lines of a place, or the words of a quote, are marked and shown first."""

from decimal import Decimal

from veracord.web.page_layouts import diff_rows, find_quote, json_lines, text_lines, value_lines, windowed


def marked(lines):
    return [line.pieces[0].text.strip() for line in lines if line.is_marked]


def test_the_lines_of_a_place_are_marked_and_no_other():
    content = {"a": 1, "rows": [{"n": "x", "v": Decimal("7.50")}, {"n": "y"}], "ab": {"a": 2}}
    assert marked(json_lines(content, ("rows", "0", "v"))) == ['"v": 7.50']
    assert marked(json_lines(content, ("rows", "1"))) == ["{", '"n": "y"', "}"]
    assert marked(json_lines(content, ("a",))) == ['"a": 1,']
    assert marked(json_lines(content, ("nothing",))) == []
    assert len(marked(json_lines(content, ()))) == len(json_lines(content, None))


def test_laid_out_json_says_the_same():
    import json

    content = {"a": [], "b": {}, "c": [1, "x", None], "d": {"e": [{"f": True}]}}
    assert json.loads("\n".join(value_lines(content))) == content


def test_only_what_lies_around_the_mark_is_shown_and_the_rest_is_counted():
    lines = json_lines({f"k{number:03}": number for number in range(100)}, ("k050",))
    shown = windowed(lines)
    assert (shown[0].left_out, shown[-1].left_out) == (47, 46)
    assert [line.number for line in shown[1:-1]] == list(range(48, 57))
    assert windowed(lines, whole=True) == lines
    assert windowed(json_lines({f"k{number}": number for number in range(100)}, None))[-1].left_out == 88


def test_a_quote_is_marked_across_lines_whatever_the_blanks():
    text = "Mass:\n  5 kg,\tpacked.\nMass: 5 kg"
    assert find_quote(text, " Mass: 5   kg") == (0, 12)
    lines = text_lines(text, "Mass: 5 kg")
    assert [[(piece.text, piece.is_marked) for piece in line.pieces] for line in lines] == [
        [("Mass:", True)],
        [("  5 kg", True), (",\\u0009packed.", False)],
        [("Mass: 5 kg", False)],
    ]
    assert not any(line.is_marked for line in text_lines(text, "6 kg"))
    assert not any(line.is_marked for line in text_lines(text, " \n "))


def test_what_steers_a_reader_is_shown_as_an_escape():
    (line,) = text_lines("a\u202eb\x1b", None)
    assert line.pieces[0].text == "a\\u202eb\\u001b"
    assert value_lines("a\u202eb") == ['"a\\u202eb"']


def test_a_change_is_told_line_by_line():
    rows = diff_rows(["1", "2"], ["1", "3"])
    assert [(row["kind"], row["text"]) for row in rows] == [("same", "1"), ("minus", "2"), ("plus", "3")]
    assert len(diff_rows(["a"] * 300, ["a"] * 300)) == 600
