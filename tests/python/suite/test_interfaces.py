"""Tests of type inference: the result types and shapes that an operation would have."""

import pytest

SOURCE = """
func.func @f(%a: i64) -> i64 {
  %sum = arith.addi %a, %a : i64
  return %sum : i64
}
"""


class Addi:
    OPERATION_NAME = "arith.addi"


class Return:
    OPERATION_NAME = "func.return"


@pytest.fixture
def op(ir, ctx):
    module = ir.Module.parse(SOURCE)
    return module.body.operations[0].regions[0].blocks[0].operations[0]


def test_types_of_a_class(ir, op):
    interface = ir.InferTypeOpInterface(Addi)
    value = op.operands[0]
    with ir.Location.unknown():
        assert interface.inferReturnTypes([value, value]) == [value.type]
        assert interface.inferReturnTypes(operands=[[value, value], None]) == [value.type]
    with pytest.raises(TypeError, match="static interface"):
        _ = interface.operation
    with pytest.raises(TypeError, match="static interface"):
        _ = interface.opview


def test_types_of_an_operation(ir, op):
    interface = ir.InferTypeOpInterface(op)
    assert interface.operation is op.operation
    assert interface.opview is op
    types = interface.inferReturnTypes(list(op.operands), loc=op.location)
    assert types == [op.results[0].type]


def test_wrong_operands(ir, op):
    interface = ir.InferTypeOpInterface(Addi)
    with ir.Location.unknown():
        with pytest.raises(ValueError, match="Operand 1 must be a Value or Sequence of Values"):
            interface.inferReturnTypes([op.operands[0], 1])
        with pytest.raises(ValueError, match="Operand 0 must be a Value or Sequence of Values"):
            interface.inferReturnTypes([[op.operands[0], "x"]])
        with pytest.raises(ValueError, match="Failed to infer result types"):
            interface.inferReturnTypes([])


def test_no_interface(ir, ctx):
    with pytest.raises(ValueError, match="does not implement InferTypeOpInterface"):
        ir.InferTypeOpInterface(Return)
    with pytest.raises(ValueError, match="does not implement InferShapedTypeOpInterface"):
        ir.InferShapedTypeOpInterface(Addi)
    with pytest.raises(AttributeError):
        ir.InferTypeOpInterface(1)


def test_components(ir, ctx):
    element = ir.Type.parse("f32")
    plain = ir.ShapedTypeComponents.get(element)
    assert (plain.has_rank, plain.rank, plain.shape) == (False, None, None)
    assert plain.element_type == element
    shaped = ir.ShapedTypeComponents.get([1, 2], element)
    assert (shaped.has_rank, shaped.rank, shaped.shape) == (True, 2, [1, 2])
    named = ir.ShapedTypeComponents.get(shape=[3], element_type=element, attribute=None)
    assert named.shape == [3]
    with pytest.raises(TypeError):
        ir.ShapedTypeComponents.get([1, 2])
