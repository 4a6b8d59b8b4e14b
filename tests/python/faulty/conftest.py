"""Fixtures of the dialect ``faulty``; the wheel is that of ``bundle.toml`` in this folder."""

import pytest

pytest_plugins = ["mondo_fixtures"]


@pytest.fixture(scope="session")
def faulty(dialect):
    """The module of the dialect."""
    return dialect("faulty")


@pytest.fixture(scope="session")
def sample(dialect):
    """The module of the dialect with an operation for each trait."""
    return dialect("sample")


@pytest.fixture
def after(ir, passmanager, ctx):
    """Runs a pipeline on the text of a module, and returns the text that it leaves."""

    def run(pipeline, text):
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        assert module.operation.verify()
        return str(module)

    return run
