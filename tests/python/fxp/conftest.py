"""What the tests of the `fxp` dialect share."""

import importlib
import os
import subprocess
import sys

import pytest

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")

# They need memref, scf, vector and linalg, and the execution engine.
FULL = ["test_engine.py", "test_other_dialects.py"]
collect_ignore = FULL if os.environ.get("MONDO_BUNDLE") == "fxp" else []


@pytest.fixture(scope="session")
def root():
    """The dotted import root."""
    return ROOT


@pytest.fixture(scope="session")
def ir():
    return importlib.import_module(f"{ROOT}.ir")


@pytest.fixture(scope="session")
def fxp():
    return importlib.import_module(f"{ROOT}.dialects.fxp")


@pytest.fixture
def ctx(ir):
    """A context and a location, entered."""
    with ir.Context() as context, ir.Location.unknown():
        yield context


@pytest.fixture(scope="session")
def parse(ir):
    return ir.Module.parse


@pytest.fixture(scope="session")
def run():
    """Runs passes on a module, and gives it back."""
    passmanager = importlib.import_module(f"{ROOT}.passmanager")

    def run(module, *passes):
        text = f"builtin.module({','.join(passes)})"
        passmanager.PassManager.parse(text).run(module.operation)
        return module

    return run


@pytest.fixture(scope="session")
def python():
    """Runs a script in an interpreter of its own; a script that fails fails the test."""

    def python(script, *args, may_fail=False):
        done = subprocess.run(
            [sys.executable, "-c", script, *args],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert may_fail or done.returncode == 0, done.stderr
        return done

    return python
