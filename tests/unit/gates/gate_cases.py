"""A line of evidence and an answer, and what one gate says of it."""

from veracord.grounding.verifier import Verifier
from veracord.records.evidence import EvidencePack


def texts(*sentences):
    return [{"id": f"e{number}", "text": text} for number, text in enumerate(sentences, 1)]


def records(*contents):
    return [{"id": f"e{number}", "content": content} for number, content in enumerate(contents, 1)]


def check(evidence, answer, **options):
    verifier = Verifier()
    return verifier.check(answer, verifier.view(EvidencePack.from_items(evidence).items), **options)


def outcome(gate, evidence, answer, **options):
    """Return the outcome of a gate for the only claim of an answer."""
    verdict = check(evidence, answer, **options)
    assert len(verdict.claims) == 1, [claim.text for claim in verdict.claims]
    return next(str(result.outcome) for result in verdict.claims[0].gates if result.gate == gate)
