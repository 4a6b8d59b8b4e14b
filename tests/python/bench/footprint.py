"""Import time and resident memory of packages with MLIR in them: the table of
docs/measurements/import.md.

`footprint.py --out FILE TITLE=ROOT=PATH…`: `PATH` is put before `sys.path`, or empty. Each
number is the median of processes that are started in turn, with all files in the page cache.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

TURNS = 9

SCRIPT = """
import json, sys, time

def memory():
    lines = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
    return {key: int(lines[key].split()[0]) for key in ("VmRSS", "RssAnon")}

before = memory()
start = time.perf_counter()
import ROOT.ir as ir
imported = time.perf_counter() - start
after = memory()
start = time.perf_counter()
with ir.Context():
    module = ir.Module.parse("module {}")
context = time.perf_counter() - start
print(json.dumps({
    "import": imported,
    "context": context,
    "rss": after["VmRSS"] - before["VmRSS"],
    "anon": after["RssAnon"] - before["RssAnon"],
    "rss_context": memory()["VmRSS"] - before["VmRSS"],
    "modules": len(sys.modules),
    "numpy": "numpy" in sys.modules,
}))
"""


@dataclass(frozen=True)
class Package:
    """A package to measure."""

    title: str
    root: str
    path: str

    def once(self) -> dict:
        """One process."""
        env = os.environ | {"PYTHONPATH": self.path, "JAX_PLATFORMS": "cpu"}
        result = subprocess.run(
            [sys.executable, "-c", SCRIPT.replace("ROOT", self.root)],
            capture_output=True,
            text=True,
            env=env,
            check=True,
        )
        return json.loads(result.stdout)


def row(package: Package, runs: list[dict]) -> str:
    """A row of the table."""

    def middle(key: str) -> float:
        return statistics.median(run[key] for run in runs)

    cells = [
        f"{package.title}, `{package.root}.ir`",
        f"{middle('import') * 1e3:.0f} ms",
        f"{middle('rss') / 1e3:.1f} MB",
        f"{middle('anon') / 1e3:.1f} MB",
        f"{middle('context') * 1e3:.1f} ms",
        f"{middle('rss_context') / 1e3:.1f} MB",
        "yes" if runs[0]["numpy"] else "no",
    ]
    return "| " + " | ".join(cells) + " |"


def processor() -> str:
    """The processor's name, as the system reports it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} × {names[0]}" if names else platform.machine()


def main() -> None:
    """Measures all in turn."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("packages", nargs="+")
    arguments = parser.parse_args()
    packages = []
    for text in arguments.packages:
        title, root, path = text.split("=")
        packages.append(Package(title, root, path))
    runs: dict[Package, list[dict]] = {package: [] for package in packages}
    # The first turn brings the files into the page cache.
    for turn in range(TURNS + 1):
        for package in packages:
            numbers = package.once()
            if turn:
                runs[package].append(numbers)
    lines = [
        "# Import time and memory",
        "",
        f"Measured with `cargo lab bench import` on {date.today()} on one machine "
        f"({processor()}, CPython {platform.python_version()}). Each number is the median of "
        f"{TURNS} processes, which are started in turn. Resident memory is the increase by the "
        "import; the anonymous part is not backed by files, so that processes cannot share it. "
        "The context is the first one, with an empty module. [Sizes of the wheels](size.md).",
        "",
        "| package | import | resident | anonymous | context | resident with it | numpy |",
        "|---|--:|--:|--:|--:|--:|---|",
    ]
    lines += [row(package, runs[package]) for package in packages]
    arguments.out.write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
