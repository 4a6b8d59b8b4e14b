"""One package, or one and then another, in this process: `pair.py local|global ROOT [ROOT]`.

Each does real work as soon as it is loaded, and again after the other has worked. What is being
done is printed before it is done, so that whoever reads it knows where a process crashed.
"""

import os
import sys
from collections.abc import Callable

from work import apart, package


def step(name: str, do: Callable[[], object]) -> None:
    """Does one thing, and says so first."""
    print(name, flush=True)
    do()


def main(mode: str, roots: list[str]) -> None:
    """Loads the packages in order."""
    if mode == "global":
        sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    packages = [package(root) for root in roots]
    for one in packages:
        step(f"load {one.root}", one.load)
        step(f"work {one.root}", one.work)
    if len(packages) > 1:
        first, second = packages
        step(f"work {first.root} again", first.work)
        step("keep types apart", lambda: apart(first, second))
        for one in packages:
            step(f"work {one.root} at last", one.work)
    print("exit", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
