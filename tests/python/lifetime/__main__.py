"""``python -m lifetime``: every scenario, and the table."""

import argparse
import json
import sys
import time

from . import runner
from .table import summary, table


def main() -> int:
    """Runs what the command line names; 0 if all passed."""
    parser = argparse.ArgumentParser(prog="python -m lifetime", description=__doc__)
    parser.add_argument("only", nargs="*", help="scenarios whose name contains one of these")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--here", action="store_true", help="play in this process, for a debugger")
    parser.add_argument("--lines", action="store_true", help="names from stdin, outcomes as JSON")
    args = parser.parse_args()
    if args.lines:
        for outcome in runner.run(sys.stdin.read().split(), args.jobs):
            print(json.dumps(vars(outcome)), flush=True)
        return 0
    chosen = [
        name for name in runner.names() if not args.only or any(part in name for part in args.only)
    ]
    if args.here:
        for name in chosen:
            print(name, flush=True)
            runner.play(name)
        return 0
    start = time.monotonic()
    outcomes = list(runner.run(chosen, args.jobs))
    seconds = time.monotonic() - start
    print(table(outcomes))
    print()
    for outcome in sorted(outcomes, key=lambda it: it.name):
        if "/" not in outcome.name:
            print(f"{outcome.verdict:<6} {outcome.name}")
    for outcome in outcomes:
        if outcome.verdict != "pass":
            print(f"{outcome.verdict}: {outcome.name}: {outcome.detail}")
    print(f"{summary(outcomes)}, in {seconds:.1f} s")
    return int(any(outcome.verdict != "pass" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
