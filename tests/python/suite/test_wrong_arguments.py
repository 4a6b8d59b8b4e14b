"""Errors about arguments: upstream's text, and behind it what was given, for what, and where."""

import pytest
from mondo_fixtures import ROOT


@pytest.fixture
def value(ir, here, i32, arith):
    return arith.ConstantOp(i32, 1).result


def said(error, call):
    with pytest.raises(error) as raised:
        call()
    return str(raised.value).split("\n")


@pytest.mark.since_llvm(22, "LLVM 19 generates code that asserts the kind of operands")
def test_an_operand_of_a_wrong_kind(arith, value):
    assert said(ValueError, lambda: arith.AddIOp(value, "x")) == [
        'Operand 1 of operation "arith.addi" must be a Value (is not a Value)',
        "the argument 'rhs' is 'x', of type str",
    ]
    assert said(ValueError, lambda: arith.AddIOp(value, None)) == [
        'Operand 1 of operation "arith.addi" must be a Value (contained a None item)',
        "the argument 'rhs' is None, of type NoneType",
    ]


def test_an_operand_among_several(func, value):
    lines = said(ValueError, lambda: func.ReturnOp([value, 3]))
    assert lines == [
        'Operand 1 of operation "func.return" must be a Value (is not a Value)',
        "it is 3, of type int",
    ]


@pytest.mark.since_llvm(22, "LLVM 19 generates code that asserts the kind of operands")
def test_a_long_object_is_not_shown(arith, value):
    lines = said(ValueError, lambda: arith.AddIOp(value, "x" * 1000))
    assert lines[1] == "the argument 'rhs' is an object of type str"


def test_an_attribute_of_a_wrong_kind(ir, value):
    def create(attribute):
        ir.Operation.create("t.op", attributes={"a": attribute})

    for attribute in (3, None):
        first, second = said(TypeError, lambda it=attribute: create(it))
        assert first == (
            'Invalid attribute value for the key "a" when attempting to create the operation '
            '"t.op" (std::bad_cast)'
        )
        assert repr(attribute) in second


def test_operands_and_results_of_a_new_operation(ir, value, i32):
    (line,) = said(TypeError, lambda: ir.Operation.create("t.op", operands=[value, 3]))
    assert line == (
        'create(): incompatible function arguments: operand 1 of operation "t.op" must be a Value, '
        "and is 3, of type int"
    )
    (line,) = said(TypeError, lambda: ir.Operation.create("t.op", results=["x"]))
    assert line.endswith("must be a Type, and is 'x', of type str")


def test_sequences(ir, ctx, i32):
    (line,) = said(TypeError, lambda: ir.FunctionType.get([i32, "x"], []))
    assert line == (
        "incompatible function arguments: element 1 of the types must be a Type, and is 'x', of "
        "type str"
    )
    (line,) = said(TypeError, lambda: ir.FunctionType.get(3, []))
    assert line.startswith("incompatible function arguments: expected a sequence")


def test_arguments_of_native_functions(ir, ctx, i32):
    """Upstream's words, and then the class that was wanted, or the name of the argument."""
    words = "incompatible function arguments: "
    (line,) = said(TypeError, lambda: ir.VectorType.get([2], 3))
    assert line == words + "'int' object is not an instance of 'Type'"
    (line,) = said(TypeError, lambda: ir.IntegerType.get_signless())
    assert line.startswith(words) and line.endswith("required positional argument: 'width'")
    (line,) = said(TypeError, lambda: ir.IntegerType.get_signless(width=8, no_such_argument=1))
    assert line.startswith(words) and line.endswith("keyword argument 'no_such_argument'")
    # An error about something else stays as it is.
    assert said(TypeError, lambda: hash(ir.Context.current.d["builtin"]) and len(i32)) == [
        f"object of type '{ROOT}._mlir_libs._mlir.ir.IntegerType' has no len()"
    ]


def test_what_is_missing_is_said_by_the_verifier(ir, value):
    lines = said(ir.MLIRError, lambda: ir.Operation.create("func.func", regions=1).verify())
    assert lines[0] == "Verification failed:"
    assert "'func.func' op requires attribute" in lines[1]


def test_parse_errors_have_the_place(ir, ctx):
    lines = said(ir.MLIRError, lambda: ir.Module.parse("\nfunc.func @f( {"))
    assert lines[0] == "Unable to parse module assembly:" and '"-":2:14: ' in lines[1]
