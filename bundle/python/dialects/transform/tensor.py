"""The extension of the transform dialect for `tensor`."""

from ...ir import *
from .. import _tensor_transform_ops_gen as _gen
from .. import transform
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._tensor_transform_ops_gen import *
from .._tensor_transform_ops_gen import _Dialect
from .._typing import Iterable, Optional, Union, overload
from ._leading_types import ValueLike as _ValueLike
from ._leading_types import leading_types as _leading_types


@_ods_cext.register_operation(_Dialect, replace=True)
class MakeLoopIndependentOp(_gen.MakeLoopIndependentOp):
    """Makes an operation not depend on the loops around it.

    The type of the result comes first, or is left out.
    """

    def __init__(
        self,
        transformed_type_or_target: Type | _ValueLike,
        target_or_num_loops: int | IntegerAttr | _ValueLike | None = None,
        num_loops_or_none: int | IntegerAttr | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        types, operands = _leading_types(
            1,
            transformed_type_or_target=transformed_type_or_target,
            target_or_num_loops=target_or_num_loops,
            num_loops_or_none=num_loops_or_none,
        )
        super().__init__(*types, *operands, loc=loc, ip=ip)
