"""MLIR's intermediate representation."""

from __future__ import annotations

import typing as _typing
from collections.abc import Callable, Iterator

# Upstream's module has the name, and programs take it from here.
from collections.abc import Iterable as Iterable
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

# The version of the distribution that has this file. The package around this module is a namespace
# package, which can have none.
__version__: str

# Type checkers would take any name for one of a module with such a function.
if not _typing.TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from ._mlir_libs._version import version_of

            return version_of(__name__, __file__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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


def register_attribute_builder(
    kind: str, replace: bool = False, allow_existing: bool = False
) -> Callable[[_Builder], _Builder]:
    """Makes a decorator for the function that makes attributes of a kind (``I32Attr``) of values.

    The function gets the value and the context. With ``allow_existing``, one that is registered
    already stays.
    """

    def register(builder: _Builder) -> _Builder:
        _ir.AttrBuilder.insert(kind, builder, replace=replace, allow_existing=allow_existing)
        return builder

    return register


_insert = _ir.AttrBuilder.insert


def _builder(name: str, kind: str, build: _Builder) -> _Builder:
    """Registers the builder of a kind, under the name that upstream's module has it by."""
    build.__name__ = name
    _insert(kind, build)
    return build


def _each(builder: _Builder) -> _Builder:
    """The builder of an array whose elements another builder makes."""

    def build(x: Any, context: _ir.Context | None) -> Any:
        return _ir.ArrayAttr.get([builder(value, context) for value in x], context=context)

    return build


def _integer(signedness: str, width: int) -> _Builder:
    def build(x: Any, context: _ir.Context | None) -> Any:
        kind = getattr(_ir.IntegerType, f"get_{signedness}")(width, context=context)
        return _ir.IntegerAttr.get(kind, x)

    return build


def _index(x: Any, context: _ir.Context | None) -> Any:
    return _ir.IntegerAttr.get(_ir.IndexType.get(context=context), x)


def _with_context(name: str, method: str = "get") -> _Builder:
    """The builder that calls a static method of an attribute's class."""

    def build(x: Any, context: _ir.Context | None) -> Any:
        return getattr(getattr(_ir, name), method)(x, context=context)

    return build


def _without_context(name: str) -> _Builder:
    def build(x: Any, context: _ir.Context | None) -> Any:
        return getattr(_ir, name).get(x)

    return build


def _unit(x: Any, context: _ir.Context | None) -> Any:
    return _ir.UnitAttr.get(context=context) if x else None


def _symbol_ref(x: Any, context: _ir.Context | None) -> Any:
    # A list is a path through nested symbol tables.
    kind = _ir.SymbolRefAttr if isinstance(x, list) else _ir.FlatSymbolRefAttr
    return kind.get(x, context=context)


def _elements(dtype: str, type_of: Callable[[_ir.Context | None], Any]) -> _Builder:
    def build(x: Any, context: _ir.Context | None) -> Any:
        array = np.array(x, dtype=dtype)
        return _ir.DenseElementsAttr.get(array, type=type_of(context), context=context)

    return build


# Clients import these functions by their names.
_affineMapAttr = _builder("_affineMapAttr", "AffineMapAttr", _without_context("AffineMapAttr"))
_integerSetAttr = _builder("_integerSetAttr", "IntegerSetAttr", _without_context("IntegerSetAttr"))
_boolAttr = _builder("_boolAttr", "BoolAttr", _with_context("BoolAttr"))
_dictAttr = _builder("_dictAttr", "DictionaryAttr", _with_context("DictAttr"))
_indexAttr = _builder("_indexAttr", "IndexAttr", _index)
_i1Attr = _builder("_i1Attr", "I1Attr", _integer("signless", 1))
_i8Attr = _builder("_i8Attr", "I8Attr", _integer("signless", 8))
_i16Attr = _builder("_i16Attr", "I16Attr", _integer("signless", 16))
_i32Attr = _builder("_i32Attr", "I32Attr", _integer("signless", 32))
_i64Attr = _builder("_i64Attr", "I64Attr", _integer("signless", 64))
_si1Attr = _builder("_si1Attr", "SI1Attr", _integer("signed", 1))
_si8Attr = _builder("_si8Attr", "SI8Attr", _integer("signed", 8))
_si16Attr = _builder("_si16Attr", "SI16Attr", _integer("signed", 16))
_si32Attr = _builder("_si32Attr", "SI32Attr", _integer("signed", 32))
_si64Attr = _builder("_si64Attr", "SI64Attr", _integer("signed", 64))
_ui1Attr = _builder("_ui1Attr", "UI1Attr", _integer("unsigned", 1))
_ui8Attr = _builder("_ui8Attr", "UI8Attr", _integer("unsigned", 8))
_ui16Attr = _builder("_ui16Attr", "UI16Attr", _integer("unsigned", 16))
_ui32Attr = _builder("_ui32Attr", "UI32Attr", _integer("unsigned", 32))
_ui64Attr = _builder("_ui64Attr", "UI64Attr", _integer("unsigned", 64))
_f32Attr = _builder("_f32Attr", "F32Attr", _with_context("FloatAttr", "get_f32"))
_f64Attr = _builder("_f64Attr", "F64Attr", _with_context("FloatAttr", "get_f64"))
_stringAttr = _builder("_stringAttr", "StrAttr", _with_context("StringAttr"))
_symbolNameAttr = _builder("_symbolNameAttr", "SymbolNameAttr", _with_context("StringAttr"))
_symbolRefAttr = _builder("_symbolRefAttr", "SymbolRefAttr", _symbol_ref)
_flatSymbolRefAttr = _builder(
    "_flatSymbolRefAttr", "FlatSymbolRefAttr", _with_context("FlatSymbolRefAttr")
)
_unitAttr = _builder("_unitAttr", "UnitAttr", _unit)
_arrayAttr = _builder("_arrayAttr", "ArrayAttr", _with_context("ArrayAttr"))
_typeAttr = _builder("_typeAttr", "TypeAttr", _with_context("TypeAttr"))
_memref_type_attr = _builder("_memref_type_attr", "MemRefTypeAttr", _with_context("TypeAttr"))
_affineMapArrayAttr = _builder("_affineMapArrayAttr", "AffineMapArrayAttr", _each(_affineMapAttr))
_boolArrayAttr = _builder("_boolArrayAttr", "BoolArrayAttr", _each(_boolAttr))
_dictArrayAttr = _builder("_dictArrayAttr", "DictArrayAttr", _each(_dictAttr))
_flatSymbolRefArrayAttr = _builder(
    "_flatSymbolRefArrayAttr", "FlatSymbolRefArrayAttr", _each(_flatSymbolRefAttr)
)
_i32ArrayAttr = _builder("_i32ArrayAttr", "I32ArrayAttr", _each(_i32Attr))
_i64ArrayAttr = _builder("_i64ArrayAttr", "I64ArrayAttr", _each(_i64Attr))
_i64SmallVectorArrayAttr = _builder(
    "_i64SmallVectorArrayAttr", "I64SmallVectorArrayAttr", _each(_i64Attr)
)
_indexListArrayAttr = _builder("_indexListArrayAttr", "IndexListArrayAttr", _each(_i64ArrayAttr))
_f32ArrayAttr = _builder("_f32ArrayAttr", "F32ArrayAttr", _each(_f32Attr))
_f64ArrayAttr = _builder("_f64ArrayAttr", "F64ArrayAttr", _each(_f64Attr))
_strArrayAttr = _builder("_strArrayAttr", "StrArrayAttr", _each(_stringAttr))
_symbolRefArrayAttr = _builder("_symbolRefArrayAttr", "SymbolRefArrayAttr", _each(_symbolRefAttr))
_typeArrayAttr = _builder("_typeArrayAttr", "TypeArrayAttr", _each(_typeAttr))
_denseF32ArrayAttr = _builder(
    "_denseF32ArrayAttr", "DenseF32ArrayAttr", _with_context("DenseF32ArrayAttr")
)
_denseF64ArrayAttr = _builder(
    "_denseF64ArrayAttr", "DenseF64ArrayAttr", _with_context("DenseF64ArrayAttr")
)
_denseI8ArrayAttr = _builder(
    "_denseI8ArrayAttr", "DenseI8ArrayAttr", _with_context("DenseI8ArrayAttr")
)
_denseI16ArrayAttr = _builder(
    "_denseI16ArrayAttr", "DenseI16ArrayAttr", _with_context("DenseI16ArrayAttr")
)
_denseI32ArrayAttr = _builder(
    "_denseI32ArrayAttr", "DenseI32ArrayAttr", _with_context("DenseI32ArrayAttr")
)
_denseI64ArrayAttr = _builder(
    "_denseI64ArrayAttr", "DenseI64ArrayAttr", _with_context("DenseI64ArrayAttr")
)
_denseBoolArrayAttr = _builder(
    "_denseBoolArrayAttr", "DenseBoolArrayAttr", _with_context("DenseBoolArrayAttr")
)
_f64ElementsAttr = _builder(
    "_f64ElementsAttr",
    "F64ElementsAttr",
    _elements("float64", lambda it: _ir.F64Type.get(context=it)),
)
_indexElementsAttr = _builder(
    "_indexElementsAttr",
    "IndexElementsAttr",
    _elements("int64", lambda it: _ir.IndexType.get(context=it)),
)
_i32ElementsAttr = _builder(
    "_i32ElementsAttr",
    "I32ElementsAttr",
    _elements("int32", lambda it: _ir.IntegerType.get_signless(32, context=it)),
)
_i64ElementsAttr = _builder(
    "_i64ElementsAttr",
    "I64ElementsAttr",
    _elements("int64", lambda it: _ir.IntegerType.get_signless(64, context=it)),
)


# What `import *` takes anyway. `help` lists classes of other modules only if they are named.
globals()["__all__"] = [name for name in globals() if not name.startswith("_")]
