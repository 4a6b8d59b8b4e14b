"""The `scf` dialect: structured control flow."""

import typing as _typing
from collections.abc import Callable, Iterator
from contextlib import suppress as _suppress
from typing import Any

from ..ir import *
from . import _scf_ops_gen as _gen
from ._loop_op import LoopOp as _LoopOp
from ._members import with_members_of as _with_members_of
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import ResultValueT as _ResultValueT
from ._ods_common import ResultValueTypeTuple as _ResultValueTypeTuple
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_op_result_or_op_results as _get_op_result_or_op_results
from ._ods_common import get_op_result_or_value as _get_op_result_or_value
from ._ods_common import get_op_results_or_values as _get_op_results_or_values
from ._scf_ops_gen import *
from ._scf_ops_gen import _Dialect
from ._typing import Iterable, List, Optional, Sequence, Tuple, Union

with _suppress(ImportError):
    # Upstream's module passes it on; a bundle may be without that dialect.
    from .arith import constant as constant


if _typing.TYPE_CHECKING:

    class _ForOp(_LoopOp, _gen.ForOp): ...  # type: ignore[misc]

else:
    _ForOp = _gen.ForOp


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_LoopOp)
class ForOp(_ForOp):
    """A loop over a range."""

    def __init__(
        self,
        lower_bound: _ResultValueT,
        upper_bound: _ResultValueT,
        step: _ResultValueT,
        iter_args: Operation | OpView | Sequence[Value] | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A loop from ``lower_bound`` to ``upper_bound``, which carries ``iter_args`` along.

        Those are values, or an operation for its results.
        """
        carried = _get_op_results_or_values([] if iter_args is None else iter_args)
        types = [value.type for value in carried]
        super().__init__(types, lower_bound, upper_bound, step, carried, loc=loc, ip=ip)
        self.regions[0].blocks.append(self.operands[0].type, *types)


def _dispatch_index_op_fold_results(
    ofrs: Sequence[_ResultValueT | int],
) -> tuple[list[Value], list[int]]:
    """The values among sizes, and the integers with a placeholder for each value."""
    values = [
        _get_op_result_or_value(size) for size in ofrs if isinstance(size, _ResultValueTypeTuple)
    ]
    dynamic = ShapedType.get_dynamic_size()
    return values, [dynamic if isinstance(size, _ResultValueTypeTuple) else size for size in ofrs]


@_ods_cext.register_operation(_Dialect, replace=True)
class ForallOp(_gen.ForallOp):
    """A loop over several ranges at once, in no order."""

    def __init__(
        self,
        lower_bounds: Sequence[_ResultValueT | int],
        upper_bounds: Sequence[_ResultValueT | int],
        steps: Sequence[Value | int],
        shared_outs: Operation | OpView | Sequence[Value] | None = None,
        *,
        mapping: Attribute | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A loop over ranges given by equally many bounds and steps.

        ``shared_outs`` are the values that its iterations write to in parallel, or an operation for
        its results.
        """
        assert len(lower_bounds) == len(upper_bounds) == len(steps), (
            "Mismatch in length of lower bounds, upper bounds, and steps"
        )
        shared = _get_op_results_or_values([] if shared_outs is None else shared_outs)
        lower, static_lower = _dispatch_index_op_fold_results(lower_bounds)
        upper, static_upper = _dispatch_index_op_fold_results(upper_bounds)
        step, static_step = _dispatch_index_op_fold_results(steps)
        types = [value.type for value in shared]
        super().__init__(
            types,
            lower,
            upper,
            step,
            static_lower,
            static_upper,
            static_step,
            shared,
            mapping=mapping,
            loc=loc,
            ip=ip,
        )
        counters = [IndexType.get()] * len(static_lower)
        self.regions[0].blocks.append(*counters, *types)

    @property
    def body(self) -> Block:
        """The block of the loop."""
        return self.regions[0].blocks[0]

    @property
    def rank(self) -> int:
        """The number of ranges."""
        return len(self.staticLowerBound)

    @property
    def induction_variables(self) -> Sequence[BlockArgument]:
        """The arguments that count, one for each range."""
        return self.body.arguments[: self.rank]

    @property
    def inner_iter_args(self) -> Sequence[BlockArgument]:
        """The shared values, as the body sees them."""
        return self.body.arguments[self.rank :]

    def terminator(self) -> "InParallelOp":
        """The operation that ends the body, which is made if it is not there."""
        operations = self.body.operations
        last = operations[len(operations) - 1] if len(operations) else None
        if isinstance(last, InParallelOp):
            return last
        with InsertionPoint(self.body):
            return InParallelOp()


@_ods_cext.register_operation(_Dialect, replace=True)
class InParallelOp(_gen.InParallelOp):
    """The end of a ``forall``, which has its one block from the start."""

    def __init__(self, loc: _Loc = None, ip: _Place = None):
        super().__init__(loc=loc, ip=ip)
        self.region.blocks.append()

    @property
    def block(self) -> Block:
        """The block of what is done in parallel."""
        return self.region.blocks[0]


@_ods_cext.register_operation(_Dialect, replace=True)
class IfOp(_gen.IfOp):
    """A choice between two blocks."""

    def __init__(
        self,
        cond: _ResultValueT,
        results_: Iterable[Type] | None = None,
        *,
        has_else: bool = False,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A choice by ``cond``, with a block for each outcome that ``has_else`` asks for."""
        super().__init__([] if results_ is None else list(results_), cond, loc=loc, ip=ip)
        self.regions[0].blocks.append()
        if has_else:
            self.regions[1].blocks.append()

    @property
    def then_block(self) -> Block:
        """The block for true."""
        return self.regions[0].blocks[0]

    @property
    def else_block(self) -> Block | None:
        """The block for false, if there is one."""
        blocks = self.regions[1].blocks
        return blocks[0] if len(blocks) else None


def _index(bound: Any) -> Any:
    """An integer as a constant; anything else is passed on."""
    if isinstance(bound, float):
        raise ValueError(f"p={bound!r} must be int.")
    if not isinstance(bound, int):
        return bound
    index = IndexType.get()
    # Made by name, so that a bundle without that dialect's module can have this one.
    value = {"value": IntegerAttr.get(index, bound)}
    return Operation.create("arith.constant", results=[index], attributes=value).result


def for_(
    start: int | _ResultValueT,
    stop: int | _ResultValueT | None = None,
    step: int | _ResultValueT | None = None,
    iter_args: Sequence[Value] | None = None,
    *,
    loc: _Loc = None,
    ip: _Place = None,
) -> Iterator[Any]:
    """A loop, as Python's ``for i in range(start, stop, step)``; what follows is its body.

    Bounds are values or integers. It gives the counter; with ``iter_args``, the counter, what the
    body sees of them, and the loop's results, each without a tuple around a single one.
    """
    if stop is None:
        start, stop = 0, start
    begin, end, by = (_index(bound) for bound in (start, stop, 1 if step is None else step))
    loop = ForOp(begin, end, by, iter_args, loc=loc, ip=ip)
    carried = tuple(loop.inner_iter_args)
    with InsertionPoint(loop.body):
        if len(carried) > 1:
            yield loop.induction_variable, carried, loop.results
        elif carried:
            yield loop.induction_variable, carried[0], loop.results[0]
        else:
            yield loop.induction_variable


@_ods_cext.register_operation(_Dialect, replace=True)
class IndexSwitchOp(_gen.IndexSwitchOp):
    __doc__ = _gen.IndexSwitchOp.__doc__

    def __init__(
        self,
        results: Sequence[Type],
        arg: _ResultValueT,
        cases: Sequence[int],
        case_body_builder: Callable[["IndexSwitchOp", int, int], object] | None = None,
        default_body_builder: Callable[["IndexSwitchOp"], object] | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A choice by ``arg`` between blocks, one for each integer of ``cases`` and a default.

        The builders fill them: ``default_body_builder(op)``, and ``case_body_builder(op, i, case)``
        for each case, while the insertion point is in its block.
        """
        numbers = DenseI64ArrayAttr.get(cases)
        super().__init__(results, arg, numbers, num_caseRegions=len(numbers), loc=loc, ip=ip)
        for region in self.regions:
            region.blocks.append()
        if default_body_builder is not None:
            with InsertionPoint(self.default_block):
                default_body_builder(self)
        if case_body_builder is not None:
            for number, case in enumerate(numbers):
                with InsertionPoint(self.case_block(number)):
                    case_body_builder(self, number, case)

    @property
    def default_region(self) -> Region:
        """The region of what is done in no case."""
        return self.regions[0]

    @property
    def default_block(self) -> Block:
        """The block of what is done in no case."""
        return self.default_region.blocks[0]

    @property
    def case_regions(self) -> Sequence[Region]:
        """The regions of the cases."""
        return self.regions[1:]

    def case_region(self, i: int) -> Region:
        """The region of the case number ``i``."""
        return self.case_regions[i]

    @property
    def case_blocks(self) -> Sequence[Block]:
        """The blocks of the cases."""
        return [region.blocks[0] for region in self.case_regions]

    def case_block(self, i: int) -> Block:
        """The block of the case number ``i``."""
        return self.case_regions[i].blocks[0]


def index_switch(
    results: Sequence[Type],
    arg: _ResultValueT,
    cases: Sequence[int],
    case_body_builder: Callable[[IndexSwitchOp, int, int], object] | None = None,
    default_body_builder: Callable[[IndexSwitchOp], object] | None = None,
    loc: _Loc = None,
    ip: _Place = None,
) -> Any:
    """Builds an :class:`IndexSwitchOp` and gives its results."""
    op = IndexSwitchOp(results, arg, cases, case_body_builder, default_body_builder, loc, ip)
    return _get_op_result_or_op_results(op)
