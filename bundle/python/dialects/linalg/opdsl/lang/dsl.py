"""Functions that become operations, and what their bodies call beside the expressions."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, overload

from ..... import ir
from ...._ods_common import get_op_result_or_value as _get_op_result_or_value
from ...._ods_common import get_op_results_or_values as _get_op_results_or_values
from ...._typing import Union
from .comprehension import *
from .config import *
from .emitter import *

StructuredOpOuts = (
    ir.Operation | ir.OpView | ir.OpResultList | Sequence[ir.Value | ir.Operation | ir.OpView]
)

# The classes that a parameter's default may have.
_OPERANDS = (
    TensorDef,
    ScalarDef,
    IndexAttrDef,
    UnaryFnAttrDef,
    BinaryFnAttrDef,
    TernaryFnAttrDef,
    TypeFnAttrDef,
)


class _Current(threading.local):
    """The operation that this thread is defining."""

    current_op_def: LinalgOpDef | None = None


# Under upstream's names, which programs that define operations by hand use.
_CONTEXT = _Current()


@contextmanager
def bind_op_def(op_def: LinalgOpDef) -> Iterator[LinalgOpDef]:
    """Makes an operation the one being defined."""
    if _CONTEXT.current_op_def is not None:
        raise ValueError("Cannot recursively define an operation")
    _CONTEXT.current_op_def = op_def
    try:
        yield op_def
    finally:
        _CONTEXT.current_op_def = None


def current_op_def() -> LinalgOpDef:
    """The operation being defined."""
    if _CONTEXT.current_op_def is None:
        raise ValueError(
            "Attempt to access the current op definition being defined but none is set. Did you "
            "mean to call this in an op definition?"
        )
    return _CONTEXT.current_op_def


class DefinedOpCallable:
    """A finished definition: a call of it builds the operation."""

    def __init__(self, op_name: str, op_def: LinalgOpDef):
        self.op_name = op_name
        self.op_def = op_def

    def __call__(
        self,
        *ins: ir.Operation | ir.OpView | ir.Value,
        outs: StructuredOpOuts,
        emit_generic: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Builds the operation and returns its result or its results.

        It is a `linalg.generic` if that is wanted, and where MLIR has no operation of this name.
        Further keywords are the operation's attributes.
        """
        if not isinstance(emit_generic, bool):
            raise ValueError(
                "The named argument 'emit_generic' needs to be of type bool but got "
                f"{type(emit_generic)}"
            )
        context = ir.Context.current
        assert context is not None, "there is no current context"
        # An operation is registered once its dialect is loaded.
        context.get_dialect_descriptor("linalg")
        (config,) = LinalgOpConfig.from_linalg_op_def(self.op_def, context=context)
        structured = config.structured_op
        assert structured is not None
        inputs = [_get_op_result_or_value(each) for each in ins]
        outputs = _prepare_structured_op_outs(outs)
        if emit_generic or not context.is_registered_operation(f"linalg.{self.op_name}"):
            return emit_generic_structured_op(structured, *inputs, outs=outputs, **kwargs)
        class_name = self.op_def.metadata.cpp_class_name
        return emit_named_structured_op(
            structured, self.op_name, class_name, *inputs, outs=outputs, **kwargs
        )


def _prepare_structured_op_outs(outs: StructuredOpOuts) -> Any:
    if isinstance(outs, (ir.Operation, ir.OpView)):
        return _get_op_results_or_values(outs)
    if isinstance(outs, ir.OpResultList):
        return outs
    return [_get_op_result_or_value(each) for each in outs]


def define_structured_op(
    name: str,
    operands: Mapping[str, Any],
    body: Callable[..., None],
    *,
    class_name: str | None = None,
    doc: str | None = None,
) -> DefinedOpCallable:
    """Defines an operation without a function that is written out.

    ``body`` is called with the operands and assigns to the outputs.
    """
    if class_name is None:
        class_name = "".join(part.title() for part in name.split("_")) + "Op"
    definition = LinalgOpDef(name=name, cpp_class_name=class_name, doc=doc)
    for operand, given in operands.items():
        if not isinstance(given, _OPERANDS):
            raise ValueError(
                "@linalg_structured_op function parameters must be defaulted as TensorDef(...), "
                f"ScalarDef(...), or IndexAttrDef(...): Found {operand}: {given}"
            )
        definition.add_operand(operand, given.operand_def)
    with bind_op_def(definition):
        body(*operands.values())
    return DefinedOpCallable(name, definition)


@overload
def linalg_structured_op(
    dsl_func: Callable[..., None],
    *,
    op_name: str | None = None,
    op_class_name: str | None = None,
) -> DefinedOpCallable: ...
@overload
def linalg_structured_op(
    dsl_func: None = None,
    *,
    op_name: str | None = None,
    op_class_name: str | None = None,
) -> Callable[[Callable[..., None]], DefinedOpCallable]: ...
def linalg_structured_op(
    dsl_func: Callable[..., None] | None = None,
    *,
    op_name: str | None = None,
    op_class_name: str | None = None,
) -> Any:
    """Makes an operation of a function: its parameters' defaults are the operands.

    The operation is called like the function, and its class in C++ accordingly.
    """
    if dsl_func is None:
        return functools.partial(linalg_structured_op, op_name=op_name, op_class_name=op_class_name)
    parameters = inspect.signature(dsl_func).parameters
    return define_structured_op(
        op_name or dsl_func.__name__,
        {name: parameter.default for name, parameter in parameters.items()},
        dsl_func,
        class_name=op_class_name,
        doc=inspect.getdoc(dsl_func),
    )


def domain(*dimensions: DimDef) -> None:
    """Says which dimensions the operation iterates over, the outermost first."""
    if any(not isinstance(dim, DimDef) for dim in dimensions):
        raise ValueError(f"Expected dimensions of type DimDef but got {dimensions}")
    current_op_def().domain.extend(dimensions)


def implements(*interfaces: OpInterfaceDef) -> None:
    """Says which interfaces the operation has."""
    if any(not isinstance(interface, OpInterfaceDef) for interface in interfaces):
        raise ValueError(f"Expected interfaces of type OpInterfaceDef but got {interfaces}")
    current_op_def().metadata.implements.extend(interfaces)


def defines(*definitions: OpDefinitionDef) -> None:
    """Says what the operation brings in C++."""
    if any(not isinstance(definition, OpDefinitionDef) for definition in definitions):
        raise ValueError(f"Expected definitions of type OpDefinitionDef but got {definitions}")
    current_op_def().metadata.defines.extend(definitions)
