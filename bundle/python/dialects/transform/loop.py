"""The extension of the transform dialect for loops: those of `scf`."""

from ...ir import *
from .. import _loop_transform_ops_gen as _gen
from .._loop_transform_ops_gen import *
from .._loop_transform_ops_gen import _Dialect
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._typing import Iterable, Optional, Union

_ValueLike = Operation | OpView | Value


def _flag(given: bool | BoolAttr) -> BoolAttr:
    return given if isinstance(given, BoolAttr) else BoolAttr.get(given)


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopOutlineOp(_gen.LoopOutlineOp):
    """Makes a function of a loop, and calls it."""

    def __init__(
        self,
        function_type: Type,
        call_type: Type,
        target: _ValueLike,
        *,
        func_name: str | StringAttr,
        ip: _Place = None,
        loc: _Loc = None,
    ):
        super().__init__(
            function_type,
            call_type,
            _get_op_result_or_value(target),
            func_name=func_name,
            ip=ip,
            loc=loc,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopPeelOp(_gen.LoopPeelOp):
    """Takes the last iterations out of a loop, or the first ones."""

    def __init__(
        self,
        main_loop_type: Type,
        remainder_loop_type: Type,
        target: _ValueLike,
        *,
        peel_front: bool | BoolAttr = False,
        fail_if_already_divisible: bool | BoolAttr = False,
        ip: _Place = None,
        loc: _Loc = None,
    ):
        super().__init__(
            main_loop_type,
            remainder_loop_type,
            _get_op_result_or_value(target),
            peel_front=_flag(peel_front),
            fail_if_already_divisible=_flag(fail_if_already_divisible),
            ip=ip,
            loc=loc,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopPipelineOp(_gen.LoopPipelineOp):
    """Has iterations of a loop overlap."""

    def __init__(
        self,
        result_type: Type,
        target: _ValueLike,
        *,
        iteration_interval: int | IntegerAttr | None = None,
        read_latency: int | IntegerAttr | None = None,
        ip: _Place = None,
        loc: _Loc = None,
    ):
        super().__init__(
            result_type,
            _get_op_result_or_value(target),
            iteration_interval=1 if iteration_interval is None else iteration_interval,
            read_latency=10 if read_latency is None else read_latency,
            ip=ip,
            loc=loc,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class LoopUnrollOp(_gen.LoopUnrollOp):
    """Repeats the body of a loop, so that it has fewer iterations."""

    def __init__(
        self, target: _ValueLike, *, factor: int | IntegerAttr, ip: _Place = None, loc: _Loc = None
    ):
        super().__init__(_get_op_result_or_value(target), factor=factor, ip=ip, loc=loc)
