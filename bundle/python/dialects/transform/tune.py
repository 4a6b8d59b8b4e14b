"""The extension of the transform dialect for choices that are made by somebody else."""

from collections.abc import Sequence

from ...ir import (
    ArrayAttr,
    Attribute,
    BoolAttr,
    F64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Operation,
    OpView,
    StringAttr,
    Type,
    Value,
)
from .. import _transform_tune_extension_ops_gen as _gen
from .._ods_common import Loc as _Loc
from .._ods_common import Place as _Place
from .._ods_common import _cext as _ods_cext
from .._ods_common import get_op_result_or_value as _get_op_result_or_value
from .._transform_tune_extension_ops_gen import *
from .._transform_tune_extension_ops_gen import _Dialect
from .._typing import Optional, Union

_ValueLike = Operation | OpView | Value
_Option = Attribute | bool | int | float | str
_Options = ArrayAttr | Sequence[_Option] | Attribute


def _name(given: StringAttr | str) -> StringAttr:
    return StringAttr.get(given) if isinstance(given, str) else given


def _option(value: _Option) -> Attribute:
    """The attribute for one of the things to choose from."""
    if isinstance(value, bool):
        return BoolAttr.get(value)
    if isinstance(value, int):
        return IntegerAttr.get(IntegerType.get_signless(64), value)
    if isinstance(value, float):
        return FloatAttr.get(F64Type.get(), value)
    if isinstance(value, str):
        return StringAttr.get(value)
    assert isinstance(value, Attribute), f"expects an Attribute, got {type(value)}"
    return value


@_ods_cext.register_operation(_Dialect, replace=True)
class KnobOp(_gen.KnobOp):
    """A parameter that is one of ``options``; which one is open until ``selected`` is set."""

    def __init__(
        self,
        result: Type,
        name: StringAttr | str,
        options: _Options,
        *,
        selected: _Option | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        if not isinstance(options, Attribute):
            options = ArrayAttr.get([_option(each) for each in options])
        super().__init__(
            result,
            _name(name),
            options,
            selected=None if selected is None else _option(selected),
            loc=loc,
            ip=ip,
        )


def knob(
    result: Type,
    name: StringAttr | str,
    options: _Options,
    *,
    selected: _Option | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> KnobOp:
    """A parameter that is one of ``options``; which one is open until ``selected`` is set."""
    return KnobOp(result, name, options, selected=selected, loc=loc, ip=ip)


@_ods_cext.register_operation(_Dialect, replace=True)
class AlternativesOp(_gen.AlternativesOp):
    """Regions of which one is run: that of a number, or of a parameter; or it is open which."""

    def __init__(
        self,
        results: Sequence[Type],
        name: StringAttr | str,
        num_alternatives: int,
        *,
        selected_region: int | IntegerAttr | _ValueLike | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        number = parameter = None
        if isinstance(selected_region, int):
            number = IntegerAttr.get(IntegerType.get_signless(32), selected_region)
        elif isinstance(selected_region, Attribute):
            number = selected_region
        elif selected_region is not None:
            parameter = _get_op_result_or_value(selected_region)
        super().__init__(
            results,
            _name(name),
            num_alternatives,
            selected_region_attr=number,
            selected_region_param=parameter,
            loc=loc,
            ip=ip,
        )
        for region in self.regions:
            region.blocks.append()


def alternatives(
    results: Sequence[Type],
    name: StringAttr | str,
    num_alternatives: int,
    *,
    selected_region: int | IntegerAttr | _ValueLike | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> AlternativesOp:
    """Regions of which one is run: that of a number, or of a parameter; or it is open which."""
    return AlternativesOp(
        results, name, num_alternatives, selected_region=selected_region, loc=loc, ip=ip
    )
