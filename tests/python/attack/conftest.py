"""Runs each attack in a process of its own, with limits on its time and memory.

``MONDO_EXTENT`` is ``gate`` or ``all``. Tests marked ``long`` run only with ``all``.
"""

import dataclasses
import os
import resource
import subprocess
import sys
import time

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes more than a second; not in the gate.")


def pytest_collection_modifyitems(config, items):
    if os.environ.get("MONDO_EXTENT") == "all":
        return
    skipped = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=skipped)
    items[:] = [item for item in items if item not in skipped]


@dataclasses.dataclass
class Outcome:
    """The end of an attack. ``status`` is negative for a signal, as in ``subprocess``."""

    status: int
    output: str
    errors: str
    seconds: float


@pytest.fixture
def attack():
    """Returns a function that runs a program in a fresh interpreter.

    A program that needs more than ``seconds`` is killed, which fails the test. ``memory`` limits
    the address space, in bytes.
    """

    def run(program, *arguments, seconds=60, memory=None, environment=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            preexec_fn=limit,
            env={**os.environ, **(environment or {})},
        )
        return Outcome(done.returncode, done.stdout, done.stderr, time.monotonic() - start)

    return run
