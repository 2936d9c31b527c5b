"""A plot in plain characters: nothing is drawn as something, and nothing that happened is left out."""

import pytest

from veracord.apps.plots import rate_plot


@pytest.mark.parametrize("times", [[], [1.0], [2.0, 2.0]])
def test_too_little_is_not_drawn(times):
    assert rate_plot(times, 80) == []


def test_a_narrow_place_is_left_empty():
    assert rate_plot([0.0, 1.0], 20) == []


def test_a_gap_is_a_gap():
    lines = rate_plot([float(second) for second in (*range(10), *range(50, 60))], 80)
    bottom = lines[-3].partition("| ")[2]
    assert bottom.startswith("#")
    assert bottom.endswith("#")
    assert "      " in bottom


def test_one_among_many_is_seen():
    lines = rate_plot([0.0, *([59.9] * 1000), 60.0], 80)
    assert lines[-3].partition("| ")[2].startswith("#")
    assert lines[0].split("|")[0].strip() == "1,001"
    assert lines[-1].split() == ["00:00:00", "00:01:00"]


@pytest.mark.parametrize("width", [40, 80, 10_000])
def test_lines_keep_to_their_width(width):
    lines = rate_plot([number / 7 for number in range(500)], width)
    assert max(map(len, lines)) <= min(width, 72)
    assert all(line == line.rstrip() for line in lines)
