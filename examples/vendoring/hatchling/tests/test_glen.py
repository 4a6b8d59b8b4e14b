import glen
import pytest
from glen.mlir import ir
from glen.mlir.passmanager import PassManager

SUM = """
func.func @f(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}
"""


def test_operations_are_tallied():
    assert glen.tally(SUM)["arith.addi"] == 1
    with ir.Context():
        module = ir.Module.parse(SUM)
        PassManager.parse("builtin.module(canonicalize)").run(module.operation)
    assert glen.tally(str(module))["arith.addi"] == 0


def test_what_does_not_parse_is_mlirs_error():
    with pytest.raises(ir.MLIRError, match="undeclared"):
        glen.tally("func.func @f() { return %nothing : i32 }")
