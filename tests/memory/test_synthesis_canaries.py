"""What a model says in a synthesis that fails is nowhere afterwards: not in the error, not in a frame, not alive."""

import gc
from typing import ClassVar

import pytest

from tests.memory.canaries import Canaries, Watch
from tests.unit.synthesis_worlds import FULL, PROFILE, SEED, changed, pack_of
from veracord import RecordComposer
from veracord.errors import ModelRefusedError, ModelTruncatedError, ModelUnavailableError, RecordGenerationError
from veracord.ports import Finish, Response
from veracord.records.writing import write_json

RECORD = {**FULL, "dpp_id": "DPP-99"}


class Forgetful:
    """A model that keeps neither what it was asked nor what it answered."""

    settings: ClassVar = {"adapter": "forgetful"}

    def __init__(self, answers):
        self._left = list(answers)
        self.asked = 0

    async def complete(self, _request):
        self.asked += 1
        answer = self._left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Response) else Response(answer)

    async def aclose(self):
        """Hold nothing."""


def text(record):
    return write_json(record).decode()


def answers(kind, canaries):
    """Return what the model answers, twice."""
    secret, other = canaries["first"], canaries["second"]
    made = {
        "value": lambda said: text({**RECORD, "notes": said}),
        "name": lambda said: text({**RECORD, said: {said: 1}}),
        "seed": lambda said: text(changed(RECORD, ("/schema_version", said))),
        "unread": lambda said: f"no record: {said}",
        "twice": lambda said: f'{{"{said}": 1, "{said}": 2}}',
        "row": lambda said: text(changed(RECORD, ("/materials/0/name", said))),
        "format": lambda said: text(changed(RECORD, ("/product/image_url", f"no uri {said}"))),
    }[kind]
    return [made(secret), made(other)]


FAILED = ["value", "name", "seed", "unread", "twice", "row", "format"]


@pytest.mark.parametrize("kind", FAILED)
def test_a_record_that_is_refused(kind, capfd):
    canaries = Canaries()
    model = Forgetful(answers(kind, canaries))
    with Watch(canaries, capfd) as watch, RecordComposer(PROFILE, model) as composer:
        with pytest.raises(RecordGenerationError) as caught:
            composer.synthesize(SEED, pack_of(FULL), assemble=False)
        assert model.asked == 2
        assert canaries.in_exception(caught.value) == []
    assert watch.found == []
    gc.collect()
    assert canaries.in_live_objects() == []


ENDED = [
    (lambda said: Response(said, Finish.REFUSAL), ModelRefusedError),
    (lambda said: Response(f'{{"a": "{said}', Finish.LENGTH), ModelTruncatedError),
    (lambda said: ModelUnavailableError(f"gone: {said[:0]}"), ModelUnavailableError),
]


@pytest.mark.parametrize(("ended", "error"), ENDED)
def test_a_model_that_ends_after_a_correction(ended, error):
    canaries = Canaries()
    model = Forgetful([f"no record: {canaries['first']}", ended(canaries["second"])])
    with RecordComposer(PROFILE, model) as composer, pytest.raises(error) as caught:
        composer.synthesize(SEED, pack_of(FULL), assemble=False)
    assert canaries.in_exception(caught.value) == []
