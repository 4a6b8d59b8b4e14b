"""Rewrite patterns in Python and in PDL."""

from mlir.dialects import arith, builtin, func, pdl
from mlir.dialects.builtin import module
from mlir.dialects.pdl import *
from mlir.ir import *
from mlir.passmanager import PassManager
from mlir.rewrite import *


def to_muli(op, rewriter):
    with rewriter.ip:
        new = arith.muli(op.lhs, op.rhs, loc=op.location)
    rewriter.replace_op(op, new.owner)


def constant_1_to_2(op, rewriter):
    c = op.value.value
    if c != 1:
        return True
    with rewriter.ip:
        new = arith.constant(op.type, 2, loc=op.location)
    rewriter.replace_op(op, [new])


SRC = "\nfunc.func @add(%a: i64, %b: i64) -> i64 {\n  %c = arith.constant 1 : i64\n  %0 = arith.addi %a, %b : i64\n  %1 = arith.addi %0, %c : i64\n  return %1 : i64\n}"
with Context(), Location.unknown():
    p = RewritePatternSet()
    p.add(arith.AddIOp, to_muli)
    p.add(arith.ConstantOp, constant_1_to_2, benefit=3)
    frozen = p.freeze()
    m = Module.parse(SRC)
    apply_patterns_and_fold_greedily(m, frozen)
    print(m)
    m = Module.parse(SRC)

    def rp(op):
        pm = PassManager("any")
        pm.add(lambda op, pass_: apply_patterns_and_fold_greedily(op, frozen))
        pm.run(op.operation)

    rp(m)
    print(m)
    apply_patterns_and_fold_greedily(m.operation, frozen)
    apply_patterns_and_fold_greedily(module=m, set=frozen)
    m = Module.parse(SRC)
    apply_patterns_and_fold_greedily(op=m.operation, set=frozen)
    print(m)
    try:
        walk_and_apply_patterns(m.operation, frozen)
    except NameError as e:
        print(e)
    i64 = IntegerType.get_signless(64)
    m_ = Module.create()
    with InsertionPoint(m_.body):

        @module(sym_name="patterns")
        def pat():

            @pattern(benefit=1, sym_name="addi_to_mul")
            def pp():
                t = TypeOp(i64)
                a, b = (OperandOp(t), OperandOp(t))
                op0 = OperationOp(name="arith.addi", args=[a, b], types=[t])

                @rewrite()
                def rew():
                    new = OperationOp(name="arith.muli", args=[a, b], types=[t])
                    ReplaceOp(op0, with_op=new)

    print(m_)
    pm_module = Module.parse(str(pat))
    PDLModule(pm_module)
    target = Module.parse(SRC)
    print(target)
