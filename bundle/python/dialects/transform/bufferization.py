"""The extension of the transform dialect for `bufferization`."""

from enum import Enum

from ...ir import *
from .. import _bufferization_transform_ops_gen as _gen
from .. import transform
from .._bufferization_transform_ops_gen import *
from .._bufferization_transform_ops_gen import _Dialect
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._typing import Iterable, Optional, Union, overload
from . import OperationType
from ._leading_types import ValueLike as _ValueLike
from ._leading_types import leading_types as _leading_types


@_ods_cext.register_operation(_Dialect, replace=True)
class EmptyTensorToAllocTensorOp(_gen.EmptyTensorToAllocTensorOp):
    """Makes allocations of empty tensors; the type of the result comes first, or is left out."""

    def __init__(
        self,
        transformed_type_or_target: Type | _ValueLike,
        target_or_none: _ValueLike | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        (kind,), (target, *_) = _leading_types(
            1,
            default=OperationType.get("bufferization.alloc_tensor"),
            transformed_type_or_target=transformed_type_or_target,
            target_or_none=target_or_none,
        )
        super().__init__(kind, target, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class OneShotBufferizeOp(_gen.OneShotBufferizeOp):
    """Puts tensors into memory; the type of the result comes first, or is left out."""

    def __init__(
        self,
        transformed_type_or_target: Type | _ValueLike,
        target_or_none: _ValueLike | None = None,
        *,
        allow_return_allocs_from_loops: bool | None = None,
        allow_unknown_ops: bool | None = None,
        bufferize_function_boundaries: bool | None = None,
        function_boundary_type_conversion: Enum | None = None,
        memcpy_op: str | None = None,
        print_conflicts: bool | None = None,
        test_analysis_only: bool | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        (kind,), (target, *_) = _leading_types(
            1,
            transformed_type_or_target=transformed_type_or_target,
            target_or_none=target_or_none,
        )
        super().__init__(
            kind,
            target,
            allow_return_allocs_from_loops=allow_return_allocs_from_loops,
            allow_unknown_ops=allow_unknown_ops,
            bufferize_function_boundaries=bufferize_function_boundaries,
            function_boundary_type_conversion=function_boundary_type_conversion,
            memcpy_op=memcpy_op,
            print_conflicts=print_conflicts,
            test_analysis_only=test_analysis_only,
            loc=loc,
            ip=ip,
        )
