"""The lifetime scenarios as tests: those that are selected run at once, some at a time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lifetime import runner
from lifetime.actions import ACTIONS
from lifetime.getters import GETTERS
from lifetime.reasons import reason


@pytest.fixture(scope="session")
def outcomes(request):
    chosen = [
        item.callspec.params["name"]
        for item in request.session.items
        if item.name.startswith("test_scenario[")
    ]
    # Not forked from here: a scenario may be about the end of its interpreter.
    done = subprocess.run(
        [sys.executable, "-m", "lifetime", "--lines"],
        input="\n".join(chosen),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert done.returncode == 0, done.stderr
    outcomes = [runner.Outcome(**json.loads(line)) for line in done.stdout.splitlines()]
    return {outcome.name: outcome for outcome in outcomes}


@pytest.mark.parametrize("name", runner.names())
def test_scenario(outcomes, name):
    outcome = outcomes[name]
    assert outcome.verdict == "pass", f"{outcome.verdict}: {outcome.detail}"


def test_every_cell_has_a_scenario():
    empty = [(g, k) for g in GETTERS.values() for k in ACTIONS.values() if reason(g, k) is not None]
    assert len(runner.cells()) + len(empty) == len(GETTERS) * len(ACTIONS)
    assert len(runner.names()) >= 150
