"""The extension of the transform dialect for `xegpu`."""

from typing import Any

from ...ir import *
from .. import _xegpu_transform_ops_gen as _gen
from .. import transform
from .._ods_common import Loc as _Loc
from .._ods_common import MixedInt, MixedValues, _dispatch_dynamic_index_list
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._typing import Iterable, Optional, Union
from .._xegpu_transform_ops_gen import *
from .._xegpu_transform_ops_gen import _Dialect
from . import AnyOpType

_ValueLike = Operation | OpView | Value


def _mixed(**sizes: MixedValues | None) -> dict[str, Any]:
    """Each list of sizes as two arguments: the values in it, and the numbers."""
    out: dict[str, Any] = {}
    for name, given in sizes.items():
        mixed: Any = [] if given is None else given
        values, static, _ = _dispatch_dynamic_index_list(mixed)
        out[name] = values
        out[f"static_{name}"] = static
    return out


@_ods_cext.register_operation(_Dialect, replace=True)
class GetDescOp(_gen.GetDescOp):
    """The descriptors that values are loaded or stored by."""

    def __init__(self, target: Value, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(AnyOpType.get(), target, loc=loc, ip=ip)


def get_desc_op(target: Value, *, loc: _Loc = None, ip: _Place = None) -> OpResult:
    """The descriptors that values are loaded or stored by."""
    return GetDescOp(target, loc=loc, ip=ip).result


@_ods_cext.register_operation(_Dialect, replace=True)
class SetDescLayoutOp(_gen.SetDescLayoutOp):
    """Gives descriptors a layout."""

    def __init__(
        self,
        target: _ValueLike,
        sg_layout: MixedValues,
        sg_data: MixedValues,
        *,
        inst_data: MixedValues | None = None,
        slice_dims: MixedInt | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        handle = _get_op_result_or_value(target)
        sizes = _mixed(sg_layout=sg_layout, sg_data=sg_data, inst_data=inst_data)
        super().__init__(handle.type, handle, slice_dims=slice_dims, loc=loc, ip=ip, **sizes)


def set_desc_layout(
    target: _ValueLike,
    sg_layout: MixedValues,
    sg_data: MixedValues,
    *,
    inst_data: MixedValues | None = None,
    slice_dims: MixedInt | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> OpResult:
    """Gives descriptors a layout."""
    return SetDescLayoutOp(
        target, sg_layout, sg_data, inst_data=inst_data, slice_dims=slice_dims, loc=loc, ip=ip
    ).result


@_ods_cext.register_operation(_Dialect, replace=True)
class SetOpLayoutAttrOp(_gen.SetOpLayoutAttrOp):
    """Gives operands or results a layout."""

    def __init__(
        self,
        target: _ValueLike,
        sg_layout: MixedValues,
        sg_data: MixedValues,
        *,
        inst_data: MixedValues | None = None,
        slice_dims: MixedInt | None = None,
        index: int | Attribute | None = None,
        result: bool | Attribute | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        sizes = _mixed(sg_layout=sg_layout, sg_data=sg_data, inst_data=inst_data)
        super().__init__(
            _get_op_result_or_value(target),
            slice_dims=slice_dims,
            index=index,
            result=result,
            loc=loc,
            ip=ip,
            **sizes,
        )


def set_op_layout_attr(
    target: _ValueLike,
    sg_layout: MixedValues,
    sg_data: MixedValues,
    *,
    inst_data: MixedValues | None = None,
    slice_dims: MixedInt | None = None,
    index: int | Attribute | None = None,
    result: bool | Attribute | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> SetOpLayoutAttrOp:
    """Gives operands or results a layout."""
    return SetOpLayoutAttrOp(
        target,
        sg_layout,
        sg_data,
        inst_data=inst_data,
        slice_dims=slice_dims,
        index=index,
        result=result,
        loc=loc,
        ip=ip,
    )


@_ods_cext.register_operation(_Dialect, replace=True)
class SetGPULaunchThreadsOp(_gen.SetGPULaunchThreadsOp):
    """Says with how many threads a kernel is launched."""

    def __init__(
        self, launch_op: _ValueLike, threads: MixedValues, *, loc: _Loc = None, ip: _Place = None
    ):
        super().__init__(
            _get_op_result_or_value(launch_op), loc=loc, ip=ip, **_mixed(threads=threads)
        )


def set_gpu_launch_threads(
    launch_op: _ValueLike, threads: MixedValues, *, loc: _Loc = None, ip: _Place = None
) -> SetGPULaunchThreadsOp:
    """Says with how many threads a kernel is launched."""
    return SetGPULaunchThreadsOp(launch_op, threads, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class InsertPrefetchOp(_gen.InsertPrefetchOp):
    """Fetches ahead what an operation loads, by so many steps."""

    def __init__(
        self,
        target: Value,
        *,
        nb_prefetch: MixedInt | None = 1,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        (values, numbers, _) = _dispatch_dynamic_index_list(
            [1 if nb_prefetch is None else nb_prefetch]
        )
        super().__init__(
            AnyOpType.get(),
            target,
            dynamic_nb_prefetch=values[0] if values else None,
            static_nb_prefetch=1 if values else numbers[0],
            loc=loc,
            ip=ip,
        )


def insert_prefetch(
    target: Value, *, nb_prefetch: MixedInt | None = 1, loc: _Loc = None, ip: _Place = None
) -> OpResult:
    """Fetches ahead what an operation loads, by so many steps."""
    return InsertPrefetchOp(target, nb_prefetch=nb_prefetch, loc=loc, ip=ip).result


@_ods_cext.register_operation(_Dialect, replace=True)
class ConvertLayoutOp(_gen.ConvertLayoutOp):
    """Converts a value from one layout to another."""

    def __init__(
        self,
        target: Value,
        input_sg_layout: MixedValues,
        input_sg_data: MixedValues,
        target_sg_layout: MixedValues,
        target_sg_data: MixedValues,
        *,
        input_inst_data: MixedValues | None = None,
        target_inst_data: MixedValues | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        sizes = _mixed(
            input_sg_layout=input_sg_layout,
            input_sg_data=input_sg_data,
            input_inst_data=input_inst_data,
            target_sg_layout=target_sg_layout,
            target_sg_data=target_sg_data,
            target_inst_data=target_inst_data,
        )
        super().__init__(AnyOpType.get(), target, loc=loc, ip=ip, **sizes)


def convert_layout(
    target: Value,
    input_sg_layout: MixedValues,
    input_sg_data: MixedValues,
    target_sg_layout: MixedValues,
    target_sg_data: MixedValues,
    *,
    input_inst_data: MixedValues | None = None,
    target_inst_data: MixedValues | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> OpResult:
    """Converts a value from one layout to another."""
    return ConvertLayoutOp(
        target,
        input_sg_layout,
        input_sg_data,
        target_sg_layout,
        target_sg_data,
        input_inst_data=input_inst_data,
        target_inst_data=target_inst_data,
        loc=loc,
        ip=ip,
    ).result
