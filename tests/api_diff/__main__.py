"""The command line: ``python -m api_diff``."""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys
from typing import Any

from . import accepted, compare, inspected

_EXAMPLE = """\
example:
  PYTHONPATH=tests python3 -m api_diff --theirs peer/bin/python --ours venv/bin/python

A package is given by the interpreter that has it installed, or by its folder of packages. The exit
code is 1 if there is a difference that the list does not accept, or an entry that accepts none.
"""
_LIST = pathlib.Path(__file__).with_name("accepted.toml")
_OPEN = pathlib.Path(__file__).with_name("open.toml")


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m api_diff",
        description="Compares names, signatures and behaviour of two installed MLIR packages.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--theirs", required=True, metavar="PLACE", help="the standard package")
    parser.add_argument("--ours", required=True, metavar="PLACE", help="the package to examine")
    parser.add_argument("--theirs-root", default="mlir", help="its import root (mlir)")
    parser.add_argument("--ours-root", default="mlir", help="its import root (mlir)")
    parser.add_argument(
        "--accepted",
        type=pathlib.Path,
        default=_LIST,
        metavar="FILE",
        help="the accepted differences (accepted.toml beside this program)",
    )
    parser.add_argument(
        "--open",
        type=pathlib.Path,
        default=_OPEN,
        metavar="FILE",
        help="the known differences that are to be mended (open.toml beside this program)",
    )
    parser.add_argument("--probes", action="store_true", help="compare behaviour, not names")
    parser.add_argument(
        "--programs", action="store_true", help="compare what the programs of notebooks do"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args(given)


def _both(options: argparse.Namespace, program: str) -> tuple[Any, Any]:
    """The output of ``program`` for each package; both are inspected at the same time.

    It uses one processor, and the packages share nothing.
    """
    with concurrent.futures.ThreadPoolExecutor() as pool:
        theirs = pool.submit(inspected.run, options.theirs, program, options.theirs_root)
        ours = pool.submit(inspected.run, options.ours, program, options.ours_root)
        return theirs.result(), ours.result()


def main(given: list[str] | None = None) -> int:
    """Runs the comparison; the exit code."""
    options = _arguments(given)
    program = "api_diff.facts"
    # The modules that cannot be imported there.
    absent: tuple[str, ...] = ()
    if options.probes or options.programs:
        program = "api_diff.probes" if options.probes else "api_diff.statements"
    try:
        reasons = accepted.read(options.accepted)
        entries = reasons + accepted.read(options.open, "open")
        theirs, ours = _both(options, program)
    except (accepted.BadFileError, inspected.FailedError) as error:
        print(error, file=sys.stderr)
        return 2
    if options.probes or options.programs:
        found = compare.outcomes(theirs, ours)
        examined = f"{len(theirs)} {'probes' if options.probes else 'statements'}"
        kinds = compare.PROBE_KINDS
        entries = [entry for entry in entries if entry.kind in kinds]
    else:
        found = compare.differences(theirs, ours)
        # An environment without PyYAML has not all of upstream's modules.
        absent = tuple(name for name, module in theirs["modules"].items() if "error" in module)
        for name in absent:
            print(f"not compared: {name}: {theirs['modules'][name]['error']}", file=sys.stderr)
        examined = f"{len(theirs['modules'])} modules, {len(theirs['classes'])} classes"
        entries = [entry for entry in entries if entry.kind not in compare.PROBE_KINDS]
    left, unused = accepted.split(found, entries)
    unused = [entry for entry in unused if not entry.where.startswith(absent)]
    if options.programs:
        # The entries are those of probes, of which programs need a few.
        unused = []
    beside, _ = accepted.split(found, reasons)
    known = len(beside) - len(left)
    counts = collections.Counter(difference.kind for difference in left)
    if options.json:
        result = {
            "differences": [difference._asdict() for difference in left],
            "accepted": len(found) - len(beside),
            "open": known,
            "unused": [str(entry) for entry in unused],
            "counts": counts,
        }
        print(json.dumps(result, indent=1))
    else:
        for difference in left:
            print(difference)
        for entry in unused:
            print(f"no such difference: {entry}")
        by_kind = ", ".join(f"{count} {kind}" for kind, count in counts.most_common()) or "none"
        print(
            f"{examined}: {len(found)} differences, {known} of them open; "
            f"new: {len(left)} ({by_kind})"
        )
    return 1 if left or unused else 0


if __name__ == "__main__":
    sys.exit(main())
