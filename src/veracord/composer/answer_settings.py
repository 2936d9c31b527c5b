"""What a composer answers questions from: its profile with labels, and evidence in which guesses are marked."""

from functools import partial

from veracord.answers.labels import labels_of
from veracord.answers.settings import AnswerSettings
from veracord.answers.sources import AnswerSetting
from veracord.composer.laundering import marked_pack
from veracord.composer.ledgers import Ledger
from veracord.composer.repair import TOOL
from veracord.errors import InputError
from veracord.records.evidence import EvidencePack
from veracord.records.profiles import Profile


def answer_setting(
    profile: Profile, pack: EvidencePack, ledger: Ledger | None, settings: AnswerSettings | None = None
) -> AnswerSetting:
    """Return what questions are answered from.

    Args:
        profile: What records are.
        pack: The evidence.
        ledger: What was suggested before; None: nobody remembers.
        settings: What may be chosen.

    Raises:
        InputError: The evidence is no pack.
    """
    if not isinstance(pack, EvidencePack):
        raise InputError(
            "the evidence is no EvidencePack",
            remedy="make one with EvidencePack.from_items or EvidencePack.from_paths",
            code="invalid_evidence",
        )
    marking = None if ledger is None else partial(marked_pack, ledger, profile)
    return AnswerSetting(profile, pack, settings or AnswerSettings(), labels_of(profile), marking, TOOL)
