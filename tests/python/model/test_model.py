"""Short random programs; a failing one is made as short as it can be."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.__main__ import drive
from model.edits import Edits

NUMBER = st.integers(0, 2**16 - 1)
STEP = st.tuples(NUMBER, NUMBER, NUMBER, NUMBER)


@settings(
    max_examples=150,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(STEP, max_size=60))
def test_program(steps):
    world = Edits()
    for step in steps:
        world.step(*step)
    world.check_all()
    world.end()


@pytest.mark.parametrize("seed", range(4))
def test_many_steps(seed):
    drive(10_000, seed, quiet=True)
