"""Programs that run on upstream's package of the same LLVM and have to run on ours.

Nothing in this folder asks which of the two is installed. ``MONDO_IMPORT_ROOT`` names the import
root.
"""

import importlib
import os
import subprocess
import sys

import pytest

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")


@pytest.fixture(scope="session")
def root():
    """The dotted import root."""
    return ROOT


@pytest.fixture(scope="session")
def module():
    """Imports a module of the package by its name below the root."""
    return lambda name: importlib.import_module(f"{ROOT}.{name}")


@pytest.fixture(scope="session")
def ir(module):
    return module("ir")


@pytest.fixture
def ctx(ir):
    """A context with a location, entered; operations that nobody has registered are allowed."""
    context = ir.Context()
    context.allow_unregistered_dialects = True
    with context, ir.Location.unknown():
        yield context


@pytest.fixture
def body(ir, ctx):
    """A module, at whose end new operations are put."""
    made = ir.Module.create()
    with ir.InsertionPoint(made.body):
        yield made


@pytest.fixture
def python():
    """Runs code in another process that looks for packages in the given folders too."""

    def run(code, *folders):
        env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders))}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
