"""Passes, walks and diagnostics over parsed modules."""

from __future__ import annotations

from collections import Counter

from mlir.dialects import func
from mlir.ir import (
    Context,
    Diagnostic,
    Location,
    MLIRError,
    Module,
    Operation,
    SymbolTable,
    WalkOrder,
    WalkResult,
)
from mlir.passmanager import PassManager

SOURCE = """
func.func private @twice(%value: i32) -> i32 {
  %sum = arith.addi %value, %value : i32
  %unused = arith.muli %sum, %sum : i32
  return %sum : i32
}
"""


def counted(module: Module) -> Counter[str]:
    """The number of operations of each name."""
    found: Counter[str] = Counter()

    def visit(op: Operation) -> WalkResult:
        found[op.name] += 1
        return WalkResult.ADVANCE

    module.operation.walk(visit, WalkOrder.PRE_ORDER)
    return found


def simplified(module: Module, passes: list[str]) -> str:
    """The module after passes over its functions; it is changed."""
    manager = PassManager()
    for name in passes:
        manager.add(f"func.func({name})")
    manager.enable_verifier(True)
    manager.run(module.operation)
    return str(module)


def reported(text: str, context: Context) -> list[str]:
    """The messages of a text that is not correct."""
    messages: list[str] = []

    def handle(diagnostic: Diagnostic) -> bool:
        messages.append(diagnostic.message)
        return True

    with context.attach_diagnostic_handler(handle) as handler:
        try:
            Module.parse(text, context)
        except MLIRError as error:
            messages.extend(info.message for info in error.error_diagnostics)
        assert handler.attached
    return messages


def main() -> None:
    """Parses, counts, simplifies and looks up."""
    with Context() as context, Location.unknown():
        module = Module.parse(SOURCE)
        before = counted(module)
        assert before["arith.muli"] == 1
        text = simplified(module, ["canonicalize", "cse"])
        assert "muli" not in text
        assert counted(module).total() == before.total() - 1
        table = SymbolTable(module.operation)
        function = table["twice"]
        assert isinstance(function, func.FuncOp)
        assert len(function.arguments) == 1
        assert reported("func.func @f(", context)


if __name__ == "__main__":
    main()
