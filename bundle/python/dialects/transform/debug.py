"""The extension of the transform dialect for finding mistakes in scripts."""

from ...ir import Attribute as Attribute
from ...ir import Operation, OpView, StringAttr, Value
from .. import _transform_debug_extension_ops_gen as _gen
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._transform_debug_extension_ops_gen import *
from .._transform_debug_extension_ops_gen import _Dialect
from .._typing import Optional, Union

_ValueLike = Operation | OpView | Value
_Text = StringAttr | str | None

# LLVM 19's have longer names.
_EmitParam = getattr(_gen, "EmitParamAsRemarkOp", None) or _gen.DebugEmitParamAsRemarkOp
_EmitAt = getattr(_gen, "EmitRemarkAtOp", None) or _gen.DebugEmitRemarkAtOp


def _text(given: _Text) -> StringAttr | None:
    return StringAttr.get(given) if isinstance(given, str) else given


@_ods_cext.register_operation(_Dialect, replace=True)
class EmitParamAsRemarkOp(_EmitParam):  # type: ignore[valid-type, misc]
    """A remark that has a parameter's value, perhaps at an operation."""

    def __init__(
        self,
        param: _ValueLike,
        *,
        anchor: _ValueLike | None = None,
        message: _Text = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(param, anchor=anchor, message=_text(message), loc=loc, ip=ip)


def emit_param_as_remark(
    param: _ValueLike,
    *,
    anchor: _ValueLike | None = None,
    message: _Text = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> EmitParamAsRemarkOp:
    """A remark that has a parameter's value, perhaps at an operation."""
    return EmitParamAsRemarkOp(param, anchor=anchor, message=message, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class EmitRemarkAtOp(_EmitAt):  # type: ignore[valid-type, misc]
    """A remark at operations or values."""

    def __init__(
        self, at: _ValueLike, message: _Text = None, *, loc: _Loc = None, ip: _Place = None
    ):
        super().__init__(at, _text(message), loc=loc, ip=ip)


def emit_remark_at(
    at: _ValueLike, message: _Text = None, *, loc: _Loc = None, ip: _Place = None
) -> EmitRemarkAtOp:
    """A remark at operations or values."""
    return EmitRemarkAtOp(at, message, loc=loc, ip=ip)
