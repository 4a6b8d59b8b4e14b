"""Classes derived from those of the package that have an ``__init__`` of their own.

The package's classes take their arguments in ``__init__``; ``__new__`` makes an object without
contents, and takes any arguments.
"""

import copy
import gc
import pickle
import warnings

import pytest

pytestmark = pytest.mark.filterwarnings("ignore:nanobind")


def make_classes(ir, arith):
    class Scalar(ir.Value):
        def __init__(self, number, *, width=32):
            integer = ir.IntegerType.get_signless(width)
            super().__init__(arith.ConstantOp(integer, number).result)
            self.number = number

    class Word(ir.Type):
        def __init__(self, *, width):
            super().__init__(ir.IntegerType.get_signless(width))

    class Width(ir.IntegerAttr):
        def __init__(self, number, comment=None):
            super().__init__(ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number))
            self.comment = comment

    return Scalar, Word, Width


@pytest.fixture
def classes(ir, module):
    return make_classes(ir, module("dialects.arith"))


def test_value(ir, body, classes):
    scalar = classes[0](7, width=16)
    assert isinstance(scalar, ir.Value) and scalar.number == 7
    assert str(scalar.type) == "i16"
    assert scalar.owner.name == "arith.constant"
    plain = body.body.operations[0].result
    assert scalar == plain and hash(scalar) == hash(plain) and scalar is not plain


def test_value_of_a_value(ir, body, module, classes):
    arith = module("dialects.arith")

    class Sum(ir.Value):
        def __init__(self, left, right=None):
            super().__init__(left if right is None else arith.AddIOp(left, right).result)

    a, b = classes[0](1), classes[0](2)
    total = Sum(a, b)
    assert total.owner.name == "arith.addi" and list(total.owner.operands) == [a, b]
    again = Sum(total)
    assert again == total and type(again) is Sum
    assert Sum(again) == total
    assert Sum(a) == a and Sum(a) != total


def test_result_and_argument(ir, ctx):
    class Mine(ir.OpResult):
        def __init__(self, op, index):
            super().__init__(op.results[index])

    class Argument(ir.BlockArgument):
        def __init__(self, block):
            super().__init__(block.arguments[0])

    i32 = ir.IntegerType.get_signless(32)
    op = ir.Operation.create("t.two", results=[i32, i32], regions=1)
    block = op.regions[0].blocks.append(i32)
    assert Mine(op, 1).result_number == 1
    assert Argument(block).arg_number == 0 and Argument(block).owner == block

    class Wrong(ir.OpResult):
        def __init__(self, block):
            super().__init__(block.arguments[0])

    with pytest.raises(
        ValueError, match="Cannot cast value to Wrong|Cannot cast value to OpResult"
    ):
        Wrong(block)


def test_type(ir, ctx, classes):
    word = classes[1](width=24)
    assert str(word) == "i24" and isinstance(word, ir.Type)
    assert word == ir.IntegerType.get_signless(24)
    assert ir.IntegerType(word).width == 24
    assert str(ir.FunctionType.get([word], [])) == "(i24) -> ()"


def test_kind_of_type(ir, ctx):
    class Vector(ir.VectorType):
        def __init__(self, *shape, element):
            super().__init__(ir.VectorType.get(shape, element))

    vector = Vector(2, 3, element=ir.F32Type.get())
    assert vector.shape == [2, 3] and str(vector.element_type) == "f32"

    class Wrong(ir.VectorType):
        def __init__(self):
            super().__init__(ir.F32Type.get())

    with pytest.raises(ValueError, match="Cannot cast type to"):
        Wrong()


def test_attribute(ir, ctx, classes):
    width = classes[2](5, comment="five")
    assert width.value == 5 and width.comment == "five" and str(width) == "5 : i64"
    assert ir.DictAttr.get({"a": width})["a"] == width


def test_affine_expression(ir, ctx):
    class Dim(ir.AffineDimExpr):
        def __init__(self, position, name):
            super().__init__(ir.AffineExpr.get_dim(position))
            self.name = name

    dim = Dim(2, "k")
    assert dim.position == 2 and dim.name == "k" and str(dim) == "d2"
    assert dim == ir.AffineDimExpr.get(2)
    assert str(dim + 1) == "d2 + 1"
    assert str(ir.AffineMap.get(3, 0, [dim])) == "(d0, d1, d2) -> (d2)"

    class Sum(ir.AffineAddExpr):
        def __init__(self, left, right):
            super().__init__(ir.AffineAddExpr.get(left, right))

    total = Sum(dim, ir.AffineDimExpr.get(0))
    assert isinstance(total.lhs, ir.AffineDimExpr)

    class Wrong(ir.AffineSymbolExpr):
        def __init__(self):
            super().__init__(dim)

    with pytest.raises(ValueError, match="Cannot cast affine expression to AffineSymbolExpr"):
        Wrong()


