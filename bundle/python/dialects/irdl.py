"""The `irdl` dialect: dialects that are defined by IR."""

from __future__ import annotations

import typing as _typing
from typing import Any

from .. import ir as _ods_ir
from .._mlir_libs._mlirDialectsIRDL import *
from ..ir import Attribute, Block, Context, register_attribute_builder
from . import _irdl_ops_gen as _gen
from ._irdl_enum_gen import *
from ._irdl_ops_gen import *
from ._irdl_ops_gen import _Dialect
from ._members import Members as _Members
from ._members import with_members_of as _with_members_of
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import _cext as _ods_cext
from ._typing import Sequence, Union


class _Body(_Members):
    """The member of operations that have one block from the start."""

    @property
    def body(self) -> Block:
        """The block that the definition is written in."""
        return self.regions[0].blocks[0]


if _typing.TYPE_CHECKING:

    class _DialectOp(_Body, _gen.DialectOp): ...  # type: ignore[misc]

    class _OperationOp(_Body, _gen.OperationOp): ...  # type: ignore[misc]

    class _TypeOp(_Body, _gen.TypeOp): ...  # type: ignore[misc]

    class _AttributeOp(_Body, _gen.AttributeOp): ...  # type: ignore[misc]

else:
    _DialectOp = _gen.DialectOp
    _OperationOp = _gen.OperationOp
    _TypeOp = _gen.TypeOp
    _AttributeOp = _gen.AttributeOp


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_Body)
class DialectOp(_DialectOp):
    """A dialect that is defined."""

    def __init__(self, sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(sym_name, loc=loc, ip=ip)
        self.regions[0].blocks.append()


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_Body)
class OperationOp(_OperationOp):
    """An operation that is defined."""

    def __init__(self, sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(sym_name, loc=loc, ip=ip)
        self.regions[0].blocks.append()


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_Body)
class TypeOp(_TypeOp):
    """A type that is defined."""

    def __init__(self, sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(sym_name, loc=loc, ip=ip)
        self.regions[0].blocks.append()


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_Body)
class AttributeOp(_AttributeOp):
    """An attribute that is defined."""

    def __init__(self, sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(sym_name, loc=loc, ip=ip)
        self.regions[0].blocks.append()


def dialect(sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None) -> DialectOp:
    """Defines a dialect."""
    return DialectOp(sym_name, loc=loc, ip=ip)


def operation_(sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None) -> OperationOp:
    """Defines an operation."""
    return OperationOp(sym_name, loc=loc, ip=ip)


def type_(sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None) -> TypeOp:
    """Defines a type."""
    return TypeOp(sym_name, loc=loc, ip=ip)


def attribute(sym_name: str | Attribute, *, loc: _Loc = None, ip: _Place = None) -> AttributeOp:
    """Defines an attribute."""
    return AttributeOp(sym_name, loc=loc, ip=ip)


@register_attribute_builder("VariadicityArrayAttr")
def _variadicity_array_attr(x: Sequence[Any], context: Context | None) -> Attribute:
    text = ", ".join(str(kind) for kind in x)
    return Attribute.parse(f"#irdl<variadicity_array [{text}]>", context)
