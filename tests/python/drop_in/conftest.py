"""Programs that run on upstream's package of the same LLVM and have to run on ours.

Nothing in this folder asks which of the two is installed.
"""

import importlib

import pytest
from mondo_fixtures import ROOT

pytest_plugins = ["mondo_fixtures"]


@pytest.fixture(scope="session")
def module():
    """Imports a module of the package by its name below the root."""
    return lambda name: importlib.import_module(f"{ROOT}.{name}")


@pytest.fixture
def ctx(ctx):
    """The shared one; operations that nobody has registered are allowed."""
    ctx.allow_unregistered_dialects = True
    return ctx


@pytest.fixture
def body(ir, ctx):
    """A module, at whose end new operations are put."""
    made = ir.Module.create()
    with ir.InsertionPoint(made.body):
        yield made
