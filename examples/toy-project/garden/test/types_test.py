"""The classes of operations, types and attributes as a type checker sees them."""

import pytest

api = pytest.importorskip("mypy.api")

# The package of the bundle, and the one that the first project's users import.
ROOTS = ["acme.mlir", "toy"]

PROGRAM = """
from acme.mlir.dialects import toy
from acme.mlir.ir import Attribute, Context, Location


def words(tag: toy.TagAttr) -> list[str]:
    color: toy.Color = tag.color
    return [tag.text, str(color)]


with Context(), Location.unknown():
    tag = toy.TagAttr.get(toy.Color.Green, "leaf")
    other = Attribute.parse('#toy.tag<red, "rose">')
    if isinstance(other, toy.TagAttr):
        print(words(tag) + words(other))
"""

SAME = """
import acme.mlir.ir
import toy.ir


def same(it: toy.ir.Type) -> acme.mlir.ir.Type:
    return it
"""

MISTAKES = {
    'toy.TagAttr.get("green", "leaf")': "arg-type",
    "toy.TagAttr.get(toy.Color.Green)": "call-arg",
    "number: int = tag.text": "assignment",
    "tag.leaf": "attr-defined",
}


def check(tmp_path, text):
    program = tmp_path / "program.py"
    program.write_text(text)
    said, errors, code = api.run(["--strict", "--cache-dir", str(tmp_path), str(program)])
    assert not errors
    return said, code


@pytest.mark.parametrize("root", ROOTS)
def test_a_program_over_the_classes_is_strictly_typed(tmp_path, root):
    said, code = check(tmp_path, PROGRAM.replace("acme.mlir", root))
    assert code == 0, said


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_seen(tmp_path, mistake, root):
    said, code = check(tmp_path, PROGRAM.replace("acme.mlir", root) + "    " + mistake + "\n")
    assert code == 1
    assert said.count("error:") == 1
    assert f"[{MISTAKES[mistake]}]" in said


def test_a_type_is_one_by_both_names(tmp_path):
    said, code = check(tmp_path, SAME)
    assert code == 0, said
