"""The lifetime scenarios as tests: those that are selected run at once, some at a time."""

import pytest

from lifetime import runner
from lifetime.getters import GETTERS
from lifetime.killers import KILLERS
from lifetime.reasons import reason


@pytest.fixture(scope="session")
def outcomes(request):
    chosen = [
        item.callspec.params["name"]
        for item in request.session.items
        if item.name.startswith("test_scenario[")
    ]
    return {outcome.name: outcome for outcome in runner.run(chosen)}


@pytest.mark.parametrize("name", runner.names())
def test_scenario(outcomes, name):
    outcome = outcomes[name]
    assert outcome.verdict == "pass", f"{outcome.verdict}: {outcome.detail}"


def test_no_cell_is_left_out():
    empty = [(g, k) for g in GETTERS.values() for k in KILLERS.values() if reason(g, k) is not None]
    assert len(runner.cells()) + len(empty) == len(GETTERS) * len(KILLERS)
    assert len(runner.names()) >= 150
