"""The `tensor` dialect."""

from collections.abc import Sequence

from ..extras.meta import region_op
from ..ir import *
from . import _tensor_ops_gen as _gen
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import ResultValueT as _ResultValueT
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from ._tensor_ops_gen import *
from ._tensor_ops_gen import _Dialect
from ._typing import Iterable, Optional, Union


@_ods_cext.register_operation(_Dialect, replace=True)
class EmptyOp(_gen.EmptyOp):
    """A tensor of unspecified contents."""

    def __init__(
        self,
        sizes: Sequence[int | Value],
        element_type: Type,
        *,
        encoding: Attribute | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A tensor of ``sizes``; the type has those that are integers, the others are operands."""
        shape = [size if isinstance(size, int) else ShapedType.get_dynamic_size() for size in sizes]
        values = [size for size in sizes if not isinstance(size, int)]
        result = RankedTensorType.get(shape, element_type, encoding)
        super().__init__(result, values, loc=loc, ip=ip)


def empty(
    sizes: Sequence[int | Value],
    element_type: Type,
    *,
    encoding: Attribute | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> Value:
    """A tensor of unspecified contents."""
    op = EmptyOp(sizes, element_type, encoding=encoding, loc=loc, ip=ip)
    return _get_op_result_or_op_results(op)


def _generate(result: Type, dynamic_extents: Sequence[_ResultValueT]) -> _gen.GenerateOp:
    return _gen.GenerateOp(result, dynamic_extents)


generate = region_op(_generate, terminator=lambda results: _gen.YieldOp(results[0]))
