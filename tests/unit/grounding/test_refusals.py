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
        "I'm sorry, I cannot answer that.",
        "I am sorry, but the documents do not say how heavy it is.",
        "I cannot answer that question from the evidence.",
        "I don't have enough information to answer that.",
        "I'm afraid that I do not know.",
        "As an AI language model, I cannot answer that.",
        "I must decline to answer.",
        "I do not know, sorry.",
        "I'm sorry. I cannot answer that.",
        "Es tut mir leid, aber dazu liegen keine Angaben vor.",
        "Ich bedaure, das steht nicht in den Unterlagen.",
        "Je suis désolé, mais je ne sais pas.",
        "Lo siento, pero no lo sé.",
        "Mi dispiace, ma non lo so.",
        "Het spijt me, ik weet het niet.",
        "Desculpe, mas não sei.",
        "Przykro mi, ale nie wiem.",
    ],
)
def test_a_refusal_is_recognised(sentence):
    assert refuses(sentence) or ". " in sentence
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
        "I'm sorry, the tare is 3 kg.",
        "I'm sorry, I cannot answer that, but the tare is 3 kg.",
        "I'm sorry that the crate weighs 3 kg.",
        "I cannot say that the tare is 3 kg.",
        "I cannot confirm that the crate is fireproof.",
        "I'm afraid that the crate contains lead.",
        "Es tut mir leid, die Masse beträgt 3 kg.",
        "Je suis désolé, la masse est de 3 kg.",
        "Lo siento, pero la masa es 3 kg.",
        "Mi dispiace, ma la massa è 3 kg.",
        "Desculpe, mas a massa é 3 kg.",
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
    assert is_filler("I'm sorry.")
    assert not is_filler("")
    assert not is_filler("Here is the crate of 3 kg.")
