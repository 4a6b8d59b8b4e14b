"""Dialects that are defined in Python: ``dialects.ext``."""

import importlib
from collections.abc import Sequence
from typing import Any, Optional, TypeVar

import pytest

pytestmark = pytest.mark.since_llvm(22, "IRDL names operands since LLVM 22")


@pytest.fixture(scope="session")
def ext(dialect):
    return dialect("ext")


@pytest.fixture
def loaded(ir, ext):
    """Makes a dialect from a function that defines its operations."""
    made = []

    def loaded(name, define):
        class Made(ext.Dialect, name=name):
            pass

        define(Made)
        Made.load(reload=True)
        made.append(Made)
        return Made

    return loaded


@pytest.fixture
def shop(ir, ext, loaded, here):
    """A dialect with operands and results of each arity, attributes, a region and inference."""
    i32 = ir.IntegerType[32]

    def define(Shop):
        class Ware(Shop.Operation, name="ware"):
            price: ir.IntegerAttr
            out: ext.Result[i32] = ext.infer_result()

        class Basket(Shop.Operation, name="basket"):
            total: ext.Result[i32]
            change: ext.Result[i32] | None = None
            coupon: Optional[ext.Operand[i32]] = None  # noqa: UP045 - both ways are in use
            wares: Sequence[ext.Operand[i32]] = ext.operand(kw_only=True)

        class Till(Shop.Operation, name="till"):
            body: ext.Region

    return loaded("shop", define)


def ware(ir, shop, price=1):
    return shop.Ware(ir.IntegerAttr.get(ir.IntegerType.get(32), price))


def test_operations_are_built_printed_and_parsed(ir, shop, here, i32, text):
    one, two = ware(ir, shop, 1), ware(ir, shop, 2)
    full = shop.Basket(i32, wares=[one, two], coupon=one, change=i32)
    bare = shop.Basket(i32, wares=[])
    assert full.OPERATION_NAME == "shop.basket"
    assert [use.owner.name for use in full.wares] == ["shop.ware", "shop.ware"]
    assert full.coupon == one.out
    assert full.change.result_number == 1
    assert (bare.coupon, bare.change, len(bare.wares)) == (None, None, 0)
    assert str(one.price) == "1 : i32"
    printed = text(here)
    assert '"shop.basket"(%0, %0, %1) {operandSegmentSizes = array<i32: 1, 2>' in printed
    again = ir.Module.parse(printed)
    kinds = [type(op).__name__ for op in again.body]
    assert kinds == ["Ware", "Ware", "Basket", "Basket"]
    assert isinstance(again.body.operations[2], shop.Basket)
    assert text(again) == printed


def test_a_walk_gives_the_classes(ir, shop, here):
    till = shop.Till()
    till.body.blocks.append()
    with ir.InsertionPoint(till.body.blocks[0]):
        ware(ir, shop)
    seen = []

    def visit(op):
        seen.append(type(op.opview).__name__)
        return ir.WalkResult.ADVANCE

    here.operation.walk(visit)
    assert seen == ["Ware", "Till", "ModuleOp"]


def test_the_dialect_is_known_to_its_context(ir, ctx, shop, here):
    assert isinstance(ctx.dialects["shop"], shop)
    assert ctx.is_registered_operation("shop.ware")
    assert [op.OPERATION_NAME for op in shop.operations] == [
        "shop.ware",
        "shop.basket",
        "shop.till",
    ]
    assert "irdl.operands(coupon: optional %0, wares: variadic %0)" in str(shop._mlir_module)


def test_what_does_not_fit_is_not_valid(ir, shop, here, i32):
    i64 = ir.IntegerType.get_signless(64)
    shop.Basket(i64, wares=[])
    with pytest.raises(ir.MLIRError, match="expected 'i32' but got 'i64'"):
        here.operation.verify()


def test_an_attribute_is_wanted(ir, shop, here):
    ir.Operation.create("shop.ware", results=[ir.IntegerType.get_signless(32)])
    with pytest.raises(ir.MLIRError, match="price"):
        here.operation.verify()


