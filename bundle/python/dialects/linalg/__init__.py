"""The `linalg` dialect: structured operations on tensors and memrefs.

The functions of the named operations come from ``opdsl.ops.core_named_ops``, but for those whose
maps are theirs to choose, which are here.
"""

from collections.abc import Sequence
from typing import Any

from ..._mlir_libs._mlirDialectsLinalg import *
from ..._mlir_libs._mlirDialectsLinalg import fill_builtin_region as _fill_region
from .. import _linalg_ops_gen as _gen
from .._linalg_enum_gen import *
from .._linalg_enum_gen import _iteratortypeenum
from .._linalg_ops_gen import *
from .._linalg_ops_gen import _Dialect
from .opdsl.ops.core_named_ops import *

# isort: split
from ...extras.meta import region_op as _region_op
from ...ir import *
from .._ods_common import MixedValues as _MixedValues
from .._ods_common import _dispatch_mixed_values
from .._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from .._ods_common import get_op_result_or_value as _get_value

_ValueLike = Operation | OpView | Value
_Maps = Sequence[AffineMapAttr] | None
# Also `TypeFn` of the enums, which mlir-tblgen writes without types.
_Cast = Any


def _only_output(outs: Sequence[_ValueLike]) -> tuple[Value, list[Type]]:
    """The output of an operation that has one, and the types of the results that follow."""
    if len(outs) != 1:
        raise ValueError(f"{outs=} must have length 1.")
    init = _get_value(outs[0])
    return init, [init.type] if isinstance(init.type, RankedTensorType) else []


def transpose(
    input: _ValueLike, *, outs: Sequence[_ValueLike], permutation: DenseI64ArrayAttr | Sequence[int]
) -> _gen.TransposeOp:
    """Permutes the dimensions of ``input``."""
    init, result = _only_output(outs)
    op = _gen.TransposeOp(
        result=result, input=_get_value(input), init=init, permutation=permutation
    )
    _fill_region(op.operation)
    return op


def broadcast(
    input: _ValueLike, *, outs: Sequence[_ValueLike], dimensions: DenseI64ArrayAttr | Sequence[int]
) -> _gen.BroadcastOp:
    """Repeats ``input`` along ``dimensions``, which it does not have."""
    init, result = _only_output(outs)
    op = _gen.BroadcastOp(result=result, input=_get_value(input), init=init, dimensions=dimensions)
    _fill_region(op.operation)
    return op


@register_attribute_builder("IteratorTypeArrayAttr")
def _iterator_types(types, context):
    return ArrayAttr.get([_iteratortypeenum(each, context) for each in types])


class GenericOp_(_gen.GenericOp):
    """Any structured operation; its results follow from its outputs."""

    def __init__(
        self,
        inputs,
        outputs,
        indexing_maps,
        iterator_types,
        *,
        doc=None,
        library_call=None,
        loc=None,
        ip=None,
    ):
        """The entry block has an argument for each element of an input or output."""
        on_tensors = isinstance(outputs[0].type, RankedTensorType)
        super().__init__(
            [output.type for output in outputs] if on_tensors else [],
            inputs,
            outputs,
            indexing_maps,
            iterator_types,
            doc=doc,
            library_call=library_call,
            loc=loc,
            ip=ip,
        )
        elements = [value.type.element_type for value in (*inputs, *outputs)]
        self.regions[0].blocks.append(*elements)


generic = _region_op(GenericOp_, terminator=_gen.YieldOp)


def _contraction(op_type, ins, outs, indexing_maps, cast):
    init, result = _only_output(outs)
    op = op_type(
        result_tensors=result,
        inputs=[_get_value(each) for each in ins],
        outputs=[init],
        indexing_maps=indexing_maps,
        cast=cast,
    )
    _fill_region(op.operation)
    return _get_op_result_or_op_results(op)


def matmul(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: _Maps = None,
    cast: _Cast = None,
):
    """The product of two matrices, added to the output."""
    return _contraction(_gen.MatmulOp, ins, outs, indexing_maps, cast)


def batch_matmul(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: _Maps = None,
    cast: _Cast = None,
):
    """Products of two matrices, along the first dimension, added to the output."""
    return _contraction(_gen.BatchMatmulOp, ins, outs, indexing_maps, cast)


def batch_reduce_matmul(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: _Maps = None,
    cast: _Cast = None,
):
    """The sum of products of two matrices along the first dimension, added to the output."""
    return _contraction(_gen.BatchReduceMatmulOp, ins, outs, indexing_maps, cast)


def contract(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: Sequence[AffineMapAttr],
    cast: _Cast = None,
):
    """The contraction that the maps say, added to the output."""
    return _contraction(_gen.ContractOp, ins, outs, indexing_maps, cast)


class ElementwiseOp_(_gen.ElementwiseOp):
    """A function of elements; without maps each operand is indexed as the output is."""

    def __init__(
        self,
        result_tensors,
        inputs,
        outputs,
        kind,
        *,
        indexing_maps=None,
        loc=None,
        ip=None,
    ):
        if indexing_maps is None:
            inputs = [_get_value(each) for each in inputs]
            output = _get_value(outputs[0])
            assert all(each.type == output.type for each in inputs), (
                "operands of several types need indexing maps"
            )
            indexing_maps = [AffineMap.get_identity(output.type.rank)] * (len(inputs) + 1)
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
):
    """A function of this kind, applied to each element."""
    init, result = _only_output(outs)
    op = ElementwiseOp_(
        result_tensors=result,
        inputs=[_get_value(each) for each in ins],
        outputs=[init],
        kind=kind,
        indexing_maps=indexing_maps,
    )
    _fill_region(op.operation)
    return _get_op_result_or_op_results(op)


def pack(
    source: _ValueLike,
    dest: _ValueLike,
    inner_dims_pos,
    inner_tiles: _MixedValues,
    *,
    padding_value=None,
    outer_dims_perm=None,
    loc=None,
    ip=None,
):
    """Lays ``source`` out in tiles of these sizes."""
    tiles, _, static_tiles = _dispatch_mixed_values(inner_tiles)
    op = _gen.PackOp(
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
    inner_dims_pos,
    inner_tiles: _MixedValues,
    *,
    outer_dims_perm=None,
    loc=None,
    ip=None,
):
    """Undoes what ``pack`` did."""
    tiles, _, static_tiles = _dispatch_mixed_values(inner_tiles)
    op = _gen.UnPackOp(
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


reduce = _region_op(_gen.ReduceOp, terminator=_gen.YieldOp)
map = _region_op(_gen.MapOp, terminator=_gen.YieldOp)
