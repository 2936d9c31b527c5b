"""Hypotheses about tables of people, films and places: few that do not follow pass, and those that plainly follow do.

Labels: E follows from the table, C contradicts it, N is not told by it.
"""

import csv
import json
import re

import pytest

from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack

FOLDER = "data/grounding/InfoTabS"
_WORD = re.compile(r"\w+")
_PLAIN = frozenset(
    {
        *("a", "an", "the", "of", "in", "on", "at", "by", "to", "for", "from", "and", "or", "as", "with", "s"),
        *("is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "did", "do"),
        *("it", "its", "his", "her", "their", "he", "she", "they", "that", "this", "which", "who", "there"),
    }
)
_ENDINGS = re.compile(r"(?:ing|ed|es|s|er|or|d|e)$")


def stem(word):
    return _ENDINGS.sub("", word) if len(word) > 3 else word


def words_of(text):
    return _WORD.findall(str(text).casefold())


def states_one_field(hypothesis, table):
    """Whether a hypothesis has a value of the table as it stands, and at most one word that is no name and no title."""
    said = f" {' '.join(words_of(hypothesis))} "
    title = {stem(word) for word in words_of(" ".join(table["title"]))}
    for name, values in table.items():
        known = title | {stem(word) for word in words_of(name)}
        for value in [*values, " ".join(map(str, values))] if name != "title" else []:
            held = f" {' '.join(words_of(value))} "
            if held.strip() and held in said:
                rest = said.replace(held, " ", 1).split()
                if sum(word not in _PLAIN and stem(word) not in known for word in rest) <= 1:
                    return True
    return False


@pytest.fixture(scope="module")
def judged(shared):
    """Each hypothesis with its table, its label, and whether it is supported."""
    verifier, views, found = Verifier(), {}, []
    with (shared / FOLDER / "infotabs_dev.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        name, said, label = (row[key].strip() for key in ("table_id", "hypothesis", "label"))
        path = shared / FOLDER / "json" / f"{name}.json"
        if not said or not path.exists():
            continue
        if name not in views:
            table = json.loads(path.read_text("utf-8"))
            views[name] = table, verifier.view(EvidencePack.from_items([{"id": "t", "content": table}]).items)
        table, view = views[name]
        answer = f"{said.rstrip(' .')} [t]."
        found.append((said, table, label, verifier.check(answer, view).verdict == "supported"))
    return found


def share(rows):
    rows = list(rows)
    return sum(rows) / len(rows)


@pytest.mark.shared(FOLDER)
def test_what_does_not_follow_is_not_supported(judged):
    assert share(passed for _, _, label, passed in judged if label != "E") <= 0.05


@pytest.mark.shared(FOLDER)
def test_what_follows_is_supported_as_far_as_the_rules_go(judged):
    kept = share(passed for _, _, label, passed in judged if label == "E")
    false = share(passed for _, _, label, passed in judged if label != "E")
    assert kept >= 0.20
    # Who supports everything, or whatever has no number of its own, comes to at most 0.5.
    assert (kept + 1 - false) / 2 > 0.55


@pytest.mark.shared(FOLDER)
def test_what_states_one_field_is_supported(judged):
    stating = [passed for said, table, label, passed in judged if label == "E" and states_one_field(said, table)]
    assert len(stating) >= 25
    assert share(stating) >= 0.40
