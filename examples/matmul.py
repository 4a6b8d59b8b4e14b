"""Parses a matrix multiplication, lowers it to the LLVM dialect, and shows what is left."""

from collections import Counter
from pathlib import Path

from mlir.ir import Context, MLIRError, Module, WalkResult
from mlir.passmanager import PassManager

PIPELINE = """builtin.module(
    convert-linalg-to-loops, convert-scf-to-cf, expand-strided-metadata, lower-affine,
    convert-func-to-llvm, finalize-memref-to-llvm, convert-cf-to-llvm, convert-arith-to-llvm,
    reconcile-unrealized-casts)"""

with Context():
    module = Module.parseFile(str(Path(__file__).with_name("matmul.mlir")))
    PassManager.parse(PIPELINE).run(module.operation)

    operations = Counter()

    def count(op):
        operations[op.name] += 1
        return WalkResult.ADVANCE

    module.operation.walk(count)
    print(module)
    print(operations.most_common(3))

    try:
        Module.parse("func.func @broken() {\n  %0 = arith.addi %x, %x : i32\n}")
    except MLIRError as error:
        print(error)  # … error: "-":2:19: use of undeclared SSA value name
