"""Programs that misuse the package: an error says what is wrong, and nothing crashes."""

import copy
import pickle
from functools import partial

import pytest

UNINITIALISED = "has to call `super\\(\\).__init__`"


def without_initialisation(base):
    """An object of a subclass of ``base`` that never calls its constructor."""
    return type("Mine", (base,), {"__init__": lambda self: None})()


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("Value", lambda it: it.type),
        ("Value", str),
        ("Type", lambda it: it.context),
        ("Type", str),
        ("Attribute", lambda it: it.type),
        ("InsertionPoint", lambda it: it.block),
        ("InsertionPoint", lambda it: it.__enter__()),
    ],
)
def test_a_subclass_that_never_calls_the_constructor(ir, ctx, name, use):
    with pytest.raises(TypeError, match=UNINITIALISED):
        use(without_initialisation(getattr(ir, name)))


def test_uninitialised_objects_can_be_compared_and_put_into_sets(ir, ctx, i32):
    made = without_initialisation(ir.Type)
    assert made != i32 and len({made, i32}) == 2


def test_an_uninitialised_argument(ir, ctx, i32):
    with pytest.raises(TypeError, match=UNINITIALISED):
        ir.TupleType.get_tuple([i32, without_initialisation(ir.Type)])


@pytest.mark.parametrize(
    "way",
    [
        copy.copy,
        copy.deepcopy,
        pickle.dumps,
        *(partial(pickle.dumps, protocol=p) for p in range(3)),
    ],
)
def test_objects_are_not_copied_in_two_phases(ir, ctx, here, module, i32, way):
    objects = [
        i32,
        ir.IntegerAttr.get(i32, 1),
        module,
        module.operation,
        module.operation.regions,
        module.body,
        ir.Location.unknown(),
        ir.AffineMap.get_identity(1),
        ctx,
    ]
    for it in objects:
        with pytest.raises(TypeError, match="cannot pickle"):
            way(it)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_subclass_says_how_it_is_pickled(ir, ctx, protocol):
    class Width(ir.IntegerType):
        def __reduce__(self):
            return int, (self.width,)

    width = Width(ir.IntegerType.get_signless(7))
    assert pickle.loads(pickle.dumps(width, protocol)) == 7
    error = ir.DiagnosticSeverity.ERROR
    assert pickle.loads(pickle.dumps(error, protocol)) is error


def test_attributes_of_the_module_can_be_replaced(python, root):
    script = """
import importlib, sys
ir = importlib.import_module(sys.argv[1] + ".ir")
arith = importlib.import_module(sys.argv[1] + ".dialects.arith")
for name in ["IntegerType", "Type", "Value", "Operation", "OpView", "Context"]:
    setattr(ir, name, object)
context = importlib.import_module(sys.argv[1] + "._mlir_libs._mlir").ir.Context
with context():
    module = ir.Module.parse("%c = arith.constant 1 : i32")
    op = module.body.operations[0]
    assert isinstance(op, arith.ConstantOp) and str(op.result.type) == "i32"
    print(type(op.result.type).__name__)
"""
    assert python(script, root).stdout == "IntegerType\n"


def test_two_folders_with_the_same_module(python, root, tmp_path):
    """The first folder of the path wins, as with any module; nothing else changes."""
    for name in ["first", "second"]:
        folder = tmp_path.joinpath(name, *root.split("."), "dialects")
        folder.mkdir(parents=True)
        folder.joinpath("of_two.py").write_text(f"NAME = {name!r}\n")
    script = """
import importlib, sys
sys.path += sys.argv[2:]
mine = importlib.import_module(sys.argv[1] + ".dialects.of_two")
func = importlib.import_module(sys.argv[1] + ".dialects.func")
print(mine.NAME, func.FuncOp.OPERATION_NAME)
"""
    found = python(script, root, str(tmp_path / "first"), str(tmp_path / "second"))
    assert found.stdout == "first func.func\n"
