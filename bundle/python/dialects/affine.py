"""The `affine` dialect."""

import typing as _typing
from collections.abc import Iterator, Sequence
from typing import Any

from ..ir import *
from . import _affine_ops_gen as _gen
from ._affine_ops_gen import *
from ._affine_ops_gen import _Dialect
from ._loop_op import LoopOp as _LoopOp
from ._members import with_members_of as _with_members_of
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import ResultValueT as _ResultValueT
from ._ods_common import ResultValueTypeTuple as _ResultValueTypeTuple
from ._ods_common import VariadicResultValueT as _VariadicResultValueT
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_value as _get_op_result_or_value
from ._ods_common import get_op_results_or_values as _get_op_results_or_values
from ._typing import Iterable, Optional, Union


def _bound(name: str, bound: Any, operands: Any) -> tuple[AffineMap, Sequence[Any]]:
    """A bound of a loop as a map, and what that is applied to."""
    operands = [] if operands is None else _get_op_results_or_values(operands)
    if isinstance(bound, int):
        bound = AffineMap.get_constant(bound)
    elif isinstance(bound, _ResultValueTypeTuple):
        if len(operands):
            raise ValueError(
                f"Either a concrete {name} bound or an AffineMap in combination with {name} bound "
                "operands, but not both, is supported."
            )
        if not isinstance(bound, Value) and len(bound.results) > 1:
            raise ValueError(f"Only a single concrete value is supported for {name} bound.")
        operands = [_get_op_result_or_value(bound)]
        bound = AffineMap.get_identity(1)
    if not isinstance(bound, AffineMap):
        raise ValueError(f"{name} bound must be int | ResultValueT | AffineMap.")
    if len(operands) != bound.n_inputs:
        raise ValueError(
            f"Wrong number of {name} bound operands passed to AffineForOp; "
            f"Expected {bound.n_inputs}, got {len(operands)}."
        )
    return bound, operands


if _typing.TYPE_CHECKING:

    class _AffineForOp(_LoopOp, _gen.AffineForOp): ...  # type: ignore[misc]

else:
    _AffineForOp = _gen.AffineForOp


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_LoopOp)
class AffineForOp(_AffineForOp):
    """A loop over an affine range."""

    def __init__(
        self,
        lower_bound: int | _ResultValueT | AffineMap,
        upper_bound: int | _ResultValueT | AffineMap | None,
        step: int | Attribute | None = None,
        iter_args: Operation | OpView | Sequence[Value] | None = None,
        *,
        lower_bound_operands: _VariadicResultValueT | None = None,
        upper_bound_operands: _VariadicResultValueT | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A loop between two bounds, which carries ``iter_args`` along.

        A bound is an integer, a value, or a map of the operands that are given for it: its
        dimensions, then its symbols. ``iter_args`` are values, or an operation for its results.
        """
        lower, lower_operands = _bound("lower", lower_bound, lower_bound_operands)
        upper, upper_operands = _bound("upper", upper_bound, upper_bound_operands)
        carried = _get_op_results_or_values([] if iter_args is None else iter_args)
        types = [value.type for value in carried]
        super().__init__(
            results_=types,
            lowerBoundOperands=lower_operands,
            upperBoundOperands=upper_operands,
            inits=list(carried),
            lowerBoundMap=AffineMapAttr.get(lower),
            upperBoundMap=AffineMapAttr.get(upper),
            step=1 if step is None else step,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(IndexType.get(), *types)


def for_(
    start: int | _ResultValueT | AffineMap,
    stop: int | _ResultValueT | AffineMap,
    step: int | Attribute | None = None,
    iter_args: Sequence[Value] | None = None,
    *,
    loc: _Loc = None,
    ip: _Place = None,
) -> Iterator[Any]:
    """A loop, as Python's ``for i in range(start, stop, step)``; what follows is its body.

    It gives the counter, with ``iter_args`` also what the body sees of them, without a tuple around
    a single one.
    """
    loop = AffineForOp(start, stop, step, iter_args=iter_args, loc=loc, ip=ip)
    carried = tuple(loop.inner_iter_args)
    with InsertionPoint(loop.body):
        if not carried:
            yield loop.induction_variable
        else:
            yield loop.induction_variable, carried if len(carried) > 1 else carried[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class AffineIfOp(_gen.AffineIfOp):
    """A choice by whether values are in an integer set."""

    def __init__(
        self,
        cond: IntegerSet,
        results_: Sequence[Type] | None = None,
        *,
        cond_operands: Sequence[Value] | None = None,
        has_else: bool = False,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A choice by ``cond`` of the operands, with an else block if ``has_else`` asks for it."""
        operands = [] if cond_operands is None else cond_operands
        if cond.n_inputs != len(operands):
            raise ValueError(f"expected {cond.n_inputs} condition operands, got {len(operands)}")
        types = [] if results_ is None else list(results_)
        super().__init__(types, operands, cond, loc=loc, ip=ip)
        self.regions[0].blocks.append()
        if has_else:
            self.regions[1].blocks.append()

    @property
    def then_block(self) -> Block:
        """The block for values in the set."""
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Block | None:
        """The block for others, if there is one."""
        blocks = self.regions[1].blocks
        return blocks[0] if len(blocks) else None
