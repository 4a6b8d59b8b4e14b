"""Operations with regions, written as decorated Python functions."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, Protocol, cast, overload

from ..dialects._ods_common import get_op_result_or_op_results
from ..ir import InsertionPoint, OpView, Region, Type


def op_region_builder(
    op: OpView, op_region: Region, terminator: Callable[[list[Any]], object] | None = None
) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that runs a function to fill ``op_region``, and gives what building ``op`` does.

    A region without a block gets one, with arguments of the types that the function's parameters
    are annotated with. ``terminator`` is called with the list of what the function returned, and
    builds the last operation of the region's last block.
    """

    def fill(body_builder: Callable[..., Any]) -> Any:
        blocks = op_region.blocks
        if len(blocks) == 0:
            signature = inspect.signature(body_builder)
            types = [parameter.annotation for parameter in signature.parameters.values()]
            if not all(isinstance(annotation, Type) for annotation in types):
                raise ValueError(
                    f"for {body_builder=} either missing a type annotation or type annotation "
                    f"isn't a mlir type: {signature}"
                )
            blocks.append(*types)
        entry = blocks[0]
        with InsertionPoint(entry):
            returned = body_builder(*entry.arguments)
        if terminator is not None:
            # The function may have added blocks.
            with InsertionPoint(list(blocks)[-1]):
                if returned is None:
                    returned = []
                elif not isinstance(returned, (tuple, list)):
                    returned = [returned]
                terminator(list(returned))
        return get_op_result_or_op_results(op)

    return fill


P = ParamSpec("P")


class RegionOp(Protocol[P]):
    """A decorator that fills the region of a new operation: called with the arguments of the
    operation's constructor, or put over the function without parentheses."""

    @overload
    def __call__(self, body_builder: Callable[..., Any], /) -> Any: ...
    @overload
    def __call__(
        self, *args: P.args, **kwargs: P.kwargs
    ) -> Callable[[Callable[..., Any]], Any]: ...


def region_op(
    op_constructor: Callable[P, Any], terminator: Callable[[list[Any]], object] | None = None
) -> RegionOp[P]:
    """Makes a decorator out of ``op_constructor``, which builds an operation with a region.

    The decorated function is run at once, at the current insertion point and location. Its
    arguments are the block's, of the types it is annotated with; its name becomes the result of the
    operation, the list of its several results, or the operation itself. The decorator is written
    without parentheses where the constructor needs no arguments::

        execute_region = region_op(scf.ExecuteRegionOp, terminator=scf.YieldOp)


        @execute_region([i32])
        def value(): ...
    """

    construct: Callable[..., Any] = op_constructor

    def op_decorator(*args: Any, **kwargs: Any) -> Callable[[Callable[..., Any]], Any]:
        op = construct(*args, **kwargs)
        return op_region_builder(op, op.regions[0], terminator)

    @wraps(op_decorator)
    def with_or_without_arguments(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and callable(args[0]):
            return op_decorator()(args[0])
        return op_decorator(*args, **kwargs)

    name = getattr(op_constructor, "__name__", repr(op_constructor))
    with_or_without_arguments.__doc__ = (
        f"A decorator that calls `{name}`, and fills the region with what the function builds."
    )
    return cast("RegionOp[P]", with_or_without_arguments)
