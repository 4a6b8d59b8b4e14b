"""Fixtures of the dialect ``faulty``; the wheel is that of ``bundle.toml`` in this folder."""

import pytest

pytest_plugins = ["mondo_fixtures"]


@pytest.fixture(scope="session")
def faulty(dialect):
    """The module of the dialect."""
    return dialect("faulty")
