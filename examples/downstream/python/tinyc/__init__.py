"""A compiler for sums: Python's arithmetic on integers, lowered to MLIR's arith dialect."""

import ast
from collections.abc import Callable

from .mlir import ir
from .mlir.dialects import arith, func, tinyc
from .mlir.passmanager import PassManager

__all__ = ["compile_sum"]

PIPELINE = "builtin.module(convert-tinyc-to-arith,canonicalize,cse)"

_OPS: dict[type[ast.operator], Callable[[ir.Value, ir.Value], ir.Value]] = {
    ast.Add: arith.addi,
    ast.Sub: arith.subi,
    ast.Mult: arith.muli,
}


def compile_sum(source: str, pipeline: str = PIPELINE) -> str:
    """Returns the function that computes `source`; its parameters are the names in it, in order."""
    body = ast.parse(source, mode="eval").body
    names = sorted({node.id for node in ast.walk(body) if isinstance(node, ast.Name)})
    with ir.Context() as context, ir.Location.unknown():
        i64 = ir.IntegerType.get_signless(64)
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            main = func.FuncOp("main", ([i64] * len(names), [i64]))
        block = main.add_entry_block()
        with ir.InsertionPoint(block):
            values = dict(zip(names, block.arguments, strict=True))
            func.return_([_emit(body, i64, values)])
        assert module.operation.verify()
        PassManager.parse(pipeline, context).run(module.operation)
        return str(module)


def _emit(node: ast.expr, i64: ir.Type, values: dict[str, ir.Value]) -> ir.Value:
    match node:
        case ast.Constant(value=int(value)):
            return arith.constant(i64, value)
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int(exponent))):
            return tinyc.power(_emit(base, i64, values), exponent)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPS:
            return _OPS[type(op)](_emit(left, i64, values), _emit(right, i64, values))
    raise SyntaxError(f"tinyc knows integers, names, +, -, * and **, not {ast.unparse(node)}")
