"""A native part of the dialect `transform`: what runs its scripts."""

from typing_extensions import disjoint_base

from ._mlir.ir import _OperationBase

@disjoint_base
class TransformOptions:
    def __init__(self) -> None: ...
    expensive_checks: bool
    enforce_single_top_level_transform_op: bool

def apply_named_sequence(
    payload_root: _OperationBase,
    transform_root: _OperationBase,
    transform_module: _OperationBase,
    transform_options: TransformOptions | None = ...,
) -> None: ...
def copy_symbols_and_merge_into(target: _OperationBase, other: _OperationBase) -> None: ...
