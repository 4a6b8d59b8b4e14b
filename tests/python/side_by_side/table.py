"""Every ordered pair of packages, local and global, each in a process of its own: the table of
docs/measurements/coexistence.md.

`table.py --out FILE --other TITLE=ROOT… OURS…`, in the environment that the packages are installed
in. Ends with 1 if a pair with one of ours does not survive where each of the two alone does.
"""

from __future__ import annotations

import argparse
import itertools
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

MODES = ("local", "global")
SECONDS = 120
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Outcome:
    """The end of a process."""

    # ok, crash, wrong or hang.
    kind: str
    # The step that it was doing.
    step: str = ""
    # The signal, or the last line that it said.
    why: str = ""

    def cell(self) -> str:
        """A cell of the table."""
        return "ok" if self.kind == "ok" else f"**{self.kind}**: {self.step}"


def run(mode: str, *roots: str) -> Outcome:
    """Runs one package, or two in order."""
    command = [sys.executable, str(HERE / "pair.py"), mode, *roots]
    env = os.environ | {"JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=env,
    ) as process:
        try:
            said, complaint = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            return Outcome("hang", last(said), f"no end after {SECONDS} s")
    if process.returncode == 0:
        return Outcome("ok")
    if process.returncode < 0:
        return Outcome("crash", last(said), signal.Signals(-process.returncode).name)
    return Outcome("wrong", last(said), last(complaint))


def last(text: str) -> str:
    """Its last line."""
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def measure(roots: list[str]) -> dict[tuple[str, ...], Outcome]:
    """All that can be run, by mode and roots."""
    alone = [(mode, root) for mode in MODES for root in roots]
    pairs = [(mode, *pair) for mode in MODES for pair in itertools.permutations(roots, 2)]
    keys: list[tuple[str, ...]] = [*alone, *pairs]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(keys, pool.map(lambda key: run(*key), keys), strict=True))


def table(roots: list[str], titles: dict[str, str], outcomes: dict, mode: str) -> list[str]:
    """The table of one mode: the first package in rows, the second in columns."""
    lines = [
        "| first, then → | alone | " + " | ".join(titles[root] for root in roots) + " |",
        "|---|---|" + "---|" * len(roots),
    ]
    for first in roots:
        cells = [outcomes[mode, first].cell()]
        for second in roots:
            cells.append("" if first == second else outcomes[mode, first, second].cell())
        lines.append(f"| {titles[first]} | " + " | ".join(cells) + " |")
    return lines


def failures(ours: list[str], outcomes: dict) -> list[tuple[str, ...]]:
    """The pairs with one of ours that die though each of the two lives alone."""
    return [
        key
        for key, outcome in outcomes.items()
        if len(key) == 3
        and outcome.kind != "ok"
        and set(key[1:]) & set(ours)
        and all(outcomes[key[0], root].kind == "ok" for root in key[1:])
    ]


def page(ours: list[str], titles: dict[str, str], outcomes: dict) -> str:
    """The whole page."""
    roots = list(titles)
    lines = [
        "# Coexistence of packages that contain MLIR",
        "",
        f"Measured with `cargo lab coexist` on {date.today()}. Each cell is one process that "
        "imports a package and uses it, imports another package and uses that, and then uses both "
        "again. To use a package is to parse, to run passes, to print, to provoke an error, and to "
        "compile and run where the package can; objects of one package must be refused by the "
        "other. In the second table `sys.setdlopenflags(RTLD_NOW | RTLD_GLOBAL)` is called before "
        "the first import.",
        "",
        "A crash is a signal, wrong a Python exception, and a hang is a process that does not end "
        f"within {SECONDS} s; the cell names the step. The kind of failure of a pair may differ "
        f"between runs. The first {len(ours)} packages are made by mondo.",
    ]
    for mode in MODES:
        lines += ["", f"## {mode}", "", *table(roots, titles, outcomes, mode)]
    for what, chosen in (
        ("with one of mondo's", lambda key: set(key[1:]) & set(ours)),
        ("of others", lambda key: not set(key[1:]) & set(ours)),
    ):
        kept = [outcome.kind for key, outcome in outcomes.items() if len(key) == 3 and chosen(key)]
        lines += ["", f"Pairs {what}: {kept.count('ok')} of {len(kept)} work."]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Runs everything and writes the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--other", action="append", default=[])
    parser.add_argument("ours", nargs="+")
    arguments = parser.parse_args()
    titles = {root: f"`{root}`" for root in arguments.ours}
    for other in arguments.other:
        title, root = other.split("=")
        titles[root] = title
    outcomes = measure(list(titles))
    arguments.out.write_text(page(arguments.ours, titles, outcomes))
    for key, outcome in outcomes.items():
        if outcome.kind != "ok":
            print(*key, "-", outcome.kind, outcome.step, outcome.why, sep="  ")
    bad = failures(arguments.ours, outcomes)
    for key in bad:
        print("not as it should be:", *key, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
