"""The classes and functions of an extension over IRCore.h.

Importing the extension replaces the dialect's own casters: `test_ircore.py` runs this file in a
process of its own.
"""

import gc
import importlib
import weakref

import pytest


@pytest.fixture(scope="session")
def classes(root):
    return importlib.import_module(f"{root}._mlir_libs._fxp_classes")


@pytest.fixture
def num(ctx, classes):
    return classes.NumType.get(16, 8)


@pytest.fixture
def here(ctx, ir):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        yield module


def constant(ir, attr, num):
    return ir.Operation.create("fxp.constant", results=[num], attributes={"value": attr})


def test_classes_derive_from_the_package(ir, root, classes, num):
    assert type(num) is classes.NumType
    assert isinstance(num, ir.Type)
    assert classes.NumTensorType.__mro__[1] is ir.RankedTensorType
    assert issubclass(classes.ValueAttr, ir.Attribute)
    assert issubclass(classes.NumValue, ir.Value)
    assert classes.NumType.__module__ == f"{root}._mlir_libs._fxp_classes"
    assert repr(num) == "NumType(!fxp.num<16, 8, signed>)"
    assert str(num) == "!fxp.num<16, 8, signed>"
    assert (num.width, num.frac) == (16, 8)
    assert classes.NumType.width.__doc__ == "How many bits a number has in all."


def test_one_object_stands_for_a_type(ir, classes, num):
    assert classes.NumType.get(16, 8) is num
    assert ir.Type.parse("!fxp.num<16, 8, signed>") is num
    assert classes.NumType(num) == num


def test_type_ids(ir, classes, num):
    assert classes.NumType.static_typeid == num.typeid == classes.type_id()
    assert classes.NumType.type_name == "fxp.num"
    with pytest.raises(AttributeError, match="NumTensorType has no typeid"):
        classes.NumTensorType.static_typeid  # noqa: B018


def test_casts_that_cannot_be(ir, classes, num):
    i8 = ir.IntegerType.get_signless(8)
    with pytest.raises(ValueError, match=r"Cannot cast type to NumType \(from IntegerType\(i8\)\)"):
        classes.NumType(i8)
    with pytest.raises(ValueError, match="Cannot cast attribute to ValueAttr"):
        classes.ValueAttr(ir.UnitAttr.get())
    said = r"__init__\(self, cast_from_type: .*_mlir_libs._mlir.ir.Type\) -> None"
    for wrong in [(42,), (num, num), ()]:
        with pytest.raises(TypeError, match=said):
            classes.NumType(*wrong)
    with pytest.raises(TypeError, match="Invoked with types: .*_fxp_classes.NumType, int"):
        classes.NumType(42)


def test_derived_in_python(classes, num):
    class Wide(classes.NumType):
        def __repr__(self):
            return "wide " + super().__repr__()

    wide = Wide(num)
    assert type(wide) is Wide
    assert wide.width == 16
    assert repr(wide) == "wide NumType(!fxp.num<16, 8, signed>)"
    assert wide == num


def test_overloads(classes, num):
    assert num.is_wider(8)
    assert not num.is_wider(num)
    assert num.is_wider(classes.NumType.get(8, 2))
    with pytest.raises(TypeError, match="incompatible function arguments"):
        num.is_wider("8")
    with pytest.raises(TypeError):
        num.is_wider(None)


def test_derived_from_a_class_of_the_package(ir, classes, num):
    tensor = classes.NumTensorType.get([2, 3], num)
    assert type(tensor) is classes.NumTensorType
    assert tensor.num_type is num
    assert tensor.shape == [2, 3]
    with pytest.raises(ValueError, match="Cannot cast type to NumTensorType"):
        classes.NumTensorType(ir.RankedTensorType.get([2], ir.F32Type.get()))


def test_attributes(classes, num):
    value = classes.ValueAttr.get(num, 384)
    assert type(value) is classes.ValueAttr
    assert value.raw == int(value) == 384
    assert value.type is num
    assert repr(value).startswith("ValueAttr(")


def test_values(ir, classes, num, here):
    value = constant(ir, classes.ValueAttr.get(num, 1), num).result
    assert type(value) is classes.NumValue
    assert value.num_type is num
    assert value.owner_name() == "fxp.constant"
    assert str(value).startswith("NumValue(%")
    assert classes.NumValue(value) == value
    other = ir.Operation.create(
        "arith.constant",
        results=[ir.F32Type.get()],
        attributes={"value": ir.FloatAttr.get(ir.F32Type.get(), 1)},
    )
    with pytest.raises(ValueError, match="Cannot cast value to NumValue"):
        classes.NumValue(other.result)


