"""Answers to questions: every claim of one is supported by evidence that it cites, or there is none."""
