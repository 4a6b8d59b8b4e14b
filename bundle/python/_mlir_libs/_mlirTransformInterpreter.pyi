"""A native part of the dialect `transform`: what runs its scripts."""

from typing_extensions import disjoint_base

from ._mlir.ir import _OperationBase

@disjoint_base
class TransformOptions:
    """The options of the interpreter."""

    def __init__(self) -> None: ...
    expensive_checks: bool
    enforce_single_top_level_transform_op: bool

def apply_named_sequence(
    payload_root: _OperationBase,
    transform_root: _OperationBase,
    transform_module: _OperationBase,
    transform_options: TransformOptions | None = ...,
) -> None:
    """Runs the script that begins with `transform_root` on what `payload_root` is; a `ValueError`
    with the diagnostics if it fails. Other threads of Python go on meanwhile, but cannot use the
    context.
    """

def copy_symbols_and_merge_into(target: _OperationBase, other: _OperationBase) -> None:
    """Copies the symbols of `other` into `target`; private ones get other names where they have to.
    A `ValueError` with the diagnostics if both have a public symbol of one name.
    """
