"""The pytest plugin with the fixtures that several suites use.

A suite's ``conftest.py`` loads it with ``pytest_plugins = ["mondo_fixtures"]``; ``tests/python`` is
on ``PYTHONPATH``. A fixture that only one suite needs belongs in that suite's ``conftest.py``.

The suites run against an installed wheel. ``MONDO_IMPORT_ROOT`` names the import root that the
wheel was built with: ``mlir`` by default, or a private label such as ``acme.mlir``.
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
def ir():
    """The module ``<root>.ir``."""
    return importlib.import_module(f"{ROOT}.ir")


@pytest.fixture(scope="session")
def passmanager():
    """The module ``<root>.passmanager``."""
    return importlib.import_module(f"{ROOT}.passmanager")


@pytest.fixture(scope="session")
def dialect():
    """Imports the module of a dialect by the dialect's name."""
    return lambda name: importlib.import_module(f"{ROOT}.dialects.{name}")


@pytest.fixture(scope="session")
def func(dialect):
    """The module of the dialect ``func``."""
    return dialect("func")


@pytest.fixture
def ctx(ir):
    """A context and an unknown location, both entered."""
    with ir.Context() as context, ir.Location.unknown():
        yield context


@pytest.fixture(scope="session")
def python():
    """Runs a script in a new interpreter, which must end with status 0 unless ``may_fail``.

    With ``folders`` it looks for packages there too.
    """

    def python(script, *args, may_fail=False, folders=()):
        paths = {"PYTHONPATH": os.pathsep.join(map(str, folders))} if folders else {}
        done = subprocess.run(
            [sys.executable, "-c", script, *args],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env=os.environ | paths,
        )
        assert may_fail or done.returncode == 0, done.stderr
        return done

    return python