def test_attributes_can_be_changed(ir, shop, here, i32):
    op = ware(ir, shop)
    op.attributes["price"] = ir.IntegerAttr.get(i32, 5)
    assert op.price.value == 5
    assert "price" in op.attributes
    del op.attributes["price"]
    with pytest.raises(KeyError):
        assert op.price


def test_arguments_are_checked(ir, shop, here, i32):
    with pytest.raises(TypeError, match="missing a required argument: 'price'"):
        shop.Ware()
    with pytest.raises(TypeError, match="too many positional arguments"):
        shop.Ware(ir.IntegerAttr.get(i32, 1), None)
    with pytest.raises(TypeError, match="template"):
        shop.Operation()
    assert str(shop.Basket.__init__.__signature__) == (
        "(self, /, total, *, change=None, coupon=None, wares, loc=None, ip=None)"
    )


def test_constraints(ir, ext, loaded, here, i32):
    known = TypeVar("known", bound=ir.IntegerType[32] | ir.F32Type[()])

    def define(Odd):
        class Same(Odd.Operation, name="same"):
            a: ext.Operand[known]
            b: ext.Operand[known]
            c: ext.Operand[Any]
            kind: ir.IntegerType[8] | ir.IntegerType[16]

    odd = loaded("odd", define)
    integer = ir.Module.parse("%0 = arith.constant 1 : i32\n%1 = arith.constant 1.0 : f32")
    one, real = (op.result for op in integer.body)
    with ir.InsertionPoint(integer.body):
        odd.Same(one, one, real, kind=ir.IntegerType.get_signless(16))
        assert integer.operation.verify()
        odd.Same(one, real, real, kind=ir.IntegerType.get_signless(16))
    with pytest.raises(ir.MLIRError, match="expected 'i32' but got 'f32'"):
        integer.operation.verify()
    assert "irdl.any_of" in str(odd._mlir_module)


def test_defaults(ir, ext, loaded, here, i32, text):
    def define(Usual):
        class Op(Usual.Operation, name="op"):
            first: ext.Result[ir.IntegerType[32]] = ext.result(kw_only=True)
            second: ext.Result[ir.IntegerType] = ext.result(
                default_factory=lambda: ir.IntegerType.get_signless(8)
            )
            kind: ir.StringAttr = ext.attribute(default_factory=lambda: ir.StringAttr.get("a"))

    usual = loaded("usual", define)
    op = usual.Op(first=i32)
    assert [str(result.type) for result in op.results] == ["i32", "i8"]
    assert op.kind.value == "a"
    assert usual.Op(first=i32, kind=ir.StringAttr.get("b")).kind.value == "b"
    assert text(here)


def test_classes_inherit_fields_and_traits(ir, ext, loaded, here, i32):
    def define(Kin):
        class Base(Kin.Operation, traits=[ext.Pure]):
            out: ext.Result[ir.IntegerType[32]]

        class Child(Base, name="child"):
            label: ir.StringAttr

        class Other(ext.Operation, dialect=Kin, name="other"):
            pass

    kin = loaded("kin", define)
    child = kin.Child(i32, ir.StringAttr.get("x"))
    assert child.out.type == i32
    assert kin.Child._traits == [ext.Pure]
    assert kin.Other().OPERATION_NAME == "kin.other"


def test_annotations_may_be_text(ir, ext, loaded, here, i32):
    def define(Later):
        exec(  # as in a module with `from __future__ import annotations`
            "from __future__ import annotations\n"
            "class Op(Later.Operation, name='op'):\n"
            "    out: ext.Result[ir.IntegerType[32]] = ext.infer_result()\n",
            {"Later": Later, "ext": ext, "ir": ir, "__name__": __name__},
            vars_of := {},
        )
        assert vars_of["Op"]

    assert loaded("later", define).Op().out.type == i32


