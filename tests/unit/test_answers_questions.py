"""How a question is read, which evidence is about its product, and which field answers it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracord import AbstentionCode, EvidencePack, Profile, RecordComposer
from veracord.answers.questions import cleaned, names_in, read_question
from veracord.answers.ranking import rank
from veracord.answers.vocabulary import keys_of, vocabulary
from veracord.errors import InputError

RECORD = {
    "productId": "P-1",
    "ratedCapacity": {"value": 100, "unit": "unit:ampereHour"},
    "voltage": {"min": 2.5, "max": 4.2},
    "grossWeight": {"value": 12, "unit": "kg"},
    "weight": {"value": 10, "unit": "kg"},
    "manufacturer": {"name": "Acme GmbH", "country": "Chile"},
    "manufacturingDate": "2024-03-01",
    "validUntil": "2030-01-01",
    "explosivePart": {"length": {"value": 3, "unit": "mm"}},
    "materials": [{"name": "Nickel", "share_pct": 7}, {"name": "Tin", "share_pct": 4}],
    "state": "used",
    "stateOfCharge": 80,
}


def asked(question, *contents, product=None):
    items = [
        {"id": f"e{n}", ("text" if isinstance(told, str) else "content"): told}
        for n, told in enumerate(contents or [RECORD])
    ]
    return RecordComposer(Profile.of_anything()).answer(question, EvidencePack.from_items(items), product)


@pytest.mark.parametrize(
    ("question", "value", "pointer"),
    [
        ("What is the rated capacity of the product?", "100 Ah", "/ratedCapacity/value"),
        ("State the rated capacity given for the product.", "100 Ah", "/ratedCapacity/value"),
        (
            "According to the record, which value does the field 'rated capacity' have?",
            "100 Ah",
            "/ratedCapacity/value",
        ),
        ('Please tell me what the record says for "rated capacity".', "100 Ah", "/ratedCapacity/value"),
        ("Rated capacity?", "100 Ah", "/ratedCapacity/value"),
        ("How heavy is the product?", "10 kg", "/weight/value"),
        ("How much does product P-1 weigh?", "10 kg", "/weight/value"),
        ("Wie schwer ist das Produkt?", "10 kg", "/weight/value"),
        ("Welche Masse hat das Produkt?", "10 kg", "/weight/value"),
        ("What is the gross weight?", "12 kg", "/grossWeight/value"),
        ("What is the highest voltage?", "4.2", "/voltage/max"),
        ("How many volts at least?", "2.5", "/voltage/min"),
        ("Who made it?", "Acme GmbH", "/manufacturer/name"),
        ("Wer ist der Hersteller?", "Acme GmbH", "/manufacturer/name"),
        ("In which country is the manufacturer?", "country of the manufacturer is Chile", "/manufacturer/country"),
        ("When was the product with product id P-1 made?", "2024-03-01", "/manufacturingDate"),
        ("Wann wurde das Produkt hergestellt?", "2024-03-01", "/manufacturingDate"),
        ("When does the passport expire?", "2030-01-01", "/validUntil"),
        ("What is the share of Nickel?", "7", "/materials/0/share_pct"),
        ("What is the state of charge?", "80", "/stateOfCharge"),
        ("What is the length of the explosive part?", "3 mm", "/explosivePart/length/value"),
    ],
)
def test_a_field_answers(question, value, pointer):
    result = asked(question)
    assert result.is_answered, result
    assert value in result.text
    assert [c.pointer for c in result.citations] == [pointer]


@pytest.mark.parametrize(
    "question",
    [
        "What is the nominal voltage?",
        "What is the charge?",
        "What is the length of the part?",
        "How long is the product?",
        "What is the price?",
        "How heavy is the cell?",
        "What is the share of Copper?",
        "Is the weight of the product above 9 kg?",
        "Why is the weight 10 kg?",
        "What was the rated capacity before the test?",
        "When was the weight measured?",
        "What is the weight without the casing?",
        "Which product has a higher rated capacity?",
        "What is the product?",
        "What is it?",
        "What is the claimed weight?",
        "In which country was the product made?",
    ],
)
def test_no_field_answers(question):
    result = asked(question)
    assert not result.is_answered, result.text


@pytest.mark.parametrize(
    ("contents", "question", "code"),
    [
        ([], "What is the weight?", AbstentionCode.NO_EVIDENCE),
        ([RECORD, {"productId": "P-2", "weight": 3}], "What is the weight?", AbstentionCode.AMBIGUOUS_PRODUCT),
        ([RECORD, {"productId": "P-2", "colour": "red"}], "What is the colour of P-1?", AbstentionCode.OTHER_PRODUCT),
        ([RECORD, {**RECORD, "weight": {"value": 11, "unit": "kg"}}], "What is the weight?", AbstentionCode.CONFLICT),
        ([{"nominalSpeed": 1, "topSpeed": 2}], "What is the speed?", AbstentionCode.AMBIGUOUS_QUESTION),
        ([{"speed": None}], "What is the speed?", AbstentionCode.NO_SUCH_FIELD),
        ([{"speed": {"value": 3, "status": "unverified"}}], "What is the speed?", AbstentionCode.UNVERIFIED_ONLY),
    ],
)
def test_the_reason_is_told(contents, question, code):
    items = [{"id": f"e{n}", "content": told} for n, told in enumerate(contents)]
    result = RecordComposer(Profile.of_anything()).answer(question, EvidencePack.from_items(items))
    assert result.code is code


def test_sources_may_agree_in_another_unit():
    result = asked("What is the weight?", RECORD, {**RECORD, "weight": {"value": 10000, "unit": "g"}})
    assert result.is_answered
    assert {c.evidence_id for c in result.citations} == {"e0", "e1"}


def test_an_identifier_of_two_members_counts_like_one():
    result = asked("What is the speed?", {"product": {"id": "P-1"}, "speed": 1}, {"product": {"id": "P-2"}, "size": 2})
    assert result.code is AbstentionCode.AMBIGUOUS_PRODUCT


def test_a_text_about_another_product_is_left_out():
    own, other = "Product P-1 is painted blue.", "Product P-2 is painted red."
    result = asked("What is the colour of P-1?", RECORD, {"productId": "P-2"}, own, other)
    assert "e3" not in result.nearest_ids


def test_json_in_a_text_and_a_table_are_read():
    assert asked("What is the speed?", '{"speed": 7}').is_answered
    assert asked(
        "What is the speed?", "| Property | Value |\n|---|---|\n| Speed | 7 km/h |\n| Mass | 3 kg |\n"
    ).is_answered


@pytest.mark.parametrize("question", ["", "  ", "?!", "\x00\x1b", "a" * 2_001])
def test_what_is_no_question_is_refused(question):
    with pytest.raises(InputError, match="invalid_question"):
        cleaned(question)


def test_a_question_is_one_clean_line():
    assert cleaned("What\nis \x1b[2J\u202e the\tmass?") == "What is [2J the mass?"


def test_an_identifier_counts_only_whole():
    assert names_in("the product P-12", ["P-1", "P-12"]) == ["P-12"]


def test_the_words_that_name_the_product_are_taken_out():
    read = read_question("What is the data identifier of the product with serial number 77-A?", ["77-A"])
    assert read.looked_for == ("data", "identifier")


def test_verbs_keep_their_form_in_labels():
    assert keys_of("claimed parts") == {"claimed", "part"}
    assert keys_of("Gewicht") == keys_of("weight") == {"mass"}


def test_the_lists_are_read_once():
    assert vocabulary() is vocabulary()
    assert all(way.asks and way.heads for way in vocabulary().ways)


def test_ranking_prefers_rare_words_and_short_passages():
    passages = [["mass", "of", "cell"], ["mass"], ["cell", "colour"], ["size"]]
    assert [number for number, _ in rank(["mass"], passages)] == [1, 0]
    assert rank(["mass", "cell", "colour"], passages)[0][0] == 2
    assert rank(["nothing"], passages) == []
    assert rank([], []) == []


@given(st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_no_question_is_answered_by_a_value_that_is_not_there(text):
    """Whatever is asked: an answer is the value of a field, with its citation, or there is none."""
    try:
        result = asked(text)
    except InputError:
        return
    if result.is_answered:
        assert all(c.pointer for c in result.citations)
        assert result.coverage == "complete"


@given(st.permutations(range(3)))
@settings(deadline=None, max_examples=6)
def test_order_and_names_of_items_mean_nothing(order):
    contents = [RECORD, {"productId": "P-2", "weight": {"value": 3, "unit": "kg"}}, "A note about nothing."]
    items = [{"id": f"x{place}", ("text" if n == 2 else "content"): contents[n]} for place, n in enumerate(order)]
    result = RecordComposer(Profile.of_anything()).answer("How heavy is P-1?", EvidencePack.from_items(items))
    assert result.text == f"The weight is 10 kg [x{order.index(0)}]."
