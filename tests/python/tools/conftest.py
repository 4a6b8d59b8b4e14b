"""Fixtures of the tools' suite: the commands of the wheel under test, and IR for them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["mondo_fixtures"]

FXP = """\
func.func @sum(%a: !fxp.num<16, 8, signed>) -> !fxp.num<16, 8, signed> {
  %0 = fxp.add %a, %a : !fxp.num<16, 8, signed>
  return %0 : !fxp.num<16, 8, signed>
}
"""

ARITH = """\
func.func @sum(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
"""


@pytest.fixture(scope="session")
def command(root):
    """The path of a tool's console script."""

    def command(tool):
        label = root.partition(".")[0]
        path = Path(sys.executable).parent / f"{label}-{tool}"
        assert path.is_file(), f"the wheel installed no {path.name}"
        return str(path)

    return command


@pytest.fixture(scope="session")
def run(command):
    """Runs a tool to its end."""

    def run(tool, *arguments, text=None):
        return subprocess.run(
            [command(tool), *arguments], input=text, capture_output=True, text=True, timeout=120
        )

    return run


@pytest.fixture(scope="session")
def sample():
    """A function with one operation of the bundle's own dialect, and that operation's name."""
    if os.environ["MONDO_BUNDLE"] == "fxp":
        return FXP, "fxp.add"
    return ARITH, "arith.addi"


@pytest.fixture
def only_default():
    """Skips in bundles with few dialects and tools."""
    if os.environ["MONDO_BUNDLE"] not in ("default", "default-tools"):
        pytest.skip("the bundle has neither this tool nor its dialects")
