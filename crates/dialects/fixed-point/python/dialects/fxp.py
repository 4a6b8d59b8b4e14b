"""The `fxp` dialect: fixed-point numbers."""

from decimal import Decimal as _Decimal
from fractions import Fraction as _Fraction
from typing import Any

from .._mlir_libs._fxp import *
from ..ir import Attribute, Type, Value
from . import _fxp_ops_gen as _gen
from ._fxp_enum_gen import *
from ._fxp_ops_gen import *
from ._fxp_ops_gen import _Dialect
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results

_Number = int | float | _Fraction | _Decimal


def value_attr(type: Type, value: _Number) -> ValueAttr:
    """The constant of a number type, or of a vector or tensor of it, that is equal to ``value``.

    A number that the type does not have is a :class:`ValueError`, as it is in MLIR's text: 0.1 has
    to be rounded by whoever wants it rounded.
    """
    num = ValueAttr.get(type, 0).num_type
    raw = _Fraction(value) * 2**num.frac
    if raw.denominator != 1:
        raise ValueError(f"{value} has more than the {num.frac} fraction bits of {num}")
    return ValueAttr.get(type, raw.numerator)


@_ods_cext.register_operation(_Dialect, replace=True)
class ConstantOp(_gen.ConstantOp):
    """A constant, made from a type and a number, or from an attribute."""

    def __init__(
        self, type: Any, value: "_Number | Attribute | None" = None, *, loc=None, ip=None
    ) -> None:
        if value is None:
            value = type
        elif not isinstance(value, Attribute):
            value = value_attr(type, value)
        super().__init__(value, loc=loc, ip=ip)

    @property
    def literal_value(self) -> _Fraction:
        """The number, exactly."""
        return ValueAttr(self.value).value


def constant(type: Any, value: "_Number | Attribute | None" = None, *, loc=None, ip=None) -> Value:
    """The result of a new constant."""
    return _get_op_result_or_op_results(ConstantOp(type, value, loc=loc, ip=ip))
