"""smt, irdl and pdl builders."""

import sys

import mlir.dialects.smt as S
from mlir.dialects import arith, func, irdl, pdl, smt
from mlir.dialects.irdl import *
from mlir.dialects.smt import *
from mlir.ir import *

ctx = Context()
ctx.__enter__()
loc = Location.unknown()
loc.__enter__()
m = Module.create()
ip = InsertionPoint(m.body)
ip.__enter__()


@smt.solver(results=[IntegerType.get_signless(32)])
def bar():
    return


smt.bool_t()
smt.bv_t(8)
smt.BitVectorType.get(5)
smt.BoolType.get()
mm = Module.parse(
    'smt.solver() : () -> () { %a = smt.declare_fun "a" : !smt.int %c = smt.int.constant 3 %e = smt.eq %a, %c : !smt.int smt.assert %e smt.check sat {} unknown {} unsat {} smt.yield }'
)
print(smt.export_smtlib(mm.operation))
print(smt.export_smtlib(mm, inline_single_use_values=True, indent_let_body=True))
smt.export_smtlib(3)
im = Module.parse(
    "irdl.dialect @cmath { irdl.type @complex { %0 = irdl.is f32 %1 = irdl.is f64 %2 = irdl.any_of(%0, %1) irdl.parameters(elem: %2) } irdl.operation @norm { %0 = irdl.any %1 = irdl.parametric @cmath::@complex<%0> irdl.operands(c: %1) irdl.results(r: %0) } }"
)
irdl.load_dialects(im)
x = Type.parse("!cmath.complex<f32>")
x
type(x)
Type.parse("!cmath.complex<i32>")
im2 = Module.create()
with InsertionPoint(im2.body):
    dl = irdl.DialectOp("irdl_test")
    with InsertionPoint(dl.body):
        op = irdl.OperationOp("test_op")
        with InsertionPoint(op.body):
            f32 = irdl.is_(TypeAttr.get(F32Type.get()))
            any_ = irdl.any()
            b = irdl.base(base_name="!builtin.integer")
            ao = irdl.any_of([f32, any_])
            al = irdl.all_of([f32, any_])
            irdl.operands_(
                [f32, any_], ["a", "b"], [irdl.Variadicity.single, irdl.Variadicity.optional]
            )
            irdl.results_([f32], ["r"], [irdl.Variadicity.single])
            irdl.attributes_([any_], ["k"])
            r = irdl.region([])
            irdl.regions_([r], ["rr"])
        ty = irdl.TypeOp("my_type")
        with InsertionPoint(ty.body):
            irdl.parameters([irdl.is_(TypeAttr.get(IntegerType.get_signless(32)))], ["p"])
        at = irdl.AttributeOp("my_attr")
        with InsertionPoint(at.body):
            irdl.parameters([], [])
print(im2)
im2.operation.verify()
print(Module.parse('%0 = "irdl_test.test_op"() : () -> f32'))


@irdl.dialect("via_deco")
def dd():

    @irdl.operation_("o2")
    def o2():
        irdl.operands_([irdl.any()], ["x"])


print(m)
list(irdl.Variadicity)
irdl.load_dialects(3)
from mlir.dialects.pdl import *

pm = Module.create()
pip = InsertionPoint(pm.body)
pip.__enter__()
i64 = IntegerType.get_signless(64)
p = PatternOp(1, "pat")
p.sym_name
p.benefit
p.body
with InsertionPoint(p.body):
    ty = TypeOp(i64)
    ty2 = TypeOp()
    tys = TypesOp()
    tys2 = TypesOp([i64])
    at = AttributeOp()
    at2 = AttributeOp(value=IntegerAttr.get(i64, 3))
    at3 = AttributeOp(ty)
    o = OperandOp()
    o2 = OperandOp(ty)
    os = OperandsOp()
    os2 = OperandsOp(tys)
    op0 = OperationOp("arith.addi", args=[o, o2], types=[ty], attributes={"a": at})
    op1 = OperationOp(types=[tys])
    op2 = OperationOp(name="x.y", args=[op0], types=[])
    r0 = ResultOp(op0, 0)
    rs = ResultsOp(OperationType.get() and RangeType.get(ValueType.get()), op0)
    ap = ApplyNativeConstraintOp([], args=[at], name="c")
    rw = RewriteOp(op0)
    with InsertionPoint(rw.add_body()):
        ar = ApplyNativeRewriteOp([AttributeType.get()], "nr", args=[at])
        n = OperationOp("arith.muli", args=[o, o2], types=[ty])
        ReplaceOp(op0, with_op=n)
        ReplaceOp(op0, with_values=[r0])
        EraseOp(n)
print(pm)
ReplaceOp(op0)
ReplaceOp(op0, with_op=op0, with_values=[o])
AttributeType.get()
OperationType.get()
RangeType.get(TypeType.get())
RangeType.get(TypeType.get()).element_type
TypeType.get()
ValueType.get()
PDLType
AttributeType(TypeType.get())
