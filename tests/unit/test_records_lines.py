"""JSON Lines, read one at a time: numbers, bytes as they were, limits."""

import io

import pytest

from veracord import InputError
from veracord.records.lines import read_lines, stream_lines


def lines(data, most=100):
    return list(stream_lines(io.BytesIO(data), most, "f"))


def shown(data, most=100):
    return [(line.number, line.data) for line in lines(data, most)]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n\n", []),
        (b"a", [(1, b"a")]),
        (b"a\n", [(1, b"a")]),
        (b"a\nb", [(1, b"a"), (2, b"b")]),
        (b"a\r\nb\r\n", [(1, b"a"), (2, b"b")]),
        (b"\n \n\t\r\na\n", [(4, b"a")]),
        (b" a \n", [(1, b" a ")]),
        (b"\xef\xbb\xbfa\nb", [(1, b"a"), (2, b"b")]),
        (b"\xef\xbb\xbf\na", [(2, b"a")]),
        (b"a\xe2\x80\xa8b\x0bc\x85\n", [(1, b"a\xe2\x80\xa8b\x0bc\x85")]),
        (b"a\rb\n", [(1, b"a\rb")]),
        (b"a\n\xef\xbb\xbfb", [(1, b"a"), (2, b"\xef\xbb\xbfb")]),
    ],
)
def test_lines_and_their_numbers(data, expected):
    assert shown(data) == expected


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
@pytest.mark.parametrize(
    ("length", "is_too_long"), [(9, False), (10, False), (11, True), (12, True), (13, True), (500, True)]
)
def test_a_line_may_be_as_long_as_the_limit(end, length, is_too_long):
    [line, *rest] = lines(b"x" * length + end + (b"y\n" if end else b""), 10)
    assert line.is_too_long is is_too_long
    assert [(other.number, other.data) for other in rest] == ([(2, b"y")] if end else [])
    if is_too_long:
        with pytest.raises(InputError, match="too_large") as error:
            line.checked()
        assert error.value.where == "f:1"
    else:
        assert line.checked() == b"x" * length


def test_a_line_of_many_chunks_is_skipped_whole():
    data = b"x" * (3 * 1024 * 1024 + 5) + b"\nnext\n"
    first, second = lines(data, 1000)
    assert first.is_too_long
    assert len(first.data) <= 1000
    assert (second.number, second.data, second.is_too_long) == (2, b"next", False)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_refused(encoding):
    data = "\ufeff{}\n{}\n".encode(encoding) if encoding[-1] == "e" else "{}\n{}\n".encode(encoding)
    with pytest.raises(InputError, match="wrong_encoding"):
        lines(data)


def test_lines_are_read_one_at_a_time(tmp_path):
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"1\n2\n3\n")
    reading = read_lines(path, 100)
    assert next(reading).data == b"1"
    assert next(reading).where == f"{path}:2"
    reading.close()


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="unreadable_file"):
        list(read_lines(tmp_path / "absent.jsonl", 100))
    with pytest.raises(InputError, match="unreadable_file"):
        list(read_lines(tmp_path, 100))
