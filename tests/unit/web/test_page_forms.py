"""A form says what it says: values are typed, sources are read strictly, and a refusal stands beside its field."""

import hashlib
from decimal import Decimal

import pytest

from veracord.errors import DecisionError, InputError, VeracordError
from veracord.web.forms import Form
from veracord.web.page_forms import once_of, read_source, read_typed, refused_of


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "5", "5"),
        ("text", "a\r\nb", "a\nb"),
        ("text", "", ""),
        ("json", "5.250", Decimal("5.250")),
        ("json", ' ["a", true] ', ["a", True]),
        ("json", '"5"', "5"),
    ],
)
def test_a_value_is_what_was_typed_and_nothing_is_converted(kind, text, value):
    found = read_typed(Form({"kind": kind, "value": text}))
    assert found == value
    assert str(found) == str(value)


@pytest.mark.parametrize(
    ("kind", "text", "code"),
    [
        ("", "5", "kind_missing"),
        ("json", "five", "value_form"),
        ("json", '{"a":1,"a":2}', "value_form"),
        ("json", "", "value_form"),
    ],
)
def test_a_value_that_is_none_is_refused_at_its_field(kind, text, code):
    form = Form({"kind": kind, "value": text})
    with pytest.raises(InputError) as caught:
        read_typed(form)
    assert caught.value.code == code
    problem, refused = refused_of("edit", form, caught.value)
    assert problem.status in (400, 422)
    assert list(refused.errors) == ["kind" if code == "kind_missing" else "value"]


def source(name="s", data=b'{"id": 1}', rank=""):
    return Form({"evidence_id": name, "rank": rank}, {"document": data})


def test_a_source_has_the_reference_of_its_file():
    data = b'{ "id": 1.50 }\n'
    item = read_source(source(data=data, rank="2"))
    assert (item.id, item.content, item.rank) == ("s", {"id": Decimal("1.50")}, 2)
    assert item.evidence_ref == "sha256:" + hashlib.sha256(data).hexdigest()
    assert read_source(source(data="Maß: 5".encode())).text == "Maß: 5"


@pytest.mark.parametrize(
    ("form", "field"),
    [
        (source(name=" "), "evidence_id"),
        (source(data=b""), "document"),
        (source(data=b'{"a": 1, "a": 2}'), "document"),
        (source(data=b"{"), "document"),
        (source(data=b"\xff\xfe"), "document"),
        (source(rank="0"), "rank"),
        (source(rank="first"), "rank"),
        (source(rank="99999999999999999999"), "rank"),
        (source(name="\u2800\u3164"), "evidence_id"),
        (source(name="a\nb"), "evidence_id"),
        (source(name="n" * 501), "evidence_id"),
        (source(data=b"[1]"), "document"),
    ],
)
def test_a_source_that_is_none_is_refused_at_its_field(form, field):
    with pytest.raises(VeracordError) as caught:
        read_source(form)
    assert list(refused_of("attach", form, caught.value)[1].errors) == [field]


def test_the_same_form_is_the_same_request_and_another_is_not():
    form = Form({"once": "k", "reason": "a", "csrf_token": "x"})
    other = Form({"once": "k", "reason": "a", "csrf_token": "y"})
    assert once_of("/p", form) == once_of("/p", other)
    assert once_of("/p", form) != once_of("/p", Form({"once": "k", "reason": "b"}))
    assert once_of("/p", form) != once_of("/q", form)
    assert once_of("/p", Form({"reason": "a"})) is None


def test_a_missing_reason_is_told_at_each_field_that_is_empty():
    error = DecisionError("a reason is missing", code="reason_missing")
    _, refused = refused_of("declare", Form({"page": "1", "quote": " ", "reason": ""}), error)
    assert list(refused.errors) == ["quote", "reason"]
    assert refused.text("declare", "page") == "1"
    assert refused.text("accept", "page") == ""


def test_what_no_field_can_mend_is_told_above_all():
    error = DecisionError("the role viewer may not do this", remedy="ask a reviewer", code="not_allowed")
    _, refused = refused_of("accept", Form({"reason": "x"}), error)
    assert (refused.errors, refused.alert) == ({}, "The role viewer may not do this. Ask a reviewer.")
