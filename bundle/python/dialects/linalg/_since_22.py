"""The operations of `linalg` that LLVM 19 lacks: those whose maps or tiles are theirs to choose."""

from collections.abc import Sequence
from typing import Any

from ..._mlir_libs._mlirDialectsLinalg import fill_builtin_region as _fill_region
from ...ir import AffineMap, AffineMapAttr, Attribute, RankedTensorType, Type
from .. import _linalg_ops_gen as _gen
from .._ods_common import Loc as _Loc
from .._ods_common import MixedValues as _MixedValues
from .._ods_common import Place as _Place
from .._ods_common import _dispatch_mixed_values
from .._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from ._contraction import _Cast, _contraction, _Maps, _only_output, _ValueLike

__all__ = ["ElementwiseOp", "ElementwiseOp_", "contract", "elementwise", "pack", "unpack"]

_Ints = Attribute | Sequence[int]


def contract(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: Sequence[AffineMap] | Sequence[AffineMapAttr],
    cast: _Cast = None,
) -> Any:
    """The contraction that the maps say, added to the output."""
    return _contraction(_gen.ContractOp, ins, outs, indexing_maps=indexing_maps, cast=cast)


class ElementwiseOp_(_gen.ElementwiseOp):
    """A function of elements; without maps each operand is indexed as the output is."""

    def __init__(
        self,
        result_tensors: Sequence[Type],
        inputs: Sequence[_ValueLike],
        outputs: Sequence[_ValueLike],
        kind: Any,
        *,
        indexing_maps: _Maps = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        if indexing_maps is None:
            values = [_get_op_result_or_value(each) for each in inputs]
            output = _get_op_result_or_value(outputs[0])
            assert all(each.type == output.type for each in values), (
                "operands of several types need indexing maps"
            )
            shaped: Any = output.type
            indexing_maps = [AffineMap.get_identity(shaped.rank)] * (len(values) + 1)
            inputs = values
        super().__init__(
            result_tensors=result_tensors,
            inputs=inputs,
            outputs=outputs,
            kind=kind,
            indexing_maps=indexing_maps,
            loc=loc,
            ip=ip,
        )


ElementwiseOp = ElementwiseOp_  # type: ignore[misc]


def elementwise(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    kind: Any,
    indexing_maps: _Maps = None,
) -> Any:
    """A function of this kind, applied to each element."""
    init, result = _only_output(outs)
    op = ElementwiseOp_(
        result_tensors=result,
        inputs=[_get_op_result_or_value(each) for each in ins],
        outputs=[init],
        kind=kind,
        indexing_maps=indexing_maps,
    )
    _fill_region(op.operation)
    return _get_op_result_or_op_results(op)


def _result(view: Any, dest: _ValueLike) -> dict[str, Any]:
    """The type of the result, which the constructor takes since LLVM 23: buffers have no result."""
    if "result" not in view.__init__.__code__.co_varnames:
        return {}
    kind = _get_op_result_or_value(dest).type
    return {"result": kind if isinstance(kind, RankedTensorType) else None}


def pack(
    source: _ValueLike,
    dest: _ValueLike,
    inner_dims_pos: _Ints,
    inner_tiles: _MixedValues,
    *,
    padding_value: _ValueLike | None = None,
    outer_dims_perm: _Ints | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> Any:
    """Lays ``source`` out in tiles of these sizes."""
    tiles, _, static_tiles = _dispatch_mixed_values(inner_tiles)
    op = _gen.PackOp(
        **_result(_gen.PackOp, dest),
        source=source,
        dest=dest,
        inner_dims_pos=inner_dims_pos,
        inner_tiles=tiles,
        static_inner_tiles=static_tiles,
        padding_value=padding_value,
        outer_dims_perm=outer_dims_perm,
        loc=loc,
        ip=ip,
    )
    return _get_op_result_or_op_results(op)


def unpack(
    source: _ValueLike,
    dest: _ValueLike,
    inner_dims_pos: _Ints,
    inner_tiles: _MixedValues,
    *,
    outer_dims_perm: _Ints | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> Any:
    """Undoes what ``pack`` did."""
    tiles, _, static_tiles = _dispatch_mixed_values(inner_tiles)
    op = _gen.UnPackOp(
        **_result(_gen.UnPackOp, dest),
        source=source,
        dest=dest,
        inner_dims_pos=inner_dims_pos,
        inner_tiles=tiles,
        static_inner_tiles=static_tiles,
        outer_dims_perm=outer_dims_perm,
        loc=loc,
        ip=ip,
    )
    return _get_op_result_or_op_results(op)
