"""These run against a wheel with the dialect ``units``, under the import root it was built with."""

import importlib
import os

import pytest

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")


@pytest.fixture(scope="session")
def ir():
    return importlib.import_module(f"{ROOT}.ir")


@pytest.fixture(scope="session")
def passmanager():
    return importlib.import_module(f"{ROOT}.passmanager")


@pytest.fixture(scope="session")
def units():
    return importlib.import_module(f"{ROOT}.dialects.units")


@pytest.fixture(scope="session")
def func():
    return importlib.import_module(f"{ROOT}.dialects.func")


@pytest.fixture
def ctx(ir):
    """A context and an unknown location, entered."""
    with ir.Context() as context, ir.Location.unknown():
        yield context


@pytest.fixture
def block(ir, func, ctx):
    """The block of a function that gets metres, seconds and kilometres."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        types = [ir.Type.parse(f'!units.q<"{unit}">') for unit in ("m", "s", "km")]
        entry = func.FuncOp("f", (types, [])).add_entry_block()
    with ir.InsertionPoint(entry):
        yield entry
