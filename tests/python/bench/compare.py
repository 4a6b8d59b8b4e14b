"""Times the items of ``items.py`` on two packages in turn, each in a process of its own, and prints
both and their ratios: ``python compare.py PEER-PYTHON PEER-ROOT OUR-PYTHON OUR-ROOT [--json]``.
With ``--instructions`` it counts instructions with valgrind as well: they do not depend on the
load of the machine."""

import argparse
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
TURNS = 7
IMPORTS = 9
# The operations of the module when instructions are counted, which takes fifty times as long.
COUNTED_OPERATIONS = 2_000
# The instructions that the counted runs take, unless even the most runs take fewer: those before
# the runs differ by some 12 million between two processes with upstream's bindings.
COUNTED_AT_LEAST = 600_000_000
MOST_RUNS = 1_500

# The greatest allowed ratio of each time to upstream's; the mean of all ratios is to be MEAN at
# most.
MEAN = 0.33
AIMS = {"canonicalize_and_cse": 1.05, "destroy": 1.05}
IMPORT_SECONDS = 0.060

IMPORT = """
import sys, time
start = time.perf_counter()
import {root}.ir
print(time.perf_counter() - start, "numpy" in sys.modules)
"""


class Package:
    """A package under an interpreter."""

    def __init__(self, python: str, root: str) -> None:
        self.python = python
        self.root = root
        self.process = subprocess.Popen(
            [python, str(HERE / "items.py"), root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.items = json.loads(self.process.stdout.readline())

    def time(self, item: str) -> float:
        """The seconds for one of the things that an item does."""
        self.process.stdin.write(f"{item}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.root} ended in {item}")
        seconds, count = json.loads(answer)
        return seconds / count

    def import_time(self) -> tuple[float, bool]:
        """The seconds of an import in a fresh process, and whether it brought numpy."""
        script = IMPORT.format(root=self.root)
        done = subprocess.run(
            [self.python, "-c", script], capture_output=True, text=True, check=True
        )
        seconds, numpy = done.stdout.split()
        return float(seconds), numpy == "True"

    def end(self) -> None:
        """Lets the process end."""
        self.process.stdin.close()
        self.process.wait()


def instructions(python: str, root: str, item: str) -> float:
    """The instructions for one of the things that an item does: a process with many runs less one
    with a single run. What a process does before the runs differs by some millions."""
    once, count = total(python, root, item, 1)
    runs = 11
    work = total(python, root, item, runs)[0] - once
    if work < COUNTED_AT_LEAST:
        runs = min(max(runs, COUNTED_AT_LEAST * (runs - 1) // max(work, 1) + 2), MOST_RUNS)
        work = total(python, root, item, runs)[0] - once
    return work / count / (runs - 1)


def total(python: str, root: str, item: str, runs: int) -> tuple[int, int]:
    """The instructions of a process with so many runs of an item, and what one run does."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", python]
            + [str(HERE / "items.py"), root, str(COUNTED_OPERATIONS), str(runs)],
            input=f"{item}\n",
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": "0"},
        )
        count = json.loads(done.stdout.splitlines()[-1])[1]
        return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1]), count


def counted(peer: Package, ours: Package) -> dict[str, dict[str, float]]:
    """The instructions of each item with both packages, and their ratios."""
    found = {}
    # An object that one run has destroyed is not there for the next.
    for item in (item for item in peer.items if "destroy" not in item):
        theirs, mine = (instructions(it.python, it.root, item) for it in (peer, ours))
        found[item.rstrip("_")] = {"peer": theirs, "ours": mine, "ratio": mine / theirs}
    return found


def mean_of(found: dict[str, dict[str, float]]) -> float:
    """The geometric mean of the ratios."""
    return math.exp(statistics.fmean(math.log(item["ratio"]) for item in found.values()))


def shown(seconds: float) -> str:
    """Seconds in a unit that suits them."""
    for unit, factor in (("s ", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:8.2f} {unit}"
    return f"{seconds * 1e9:8.0f} ns"


def measure(peer: Package, ours: Package) -> dict[str, dict[str, float]]:
    """The medians of each item, and of the ratios turn by turn."""
    found = {}
    for item in peer.items:
        pairs = []
        # The first turn warms up.
        for turn in range(TURNS + 1):
            first, second = (peer, ours) if turn % 2 else (ours, peer)
            times = {first: first.time(item), second: second.time(item)}
            if turn:
                pairs.append((times[peer], times[ours]))
        found[item.rstrip("_")] = row(pairs)
    pairs = [(peer.import_time()[0], ours.import_time()[0]) for _ in range(IMPORTS)]
    found["import"] = row(pairs)
    return found


def row(pairs: list[tuple[float, float]]) -> dict[str, float]:
    """The medians of pairs of times."""
    return {
        "peer": statistics.median(peer for peer, _ in pairs),
        "ours": statistics.median(ours for _, ours in pairs),
        "ratio": statistics.median(ours / peer for peer, ours in pairs),
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("peer_python", "peer_root", "our_python", "our_root"):
        parser.add_argument(name)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--instructions", action="store_true", help="count them with valgrind")
    args = parser.parse_args()
    start = time.monotonic()
    peer = Package(args.peer_python, args.peer_root)
    ours = Package(args.our_python, args.our_root)
    found = measure(peer, ours)
    numpy = {"peer": peer.import_time()[1], "ours": ours.import_time()[1]}
    peer.end()
    ours.end()
    if args.instructions and not shutil.which("valgrind"):
        raise SystemExit("--instructions needs valgrind: apt-get install valgrind")
    count = counted(peer, ours) if args.instructions else {}
    mean = mean_of(found)
    if args.json:
        result = {"items": found, "geometric_mean": mean, "numpy": numpy, "instructions": count}
        print(json.dumps(result, indent=2))
        return
    print(f"{'item':<24}{'peer':>15}{'ours':>13}   ratio   aim")
    for name, item in found.items():
        aim = AIMS.get(name, 1.0)
        mark = "" if item["ratio"] <= aim else "   missed"
        times = f"{shown(item['peer']):>15}{shown(item['ours']):>13}"
        print(f"{name:<24}{times}{item['ratio']:8.2f}{aim:6.2f}{mark}")
    print(f"geometric mean of the ratios {mean:.3f} (aim {MEAN})")
    milliseconds = found["import"]["ours"] * 1e3
    print(
        f"import {milliseconds:.1f} ms (aim {IMPORT_SECONDS * 1e3:.0f} ms), brings numpy:", end=" "
    )
    print(
        f"{'yes' if numpy['ours'] else 'no'} (aim no), the peer: {'yes' if numpy['peer'] else 'no'}"
    )
    for name, item in count.items():
        print(f"{name:<24}{item['peer']:>15,.0f}{item['ours']:>13,.0f}{item['ratio']:8.2f}")
    if count:
        print(f"geometric mean of the instructions' ratios {mean_of(count):.3f}")
    print(f"medians of {TURNS} turns, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
