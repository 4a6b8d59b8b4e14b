"""MLIR's intermediate representation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType as _ModuleType
from typing import Any

from ._mlir_libs import append_load_on_create_dialect as append_load_on_create_dialect
from ._mlir_libs import get_dialect_registry as get_dialect_registry
from ._mlir_libs import get_load_on_create_dialects as get_load_on_create_dialects
from ._mlir_libs._mlir import globals as _globals
from ._mlir_libs._mlir import ir as _ir
from ._mlir_libs._mlir import register_type_caster as register_type_caster
from ._mlir_libs._mlir import register_value_caster as register_value_caster
from ._mlir_libs._mlir.ir import *
from ._mlir_libs._mlir.ir import _GlobalDebug as _GlobalDebug


class _Numpy(_ModuleType):
    """numpy, imported when it is first used: that takes longer than all of this package."""

    def __getattr__(self, name: str) -> Any:
        import numpy

        vars(self).update(vars(numpy))
        return getattr(numpy, name)


# Upstream's module passes it on to whoever imports all that is in it.
np: Any = _Numpy("numpy")

# Makes an attribute of a value.
_Builder = Callable[[Any, "_ir.Context | None"], Any]


@contextmanager
def loc_tracebacks(*, max_depth: int | None = None) -> Iterator[None]:
    """Gives new operations locations of the Python code that makes them.

    A location has at most ``max_depth`` frames; without it, as many as before.
    """
    enabled = _globals.loc_tracebacks_enabled()
    limit = _globals.loc_tracebacks_frame_limit()
    try:
        if max_depth is not None:
            _globals.set_loc_tracebacks_frame_limit(max_depth)
        _globals.set_loc_tracebacks_enabled(True)
        yield
    finally:
        _globals.set_loc_tracebacks_enabled(enabled)
        _globals.set_loc_tracebacks_frame_limit(limit)


def register_attribute_builder(kind: str, replace: bool = False) -> Callable[[_Builder], _Builder]:
    """Makes a decorator for the function that makes attributes of a kind (``I32Attr``) of values.

    The function gets the value and the context.
    """

    def register(builder: _Builder) -> _Builder:
        _ir.AttrBuilder.insert(kind, builder, replace=replace)
        return builder

    return register


def _each(builder: _Builder) -> _Builder:
    """The builder of an array whose elements another builder makes."""

    def build(values: Any, context: _ir.Context | None) -> Any:
        return _ir.ArrayAttr.get([builder(value, context) for value in values], context=context)

    return build


def _integer(type_of: Callable[[_ir.Context | None], Any]) -> _Builder:
    return lambda value, context: _ir.IntegerAttr.get(type_of(context), value)


def _signless(width: int) -> Callable[[_ir.Context | None], Any]:
    return lambda context: _ir.IntegerType.get_signless(width, context=context)


def _of_width(signedness: str, width: int) -> _Builder:
    def type_of(context: _ir.Context | None) -> Any:
        return getattr(_ir.IntegerType, f"get_{signedness}")(width, context=context)

    return _integer(type_of)


def _with_context(name: str, method: str = "get") -> _Builder:
    """The builder that calls a static method of an attribute's class."""

    def build(value: Any, context: _ir.Context | None) -> Any:
        return getattr(getattr(_ir, name), method)(value, context=context)

    return build


def _symbol_ref(value: Any, context: _ir.Context | None) -> Any:
    # A list is a path through nested symbol tables.
    kind = _ir.SymbolRefAttr if isinstance(value, list) else _ir.FlatSymbolRefAttr
    return kind.get(value, context=context)


def _elements(dtype: str, type_of: Callable[[_ir.Context | None], Any]) -> _Builder:
    def build(values: Any, context: _ir.Context | None) -> Any:
        array = np.array(values, dtype=dtype)
        return _ir.DenseElementsAttr.get(array, type=type_of(context), context=context)

    return build


def _register_default_builders() -> None:
    builders: dict[str, _Builder] = {
        "AffineMapAttr": lambda value, context: _ir.AffineMapAttr.get(value),
        "IntegerSetAttr": lambda value, context: _ir.IntegerSetAttr.get(value),
        "BoolAttr": _with_context("BoolAttr"),
        "DictionaryAttr": _with_context("DictAttr"),
        "IndexAttr": _integer(lambda context: _ir.IndexType.get(context=context)),
        "F32Attr": _with_context("FloatAttr", "get_f32"),
        "F64Attr": _with_context("FloatAttr", "get_f64"),
        "StrAttr": _with_context("StringAttr"),
        "SymbolNameAttr": _with_context("StringAttr"),
        "SymbolRefAttr": _symbol_ref,
        "FlatSymbolRefAttr": _with_context("FlatSymbolRefAttr"),
        "UnitAttr": lambda value, context: _ir.UnitAttr.get(context=context) if value else None,
        "ArrayAttr": _with_context("ArrayAttr"),
        "TypeAttr": _with_context("TypeAttr"),
        "MemRefTypeAttr": _with_context("TypeAttr"),
    }
    for signedness, prefix in (("signless", "I"), ("signed", "SI"), ("unsigned", "UI")):
        for width in (1, 8, 16, 32, 64):
            builders[f"{prefix}{width}Attr"] = _of_width(signedness, width)
    arrays = {
        "AffineMapArrayAttr": "AffineMapAttr",
        "BoolArrayAttr": "BoolAttr",
        "DictArrayAttr": "DictionaryAttr",
        "FlatSymbolRefArrayAttr": "FlatSymbolRefAttr",
        "I32ArrayAttr": "I32Attr",
        "I64ArrayAttr": "I64Attr",
        "I64SmallVectorArrayAttr": "I64Attr",
        "IndexListArrayAttr": "I64ArrayAttr",
        "F32ArrayAttr": "F32Attr",
        "F64ArrayAttr": "F64Attr",
        "StrArrayAttr": "StrAttr",
        "SymbolRefArrayAttr": "SymbolRefAttr",
        "TypeArrayAttr": "TypeAttr",
    }
    for kind, element in arrays.items():
        builders[kind] = _each(builders[element])
    for element in ("F32", "F64", "I8", "I16", "I32", "I64", "Bool"):
        builders[f"Dense{element}ArrayAttr"] = _with_context(f"Dense{element}ArrayAttr")
    builders["F64ElementsAttr"] = _elements("float64", lambda it: _ir.F64Type.get(context=it))
    builders["IndexElementsAttr"] = _elements("int64", lambda it: _ir.IndexType.get(context=it))
    for width in (32, 64):
        builders[f"I{width}ElementsAttr"] = _elements(f"int{width}", _signless(width))
    for kind, builder in builders.items():
        _ir.AttrBuilder.insert(kind, builder)


_register_default_builders()
