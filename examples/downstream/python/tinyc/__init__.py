"""A compiler for sums: Python's arithmetic on integers, lowered to MLIR's arith dialect."""

import ast

from .mlir import ir
from .mlir.passmanager import PassManager

__all__ = ["compile_sum"]

_OPS = {ast.Add: "arith.addi", ast.Sub: "arith.subi", ast.Mult: "arith.muli"}


def compile_sum(source: str) -> str:
    """Returns the function that computes `source`, as MLIR folds it."""
    lines: list[str] = []
    result = _emit(ast.parse(source, mode="eval").body, lines)
    body = "\n".join([*lines, f"return {result} : i64"])
    with ir.Context() as context:
        module = ir.Module.parse(f"func.func @main() -> i64 {{\n{body}\n}}")
        PassManager.parse("builtin.module(canonicalize,cse)", context).run(module.operation)
        return str(module)


def _emit(node: ast.expr, lines: list[str]) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        op = f"arith.constant {node.value} : i64"
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPS:
        left, right = _emit(node.left, lines), _emit(node.right, lines)
        op = f"{_OPS[type(node.op)]} {left}, {right} : i64"
    else:
        raise SyntaxError(f"tinyc knows integers, + - and *, not {ast.unparse(node)}")
    lines.append(f"%{len(lines)} = {op}")
    return f"%{len(lines) - 1}"
