"""These run against the wheel of ``bundle.toml`` in this folder."""

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
def faulty():
    return importlib.import_module(f"{ROOT}.dialects.faulty")


@pytest.fixture
def ctx(ir):
    """A context and an unknown location, entered."""
    with ir.Context() as context, ir.Location.unknown():
        yield context