def test_types_and_attributes(ir, ext, loaded, here, i32, text):
    def define(Kinds):
        class Row(Kinds.Type, name="row"):
            element: ir.IntegerType[32] | ir.IntegerType[64]
            length: ir.IntegerAttr

        class Tag(Kinds.Attribute, name="tag"):
            label: ir.StringAttr

        class Make(Kinds.Operation, name="make"):
            tag: Tag
            any: ext.Result[Row]
            three: ext.Result[Row[ir.IntegerType[32], ir.IntegerAttr[ir.IntegerType[32], 3]]] = (
                ext.infer_result()
            )

        Kinds.classes = Row, Tag

    kinds = loaded("kinds", define)
    row_class, tag_class = kinds.classes
    row = row_class.get(i32, ir.IntegerAttr.get(i32, 4))
    assert str(row) == "!kinds.row<i32, 4 : i32>"
    assert (str(row.element), row.length.value) == ("i32", 4)
    assert ir.Type.parse("!kinds.row<i32, 4 : i32>") is row
    assert type(ir.Type.parse("!kinds.row<i64, 1 : i32>")) is row_class
    assert row_class.isinstance(row) and not row_class.isinstance(i32)
    assert isinstance(row, ir.DynamicType)
    with pytest.raises(ValueError):
        row_class(i32)
    tag = tag_class.get(ir.StringAttr.get("x"))
    assert tag.label.value == "x" and tag.attr_name == "kinds.tag"
    made = kinds.Make(tag, row)
    assert made.three.type.length.value == 3
    assert type(made.tag) is tag_class
    assert text(here)
    with pytest.raises(ir.MLIRError, match="Invalid type"):
        row_class.get(ir.StringAttr.get("no"), ir.IntegerAttr.get(i32, 4))
    assert row.typeid == ir.DynamicType.lookup_typeid("kinds.row")


def test_dynamic_types_of_irdl_text(ir, ctx, dialect):
    module = ir.Module.parse(
        "irdl.dialect @plain { irdl.type @t { %0 = irdl.any irdl.parameters(p: %0) } }"
    )
    dialect("irdl").load_dialects(module)
    made = ir.DynamicType.get("plain.t", [ir.UnitAttr.get()])
    assert (str(made), made.type_name) == ("!plain.t<unit>", "plain.t")
    assert [str(param) for param in made.params] == ["unit"]
    assert type(made) is ir.DynamicType
    for name in ("plain.u", "other.t", "builtin.integer"):
        with pytest.raises(ValueError, match="defined"):
            ir.DynamicType.get(name, [])
    with pytest.raises(ValueError, match="dialect"):
        ir.DynamicAttr.get("t", [])
    with pytest.raises(ir.MLIRError):
        ir.DynamicType.get("plain.t", [])


def test_one_program_in_two_contexts(ir, ext, dialect):
    class Twice(ext.Dialect, name="twice"):
        pass

    class Kind(Twice.Type, name="kind"):
        pass

    class Op(Twice.Operation, name="op"):
        out: ext.Result[Kind[()]] = ext.infer_result()

    # Their `TypeID`s end with a context, and others may be at the same addresses.
    for _ in range(20):
        with ir.Context(), ir.Location.unknown():
            Twice.load()
            Twice.load()
            module = ir.Module.create()
            with ir.InsertionPoint(module.body):
                assert type(Op().out.type) is Kind
            assert module.operation.verify()
        with ir.Context():
            other = ir.Module.parse("irdl.dialect @other { irdl.type @kind { } }")
            dialect("irdl").load_dialects(other)
            assert type(ir.Type.parse("!other.kind")) is ir.DynamicType
    with ir.Context(), pytest.raises(AttributeError, match="not loaded"):
        assert Twice._mlir_module


def test_a_name_is_registered_once(ir, ctx, ext):
    class First(ext.Dialect, name="registered"):
        pass

    class OfFirst(First.Operation, name="op"):
        pass

    First.load()

    class Second(ext.Dialect, name="registered"):
        pass

    class OfSecond(Second.Operation, name="op"):
        pass

    with pytest.raises(RuntimeError, match="already registered"):
        Second.load()
    with ir.Context(), ir.Location.unknown():
        Second.load(reload=True)
        assert type(OfSecond()) is OfSecond
        assert isinstance(ir.Operation.create("registered.op").opview, OfSecond)


