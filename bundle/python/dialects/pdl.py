"""The `pdl` dialect: patterns as IR."""

from collections.abc import Mapping, Sequence

from .._mlir_libs._mlirDialectsPDL import *
from ..extras.meta import region_op
from ..ir import *
from . import _pdl_ops_gen as _gen
from . import pdl
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import ResultValueT as _ResultValueT
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_value as _get_value
from ._ods_common import get_op_results_or_values as _get_values
from ._pdl_ops_gen import *
from ._pdl_ops_gen import _Dialect
from ._typing import Iterable, NewType, Optional, Union


def _optional(arg: _ResultValueT | None) -> Value | None:
    return None if arg is None else _get_value(arg)


@_ods_cext.register_operation(_Dialect, replace=True)
class AttributeOp(_gen.AttributeOp):
    """An attribute to match or to set."""

    def __init__(
        self,
        valueType: _ResultValueT | None = None,
        value: Attribute | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(
            AttributeType.get(), valueType=_optional(valueType), value=value, loc=loc, ip=ip
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class OperandOp(_gen.OperandOp):
    """One operand to match, of this type if one is given."""

    def __init__(self, type: _ResultValueT | None = None, *, loc: _Loc = None, ip: _Place = None):
        super().__init__(ValueType.get(), valueType=_optional(type), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class OperandsOp(_gen.OperandsOp):
    """Several operands to match, of these types if some are given."""

    def __init__(self, types: _ResultValueT | None = None, *, loc: _Loc = None, ip: _Place = None):
        values = RangeType.get(ValueType.get())
        super().__init__(values, valueType=_optional(types), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class OperationOp(_gen.OperationOp):
    """An operation to match or to make."""

    def __init__(
        self,
        name: str | StringAttr | None = None,
        args: Sequence[_ResultValueT] | None = None,
        attributes: Mapping[str, _ResultValueT] | None = None,
        types: Sequence[_ResultValueT] | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        attributes = attributes or {}
        names = ArrayAttr.get([StringAttr.get(attribute) for attribute in attributes])
        super().__init__(
            OperationType.get(),
            _get_values([] if args is None else args),
            [_get_value(value) for value in attributes.values()],
            names,
            _get_values([] if types is None else types),
            opName=name,
            loc=loc,
            ip=ip,
        )


@_ods_cext.register_operation(_Dialect, replace=True)
class PatternOp(_gen.PatternOp):
    """A pattern, which has its one block from the start."""

    def __init__(
        self,
        benefit: IntegerAttr | int,
        name: StringAttr | str | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(benefit, sym_name=name, loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> Block:
        """The block of the pattern."""
        return self.regions[0].blocks[0]


# The generated class leaves the block to the decorator, which makes it by the signature.
pattern = region_op(_gen.PatternOp)


@_ods_cext.register_operation(_Dialect, replace=True)
class ReplaceOp(_gen.ReplaceOp):
    """The replacement of an operation by another, or by values."""

    def __init__(
        self,
        op: _ResultValueT,
        *,
        with_op: _ResultValueT | None = None,
        with_values: Sequence[_ResultValueT] | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        values = _get_values([] if with_values is None else with_values)
        super().__init__(_get_value(op), values, replOperation=_optional(with_op), loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class ResultOp(_gen.ResultOp):
    """One result of an operation."""

    def __init__(
        self,
        parent: _ResultValueT,
        index: IntegerAttr | int,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        super().__init__(ValueType.get(), _get_value(parent), index, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class RewriteOp(_gen.RewriteOp):
    """The rewrite of a match."""

    def __init__(
        self,
        root: _ResultValueT | None = None,
        name: StringAttr | str | None = None,
        args: Sequence[_ResultValueT] | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        values = _get_values([] if args is None else args)
        super().__init__(values, root=_optional(root), name=name, loc=loc, ip=ip)

    def add_body(self) -> Block:
        """Gives the rewrite its block."""
        return self.regions[0].blocks.append()

    @property
    def body(self) -> Block:
        """The block of the rewrite."""
        return self.regions[0].blocks[0]


rewrite = region_op(RewriteOp)


@_ods_cext.register_operation(_Dialect, replace=True)
class TypeOp(_gen.TypeOp):
    """A type, to match or given."""

    def __init__(
        self, constantType: TypeAttr | Type | None = None, *, loc: _Loc = None, ip: _Place = None
    ):
        super().__init__(TypeType.get(), constantType=constantType, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class TypesOp(_gen.TypesOp):
    """Several types, to match or given."""

    def __init__(
        self,
        constantTypes: Sequence[TypeAttr | Type] | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        types = RangeType.get(TypeType.get())
        constants: Any = [] if constantTypes is None else constantTypes
        super().__init__(types, constantTypes=constants, loc=loc, ip=ip)


OperationTypeT = NewType("OperationType", OperationType)  # type: ignore[misc]


def op_t() -> OperationType:
    """The type of a handle to an operation."""
    return OperationType.get()
