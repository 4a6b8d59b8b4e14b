"""Runs the programs of this folder with two packages and compares: ``python table.py``.

Each program runs in a process of its own, because one that aborts must not take others with it. A
program that passes with the standard package has to pass with the examined one.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

_HERE = pathlib.Path(__file__).parent
_EXAMPLE = "example: python table.py --theirs peer/bin/python --ours venv/bin/python"
# Seconds for one program.
_LIMIT = 120


def _program(path: str) -> str:
    """The path from another folder; a link stays one, since it names its environment."""
    return os.path.abspath(path)


def _pytest(python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest in this folder without leaving files in it."""
    command = [python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=_HERE, capture_output=True, text=True, timeout=_LIMIT)


def programs(python: str) -> list[str]:
    """The names of all programs, as pytest has them."""
    done = _pytest(python, "--collect-only")
    if done.returncode:
        raise SystemExit(f"{python}: no programs: {done.stdout}{done.stderr}")
    return [line for line in done.stdout.splitlines() if "::" in line]


def _passes(python: str, program: str) -> bool:
    try:
        return _pytest(python, program).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def passing(python: str, names: list[str], jobs: int) -> set[str]:
    """The programs that pass with this interpreter's package."""
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda name: _passes(python, name), names)
        return {name for name, good in zip(names, results, strict=True) if good}


def main(given: list[str] | None = None) -> int:
    """Prints the table; the exit code is 1 if a program passes there and fails here."""
    parser = argparse.ArgumentParser(
        prog="python table.py", description=__doc__.split("\n")[0], epilog=_EXAMPLE
    )
    parser.add_argument(
        "--theirs", type=_program, required=True, help="the standard package's interpreter"
    )
    parser.add_argument(
        "--ours", type=_program, required=True, help="the examined package's interpreter"
    )
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time (2)")
    options = parser.parse_args(given)
    names = programs(options.ours)
    theirs = passing(options.theirs, names, options.jobs)
    ours = passing(options.ours, names, options.jobs)
    print("| programs | | passed there | passed here |\n|---|---|---|---|")
    for file in sorted({name.partition("::")[0] for name in names}):
        of_file = {name for name in names if name.startswith(f"{file}::")}
        counts = len(of_file), len(of_file & theirs), len(of_file & ours)
        print(f"| `{file}` | {counts[0]} | {counts[1]} | {counts[2]} |")
    worse = sorted(theirs - ours)
    for name in worse:
        print(f"passes there and fails here: {name}", file=sys.stderr)
    return 1 if worse or not theirs else 0


if __name__ == "__main__":
    sys.exit(main())
