"""Ops, values, types and attributes with classes of one's own."""

import mlir.ir as ir
from mlir.dialects import _ods_common, arith, func
from mlir.dialects._ods_common import _cext
from mlir.ir import *

ctx = Context()
ctx.allow_unregistered_dialects = True
ctx.__enter__()
loc = Location.unknown()
loc.__enter__()
m = Module.create()
ip = InsertionPoint(m.body)
ip.__enter__()


@_cext.register_dialect
class MyDialect(Dialect):
    DIALECT_NAMESPACE = "my"


@_cext.register_operation(MyDialect)
class FooOp(OpView):
    OPERATION_NAME = "my.foo"
    _ODS_REGIONS = (1, True)
    _ODS_OPERAND_SEGMENTS = None
    _ODS_RESULT_SEGMENTS = None

    def __init__(self, x, *, n=3, loc=None, ip=None):
        super().__init__(
            self.build_generic(
                operands=[x],
                results=[x.type],
                attributes={"n": IntegerAttr.get(IntegerType.get_signless(32), n)},
                regions=1,
                loc=loc,
                ip=ip,
            )
        )

    @property
    def n(self):
        return self.attributes["n"].value

    @property
    def body(self):
        return self.regions[0]


c = arith.constant(IntegerType.get_signless(32), 4)
f2 = FooOp.build_generic(operands=[c], results=[c.type], attributes={}, regions=1)
print(f2, type(f2))


class SubFoo(FooOp):
    pass


FooOp.OPERATION_NAME


@_cext.register_operation(MyDialect, replace=True)
class FooOp2(FooOp):
    def twice(self):
        return self.n * 2


_cext.register_operation(MyDialect)(FooOp)


@register_attribute_builder("MyAttr_builder")
def b(x, context):
    return StringAttr.get("my" + x, context=context)


AttrBuilder.contains("MyAttr_builder")
AttrBuilder.get("MyAttr_builder")("x", Context.current)
register_attribute_builder("MyAttr_builder")(b)
register_attribute_builder("MyAttr_builder", replace=True)(lambda x, context: UnitAttr.get())
AttrBuilder.get("MyAttr_builder")("x", Context.current)
AttrBuilder.insert("MyAttr_builder", b, replace=True)
AttrBuilder.get("nope")
"I32Attr" in dir(AttrBuilder)
AttrBuilder.contains("I32Attr")
AttrBuilder.get("I32Attr")(4, ctx)
AttrBuilder.get("StrAttr")("abc", ctx)
AttrBuilder.get("DenseI64ArrayAttr")([1, 2], ctx)
AttrBuilder.get("TypeAttr")(c.type, ctx)
AttrBuilder.get("FlatSymbolRefAttr")("x", ctx)
AttrBuilder.get("AffineMapAttr")(AffineMap.get_identity(2), ctx)
AttrBuilder.get("F32Attr")(1.5, ctx)
AttrBuilder.get("BoolAttr")(True, ctx)
AttrBuilder.get("I64ArrayAttr")([1, 2], ctx)
AttrBuilder.get("SymbolRefAttr")(["a", "b"], ctx)
AttrBuilder.get("UnitAttr")(True, ctx)
AttrBuilder.get("UnitAttr")(False, ctx)


@_cext.register_value_caster(F16Type.static_typeid)
class MyVal(Value):
    def __init__(self, v):
        super().__init__(v)

    def __add__(self, o):
        return MyVal(arith.addf(self, o))

    def __str__(self):
        return "MyVal " + Value.__str__(self)


h = arith.constant(F16Type.get(), 1.0)


class T2(Type):
    def __init__(self, w):
        super().__init__(IntegerType.get_signless(w))
        self.w = w


T2(7).w
T2(7) == IntegerType.get_signless(7)


class A2(Attribute):
    def __init__(self, s):
        super().__init__(StringAttr.get(s))


A2("q") == StringAttr.get("q")


class V2(Value):
    def __init__(self, v):
        super().__init__(v)
        self.extra = 1


v = V2(c)
v
v.extra
v == c
v.owner.name


class Val3(OpResult):
    pass


Val3(c)
Val3(m.body)
BlockArgument(c)
OpResult(c).result_number
IntegerType(F32Type.get())
StringAttr(UnitAttr.get())


class MyModule(Module):
    pass


class MyCtx(Context):
    def __init__(self):
        super().__init__()
        self.y = 5


MyCtx().y


class IP(InsertionPoint):
    def __init__(self, b):
        super().__init__(b)


IP(m.body).block == m.body


class Loc(Location):
    pass


Loc.unknown()
type(Loc.unknown()) is Location


class ST(SymbolTable):
    def __init__(self, op):
        super().__init__(op)


list(ST(m.operation))
