"""How our splitting of answers into claims compares with that of people.

Told: coverage, invention, duplication, lost qualifiers.

    python bench/claim_splitting.py [--shared FOLDER]

Data: FActScore, biographies by ChatGPT with atomic facts made by people.  A fact of theirs is covered where one claim
has all its content words; it has lost a qualifier where a claim has all but a number, a date, a negation or a
limiting word.  A claim invents where it has a content word that its sentence has not, and doubles another where both
have the same words.  Level "sentence" takes each sentence as one claim; no claim of ours invents by construction.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
# The scripts of this folder are no installed package.
sys.path.insert(0, str(ROOT))

from veracord.gates.atoms import Atom, atoms_of  # noqa: E402
from veracord.grounding.claim_parts import claim_parts_of  # noqa: E402
from veracord.grounding.clauses import clauses_of  # noqa: E402

DATA: Final = Path("data/grounding/FActScore-labeled/ChatGPT.jsonl")


@dataclass(slots=True)
class Counts:
    """What was counted at one level of splitting."""

    claims: int = 0
    facts: int = 0
    covered: int = 0
    lost: int = 0
    invented: int = 0
    doubled: int = 0

    def row(self, level: str) -> str:
        """Return the line of the table."""
        shares = (
            self.covered / (self.facts or 1),
            self.lost / (self.facts or 1),
            self.invented / (self.claims or 1),
            self.doubled / (self.claims or 1),
        )
        per_fact = self.claims / (self.facts or 1)
        return f"| {level} | {self.claims} | {self.facts} | {per_fact:.2f} | " + " | ".join(
            f"{100 * share:.1f} %" for share in shares
        ) + " |"  # fmt: skip


def sentence_level(text: str) -> list[str]:
    """Return a sentence as its only claim."""
    return [text]


def clause_level(text: str) -> list[str]:
    """Return the clauses that can stand alone, as evidence is read."""
    return clauses_of(text, atoms_of(text)) or [text]


def part_level(text: str) -> list[str]:
    """Return the clauses, each taken apart once more where a way is found, as claims are."""
    found: list[str] = []
    for clause in clause_level(text):
        found += next(iter(claim_parts_of(clause, atoms_of(clause))), (clause,))
    return found


LEVELS: Final[dict[str, Callable[[str], list[str]]]] = {
    "sentence": sentence_level,
    "clause": clause_level,
    "part": part_level,
}


def count(sentences: Sequence[tuple[str, Sequence[str]]], split: Callable[[str], list[str]]) -> Counts:
    """Count how a way to split meets the facts of people, sentence by sentence."""
    counts = Counts()
    for text, facts in sentences:
        whole, _ = _content(text)
        claims = [_content(claim) for claim in split(text)]
        words = [frozenset(one | two) for one, two in claims]
        counts.claims += len(claims)
        counts.invented += sum(bool(one - whole) for one, _ in claims)
        counts.doubled += len(words) - len(set(words))
        for fact in facts:
            content, limits = _content(fact)
            meeting = [(one, two) for one, two in claims if content <= one]
            counts.facts += 1
            is_covered = any(limits <= two for _, two in meeting)
            counts.covered += is_covered
            counts.lost += bool(meeting) and not is_covered
    return counts


def _content(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the content words of a text, and what limits it: values and cues."""
    atoms = atoms_of(text)
    words = frozenset(atom.key for atom in atoms if atom.kind == "word" and atom.key not in ("and", "have", "do"))
    return words, frozenset(_limit(atom) for atom in atoms if atom.mention is not None or atom.kind == "cue")


def _limit(atom: Atom) -> str:
    return atom.mention.text.casefold() if atom.mention is not None else atom.key


def sentences_in(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each sentence that people found relevant, with their facts."""
    for line in path.read_text(encoding="utf-8").splitlines():
        for one in json.loads(line)["annotations"] or ():
            facts = [fact["text"] for fact in one.get("human-atomic-facts") or ()]
            if facts:
                yield one["text"], facts


def table_of(path: Path) -> str:
    """Return the table for a file."""
    sentences = list(sentences_in(path))
    head = "| level | claims | facts | claims a fact | covered | qualifier lost | invented | doubled |"
    rows = [count(sentences, split).row(level) for level, split in LEVELS.items()]
    return "\n".join((head, "| --- |" + " ---: |" * 7, *rows))


def main() -> int:
    """Print the table, or say that the data is not at hand."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, metavar="FOLDER", default=ROOT.parent / "shared")
    path = parser.parse_args().shared / DATA
    if not path.is_file():
        print(f"not at hand: {path}", file=sys.stderr)
        return 2
    print(table_of(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
