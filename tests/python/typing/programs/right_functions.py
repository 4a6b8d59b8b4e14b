"""Functions with arithmetic, made from Python functions and by hand."""

from __future__ import annotations

from mlir.dialects import arith, func
from mlir.ir import (
    Block,
    Context,
    FlatSymbolRefAttr,
    FunctionType,
    InsertionPoint,
    IntegerType,
    Location,
    Module,
    OpResult,
    StringAttr,
    Value,
)


def scaled(factor: int) -> func.FuncOp:
    """A function that multiplies by a constant, made from a Python function."""
    i32 = IntegerType.get_signless(32)

    @func.FuncOp.from_py_func(i32, name=f"scale_{factor}")
    def scale(value: Value) -> Value:
        constant = arith.constant(i32, factor)
        return arith.muli(value, constant, overflow_flags=arith.IntegerOverflowFlags.nsw)

    made: func.FuncOp = scale.func_op
    return made


def maximum() -> func.FuncOp:
    """A function that is filled by hand."""
    i32 = IntegerType.get_signless(32)
    function = func.FuncOp("maximum", FunctionType.get([i32, i32], [i32]), visibility="private")
    block: Block = function.add_entry_block()
    with InsertionPoint(block):
        left, right = function.arguments
        greater = arith.cmpi(arith.CmpIPredicate.sgt, left, right)
        selected: OpResult = arith.select(greater, left, right)
        func.ReturnOp([selected])
    return function


def caller(callee: func.FuncOp) -> None:
    """A function that calls another, by the operation and by its symbol."""
    i32 = IntegerType.get_signless(32)

    def body(function: func.FuncOp) -> None:
        four = arith.ConstantOp(i32, 4)
        assert four.literal_value == 4
        first = func.CallOp(callee, [four])
        second = func.CallOp([i32], "scale_3", [first.results[0]])
        third = func.call([i32], FlatSymbolRefAttr.get("scale_3"), [second])
        assert isinstance(third, OpResult)
        func.return_([third])

    func.FuncOp("main", ([], [i32]), body_builder=body)


def main() -> None:
    """Builds a module and reads it again."""
    with Context() as context, Location.unknown():
        module = Module.create()
        with InsertionPoint(module.body):
            function = scaled(3)
            name: StringAttr = function.name
            assert name.value == "scale_3"
            maximum()
            caller(function)
        assert module.operation.verify()
        again = Module.parse(str(module), context)
        names = [str(op.attributes["sym_name"]) for op in again.body.operations]
        assert names == ['"scale_3"', '"maximum"', '"main"'], names


if __name__ == "__main__":
    main()
