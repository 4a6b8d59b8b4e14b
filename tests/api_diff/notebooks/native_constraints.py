"""PDL with native constraints and rewrites."""

from mlir.dialects import arith, func, pdl
from mlir.ir import *
from mlir.rewrite import *

M = '\nmodule @p {\n  pdl.pattern : benefit(1) {\n    %t = pdl.type\n    %a = pdl.attribute : %t\n    %op = pdl.operation "arith.constant" {"value" = %a} -> (%t : !pdl.type)\n    pdl.apply_native_constraint "is_one"(%a : !pdl.attribute)\n    pdl.rewrite %op {\n      %n = pdl.apply_native_rewrite "two"(%a : !pdl.attribute) : !pdl.attribute\n      %new = pdl.operation "arith.constant" {"value" = %n} -> (%t : !pdl.type)\n      pdl.replace %op with %new\n    }\n  }\n}'


def is_one(rewriter, results, values):
    print(
        "constraint",
        type(rewriter).__name__,
        type(results).__name__,
        [type(v).__name__ for v in values],
        values,
    )
    return values[0].value != 1


def two(rewriter, results, values):
    print("rewrite", [str(v) for v in values])
    results.append(IntegerAttr.get(values[0].type, 2))


with Context(), Location.unknown():
    m = PDLModule(Module.parse(M))
    m.register_constraint_function("is_one", is_one)
    m.register_rewrite_function("two", two)
    t = Module.parse(
        "func.func @f() -> (i32, i32) { %0 = arith.constant 1 : i32 %1 = arith.constant 5 : i32 return %0, %1 : i32, i32 }"
    )
    print(t)
