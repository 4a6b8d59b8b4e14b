"""The `units` dialect: quantities with dimensions over the SI base units."""

from __future__ import annotations

import re
from typing import Any

from ..ir import (
    Attribute,
    Context,
    FloatAttr,
    OpResult,
    StringAttr,
    Type,
    register_attribute_builder,
)
from ._ods_common import get_default_loc_context as _get_default_loc_context
from ._units_ops_gen import *
from ._units_ops_gen import ConstantOp
from ._units_ops_gen import _Dialect as _Dialect

_TYPE = re.compile(r'!units\.q<"([^"]*)"(?:, (\w+))?>')


def _quantity(unit: str, element: Type | str | None, context: Context | None) -> str:
    """The text between the angle brackets of the type."""
    # Whatever is in the unit, it ends at its own quotes.
    quoted = str(StringAttr.get(unit, context=context))
    return quoted if element is None else f"{quoted}, {element}"


class QuantityType(Type):
    """``!units.q``: numbers of a unit, which are doubles unless ``element`` says otherwise."""

    @staticmethod
    def get(
        unit: str, element: Type | str | None = None, context: Context | None = None
    ) -> QuantityType:
        """The quantities of ``unit``: ``"km/h"``, ``"kg*m/s^2"``, ``"W/(m*K)"``, ``"1"``."""
        text = f"!units.q<{_quantity(unit, element, context)}>"
        return QuantityType(Type.parse(text, context=context))

    @staticmethod
    def isinstance(other: Type) -> bool:
        return _TYPE.fullmatch(str(other)) is not None

    def __init__(self, cast_from_type: Type):
        if not QuantityType.isinstance(cast_from_type):
            raise ValueError(f"Cannot cast type to QuantityType (from {cast_from_type!r})")
        super().__init__(cast_from_type)

    def _part(self, number: int) -> str | None:
        found = _TYPE.fullmatch(str(self))
        assert found is not None  # `__init__` saw to that.
        return found[number]

    @property
    def unit(self) -> str:
        """The unit, in its one spelling."""
        return self._part(1) or ""

    @property
    def element_type(self) -> Type:
        """The type of the numbers."""
        return Type.parse(self._part(2) or "f64", context=self.context)


def q(unit: str, element: Type | str | None = None, context: Context | None = None) -> QuantityType:
    """Short for :meth:`QuantityType.get`."""
    return QuantityType.get(unit, element, context)


def value(
    magnitude: float,
    unit: str,
    element: Type | str | None = None,
    context: Context | None = None,
) -> Attribute:
    """A constant quantity, ``#units.value``."""
    # MLIR writes the number, down to its last bit.
    number = str(FloatAttr.get_f64(magnitude, context)).removesuffix(" : f64")
    quantity = _quantity(unit, element, context)
    return Attribute.parse(f"#units.value<{number}, {quantity}>", context=context)


@register_attribute_builder("Units_ValueAttr")
def _value_attribute(given: Any, context: Context | None = None) -> Attribute:
    """A constant of ``(2.5, "km/h")``."""
    return value(*given, context=context)


def constant(
    value_: Any,
    unit: str | None = None,
    element: Type | str | None = None,
    *,
    results=None,
    loc=None,
    ip=None,
) -> OpResult:
    """A constant operation, of an attribute or of a number and a unit."""
    if unit is not None:
        value_ = value(value_, unit, element, _get_default_loc_context(loc))
    return ConstantOp(value_, results=results, loc=loc, ip=ip).result
