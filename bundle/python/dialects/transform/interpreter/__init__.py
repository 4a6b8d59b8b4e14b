"""What runs scripts of the transform dialect."""

from ...._mlir_libs import _mlirTransformInterpreter as _native
from ....ir import Module, Operation, OpView

TransformOptions = _native.TransformOptions

_HasOperation = Module | Operation | OpView


def _operation(given: _HasOperation) -> Operation:
    return given if isinstance(given, Operation) else given.operation


def apply_named_sequence(
    payload_root: _HasOperation,
    transform_root: _HasOperation,
    transform_module: _HasOperation,
    transform_options: TransformOptions | None = None,
) -> None:
    """Runs the script that begins with ``transform_root``, in ``transform_module``, on a payload.

    What the payload was may not exist afterwards. A script that fails is a :class:`ValueError`.
    """
    _native.apply_named_sequence(
        _operation(payload_root),
        _operation(transform_root),
        _operation(transform_module),
        transform_options,
    )


def copy_symbols_and_merge_into(target: _HasOperation, other: _HasOperation) -> None:
    """Copies the symbols of ``other`` into ``target``; private ones may get other names.

    Two public symbols of one name are a :class:`ValueError`.
    """
    _native.copy_symbols_and_merge_into(_operation(target), _operation(other))
