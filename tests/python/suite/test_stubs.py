"""The stubs name every member that the native classes have.

stubtest compares what a class itself has; the members of wrapper classes are in the classes behind
them.
"""

import ast
import enum
import importlib
from collections.abc import Sequence
from pathlib import Path

import pytest

# The names that every class has, or that are not for type checkers.
UNLISTED = {*dir(object), "__dict__", "__weakref__", "__module__", "__nb_signature__"}
# The names that later Pythons add to classes by themselves.
UNLISTED |= {"__firstlineno__", "__release_buffer__", "__static_attributes__"}
# Names of the package's implementation, which alone uses them.
INTERNAL = {"_advice", "_remember", "_source"}
# A slot of the type object stands for both, whichever of the two does something.
TWINS = [
    {"__add__", "__radd__"},
    {"__setitem__", "__delitem__"},
    {"__set__", "__delete__"},
]


def stubs(native, *more):
    """The classes of all stubs: their members and the names of their bases."""
    classes = {}
    folder = Path(native.__file__).parent / native.__name__.rpartition(".")[2]
    for path in (*folder.glob("*.pyi"), *more):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                members = set()
                for item in node.body:
                    if isinstance(item, ast.FunctionDef | ast.ClassDef):
                        members.add(item.name)
                    elif isinstance(item, ast.AnnAssign):
                        members.add(item.target.id)
                    elif isinstance(item, ast.Assign):
                        members.update(target.id for target in item.targets)
                bases = [
                    base.value if isinstance(base, ast.Subscript) else base for base in node.bases
                ]
                classes[node.name] = members, [getattr(base, "id", "") for base in bases]
    return classes


def described(classes, name):
    """The members that the stubs give a class, with those it inherits from other classes in
    them."""
    members, bases = classes.get(name, (set(), []))
    inherited = set(dir(Sequence)) if "Sequence" in bases else set()
    return members.union(inherited, *(described(classes, base) for base in bases))


def missing(module, classes):
    """The members of a module's classes that the stubs do not have."""
    for name, cls in vars(module).items():
        if not isinstance(cls, type):
            continue
        known = described(classes, name)
        for base in (Exception, enum.Enum, enum.IntFlag):
            if issubclass(cls, base):
                known.update(dir(base), dir(type(base)), ("name", "value"))
        for twins in TWINS:
            if twins & known:
                known |= twins
        # `copyreg` leaves `__slotnames__` in classes that other tests have copied.
        for member in sorted({*dir(cls)} - UNLISTED - known - INTERNAL - {"__slotnames__"}):
            yield f"{name}.{member}"


# The stubs' names of dialects that LLVM 19 does not have.
SINCE_22 = {
    "UniformQuantizedSubChannelType",
    "ContractionDimensions",
    "ConvolutionDimensions",
    "get_indexing_maps",
    "infer_contraction_dimensions",
    "infer_contraction_dimensions_from_maps",
    "infer_convolution_dimensions",
    "isa_contraction_op",
    "isa_convolution_op",
}


@pytest.mark.parametrize("module", ["ir", "passmanager", "rewrite"])
def test_every_member(root, module):
    native = importlib.import_module(f"{root}._mlir_libs._mlir")
    assert not list(missing(getattr(native, module), stubs(native)))


def test_every_member_of_the_modules_for_dialects(root, llvm):
    """A core bundle has none of them."""
    native = importlib.import_module(f"{root}._mlir_libs._mlir")
    for path in Path(native.__file__).parent.glob("*.pyi"):
        module = importlib.import_module(f"{root}._mlir_libs.{path.stem}")
        assert not list(missing(module, stubs(native, path))), path.stem
        absent = SINCE_22 if llvm < 22 else set()
        assert {*stubs(native, path)} - {*stubs(native)} - absent <= {*vars(module)}
