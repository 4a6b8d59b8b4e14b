"""A real program. It needs linalg and the conversions, which the core bundle excludes."""

import os
from pathlib import Path

import pytest

MATMUL = Path(os.environ["MONDO_EXAMPLES"]) / "matmul.mlir"

PIPELINE = (
    "builtin.module(convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,"
    "lower-affine,convert-func-to-llvm,finalize-memref-to-llvm,convert-cf-to-llvm,"
    "convert-arith-to-llvm,reconcile-unrealized-casts)"
)


@pytest.fixture
def matmul(ir, ctx):
    return ir.Module.parseFile(str(MATMUL))


def all_names(ir, op):
    names = []
    op.walk(lambda op: (names.append(op.name), ir.WalkResult.ADVANCE)[1])
    return names


def test_round_trip(ir, matmul):
    assert str(ir.Module.parse(str(matmul))) == str(matmul)
    assert all_names(ir, matmul.operation).count("linalg.matmul") == 2


def test_lowering(ir, passmanager, matmul):
    manager = passmanager.PassManager.parse(PIPELINE)
    manager.run(matmul.operation)
    names = all_names(ir, matmul.operation)
    assert names.pop() == "builtin.module"
    assert {name.split(".")[0] for name in names} == {"llvm"}
    assert names.count("llvm.func") == 2 and "llvm.fmul" in names
    assert matmul.operation.verify()
    assert str(ir.Module.parse(str(matmul))) == str(matmul)


def test_pass_that_fails(ir, passmanager, ctx, matmul):
    ctx.allow_unregistered_dialects = True
    module = ir.Module.parse(
        """func.func @f(%t: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "test.unknown"(%t) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
    )
    with pytest.raises(ir.MLIRError, match="Failure while executing pass pipeline") as info:
        passmanager.PassManager.parse("builtin.module(one-shot-bufferize)").run(module.operation)
    (error,) = info.value.error_diagnostics
    assert error.message == "op was not bufferized"
    assert error.location == ir.Location.file("-", 2, 8)
    assert "see current operation" in error.notes[0].message
