"""The `irdl` dialect: dialects that are defined by IR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._mlir_libs._mlirDialectsIRDL import *
from ..ir import Attribute, Block, Context, register_attribute_builder
from . import _irdl_ops_gen as _gen
from ._irdl_enum_gen import *
from ._irdl_ops_gen import *
from ._irdl_ops_gen import _Dialect
from ._ods_common import _cext as _ods_cext


def _with_body(base: Any) -> Any:
    """Adds its one block to the generated class of something with a name and a body."""

    class WithBody(base):
        """What is added."""

        def __init__(self, sym_name: str | Attribute, *, loc=None, ip=None):
            super().__init__(sym_name, loc=loc, ip=ip)
            self.regions[0].blocks.append()

        @property
        def body(self) -> Block:
            """The block that the definition is written in."""
            return self.regions[0].blocks[0]

    return WithBody


_Dialect_, _Operation, _Type, _Attribute = (
    _with_body(base) for base in (_gen.DialectOp, _gen.OperationOp, _gen.TypeOp, _gen.AttributeOp)
)


@_ods_cext.register_operation(_Dialect, replace=True)
class DialectOp(_Dialect_):  # type: ignore[valid-type, misc]
    """A dialect that is defined."""


@_ods_cext.register_operation(_Dialect, replace=True)
class OperationOp(_Operation):  # type: ignore[valid-type, misc]
    """An operation that is defined."""


@_ods_cext.register_operation(_Dialect, replace=True)
class TypeOp(_Type):  # type: ignore[valid-type, misc]
    """A type that is defined."""


@_ods_cext.register_operation(_Dialect, replace=True)
class AttributeOp(_Attribute):  # type: ignore[valid-type, misc]
    """An attribute that is defined."""


def dialect(sym_name: str | Attribute, *, loc=None, ip=None) -> DialectOp:
    """Defines a dialect."""
    return DialectOp(sym_name, loc=loc, ip=ip)


def operation_(sym_name: str | Attribute, *, loc=None, ip=None) -> OperationOp:
    """Defines an operation."""
    return OperationOp(sym_name, loc=loc, ip=ip)


def type_(sym_name: str | Attribute, *, loc=None, ip=None) -> TypeOp:
    """Defines a type."""
    return TypeOp(sym_name, loc=loc, ip=ip)


def attribute(sym_name: str | Attribute, *, loc=None, ip=None) -> AttributeOp:
    """Defines an attribute."""
    return AttributeOp(sym_name, loc=loc, ip=ip)


@register_attribute_builder("VariadicityArrayAttr")
def _variadicities(kinds: Sequence[Any], context: Context | None) -> Attribute:
    text = ", ".join(str(kind) for kind in kinds)
    return Attribute.parse(f"#irdl<variadicity_array [{text}]>", context)
