"""Walks, interrupted and in both orders."""

from mlir.ir import *

with Context() as c, Location.unknown():
    m = Module.parse(
        "func.func @f(%a: i1) { scf.if %a { %0 = arith.constant 1 : i32 scf.yield } else { %1 = arith.constant 2 : i32 scf.yield } return }"
    )

    def advance(op):
        print(op.name, end=" ")
        return WalkResult.ADVANCE

    m.operation.walk(advance)
    print()
    m.operation.walk(advance, WalkOrder.PRE_ORDER)
    print()
    m.operation.walk(
        lambda op: (
            advance(op),
            WalkResult.INTERRUPT if op.name == "scf.if" else WalkResult.ADVANCE,
        )[1],
        WalkOrder.PRE_ORDER,
    )
    print()
    m.operation.walk(
        lambda op: (advance(op), WalkResult.SKIP if op.name == "scf.if" else WalkResult.ADVANCE)[1],
        WalkOrder.PRE_ORDER,
    )
    print()

    def boom(op):
        raise ValueError("boom " + op.name)

    try:
        m.operation.walk(lambda op: None)
    except Exception as e:
        print(type(e).__name__)
    print(
        WalkResult.ADVANCE,
        repr(WalkResult.SKIP),
        list(WalkOrder),
        WalkOrder.PRE_ORDER.value,
        WalkResult(0),
    )
    f = m.body.operations[0]
    f.walk(advance)
    print()
    print([type(o).__name__ for o in f.body.blocks[0].operations])
    print([str(b) for b in f.regions[0].blocks][0])
    ops = []
    m.operation.walk(lambda op: (ops.append(op), WalkResult.ADVANCE)[1])
    print([type(o).__name__ for o in ops])

    def erase(op):
        if op.name == "arith.constant":
            op.erase()
        return WalkResult.ADVANCE

    m.operation.walk(erase)
    print(m)
