"""A script of the transform dialect that tiles a product of matrices."""

from __future__ import annotations

from mlir.dialects import transform
from mlir.dialects.transform import interpreter, loop, structured
from mlir.ir import (
    Context,
    InsertionPoint,
    Location,
    Module,
    Operation,
    OpResult,
    UnitAttr,
    Value,
)

PAYLOAD = """
func.func @product(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> tensor<8x8xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}
"""


def tiled(root: Value, sizes: list[int]) -> OpResult:
    """Tiles what is found, and gives the innermost loop."""
    found = structured.MatchOp.match_op_names(root, ["linalg.matmul"])
    tiling = structured.TileUsingForOp(found.results_, sizes=sizes)
    loops: list[OpResult] = list(tiling.loops)
    return loops[-1]


def script(sizes: list[int], factor: int) -> tuple[Module, transform.NamedSequenceOp]:
    """A module with the script."""
    module = Module.create()
    module.operation.attributes["transform.with_named_sequence"] = UnitAttr.get()
    with InsertionPoint(module.body):
        handle = transform.AnyOpType.get()
        sequence = transform.named_sequence("__transform_main", [handle], [])
        with InsertionPoint(sequence.body):
            target: Value = sequence.bodyTarget
            innermost = tiled(target, sizes)
            function = transform.get_parent_op(handle, innermost, op_name="func.func")
            assert function.type == handle
            loop.LoopUnrollOp(innermost, factor=factor)
            transform.yield_([])
    return module, sequence


def functions(module: Module) -> list[Operation]:
    """The functions of a module."""
    return [op.operation for op in module.body.operations]


def main() -> None:
    """Runs the script in two ways."""
    with Context(), Location.unknown():
        module, sequence = script([4, 4, 2], factor=2)
        first = Module.parse(PAYLOAD)
        interpreter.apply_named_sequence(first, sequence, module)
        assert str(first).count("scf.for") == 3
        assert len(functions(first)) == 1


if __name__ == "__main__":
    main()
