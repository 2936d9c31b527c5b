"""Charts are numbers that the server draws: everything that happened is in one of the bars."""

from veracord.web.page_charts import outcome_bars, rate_chart


def test_too_little_is_no_chart():
    assert rate_chart([]) is None
    assert rate_chart([1.0]) is None
    assert rate_chart([5.0, 5.0]) is None


def test_the_highest_bar_reaches_the_top_and_none_leaves_the_picture():
    chart = rate_chart([0.0, 0.1, 0.2, 9.0, 10.0])
    assert min(bar["y"] for bar in chart["bars"]) == chart["top"]
    for bar in chart["bars"]:
        assert bar["height"] > 0
        assert chart["left"] <= bar["x"] < bar["x"] + bar["width"] <= chart["width"]
        assert abs(bar["y"] + bar["height"] - chart["base"]) < 0.02
    assert "5 units" in chart["words"]


def test_bars_are_measured_against_the_longest():
    bars = outcome_bars({"accepted": 4, "rejected": 1}, {"accepted": "checked"})
    assert [(bar["name"], bar["width"], bar["tone"]) for bar in bars] == [
        ("accepted", 100, "good"),
        ("rejected", 25, "bad"),
    ]
    assert bars[0]["meaning"] == "checked"
    assert outcome_bars({}, {}) == []
