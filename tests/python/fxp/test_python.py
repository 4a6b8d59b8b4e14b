"""The classes of the extension and of the dialect's module."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest


@pytest.fixture
def num(ctx, fxp):
    return fxp.NumType.get(16, 8)


@pytest.fixture
def here(ctx, ir):
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        yield module


def test_number_types(ir, fxp, num):
    assert (num.width, num.frac, num.signed) == (16, 8, True)
    assert str(num) == "!fxp.num<16, 8, signed>"
    assert repr(num) == "NumType(!fxp.num<16, 8, signed>)"
    unsigned = fxp.NumType.get(16, 8, signed=False)
    assert not unsigned.signed
    assert unsigned != num
    assert fxp.NumType.get(16, 8, True) is num
    assert fxp.NumType.get_static_typeid() == num.typeid


@pytest.mark.parametrize(
    ("width", "frac", "message"),
    [(0, 0, "1 to 64 bits, not 0"), (65, 0, "1 to 64 bits, not 65"), (8, 9, "cannot have 9")],
)
def test_types_that_are_none(ctx, fxp, width, frac, message):
    with pytest.raises(ValueError, match=message):
        fxp.NumType.get(width, frac)
    with pytest.raises(TypeError):
        fxp.NumType.get(-width, frac) if width else fxp.NumType.get("8", frac)


def test_a_context_is_needed(fxp):
    with pytest.raises((RuntimeError, ValueError, TypeError), match="[Cc]ontext"):
        fxp.NumType.get(16, 8)


def test_constants(ir, fxp, num):
    value = fxp.ValueAttr.get(num, -384)
    assert (value.raw, value.value, value.num_type) == (-384, Fraction(-3, 2), num)
    assert value.type is num
    assert type(ir.Attribute.parse(str(value))) is fxp.ValueAttr
    most = fxp.ValueAttr.get(fxp.NumType.get(64, 0, signed=False), 2**64 - 1)
    assert most.raw == most.value == 2**64 - 1
    splat = fxp.ValueAttr.get(ir.VectorType.get([4], num), 1)
    assert (splat.num_type, str(splat.type)) == (num, f"vector<4x{num}>")


@pytest.mark.parametrize("raw", [-(2**15) - 1, 2**15, 2**64, -(2**64)])
def test_raw_integers_out_of_range(fxp, num, raw):
    with pytest.raises(ValueError, match=r"is not in range\(-32768, 32768\)"):
        fxp.ValueAttr.get(num, raw)


def test_constants_of_other_types(ir, fxp, num):
    with pytest.raises(ValueError, match="has a type '!fxp.num'"):
        fxp.ValueAttr.get(ir.F32Type.get(), 1)
    with pytest.raises(ValueError, match="static shape"):
        fxp.ValueAttr.get(ir.RankedTensorType.get([ir.ShapedType.get_dynamic_size()], num), 1)
    with pytest.raises(TypeError):
        fxp.ValueAttr.get(num, 1.5)


@pytest.mark.parametrize("value", [1.5, Fraction(3, 2), Decimal("1.5")])
def test_constants_of_python_numbers(here, fxp, num, value):
    op = fxp.ConstantOp(num, value)
    assert op.literal_value == Fraction(3, 2)
    assert str(op) == "%cst = fxp.constant 1.5 : !fxp.num<16, 8, signed>"
    assert fxp.constant(fxp.ValueAttr.get(num, 384)).owner.value == op.value


@pytest.mark.parametrize("value", [0.1, Fraction(1, 3), 2**-9])
def test_python_numbers_that_are_none_of_the_type(here, fxp, num, value):
    with pytest.raises(ValueError, match="more than the 8 fraction bits"):
        fxp.constant(num, value)


def test_python_numbers_out_of_range(here, fxp, num):
    with pytest.raises(ValueError, match="not in range"):
        fxp.constant(num, 128)
    with pytest.raises((OverflowError, ValueError)):
        fxp.constant(num, math.inf)


def test_builders(here, ir, fxp, num):
    narrow = fxp.NumType.get(8, 0, signed=False)
    x, y = fxp.constant(num, 1.5), fxp.constant(narrow, 3)
    assert fxp.add(x, x).type is num
    # The narrowest format that has every number of both.
    assert str(fxp.mul(x, y).type) == "!fxp.num<17, 8, signed>"
    assert fxp.sub(x, y, results=[narrow]).type is narrow
    product = fxp.mul(x, x, rounding=fxp.Rounding.NearestEven, overflow="saturate").owner
    assert str(product.attributes["rounding"]) == "#fxp.rounding<nearest_even>"
    assert str(product.attributes["overflow"]) == "#fxp.overflow<saturate>"
    assert str(fxp.cmp(fxp.Predicate.LT, x, y).type) == "i1"
    assert str(fxp.convert(narrow, x, rounding="ceil").type) == str(narrow)
    assert fxp.to_int(ir.IntegerType.get_signless(8), x, is_unsigned=True).owner.is_unsigned
    assert here.operation.verify()


def test_no_format_for_both(here, ir, fxp):
    x = fxp.constant(fxp.NumType.get(64, 64, signed=False), 0)
    y = fxp.constant(fxp.NumType.get(64, 0), 0)
    with pytest.raises(Exception, match="needs a type of its own"):
        fxp.add(x, y)
    assert fxp.add(x, y, results=[y.type]).type is y.type


def test_a_context_without_the_dialect(ir, fxp):
    registry = ir.DialectRegistry()
    context = ir.Context()
    context.append_dialect_registry(registry)
    fxp.register_dialect(context)
    assert "fxp" in [dialect for dialect in ("fxp",) if context.dialects[dialect]]
