"""The `linalg` dialect: structured operations on tensors and memrefs.

The functions of the named operations come from ``opdsl.ops.core_named_ops``, but for those whose
maps are theirs to choose, which are here.
"""

from ..._mlir_libs._mlirDialectsLinalg import *
from ..._mlir_libs._mlirDialectsLinalg import fill_builtin_region as _fill_region
from .. import _linalg_ops_gen as _gen
from .._linalg_enum_gen import *
from .._linalg_enum_gen import _iteratortypeenum
from .._linalg_ops_gen import *
from .._linalg_ops_gen import _Dialect
from .opdsl.ops.core_named_ops import *

# isort: split
from ...extras.meta import region_op
from ...ir import *
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _dispatch_mixed_values
from .._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple, Union
from ._contraction import (
    _Cast,
    _contraction,
    _create_matmul_like_op,
    _Maps,
    _only_output,
    _ValueLike,
)

if hasattr(_gen, "ContractOp"):
    # LLVM 19 has none of these.
    from ._since_22 import *


def transpose(
    input: _ValueLike, *, outs: Sequence[_ValueLike], permutation: DenseI64ArrayAttr | Sequence[int]
) -> _gen.TransposeOp:
    """Permutes the dimensions of ``input``."""
    init, result = _only_output(outs)
    op = _gen.TransposeOp(
        result=result, input=_get_op_result_or_value(input), init=init, permutation=permutation
    )
    _fill_region(op.operation)
    return op


def broadcast(
    input: _ValueLike, *, outs: Sequence[_ValueLike], dimensions: DenseI64ArrayAttr | Sequence[int]
) -> _gen.BroadcastOp:
    """Repeats ``input`` along ``dimensions``, which it does not have."""
    init, result = _only_output(outs)
    op = _gen.BroadcastOp(
        result=result, input=_get_op_result_or_value(input), init=init, dimensions=dimensions
    )
    _fill_region(op.operation)
    return op


@register_attribute_builder("IteratorTypeArrayAttr")
def _IteratorTypeArrayAttr(x: Sequence[Any], context: Context | None) -> ArrayAttr:
    return ArrayAttr.get([_iteratortypeenum(each, context) for each in x])


class GenericOp_(_gen.GenericOp):
    """Any structured operation; its results follow from its outputs."""

    def __init__(
        self,
        inputs: Sequence[Value],
        outputs: Sequence[Value],
        indexing_maps: Attribute | Sequence[AffineMap],
        iterator_types: Attribute | Sequence[Any],
        *,
        doc: Attribute | str | None = None,
        library_call: Attribute | str | None = None,
        loc: _Loc = None,
        ip: _Place = None,
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
        types: list[Any] = [value.type for value in (*inputs, *outputs)]
        elements = [type.element_type for type in types]
        self.regions[0].blocks.append(*elements)


generic = region_op(GenericOp_, terminator=_gen.YieldOp)


def matmul(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: _Maps = None,
    cast: _Cast = None,
) -> Any:
    """The product of two matrices, added to the output."""
    return _contraction(_gen.MatmulOp, ins, outs, indexing_maps=indexing_maps, cast=cast)


def batch_matmul(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: _Maps = None,
    cast: _Cast = None,
) -> Any:
    """Products of two matrices, along the first dimension, added to the output."""
    return _contraction(_gen.BatchMatmulOp, ins, outs, indexing_maps=indexing_maps, cast=cast)


def batch_reduce_matmul(
    *ins: _ValueLike,
    outs: Sequence[_ValueLike],
    indexing_maps: _Maps = None,
    cast: _Cast = None,
) -> Any:
    """The sum of products of two matrices along the first dimension, added to the output."""
    return _contraction(_gen.BatchReduceMatmulOp, ins, outs, indexing_maps=indexing_maps, cast=cast)


reduce = region_op(_gen.ReduceOp, terminator=_gen.YieldOp)
map = region_op(_gen.MapOp, terminator=_gen.YieldOp)
