"""Fixtures of the dialect ``units``; the wheel is that of ``manifests/units.toml``."""

import pytest

pytest_plugins = ["mondo_fixtures"]


@pytest.fixture(scope="session")
def units(dialect):
    """The module of the dialect."""
    return dialect("units")


@pytest.fixture
def block(ir, func, ctx):
    """The block of a function that gets metres, seconds and kilometres."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        types = [ir.Type.parse(f'!units.q<"{unit}">') for unit in ("m", "s", "km")]
        entry = func.FuncOp("f", (types, [])).add_entry_block()
    with ir.InsertionPoint(entry):
        yield entry
