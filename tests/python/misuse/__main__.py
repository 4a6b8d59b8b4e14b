"""``python -m misuse [--all]``: prints the number of uses, and each that is wrong."""

import argparse
import sys

from . import runner


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(prog="misuse")
    parser.add_argument("--all", action="store_true", help="every way to an object")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--result", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child is not None:
        runner.child(arguments.child, arguments.all, arguments.result)
        return 0
    outcome = runner.run(arguments.all)
    print("\n".join(outcome.wrong))
    print(
        f"{outcome.uses} uses of {outcome.classes} classes, {outcome.clear} errors about "
        f"`__init__`, {len(outcome.wrong)} wrong"
    )
    return bool(outcome.wrong)


sys.exit(main())
