import pytest
import tide
from tide.mlir import ir

SUM = """
func.func @f(%a: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.addi %a, %0 : i32
  return %1 : i32
}
"""


def test_operations_are_counted_in_c():
    with ir.Context():
        assert tide.operations(ir.Module.parse("")) == 1
        assert tide.operations(ir.Module.parse(SUM)) == 5


def test_a_pass_takes_some_out():
    assert tide.saved(SUM) == 2


def test_what_is_no_module_of_ours_is_refused():
    with ir.Context() as context:
        with pytest.raises(ValueError, match="incorrect name"):
            tide.operations(context)
        with pytest.raises(AttributeError):
            tide.operations(object())
