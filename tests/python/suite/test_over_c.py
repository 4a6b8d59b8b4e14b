"""The library below Python: deaths that C++ tells of, and the thread pool that survives a fork."""

import importlib.util
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("over_c.py")


@pytest.fixture(scope="session")
def library(root):
    """The mondo library's path."""
    (package,) = importlib.util.find_spec(root).submodule_search_locations
    (found,) = Path(package).rglob("lib*_mondo.so")
    return found


@pytest.mark.parametrize("scenario", runpy.run_path(str(PROGRAM))["SCENARIOS"])
def test_over_c(library, scenario):
    done = subprocess.run(
        [sys.executable, "-Wignore", str(PROGRAM), str(library), scenario],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout.endswith("done\n")
