"""``python -m model``: many random edits; with ``--valgrind``, under memcheck."""

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
# The number of steps between two comparisons of everything.
ALL = 2000


def drive(steps: int, seed: int, quiet: bool = False) -> None:
    """Does ``steps`` edits and checks them."""
    from .edits import Edits

    draw = random.Random(seed)
    world = Edits()
    start = time.monotonic()
    for step in range(1, steps + 1):
        code, a, b, c = (draw.getrandbits(16) for _ in range(4))
        try:
            world.step(code, a, b, c)
            if step % ALL == 0:
                world.check_all()
        except BaseException:
            print(f"seed {seed}, step {step}: {code, a, b, c}", file=sys.stderr)
            raise
        if not quiet and step % 100_000 == 0:
            rate = step / (time.monotonic() - start)
            print(f"{step} steps, {rate:.0f} a second, {len(world.ops)} operations", flush=True)
    world.check_all()
    made = world.next_uid
    world.end()
    seconds = time.monotonic() - start
    print(f"{steps} steps, {made} operations made, no difference, {steps / seconds:.0f} steps/s")


def memcheck(steps: int, seed: int) -> int:
    """The same under valgrind: no invalid access, and nothing lost for good in the extension."""
    command = [
        "valgrind",
        "--quiet",
        "--error-exitcode=97",
        # CPython reads what it has not written, on purpose.
        "--undef-value-errors=no",
        "--leak-check=full",
        "--errors-for-leak-kinds=definite",
        "--show-leak-kinds=definite",
        "--num-callers=120",
        f"--suppressions={HERE / 'cpython.supp'}",
        sys.executable,
        "-m",
        "model",
        f"--steps={steps}",
        f"--seed={seed}",
        "--quiet",
    ]
    environment = {
        **os.environ,
        "PYTHONMALLOC": "malloc",
        "MONDO_PLAIN_MALLOC": "1",
        "PYTHONPATH": str(HERE.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(command, env=environment, check=False).returncode


def main() -> int:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--valgrind", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args()
    if args.valgrind:
        return memcheck(args.steps, args.seed)
    drive(args.steps, args.seed, args.quiet)
    return 0


if __name__ == "__main__":
    sys.exit(main())
