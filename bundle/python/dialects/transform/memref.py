"""The extension of the transform dialect for `memref`."""

from ...ir import *
from .. import _memref_transform_ops_gen as _gen
from .. import transform
from .._memref_transform_ops_gen import *
from .._memref_transform_ops_gen import _Dialect
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._typing import Iterable, Optional, Union, overload
from ._leading_types import ValueLike as _ValueLike
from ._leading_types import leading_types as _leading_types


@_ods_cext.register_operation(_Dialect, replace=True)
class MemRefAllocaToGlobalOp(_gen.MemRefAllocaToGlobalOp):
    """Makes globals of what is on the stack.

    The types of the two results come first, or are left out.
    """

    def __init__(
        self,
        get_global_type_or_alloca: _ValueLike | Type,
        global_type_or_none: Type | None = None,
        alloca_or_none: _ValueLike | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        types, (alloca, *_) = _leading_types(
            2,
            get_global_type_or_alloca=get_global_type_or_alloca,
            global_type_or_none=global_type_or_none,
            alloca_or_none=alloca_or_none,
        )
        super().__init__(*types, alloca, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class MemRefMultiBufferOp(_gen.MemRefMultiBufferOp):
    """Gives iterations of a loop a buffer each, ``factor`` in turn.

    The type of the result comes first, or is left out.
    """

    def __init__(
        self,
        transformed_type_or_target: Type | _ValueLike,
        target_or_factor: int | IntegerAttr | _ValueLike | None = None,
        factor_or_none: int | IntegerAttr | None = None,
        *,
        skip_analysis: bool | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        types, operands = _leading_types(
            1,
            transformed_type_or_target=transformed_type_or_target,
            target_or_factor=target_or_factor,
            factor_or_none=factor_or_none,
        )
        super().__init__(*types, *operands, skip_analysis=skip_analysis, loc=loc, ip=ip)