def test_values_that_are_gone(ir, classes, num, here):
    operation = constant(ir, classes.ValueAttr.get(num, 1), num)
    value = operation.result
    operation.erase()
    with pytest.raises(ir.InvalidatedError):
        value.owner_name()
    with pytest.raises(ir.InvalidatedError):
        classes.name_of(operation)


def test_defaults(ir, classes):
    with pytest.raises(RuntimeError, match="requires a Context but none was provided"):
        classes.context()
    with pytest.raises(RuntimeError, match="requires a Context but none was provided"):
        classes.location()
    with ir.Context() as context:
        with pytest.raises(RuntimeError, match="requires a Location but none was provided"):
            classes.location()
        assert classes.context() is context
        with ir.Location.name("here") as loc:
            assert classes.location() == loc
        other = ir.Context()
        assert classes.context(other) is other
    with pytest.raises(TypeError, match="incompatible function arguments"):
        classes.context(42)


def test_contexts_are_kept_alive_and_let_go(ir, classes):
    with ir.Context() as context, ir.Location.unknown():
        num = classes.NumType.get(8, 1)
        classes.location()
    gone = weakref.ref(context)
    del context
    assert classes.context_of(num) is gone()
    del num
    gc.collect()
    assert gone() is None


def test_operations(ir, classes, ctx, here):
    module = ir.Module.parse("func.func @f() { return }\nfunc.func @g() { return }")
    f, g = module.body.operations
    assert classes.name_of(f) == classes.name_of(f.operation) == "func.func"
    assert classes.parent_of(f.operation) == module.operation
    assert classes.parent_of(module.operation) is None
    assert classes.block_of(g) == module.body
    assert classes.view_of(f.operation) == f
    assert type(classes.view_of(f.operation)) is type(f)
    assert classes.region_of_block(module.body) == module.operation.regions[0]
    assert classes.blocks_in(f.regions[0]) == 1
    assert classes.names_in(f) == ["func.func", "func.return"]
    assert classes.body_of(module) == module.operation
    assert classes.symbol(module.operation, "g") == g
    assert classes.symbol_name(f).value == "f"
    with pytest.raises(KeyError):
        classes.symbol(module.operation, "h")
    classes.move_to_begin(g, module.body)
    assert list(module.body.operations) == [g, f]
    with pytest.raises(TypeError):
        classes.parent_of(f)


def test_what_python_and_mlir_raise(ir, classes, num):
    def lookup(_):
        raise KeyError("it")

    def fail(_):
        raise ZeroDivisionError("it")

    assert classes.call(lookup, num) == "caught"
    assert classes.call(lambda it: it, num) is num
    with pytest.raises(ZeroDivisionError):
        classes.call(fail, num)
    with pytest.raises(ir.MLIRError, match="Invalid type:\nerror: .*1 to 64 bits, not 0"):
        classes.NumType.get(0, 0)
    with pytest.raises(ir.MLIRError) as raised:
        classes.fail("no luck", ir.Location.name("place"))
    assert raised.value.error_diagnostics[0].message == "the reason"
    assert str(raised.value) == 'no luck:\nerror: "place": the reason'
    with pytest.raises(ir.MLIRError, match="Unable to parse operation assembly"):
        classes.parse("nonsense")
    assert classes.name_of(classes.parse("builtin.module {}")) == "builtin.module"


def test_other_kinds(ir, root, classes, num):
    d0 = ir.AffineDimExpr.get(0)
    assert classes.doubled(d0) == d0 + d0
    assert classes.results_of(ir.AffineMap.get_identity(3)) == 3
    named = classes.named(ir.UnitAttr.get())
    assert (named.name, named.attr) == ("it", ir.UnitAttr.get())
    assert classes.widths([num, classes.NumType.get(8, 1)]) == [16, 8]
    with pytest.raises(TypeError):
        classes.widths([num, 8])
    assert classes.or_none(None) is None
    assert classes.or_none(num) is num
    assert classes.is_null(None)
    assert not classes.is_null(num)
    assert [classes.float_kind(it.get()) for it in (ir.F32Type, ir.F64Type)] == [32, 64]
    with pytest.raises(TypeError):
        classes.float_kind(ir.F16Type.get())
    assert f"{root}.dialects" in classes.search_prefixes()
    assert classes.has_builder("I32Attr")
    assert not classes.has_builder("NoSuchAttr")
