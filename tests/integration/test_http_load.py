"""Many who look and some who decide, at one server that is killed in between: the benchmark, in small.

What it checks holds at every size: nobody sees an error, each decision that was acknowledged is in the log once, and
the log is sound.  How long it takes is for `bench/run.py --only load`.
"""

from bench import load


def test_people_at_a_server_that_is_killed_see_no_error_and_lose_no_decision():
    figures = {one.name: one for one in load.measure(load.Sizes(suggestions=500, seconds=3))}
    assert figures["killed and back"].value > 0
    assert "none of 30 decisions lost" in figures["killed and back"].detail
