"""Refusals in several languages, and facts that hide behind one."""

import pytest

from tests.unit.gates.gate_cases import check, texts
from veracord.grounding.refusals import is_filler, refuses


@pytest.mark.parametrize(
    "sentence",
    [
        "I do not know.",
        "I cannot answer this from the evidence.",
        "The documents do not mention the colour.",
        "The colour is not stated.",
        "The tare cannot be determined from the evidence.",
        "No information about the tare is available.",
        "There is no information on the tare.",
        "It is unclear whether the lid is recyclable.",
        "The evidence does not say how much it weighs.",
        "Not enough information.",
        "Das ist nicht angegeben.",
        "Die Masse wird nicht genannt.",
        "Hierzu liegen keine Informationen vor.",
        "Ich weiß es nicht.",
        "Die Masse geht aus den Unterlagen nicht hervor.",
        "Je ne sais pas.",
        "Cette information n'est pas disponible dans les sources.",
        "No se indica en los documentos.",
        "No hay información suficiente.",
        "Non è specificato nei documenti.",
        "Non ci sono informazioni.",
        "Dat staat niet vermeld in de bronnen.",
        "Er is geen informatie over het gewicht.",
        "Não há informações nos documentos.",
        "Nie podano tej informacji.",
        "Brak danych.",
    ],
)
def test_a_refusal_is_recognised(sentence):
    assert refuses(sentence)
    assert check(texts("Tare 3 kg."), sentence).verdict == "abstain"


@pytest.mark.parametrize(
    "sentence",
    [
        "The tare is not stated, but it is about 3 kg.",
        "Not stated; similar crates weigh 3 kg.",
        "I do not know the colour; however, the crate has CE marking.",
        "The evidence does not mention the tare, which is 3 kg.",
        "The evidence does not say why, and the crate is fireproof.",
        "Das ist nicht angegeben; die Masse beträgt 3 kg.",
        "Je ne sais pas, mais la masse est de 3 kg.",
        "No se indica; la masa es 3 kg.",
        "The crate is not available in red.",
        "The crate does not contain lead.",
        "Lead is not included.",
        "The tare is 3 kg.",
    ],
)
def test_a_fact_behind_a_refusal_is_no_abstention(sentence):
    assert not refuses(sentence)
    assert check(texts("Colour grey."), sentence).verdict in ("unsupported", "undecided")


def test_a_refusal_beside_a_supported_claim_needs_no_citation():
    answer = "The tare is 3 kg [e1]. The colour is not stated in the evidence."
    assert check(texts("Tare 3 kg."), answer).verdict == "supported"


def test_an_answer_without_words_asserts_nothing():
    assert check([], "").verdict == "abstain"
    assert check([], "").coverage.state == "none_asserted"


def test_a_sentence_that_only_leads_over_is_no_claim():
    assert is_filler("Here is what I found.")
    assert not is_filler("Here is the crate of 3 kg.")
