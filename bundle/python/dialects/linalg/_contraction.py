"""Contractions with one output, whose results follow from it."""

from collections.abc import Sequence
from typing import Any

from ..._mlir_libs._mlirDialectsLinalg import fill_builtin_region as _fill_region
from ...ir import (
    AffineMap,
    AffineMapAttr,
    Attribute,
    Operation,
    OpView,
    RankedTensorType,
    Type,
    Value,
)
from .._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from .._ods_common import get_op_result_or_value as _get_op_result_or_value

_ValueLike = Operation | OpView | Value
_Maps = Sequence[AffineMap] | Sequence[AffineMapAttr] | Attribute | None
# Also `TypeFn` of the enums, which mlir-tblgen writes without types.
_Cast = Any


def _only_output(outs: Sequence[_ValueLike]) -> tuple[Value, list[Type]]:
    """The output of an operation that has one, and the types of the results that follow."""
    if len(outs) != 1:
        raise ValueError(f"{outs=} must have length 1.")
    init = _get_op_result_or_value(outs[0])
    return init, [init.type] if isinstance(init.type, RankedTensorType) else []


def _create_matmul_like_op(
    op_type: Any,
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: _Maps = None,
    cast: _Cast = None,
) -> Any:
    """A contraction of this class."""
    init, result = _only_output(outs)
    options = {"indexing_maps": indexing_maps, "cast": cast}
    op = op_type(
        result_tensors=result,
        inputs=[_get_op_result_or_value(each) for each in ins],
        outputs=[init],
        # Not every operation has each of them in LLVM 19.
        **{name: given for name, given in options.items() if given is not None},
    )
    _fill_region(op.operation)
    return op


def _contraction(
    op_type: Any, ins: Sequence[_ValueLike], outs: Sequence[_ValueLike], **options: Any
) -> Any:
    """The result of a contraction, or the operation where it is on memrefs."""
    op = _create_matmul_like_op(op_type, *ins, outs=outs, **options)
    return _get_op_result_or_op_results(op)
