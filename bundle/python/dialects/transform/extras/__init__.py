"""Scripts of the transform dialect by chained calls: handles with methods.

Importing this makes values of the dialect's types appear as these classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .... import ir
from ....extras.meta import region_op
from ... import _transform_ops_gen as _gen
from ... import transform
from ..._typing import Optional, Union
from .. import (
    AnyOpType,
    AnyParamType,
    AnyValueType,
    ApplyPatternsOp,
    NamedSequenceOp,
    OperationType,
    ParamType,
    SequenceOp,
    YieldOp,
    structured,
)


class Handle(ir.Value):
    """A transform handle with its parent and its children.

    The payload operations of a child are nested in those of its parent.
    """

    def __init__(
        self,
        v: ir.Value,
        *,
        parent: Handle | None = None,
        children: Sequence[Handle] | None = None,
    ):
        super().__init__(v)
        self.parent = parent
        self.children: list[Handle] = [] if children is None else list(children)


@ir.register_value_caster(AnyOpType.static_typeid)
@ir.register_value_caster(OperationType.static_typeid)
class OpHandle(Handle):
    """A handle to operations."""

    def get_result(self, indices: Sequence[int] = (0,)) -> ValueHandle:
        """The results of the operations that have these numbers."""
        return _gen.GetResultOp(AnyValueType.get(), self, list(indices)).result

    def match_ops(
        self,
        ops: Any,
    ) -> OpHandle:
        """The operations of these names, or with this interface, among those in here.

        Names are given as they are, or by the classes of the operations. The handle is for
        operations of one name where a single one is given.
        """
        from ... import _structured_transform_enum_gen as enums

        interfaces = enums.MatchInterfaceEnum
        if isinstance(ops, str) and ops in interfaces.__members__:
            ops = interfaces[ops]
        if isinstance(ops, interfaces):
            match = structured.MatchOp(AnyOpType.get(), self, interface=ops)
        else:
            single = isinstance(ops, str) or not isinstance(ops, Sequence)
            given = [ops] if single else ops
            names = [op if isinstance(op, str) else op.OPERATION_NAME for op in given]
            kind = OperationType.get(names[0]) if single else AnyOpType.get()
            match = structured.MatchOp.match_op_names(kind, self, names)
        handle = OpHandle(match.results_, parent=self)
        self.children.append(handle)
        return handle

    def print(self, name: str | None = None) -> OpHandle:
        """Has the operations printed when the script runs, under a name; returns this handle."""
        _gen.PrintOp(target=self, name=name)
        return self


@ir.register_value_caster(AnyParamType.static_typeid)
@ir.register_value_caster(ParamType.static_typeid)
class ParamHandle(Handle):
    """A parameter."""


@ir.register_value_caster(AnyValueType.static_typeid)
class ValueHandle(Handle):
    """A handle to values."""

    def get_defining_op(self) -> OpHandle:
        """The operations that have these values for results."""
        return _gen.GetDefiningOp(AnyOpType.get(), self).result


def constant_param(value: ir.Attribute | int) -> ParamHandle:
    """A parameter that is always this; an integer is one of 64 bits."""
    if isinstance(value, int):
        value = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    of_integer = isinstance(value.type, ir.IntegerType)
    kind = ParamType.get(value.type) if of_integer else AnyParamType.get()
    return _gen.ParamConstantOp(kind, value).param


def insert_transform_script(
    block_or_insertion_point: ir.Block | ir.InsertionPoint,
    script: Callable[[OpHandle], None],
    dump_script: bool = False,
) -> None:
    """Puts a sequence called ``__transform_main`` there, whose body ``script`` builds.

    ``script`` is called with the handle to what is transformed.
    """
    if isinstance(block_or_insertion_point, ir.Block):
        place = ir.InsertionPoint.at_block_begin(block_or_insertion_point)
    else:
        place = block_or_insertion_point
    block = place.block
    context = block.owner.context
    with context, ir.Location.unknown(context):
        with place:
            main = NamedSequenceOp("__transform_main", [AnyOpType.get()], [])
        with ir.InsertionPoint(main.body):
            script(OpHandle(main.bodyTarget))
            YieldOp([])
    if dump_script:
        print(main)


sequence = region_op(_gen.SequenceOp, terminator=YieldOp)
named_sequence = region_op(NamedSequenceOp, terminator=YieldOp)
apply_patterns = region_op(ApplyPatternsOp)
