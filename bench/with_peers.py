"""Put our pipeline into a copy of the bench of retry libraries, run it, and hold us to that bench's targets.

The bench lies beside the repository (`--shared FOLDER`); its copy lasts as long as this command.  Besides us and the
floor, every library that is installed here takes part in the timing.

Exit code 0: every target is met.  1: one is missed.  2: the bench is not at hand.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
# The scripts of this folder are no installed package.
sys.path.insert(0, str(ROOT))

from bench.peer_targets import OURS, Tables, Target, targets  # noqa: E402
from bench.peers_adapter import veracord  # noqa: E402
from bench.server_process import REFERENCE, serve  # noqa: E402
from bench.timing import own_environment  # noqa: E402
from veracord.errors import RunFailedError  # noqa: E402

FLOOR: Final = "raw_http"
_BUDGET: Final = 2
_MODULE: Final = "veracord_peer"
_ENROL: Final = f"\n\nfrom {_MODULE} import veracord\n\nPEERS['{OURS}'] = veracord\n"
#: What the server does wrong every time, and whether the validator fails.
_WAYS_TO_END: Final = {
    "rejected": ("semantic", False),
    "no form": ("structural", False),
    "validator fails": ("semantic", True),
    "cut off": ("truncated", False),
    "refused": ("refusal", False),
    "HTTP 429": ("http429", False),
    "HTTP 500": ("http500", False),
}
_SECONDS: Final = 300


@dataclass(frozen=True, slots=True)
class PeersBench:
    """A copy of the bench in which we take part.

    Attributes:
        folder: Where it is.
        environment: For its processes.
    """

    folder: Path
    environment: dict[str, str] = field(default_factory=own_environment)

    @classmethod
    def copy(cls, original: Path, folder: Path) -> "PeersBench":
        """Copy the bench and put us in."""
        shutil.copytree(original, folder, copy_function=shutil.copyfile)
        shutil.copyfile(Path(__file__).with_name("peers_adapter.py"), folder / f"{_MODULE}.py")
        with (folder / "peers.py").open("a", encoding="utf-8") as stream:
            stream.write(_ENROL)
        return cls(folder)

    def names(self) -> list[str]:
        """Return everybody who can be built here, us and the floor among them."""
        listed = self._run("-c", "import peers; print(' '.join(peers.PEERS))").stdout.split()
        return [name for name in listed if self._run("bench.py", name, "--what", "none").returncode == 0]

    def measure(self, name: str, what: str) -> dict[str, Any]:
        """Return what `bench.py` says of one side."""
        return self._told("bench.py", name, "--what", what)

    def edges(self) -> dict[str, Any]:
        """Return what `edge.py` says of us."""
        edges: dict[str, Any] = self._told("edge.py", OURS)["edge"]
        return edges

    def _told(self, *words: str) -> dict[str, Any]:
        done = self._run(*words)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)} failed:\n{done.stderr}")
        told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return told

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *words]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )

    def endings(self) -> dict[str, dict[str, Any]]:
        """Return how our runs end where the server never gives a good answer; the bench's own tables cannot tell."""
        sys.path.insert(0, str(self.folder))
        endings = {}
        with serve(self.folder / REFERENCE.name) as server:
            for name, (kind, crash) in _WAYS_TO_END.items():
                server.script(99, kind=kind, keep_log=True)
                endings[name] = {**_ending(server.url, crash=crash), "requests": len(server.log())}
        return endings


def _ending(url: str, *, crash: bool) -> dict[str, Any]:
    try:
        veracord(url, _BUDGET, crash)()
    except RunFailedError as error:
        report: Any = error.details["report"]
        return {"outcome": error.details["outcome"], "attempts": report.failed_by.attempts}
    return {"outcome": "accepted", "attempts": 0}


def main() -> int:
    """Run everything, print it, and return the exit code."""
    options = _options()
    original = options.shared / REFERENCE.parent
    if not (original / "bench.py").is_file():
        print(f"no bench of retry libraries in {original}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        bench = PeersBench.copy(original, Path(folder) / "peers")
        recorded = json.loads((bench.folder / "results.json").read_bytes())["peers"]
        tables = _tables(bench, options.rounds, recorded)
    checked = list(targets(tables))
    _show(tables, checked)
    if options.json:
        content = {"tables": tables.to_dict(), "missed": [target.name for target in checked if not target.holds]}
        options.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return 0 if all(target.holds for target in checked) else 1


def _tables(bench: PeersBench, rounds: int, recorded: dict[str, Any]) -> Tables:
    names = bench.names()
    if not {FLOOR, OURS} <= set(names):
        raise SystemExit("we, or the floor, cannot be built there")
    print(f"takes part in the timing: {', '.join(names)}", file=sys.stderr)
    ours = bench.measure(OURS, "growth,failure")
    speeds: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            speeds[name].append(bench.measure(name, "speed")["speed"])
    return Tables(
        growth=ours["growth"],
        failure=ours["failure"],
        endings=bench.endings(),
        edges=bench.edges(),
        processor_ms={name: [run["cpu_ms_per_call"] for run in runs] for name, runs in speeds.items()},
        calls_per_s={name: [run["calls_per_s"] for run in runs] for name, runs in speeds.items()},
        floor=FLOOR,
        least_growth=recorded["two_message"]["growth"],
    )


def _show(tables: Tables, checked: list[Target]) -> None:
    for line in _lines(tables):
        print(line)
    print()
    for target in checked:
        print(f"{'PASS' if target.holds else 'MISS'}  {target.name}: {target.detail}")


def _lines(tables: Tables) -> Iterator[str]:
    yield "growth: bad answers, messages of each request, prompt bytes (two_message as recorded there)"
    for case, row in tables.growth.items():
        yield f"  {case:13}{row['messages']!s:24}{row['prompt_bytes']:6}  ({tables.least_growth[case]['prompt_bytes']})"
    yield "failure: what is raised, requests, where the raw answer or the key is"
    for case, row in tables.failure.items():
        found = [name for name, value in row.items() if value is True]
        yield f"  {case:20}{row['result']:38}{row['requests']:3}  {', '.join(found) or 'nowhere'}"
    yield "endings: outcome, attempts, requests"
    for case, row in tables.endings.items():
        yield f"  {case:20}{row['outcome']:24}{row['attempts']:3}{row['requests']:3}"
    yield "edge: requests and what comes back"
    for case, told in tables.edges.items():
        yield f"  {case:20}{told if isinstance(told, bool) else ' '.join(map(str, told))}"
    yield "speed: processor ms a call (median of the rounds; all), calls a second"
    for name, took in tables.processor_ms.items():
        yield f"  {name:24}{median(took):7.3f}  {took}  {median(tables.calls_per_s[name]):,.0f}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="turns that each side gets in the timing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables there, too")
    parser.add_argument(
        "--shared",
        type=Path,
        metavar="FOLDER",
        default=ROOT.parent / "shared",
        help="where the bench of retry libraries lies, in bench/peers",
    )
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
