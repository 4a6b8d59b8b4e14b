"""The interpreter of the transform dialect's scripts."""

from ...._mlir_libs import _mlirTransformInterpreter as _cextTransformInterpreter
from ...._mlir_libs import _refuse_older_pickles
from ....ir import Module, Operation, OpView

TransformOptions = _cextTransformInterpreter.TransformOptions
_refuse_older_pickles([TransformOptions])

_HasOperation = Module | Operation | OpView


def _unpack_operation(op: _HasOperation) -> Operation:
    return op if isinstance(op, Operation) else op.operation


def apply_named_sequence(
    payload_root: _HasOperation,
    transform_root: _HasOperation,
    transform_module: _HasOperation,
    transform_options: TransformOptions | None = None,
) -> None:
    """Runs the script that begins with ``transform_root``, in ``transform_module``, on a payload.

    The script may erase operations of the payload: their wrappers are invalid then. A script that
    fails is a :class:`ValueError`.
    """
    _cextTransformInterpreter.apply_named_sequence(
        _unpack_operation(payload_root),
        _unpack_operation(transform_root),
        _unpack_operation(transform_module),
        transform_options,
    )


def copy_symbols_and_merge_into(target: _HasOperation, other: _HasOperation) -> None:
    """Copies the symbols of ``other`` into ``target``; private ones may get other names.

    Two public symbols of one name are a :class:`ValueError`.
    """
    _cextTransformInterpreter.copy_symbols_and_merge_into(
        _unpack_operation(target), _unpack_operation(other)
    )
