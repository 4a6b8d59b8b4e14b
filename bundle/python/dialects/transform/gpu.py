"""The extension of the transform dialect for `gpu`."""

from collections.abc import Sequence

from ...ir import *
from .. import _gpu_transform_ops_gen as _gen
from .. import transform
from .._gpu_transform_ops_gen import *
from .._gpu_transform_ops_gen import _Dialect
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._typing import Iterable, Optional, Union, overload
from ._leading_types import ValueLike as _ValueLike
from ._leading_types import leading_types as _leading_types


@_ods_cext.register_operation(_Dialect, replace=True)
class MapForallToBlocks(_gen.MapForallToBlocks):
    """Maps a loop to the blocks of a grid; the type of the result comes first, or is left out."""

    def __init__(
        self,
        result_type_or_target: _ValueLike | Type,
        target_or_none: _ValueLike | None = None,
        *,
        grid_dims: Sequence[int] | Attribute | None = None,
        generate_gpu_launch: bool | Attribute | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        (kind,), (target, *_) = _leading_types(
            1, result_type_or_target=result_type_or_target, target_or_none=target_or_none
        )
        super().__init__(
            kind,
            target,
            grid_dims=grid_dims,
            generate_gpu_launch=generate_gpu_launch,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class MapNestedForallToThreads(_gen.MapNestedForallToThreads):
    """Maps loops to threads; the type of the result is the target's where it is left out."""

    def __init__(
        self,
        result_type_or_target: _ValueLike | Type,
        target_or_none: _ValueLike | None = None,
        *,
        block_dims: Sequence[int] | Attribute | None = None,
        warp_size: Sequence[int] | Attribute | None = None,
        sync_after_distribute: bool | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        (kind,), (target, *_) = _leading_types(
            1,
            default=getattr(result_type_or_target, "type", None),
            result_type_or_target=result_type_or_target,
            target_or_none=target_or_none,
        )
        super().__init__(
            kind,
            target,
            block_dims=block_dims,
            warp_size=warp_size,
            sync_after_distribute=sync_after_distribute,
            loc=loc,
            ip=ip,
        )