@pytest.mark.parametrize(
    "fields, error, message",
    [
        (lambda ir, e: {"a": (e.Operand[Any], None)}, ValueError, "only optional operand"),
        (lambda ir, e: {"a": (ir.IntegerAttr, None)}, ValueError, "only optional attribute"),
        (lambda ir, e: {"a": (e.Result[ir.IntegerType], e.infer_result())}, TypeError, "inferring"),
        (lambda ir, e: {"a": (ir.IntegerAttr, e.operand())}, TypeError, "only `attribute`"),
        (lambda ir, e: {"a": (e.Result[Any], e.operand())}, TypeError, "only `result`"),
        (lambda ir, e: {"a": (e.Operand[Any], 3)}, TypeError, "not supported"),
        (
            lambda ir, e: {
                "a": (e.Result[ir.IntegerType[32]], e.infer_result()),
                "b": (e.Operand[Any],),
            },
            ValueError,
            "wrong parameter order",
        ),
    ],
)
def test_wrong_definitions(ir, ext, fields, error, message):
    class Wrong(ext.Dialect, name="wrong"):
        pass

    given = fields(ir, ext)
    members = {"__annotations__": {name: field[0] for name, field in given.items()}}
    members |= {name: field[1] for name, field in given.items() if len(field) > 1}
    with pytest.raises(error, match=message):
        type("Op", (Wrong.Operation,), members, name="op")
    with pytest.raises(RuntimeError, match="dialect"):
        type("Op", (ext.Operation,), {}, name="op")


def test_pure_operations_are_merged(ir, ext, loaded, here, i32, passmanager):
    def define(Calm):
        class Value(Calm.Operation, name="value", traits=[ext.Pure]):
            out: ext.Result[ir.IntegerType[32]] = ext.infer_result()

        class Effect(Calm.Operation, name="effect"):
            inputs: Sequence[ext.Operand[ir.IntegerType[32]]]

    calm = loaded("calm", define)
    one, two = calm.Value(), calm.Value()
    calm.Effect([one, two])
    calm.Value()
    passmanager.PassManager.parse("builtin.module(cse)").run(here.operation)
    assert str(here).count("calm.value") == 1
    assert str(here).count("calm.effect") == 1


def test_operations_that_are_older_than_their_dialect(ir, ext, passmanager):
    class Late(ext.Dialect, name="late"):
        pass

    class Op(Late.Operation, name="op", traits=[ext.Pure]):
        pass

    with ir.Context() as ctx:
        ctx.allow_unregistered_dialects = True
        module = ir.Module.parse('"late.op"() : () -> ()')
        old = module.body.operations[0]
        Late.load()
        # MLIR would have freed what the operation's name points to.
        assert old.name == "late.op" and str(old) == '"late.op"() : () -> ()'
        with pytest.raises(ir.MLIRError, match="unregistered operation"):
            module.operation.verify()
        text = module.operation.get_asm(print_generic_op_form=True)
        assert type(ir.Module.parse(text).body.operations[0]) is Op
        assert Op.has_trait is not None and ctx.is_registered_operation("late.op")
        del old
        passmanager.PassManager.parse("any(canonicalize)", ctx)


def test_adaptors(ir, shop, here, i32):
    one, two = ware(ir, shop, 1), ware(ir, shop, 2)
    basket = shop.Basket(i32, wares=[one])
    adaptor = shop.Basket.Adaptor([two.out], basket)
    assert issubclass(shop.Basket.Adaptor, ir.OpAdaptor)
    assert adaptor.OPERATION_NAME == "shop.basket"
    assert list(adaptor.wares) == [two.out]
    assert adaptor.coupon is None
    assert shop.Ware.Adaptor([], one.attributes).price.value == 1


def test_patterns_get_the_adaptors_of_such_operations(root, shop):
    cext = importlib.import_module(f"{root}._mlir_libs._mlir")
    with pytest.raises(RuntimeError, match="already registered"):
        cext.register_op_adaptor(shop.Basket)(shop.Basket.Adaptor)