def test_dialect(ir, ctx):
    class Arith(ir.Dialect):
        def __init__(self, context):
            super().__init__(context.get_dialect_descriptor("arith"))

    assert Arith(ctx).descriptor.namespace == "arith"


def test_in_two_steps(ir, ctx):
    made = ir.Type.__new__(ir.Type)
    made.__init__(ir.IntegerType.get_signless(8))
    assert str(made) == "i8"
    made = ir.IntegerType.__new__(ir.IntegerType, "anything")
    made.__init__(cast_from_type=ir.IntegerType.get_signless(8))
    assert made.width == 8


def test_keywords(ir, ctx):
    assert str(ir.Type(cast_from_type=ir.F32Type.get())) == "f32"
    op = ir.Operation.create("t.one", results=[ir.F32Type.get()])
    assert ir.Value(value=op.result) == op.result


def test_without_super(ir, ctx):
    class Forgetful(ir.Value):
        def __init__(self, number):
            self.number = number

    class Typeless(ir.IntegerType):
        def __init__(self):
            pass

    class Expression(ir.AffineDimExpr):
        def __init__(self):
            pass

    class Place(ir.InsertionPoint):
        def __init__(self):
            pass

    uses = [
        lambda: Forgetful(3).type,
        lambda: Forgetful(3).owner,
        lambda: Forgetful(3).uses,
        lambda: str(Forgetful(3)),
        lambda: ir.Value(Forgetful(3)),
        lambda: ir.Operation.create("t.use", operands=[Forgetful(3)]),
        lambda: str(Typeless()),
        lambda: Typeless().width,
        lambda: ir.FunctionType.get([Typeless()], []),
        lambda: str(Expression()),
        lambda: Expression().position,
        lambda: Expression() + 1,
        lambda: Place().block,
        lambda: Place().__enter__(),
        lambda: Place().insert(ir.Operation.create("t.op")),
    ]
    for number, use in enumerate(uses):
        with pytest.raises((TypeError, RuntimeError, ValueError)):
            use()
            raise AssertionError(f"use {number} raised nothing")
    forgetful = Forgetful(3)
    assert forgetful.number == 3
    del forgetful
    gc.collect()


def test_init_that_fails(ir, body, classes):
    with pytest.raises((TypeError, ValueError)):
        classes[0]("no number")
    with pytest.raises(TypeError):
        classes[1]()
    assert len(body.body.operations) == 0


def test_copy_and_pickle(ir, ctx, classes):
    for thing in [
        ir.F32Type.get(),
        classes[1](width=3),
        ir.UnitAttr.get(),
        ir.AffineExpr.get_dim(0),
    ]:
        with pytest.raises(TypeError):
            copy.copy(thing)
        with pytest.raises(TypeError):
            pickle.dumps(thing)


def test_second_init(ir, ctx):
    made = ir.Type(ir.F32Type.get())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(TypeError):
            made.__init__(ir.F64Type.get())
    assert str(made) == "f32"


def test_wrong_arguments(ir, ctx):
    for make in [
        lambda: ir.Type(3),
        lambda: ir.Type(),
        lambda: ir.Value("x"),
        lambda: ir.IntegerAttr(None),
        lambda: ir.InsertionPoint(3),
        lambda: ir.InsertionPoint(),
        lambda: ir.IntegerType.get_signless("x"),
    ]:
        with pytest.raises(TypeError, match="incompatible function arguments"):
            make()


def test_value_caster(ir, module, body):
    arith = module("dialects.arith")

    class Tagged(ir.Value):
        def __init__(self, value):
            super().__init__(value)
            self.seen = getattr(self, "seen", 0) + 1

    f16 = ir.F16Type.get()
    ir.register_value_caster(ir.F16Type.static_typeid)(Tagged)
    op = arith.ConstantOp(f16, 1.0)
    assert type(op.result) is Tagged and op.result.seen >= 1
    assert op.result == ir.Value(op.result)
