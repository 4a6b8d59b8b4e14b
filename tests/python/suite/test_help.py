"""What Python tells of the package: its help and its version."""

import importlib
import pydoc
from importlib import metadata

import pytest


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("ir", ["Module", "Operation", "IntegerType"]),
        ("passmanager", ["PassManager"]),
        ("rewrite", ["PatternRewriter"]),
    ],
)
def test_help_lists_the_classes(root, name, classes):
    text = pydoc.plain(pydoc.render_doc(importlib.import_module(f"{root}.{name}")))
    _, _, listed = text.partition("CLASSES")
    for one in classes:
        assert f"class {one}(" in listed


def test_a_star_takes_what_it_took_without_a_list(ir):
    assert set(ir.__all__) == {name for name in vars(ir) if not name.startswith("_")}


def test_the_version_is_that_of_the_distribution(root, ir):
    # The root is a namespace package: other distributions add modules to it.
    assert importlib.import_module(root).__file__ is None
    assert ir.__version__ in {it.version for it in metadata.distributions()}
    with pytest.raises(AttributeError, match="no attribute 'versions'"):
        _ = ir.versions
