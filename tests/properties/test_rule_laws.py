"""Laws of the rules: a bound holds exactly where arithmetic says so, and only of the thing that the record is about."""

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack

numbers = st.decimals(min_value=Decimal("0.5"), max_value=Decimal(9999), places=1)
names = st.lists(st.sampled_from(["Oak", "Elm", "Fir", "Yew", "Ash", "Bay"]), min_size=2, unique=True)
days = st.dates(min_value=date(1950, 1, 1), max_value=date(2049, 12, 31))


def is_supported(record, claim):
    verifier = Verifier()
    view = verifier.view(EvidencePack.from_items([{"id": "e1", "content": record}]).items)
    return verifier.check(f"{claim} [e1].", view).verdict == "supported"


@given(numbers, numbers)
def test_a_bound_holds_exactly_where_the_value_lies_strictly_inside(held, said):
    record = {"productId": "K-7", "tare": {"value": held, "unit": "kg"}}
    assert is_supported(record, f"The tare is more than {said} kg") == (held > said)
    assert is_supported(record, f"The tare is less than {said} kg") == (held < said)
    assert not is_supported(record, f"The tare of product K-8 is more than {said} kg")


@given(days, days)
def test_a_day_is_before_another_exactly_where_the_calendar_says_so(held, said):
    record = {"productId": "K-7", "testDate": held.isoformat()}
    assert is_supported(record, f"It was tested before {said.isoformat()}") == (held < said)
    assert is_supported(record, f"It was tested after {said.isoformat()}") == (held > said)


@given(days, days)
def test_an_age_is_that_of_the_calendar(born, died):
    record = {"title": ["Ada Berg"], "Born": [born.isoformat()], "Died": [died.isoformat()]}
    age = died.year - born.year - ((died.month, died.day) < (born.month, born.day))
    if age >= 1:
        assert is_supported(record, f"Ada Berg died at the age of {age}")
    assert not is_supported(record, f"Ada Berg died at the age of {abs(age) + 1}")


@given(names, st.integers(min_value=1, max_value=8))
def test_a_list_is_as_long_as_it_is(listed, said):
    record = {"productId": "K-7", "woods": listed}
    assert is_supported(record, f"The product has more than {said} woods") == (len(listed) > said)
    assert is_supported(record, f"The product has fewer than {said} woods") == (len(listed) < said)


@given(numbers, numbers)
def test_two_fields_compare_as_their_values(gross, net):
    record = {"productId": "K-7", "grossTare": {"value": gross, "unit": "kg"}, "netTare": {"value": net, "unit": "kg"}}
    assert is_supported(record, "The gross tare is higher than the net tare") == (gross > net)
    assert is_supported(record, "The gross tare is lower than the net tare") == (gross < net)


@given(st.integers(min_value=13, max_value=99), st.integers(min_value=0, max_value=59), st.integers(2, 120))
def test_a_clock_lies_inside_a_bound_exactly_where_its_seconds_do(minutes, seconds, said):
    record = {"title": ["Low Tide"], "Length": [f"{minutes}:{seconds:02}"]}
    held = minutes * 60 + seconds
    assert is_supported(record, f"Low Tide runs for more than {said} minutes") == (held > said * 60)
    assert is_supported(record, f"Low Tide runs for less than {said} minutes") == (held < said * 60)


@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 400))
def test_a_film_earned_more_than_it_cost_by_what_is_left(earned, cost, said):
    record = {"title": ["Low Tide"], "Budget": [f"${cost} million"], "Box office": [f"${earned} million"]}
    assert is_supported(record, f"Low Tide made over ${said} million more than it cost") == (earned - cost > said)
