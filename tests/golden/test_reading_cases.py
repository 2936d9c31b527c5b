"""What the strict reader takes and what it refuses, one case a line.

A case holds ``text`` (its UTF-8 bytes), ``base64`` (the bytes), or ``before``, ``repeat`` and ``times``,
``middle``, ``close`` (as often) and ``after``, of which the text is put together.  Where it is read, ``numbers``
and ``strings`` stand at their pointers, exactly, also after it was written and read again, and ``canonical`` is
its canonical form.  Where it is refused, the error has ``code``, names ``line``, and ``says`` something.
"""

import base64
from decimal import Decimal

import pytest

from tests.golden.runner import GOLDEN, at, is_number, read_cases, same
from veracord import InputError, read_record
from veracord.records.reading import MAX_BYTES
from veracord.records.values import canonical
from veracord.records.writing import write_json

OWN = read_cases(GOLDEN / "cases_reading.jsonl")


def bytes_of(case):
    if "base64" in case:
        return base64.b64decode(case["base64"])
    if "text" in case:
        return case["text"].encode("utf-8", "surrogatepass")
    times, closing = case["times"], case.get("close", "")
    parts = [case["before"], case["repeat"] * times, case.get("middle", ""), closing * times, case["after"]]
    return "".join(parts).encode()


def read(case):
    """Return the record, or the error; any other exception is a failure."""
    try:
        return read_record(bytes_of(case), where="in.json", max_bytes=case.get("max_bytes", MAX_BYTES))
    except InputError as error:
        return error


def check_value(case, value):
    for pointer, number in case.get("numbers", {}).items():
        found = at(value, pointer)
        assert is_number(found)
        assert found == Decimal(number)
    for pointer, text in case.get("strings", {}).items():
        assert at(value, pointer) == text


def check_read(case, document):
    check_value(case, document.value)
    again = read_record(write_json(document.value))
    check_value(case, again.value)
    assert same(again.value, document.value)
    assert same(read_record(document.data).value, document.value)
    if "canonical" in case:
        assert canonical(document.value).decode() == case["canonical"]
    assert canonical(read_record(canonical(document.value)).value) == canonical(document.value)


def check_refused(case, error):
    assert error.code == case.get("code", error.code)
    assert error.where.startswith("in.json")
    assert error.remedy
    assert "\n" not in str(error)
    assert f"line {case['line']} " in f"{error.where} " if "line" in case else True
    assert case.get("says", "") in str(error)


def check(case):
    found = read(case)
    if case["ok"] is None:
        return
    assert isinstance(found, InputError) is not case["ok"], f"{case['why']} {found}"
    (check_read if case["ok"] else check_refused)(case, found)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in OWN])
def test_own_case(case):
    check(case)


@pytest.mark.shared("cases/repair/read_cases.jsonl")
def test_shared_case(shared_case):
    check(shared_case)


def test_the_mark_goes_and_the_text_stays():
    text = '{ "a" : 1.0 }\n'
    assert read_record(b"\xef\xbb\xbf" + text.encode()).data == text.encode()
    assert read_record("\ufeff".encode("utf-16-le") + text.encode("utf-16-le")).data == text.encode()
