"""Fixtures of the dialect ``fxp``; its wheels are those of ``fxp.toml`` and ``acme-fxp.toml``."""

import os

import pytest

pytest_plugins = ["mondo_fixtures"]

# They need memref, scf, vector and linalg, and the execution engine.
FULL = ["test_engine.py", "test_other_dialects.py"]
collect_ignore = FULL if os.environ.get("MONDO_BUNDLE") == "fxp" else []


@pytest.fixture(scope="session")
def fxp(dialect):
    """The module of the dialect."""
    return dialect("fxp")


@pytest.fixture(scope="session")
def parse(ir):
    """Parses a module."""
    return ir.Module.parse


@pytest.fixture(scope="session")
def run(passmanager):
    """Runs passes on a module, and returns the module."""

    def run(module, *passes):
        text = f"builtin.module({','.join(passes)})"
        passmanager.PassManager.parse(text).run(module.operation)
        return module

    return run
