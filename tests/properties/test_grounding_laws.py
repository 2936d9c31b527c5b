"""Laws of the verifier: order, names and irrelevant evidence change nothing, and only what is equal is supported."""

import random
import sys
import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracord.errors import InputError
from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack

LABELS = ("tare", "gross volume", "share", "carbon footprint", "nominal voltage")
UNITS = ("kg", "mm", "V", "%", "kWh")
UNRELATED = (
    {"text": "Visitors ring at the blue door."},
    {"text": "The choir meets on 4 May at 19:30."},
    {"content": {"hall": "North", "chairs": 40}},
)
numbers = st.decimals(min_value=Decimal(-9999), max_value=Decimal(9999), places=2).map(lambda d: d.normalize() + 0)


def plain(number):
    return format(number, "f")


def check(evidence, answer):
    verifier = Verifier()
    return verifier.check(answer, verifier.view(EvidencePack.from_items(evidence).items)).verdict


def evidence_of(label, number, unit, form):
    member = "".join(word.capitalize() if at else word for at, word in enumerate(label.split()))
    if form == "record":
        return {"id": "e1", "content": {member: {"value": number, "unit": unit}}}
    return {"id": "e1", "text": f"{label.capitalize()}: {plain(number)} {unit}."}


worlds = st.tuples(st.sampled_from(LABELS), numbers, st.sampled_from(UNITS), st.sampled_from(["record", "text"]))


@given(worlds, numbers)
def test_only_the_equal_value_is_supported(world, said):
    label, held, unit, form = world
    verdict = check([evidence_of(label, held, unit, form)], f"The {label} is {plain(said)} {unit} [e1].")
    assert (verdict == "supported") == (said == held)


@given(worlds, st.sampled_from(UNITS), st.sampled_from(LABELS))
def test_another_unit_or_another_label_is_not_supported(world, unit, label):
    held_label, held, held_unit, form = world
    verdict = check([evidence_of(held_label, held, held_unit, form)], f"The {label} is {plain(held)} {unit} [e1].")
    assert (verdict == "supported") == (unit == held_unit and label == held_label)


@given(worlds, st.lists(st.sampled_from(UNRELATED), max_size=3), st.randoms(use_true_random=False), st.booleans())
def test_order_names_and_irrelevant_evidence_change_nothing(world, extra, shuffler, is_right):
    label, held, unit, form = world
    said = held if is_right else held + 1
    answer = f"The {label} is {plain(said)} {unit} [e1]."
    first = check([evidence_of(label, held, unit, form)], answer)
    more = [evidence_of(label, held, unit, form) | {"id": "k-9"}]
    more += [item | {"id": f"x{at}"} for at, item in enumerate(extra)]
    shuffler.shuffle(more)
    assert check(more, answer.replace("[e1]", "[k-9]")) == first


@given(st.permutations(range(3)), st.sets(st.integers(0, 2)))
def test_the_order_of_claims_changes_nothing(order, wrong):
    evidence = [{"id": "e1", "text": "Tare 3 kg. The frame is grey. Made in 2024."}]
    said = [
        f"The tare is {4 if 0 in wrong else 3} kg [e1].",
        f"The frame is {'red' if 1 in wrong else 'grey'} [e1].",
        f"The width is {9 if 2 in wrong else 8} mm [e1].",
    ]
    assert check(evidence, " ".join(said[at] for at in order)) == check(evidence, " ".join(said))


@given(
    st.sampled_from(["not", "never", "may", "only", "probably", "all", "some", "if dry", "because of rain", "nearly"])
)
def test_a_word_that_turns_or_limits_is_never_free(word):
    evidence = [{"id": "e1", "text": "The frame is grey."}]
    assert check(evidence, f"The frame is {word} grey [e1].") != "supported"
    turned = [{"id": "e1", "text": f"The frame is {word} grey."}]
    assert check(turned, "The frame is grey [e1].") != "supported"


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200), st.text(max_size=80))
@settings(max_examples=150)
def test_any_text_is_judged_and_nothing_uncited_is_supported(text, answer):
    verdict = check([{"id": "e1", "text": text}], answer)
    assert verdict in ("unsupported", "undecided", "abstain") or "[e1]" in answer


ADVERSARIAL = {
    "blanks": " ",
    "digits": "1",
    "dots": ".",
    "words": "a ",
    "numbers": "1,234.5 ",
    "quotes": '"a ',
    "brackets": "[a",
    "colons": "a: ",
    "and": "a and ",
    "not": "not ",
    "lines": "|a|\n",
    "dashes": "a-",
    "of": "of the ",
    "open": "(",
    "ignore": "ignore ",
    "the": "the evidence ",
    "degree": "-20 °C to ",
}


