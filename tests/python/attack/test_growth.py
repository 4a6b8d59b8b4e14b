"""No call takes time out of proportion.

Callgrind counts the instructions of each at a size and at four times that.
"""

import os
import pathlib
import platform
import runpy
import shlex
import subprocess
import sys

import pytest

PROGRAM = pathlib.Path(__file__).with_name("growth.py")
CASES = runpy.run_path(str(PROGRAM))["CASES"]
# Four times the size may take so many times the instructions. A square would be 16 times; text of
# nested operations has more spaces the deeper they are.
MOST = 6.0
# Mend these, and take them out: a case here that grows no more than that fails.
QUADRATIC = {
    "insert_symbols": "each reads the names of all symbols: MLIR reports no change of a name",
    "move_into_the_depth": "each move climbs to the root, which is at most 1000 levels away",
    "drop_what_is_deep": "MLIR's ~Region goes through all that is in it, at each of 1000 levels",
}


def marked(name):
    """A case, which must fail if it is known to be quadratic."""
    marks = [pytest.mark.xfail(strict=True, reason=QUADRATIC[name])] if name in QUADRATIC else []
    return pytest.param(name, marks=marks)


def instructions(folder):
    """The instructions of each part, in their order."""
    counts = {}
    for file in folder.iterdir():
        words = dict(line.split(": ", 1) for line in file.read_text().splitlines() if ": " in line)
        if "part" in words:
            counts[int(words["part"])] = int(words["totals"])
    return [counts[part] for part in sorted(counts)]


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    """The instructions of each case: of a first run, and at both sizes.

    One process counts all, because its start takes longest.
    """
    folder = tmp_path_factory.mktemp("growth")
    command = [
        *shlex.split(os.environ.get("MONDO_VALGRIND", "valgrind")),
        "--tool=callgrind",
        f"--callgrind-out-file={folder}/count",
        "--collect-atstart=no",
        "--dump-line=no",
        sys.executable,
        str(PROGRAM),
    ]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    # The end of the process writes one more part.
    parts = instructions(folder)
    assert len(parts) >= 3 * len(CASES)
    triples = zip(parts[0::3], parts[1::3], parts[2::3], strict=False)
    return dict(zip(CASES, triples, strict=False))


@pytest.mark.long
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the requests to valgrind are of x86-64")
@pytest.mark.parametrize("name", map(marked, CASES))
def test_no_call_takes_time_out_of_proportion(counts, name):
    _, small, large = counts[name]
    # A count of nothing proves nothing.
    assert small > 1000, small
    growth = large / small
    print(f"{name}: {small}, then {large}: {growth:.2f} times")
    assert growth <= MOST
