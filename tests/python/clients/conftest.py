"""Programs over other people's packages, which run on upstream's package and have to run on ours.

Nothing in this folder asks which of the two is installed. ``python table.py`` runs it with two
interpreters and compares.
"""

import pytest
from mlir.extras.context import mlir_mod_ctx


@pytest.fixture
def ctx():
    """A context, a location and a module of eudsl-python-extras, entered."""
    with mlir_mod_ctx(allow_unregistered_dialects=True) as made:
        yield made
