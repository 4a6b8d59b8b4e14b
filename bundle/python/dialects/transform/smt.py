"""The extension of the transform dialect for constraints of `smt`."""

from collections.abc import Sequence

from ...ir import Block, Operation, OpView, Type, Value
from .. import _transform_smt_extension_ops_gen as _gen
from .. import transform
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._transform_smt_extension_ops_gen import *
from .._transform_smt_extension_ops_gen import _Dialect

_ValueLike = Operation | OpView | Value


@_ods_cext.register_operation(_Dialect, replace=True)
class ConstrainParamsOp(_gen.ConstrainParamsOp):
    """Constraints on parameters; the body has an argument of ``arg_types`` for each."""

    def __init__(
        self,
        results: Sequence[Type],
        params: Sequence[_ValueLike],
        arg_types: Sequence[Type],
        loc: _Loc = None,
        ip: _Place = None,
    ):
        if len(params) != len(arg_types):
            raise ValueError(f"{params=} not same length as {arg_types=}")
        super().__init__(results, params, loc=loc, ip=ip)
        self.regions[0].blocks.append(*arg_types)

    @property
    def body(self) -> Block:
        """The block of the body."""
        return self.regions[0].blocks[0]


def constrain_params(
    results: Sequence[Type],
    params: Sequence[_ValueLike],
    arg_types: Sequence[Type],
    loc: _Loc = None,
    ip: _Place = None,
) -> ConstrainParamsOp:
    """Constraints on parameters."""
    return ConstrainParamsOp(results, params, arg_types, loc=loc, ip=ip)
