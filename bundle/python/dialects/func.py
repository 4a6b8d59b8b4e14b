"""The `func` dialect."""

import inspect
import typing as _typing
from typing import Any

from ..ir import *
from . import _func_ops_gen as _gen
from ._func_ops_gen import *
from ._func_ops_gen import _Dialect
from ._function_op import ARGUMENT_ATTRIBUTE_NAME, RESULT_ATTRIBUTE_NAME
from ._function_op import FunctionOp as _FunctionOp
from ._function_op import base_arguments as _base_arguments
from ._members import with_members_of as _with_members_of
from ._ods_common import Loc as _Loc
from ._ods_common import Place as _Place
from ._ods_common import _cext as _ods_cext
from ._ods_common import get_default_loc_context as _get_default_loc_context
from ._typing import Callable, Iterable, List, Optional, Sequence, Union


@_ods_cext.register_operation(_Dialect, replace=True)
class ConstantOp(_gen.ConstantOp):
    """A reference to a function as a value."""

    @property
    def type(self) -> Type:
        """The type of the result."""
        return self.results[0].type


if _typing.TYPE_CHECKING:
    from ._ods_types import Call as _Call

    class _FuncOp(_FunctionOp, _gen.FuncOp): ...  # type: ignore[misc]

else:
    _FuncOp = _gen.FuncOp
    _Call = Any


@_ods_cext.register_operation(_Dialect, replace=True)
@_with_members_of(_FunctionOp)
class FuncOp(_FuncOp):
    """A function, or the declaration of one."""

    def __init__(
        self,
        name: str,
        type: FunctionType | tuple[Sequence[Type], Sequence[Type]],
        *,
        visibility: str | None = None,
        body_builder: Callable[["FuncOp"], object] | None = None,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A function without a body, or with the one that ``body_builder`` makes.

        ``type`` is a function type, or a pair of lists: inputs and results. ``visibility`` is
        ``public``, ``private`` or ``nested``. ``body_builder`` is called with the new operation
        while the insertion point is in its entry block, and has to end that block.
        """
        super().__init__(**_base_arguments(name, type, visibility), loc=loc, ip=ip)
        self._fill(body_builder)

    @classmethod
    def from_py_func(
        cls,
        *inputs: Type,
        results: Sequence[Type] | None = None,
        name: str | None = None,
    ) -> Callable[[Callable[..., Any]], "_Call"]:
        """A decorator that runs a Python function to make the body of an MLIR one.

        The function is run at once, with the arguments of the entry block, which have the types
        ``inputs``. It is given the new operation too if it has a parameter ``func_op`` or takes any
        keyword. What it returns (nothing, a value, an operation for its results, or a sequence of
        values) is returned by a ``return`` that is added, and decides the result types. With
        ``results`` it is the function that makes the ``return``, and it has to return None.

        The symbol is ``name``, or the Python function's. What the decorator leaves in the place of
        the function builds a call when it is called, and has the operation as ``func_op``.
        """

        def decorator(f: Callable[..., Any]) -> "_Call":
            symbol = name or f.__name__
            declared = [] if results is None else list(results)
            op = FuncOp(name=symbol, type=FunctionType.get(inputs=inputs, results=declared))
            keywords = {"func_op": op} if _takes_func_op(f) else {}
            with InsertionPoint(op.add_entry_block()):
                returned = f(*op.entry_block.arguments, **keywords)
                if results is None:
                    values = _values_of(returned)
                    _gen.ReturnOp(values)
                    declared = [value.type for value in values]
                    of_values = FunctionType.get(inputs=inputs, results=declared)
                    op.attributes["function_type"] = TypeAttr.get(of_values)
                else:
                    assert returned is None, (
                        "Capturing a python function with explicit `results=` "
                        "requires that the wrapped function returns None."
                    )

            def call(*arguments: Any) -> Any:
                built = CallOp(declared, FlatSymbolRefAttr.get(symbol), arguments)
                return built.result if len(declared) == 1 else built.results

            call.__name__ = f.__name__
            call.func_op = op  # type: ignore[attr-defined]
            return _typing.cast("_Call", call)

        return decorator


func = FuncOp.from_py_func


def _takes_func_op(f: Callable[..., Any]) -> bool:
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return any(
        parameter.kind == inspect.Parameter.VAR_KEYWORD
        or (parameter.name == "func_op" and parameter.kind in by_name)
        for parameter in inspect.signature(f).parameters.values()
    )


def _values_of(returned: Any) -> list[Value]:
    """The result of a Python function, as the values that a ``return`` takes."""
    if returned is None:
        return []
    if isinstance(returned, Value):
        return [returned]
    if isinstance(returned, (OpView, Operation)):
        return list(returned.operation.results)
    return list(returned)


@_ods_cext.register_operation(_Dialect, replace=True)
class CallOp(_gen.CallOp):
    """A call of a function by its symbol."""

    def __init__(
        self,
        calleeOrResults: FuncOp | Sequence[Type],
        argumentsOrCallee: list[Any] | FlatSymbolRefAttr | str,
        arguments: Sequence[Any] | None = None,
        *,
        loc: _Loc = None,
        ip: _Place = None,
    ):
        """A call of a function operation, or of a symbol that has these result types.

        There are three forms: ``CallOp(function, [arguments])``,
        ``CallOp([types], "symbol", [arguments])``, and the same with a symbol attribute.
        """
        if isinstance(calleeOrResults, FuncOp):
            if not isinstance(argumentsOrCallee, list):
                raise ValueError(
                    "when constructing a call to a function, expected the second argument to be a "
                    f"list of call arguments, got {type(argumentsOrCallee)}"
                )
            if arguments is not None:
                raise ValueError("unexpected third argument when constructing a call to a function")
            results: Sequence[Type] = calleeOrResults.type.results
            callee: FlatSymbolRefAttr | str = calleeOrResults.name.value
            operands: Any = argumentsOrCallee
        elif isinstance(argumentsOrCallee, list):
            raise ValueError(
                "when constructing a call to a function by name, expected the second argument to "
                f"be a string or a FlatSymbolRefAttr, got {type(argumentsOrCallee)}"
            )
        else:
            results, callee, operands = calleeOrResults, argumentsOrCallee, arguments
        if isinstance(callee, str):
            callee = FlatSymbolRefAttr.get(callee, context=_get_default_loc_context(loc))
        super().__init__(results, callee, operands, loc=loc, ip=ip)
