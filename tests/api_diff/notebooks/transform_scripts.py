"""A transform script run by the interpreter and by a pass."""

from mlir.dialects import pdl, transform
from mlir.dialects.transform import (
    bufferization as tb,
)
from mlir.dialects.transform import (
    debug,
    interpreter,
    loop,
    structured,
    tune,
)
from mlir.dialects.transform import (
    memref as tm,
)
from mlir.dialects.transform import (
    tensor as tt,
)
from mlir.dialects.transform import (
    vector as tv,
)
from mlir.dialects.transform.extras import (
    OpHandle,
    ParamHandle,
    apply_patterns,
    constant_param,
    insert_transform_script,
    named_sequence,
)
from mlir.ir import *
from mlir.passmanager import PassManager

PAYLOAD = "\nfunc.func @f(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {\n  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>\n  return %0 : tensor<64x64xf32>\n}\n"
with Context(), Location.unknown():
    payload = Module.parse(PAYLOAD)
    script = Module.create()
    script.operation.attributes["transform.with_named_sequence"] = UnitAttr.get()
    with InsertionPoint(script.body):

        @named_sequence("__transform_main", [transform.AnyOpType.get()], [])
        def main(target):
            m = structured.MatchOp.match_op_names(target, ["linalg.matmul"])
            tiled = structured.TileUsingForOp(m.result, sizes=[8, 16, 0])
            None
            transform.PrintOp(target=tiled.results[0], name="tiled")

    print(script)
    print(script.operation.verify())
    seq = script.body.operations[0]
    interpreter.apply_named_sequence(payload, seq, script)
    print(payload)
    bad = Module.parse(
        '\nmodule attributes {transform.with_named_sequence} {\n  transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {\n    %0 = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op\n    %1 = transform.cast %0 : !transform.any_op to !transform.op<"scf.for">\n    transform.yield\n  }\n}'
    )
    try:
        interpreter.apply_named_sequence(payload, bad.body.operations[0], bad)
    except Exception as e:
        print(type(e).__name__, e)
    mod2 = Module.parse(PAYLOAD)

    def script2(op: OpHandle):
        mm = op.match_ops("linalg.matmul")
        mm.print("here")
        h = mm.tile(sizes=[4])

    try:
        insert_transform_script(mod2, script2, dump_script=True)
    except Exception as e:
        print(type(e).__name__, e)
    pm = PassManager.parse("builtin.module(transform-interpreter)")
    try:
        pm.run(mod2.operation)
    except Exception as e:
        print(type(e).__name__, e)
    print(mod2)
    for t in [transform.AnyOpType, transform.AnyParamType, transform.AnyValueType]:
        print(t.get(), t.get().typeid == t.static_typeid, t(Type.parse(str(t.get()))))
    o = transform.OperationType.get("linalg.matmul")
    print(o, o.operation_name)
    p = transform.ParamType.get(IntegerType.get_signless(32))
    print(p, p.type)
    try:
        transform.OperationType(transform.AnyOpType.get())
    except Exception as e:
        print(type(e).__name__, e)
