"""What a producer is told after a rejection: all defects, each once, and nothing of validators that could not check."""

from veracord.pipeline.corrections import correction_of
from veracord.pipeline.verdicts import Defect, Verdict

COLD = Defect("too_cold", "/degrees", "is below what there is")
LATE = Defect("too_late", "/at", "is yet to come")


def test_a_validator_that_could_not_check_is_counted_and_tells_nothing():
    verdicts = [Verdict.execution_failed("raised:KeyError"), Verdict.rejected([COLD]), Verdict.execution_failed("slow")]
    correction = correction_of("{}", verdicts)
    assert (correction.response, correction.defects, correction.unchecked) == ("{}", (COLD,), 2)


def test_the_defects_of_all_validators_are_told_once_in_their_order():
    verdicts = [Verdict.rejected([LATE]), Verdict.passed(), Verdict.rejected([COLD, LATE])]
    assert correction_of("{}", verdicts).defects == (LATE, COLD)


def test_how_many_defects_are_not_told_is_told():
    many = [Defect(f"code_{number}", "", "is wrong") for number in range(60)]
    correction = correction_of("{}", [Verdict.rejected(many), Verdict.rejected([COLD])])
    assert (len(correction.defects), correction.more) == (51, 10)