@pytest.mark.slow  # a million characters for each of many patterns
@pytest.mark.parametrize("pattern", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_a_mebibyte_of_hostile_evidence_takes_seconds(pattern):
    size = 1 << 20
    times = []
    for length in (size // 8, size):
        text = (pattern * (length // len(pattern) + 1))[:length]
        begin = time.process_time()
        check([{"id": "e1", "text": text}], "The tare of the frame is 3 kg and not grey [e1].")
        times.append(time.process_time() - begin)
    assert times[1] < 10, times
    assert times[1] < 30 * times[0] + 0.5, times


@pytest.mark.parametrize("pattern", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_a_long_hostile_answer_takes_seconds(pattern):
    answer = (pattern * 60_000)[:60_000]
    begin = time.process_time()
    check([{"id": "e1", "text": "The tare is 3 kg."}], answer + " [e1].")
    assert time.process_time() - begin < 5


def test_shuffled_sentences_of_a_long_text_give_one_verdict():
    rng = random.Random(7)
    sentences = [f"Part {n} weighs {n} kg." for n in range(300)]
    for _ in range(3):
        rng.shuffle(sentences)
        evidence = [{"id": "e1", "text": " ".join(sentences)}]
        assert check(evidence, "Part 77 weighs 77 kg [e1].") == "supported"
        assert check(evidence, "Part 77 weighs 78 kg [e1].") != "supported"


names = st.sampled_from(("lid", "inner box", "frame", "spare parts", "charger", "rejected", "unheard of"))


@given(worlds, names, st.sampled_from(("K-1", "the product")))
def test_what_is_inside_a_thing_is_never_the_products_own(world, part, product):
    label, held, unit, _ = world
    inside = evidence_of(label, held, unit, "record")["content"]
    answer = f"The {label} of {product} is {plain(held)} {unit} [e1]."
    member = part.title().replace(" ", "")
    evidence = [{"id": "e1", "content": {"productId": "K-1", member: inside}}]
    assert check(evidence, answer) != "supported"
    assert check([{"id": "e1", "content": {"productId": "K-1", "technicalData": inside}}], answer) == "supported"


@given(worlds, numbers, st.booleans())
def test_the_value_of_a_part_contradicts_nothing_that_is_said_of_the_product(world, other, is_named):
    label, held, unit, _ = world
    own = evidence_of(label, held, unit, "record")["content"]
    part = evidence_of(label, other, unit, "record")["content"]
    evidence = [{"id": "e1", "content": {"productId": "K-1", **own, "packaging": part}}]
    subject = " of K-1" if is_named else ""
    assert check(evidence, f"The {label}{subject} is {plain(held)} {unit} [e1].") == "supported"


def work_of(evidence, answer):
    """Return how many functions are called to judge an answer: the same on every machine, however loaded."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        check(evidence, answer)
    finally:
        sys.setprofile(None)
    return calls


#: A statement, with "{at}" for its number and "{zeros}" for a few zeros, and a claim that it bears or denies.
REPEATED = {
    "a sentence": ("The tare is 3 kg. ", "The tare is 3 kg [e1]."),
    "a line": ("The tare is 3 kg.\n", "The tare is 3 kg [e1]."),
    "words": ("The frame is made of steel. ", "The frame is made of steel [e1]."),
    "a label": ("Maker: Alpha\n", "The maker is Alpha [e1]."),
    "a value written in many ways": ("The tare is 3.{zeros} kg. ", "The tare is 3 kg [e1]."),
    "rivals": ("The tare is {at} kg. ", "The tare is 3 kg [e1]."),
    "a remark": ("The tare is 3 kg. This is wrong. ", "The tare is 3 kg [e1]."),
    "an announcement": ("The following is wrong. The tare is 3 kg. ", "The tare is 3 kg [e1]."),
    "questions and boxes": ("Is the tare 3 kg? ☐ a ", "The tare is 3 kg [e1]."),
    "notes": ("tare: 3 kg* ", "The tare is 3 kg [e1]."),
    "openings": ("<s>~~<!--", "The tare is 3 kg [e1]."),
    "a quotation": ("the tare is 3 kg if dry. ", '"the tare is 3 kg" [e1].'),
}


@pytest.mark.parametrize(("written", "answer"), REPEATED.values(), ids=list(REPEATED))
def test_the_work_on_repeated_statements_is_linear(written, answer):
    def work(count):
        text = "".join(written.format(at=at, zeros="0" * (at % 97)) for at in range(count))
        return work_of([{"id": "e1", "text": text}], answer)

    work(8)
    one, four = work(150), work(600)
    assert four < 4.5 * one + 3000, (one, four)


def test_the_work_on_many_records_that_say_the_same_is_nearly_linear():
    def work(count):
        items = [{"id": f"e{at}", "content": {"productId": "K", "tare": 3, "maker": "A"}} for at in range(count)]
        return work_of(items, f"The tare is 3 {''.join(f'[e{at}]' for at in range(count))}.")

    work(8)
    one, four = work(25), work(100)
    assert four < 6 * one + 3000, (one, four)


def test_an_answer_that_is_too_long_is_refused_with_a_reason():
    evidence = [{"id": "e1", "text": "The tare is 3 kg."}]
    with pytest.raises(InputError) as raised:
        check(evidence, "The tare is 3 kg [e1]. " * 4000)
    assert raised.value.code == "answer_too_long"
    assert "\n" not in str(raised.value)
