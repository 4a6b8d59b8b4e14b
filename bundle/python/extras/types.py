"""Short names of the builtin types, made in the current context.

The names are for ``from … import types as T``: some of them are Python's own.
"""

import builtins as _builtins
from collections.abc import Callable, Sequence
from functools import partial as partial
from typing import Any, TypeVar

from ..dialects._typing import List, Optional
from ..ir import (
    Attribute,
    BF16Type,
    ComplexType,
    F16Type,
    F32Type,
    F64Type,
    Float8E4M3B11FNUZType,
    Float8E4M3FNType,
    Float8E4M3Type,
    Float8E5M2Type,
    FloatTF32Type,
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    OpaqueType,
    RankedTensorType,
    StridedLayoutAttr,
    StringAttr,
    TupleType,
    Type,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)

_T = TypeVar("_T", bound=Type)
_Bool = _builtins.bool
_Shape = Sequence[int | Type]


def i(width: int) -> IntegerType:
    """A signless integer."""
    return IntegerType.get_signless(width)


def si(width: int) -> IntegerType:
    """A signed integer."""
    return IntegerType.get_signed(width)


def ui(width: int) -> IntegerType:
    """An unsigned integer."""
    return IntegerType.get_unsigned(width)


def _of_width(
    name: str, integer: Callable[[int], IntegerType], width: int
) -> Callable[[], IntegerType]:
    """A function of this name that makes an integer type."""

    def make() -> IntegerType:
        return integer(width)

    make.__name__ = make.__qualname__ = name
    text = (integer.__doc__ or "").removesuffix(".")
    make.__doc__ = f"{text} of {width} {'bit' if width == 1 else 'bits'}."
    return make


bool = _of_width("bool", i, 1)
i8, i16, i32, i64 = (_of_width(f"i{width}", i, width) for width in (8, 16, 32, 64))
si8, si16, si32, si64 = (_of_width(f"si{width}", si, width) for width in (8, 16, 32, 64))
ui8, ui16, ui32, ui64 = (_of_width(f"ui{width}", ui, width) for width in (8, 16, 32, 64))


def _made_by(cls: type[_T]) -> Callable[[], _T]:
    """A function that makes the only type of its class."""

    def make() -> _T:
        made: _T = cls.get()  # type: ignore[attr-defined]
        return made

    make.__doc__ = cls.__doc__
    return make


index = _made_by(IndexType)
none = _made_by(NoneType)

f16 = _made_by(F16Type)
f32 = _made_by(F32Type)
f64 = _made_by(F64Type)
bf16 = _made_by(BF16Type)
tf32 = _made_by(FloatTF32Type)

f8E4M3 = _made_by(Float8E4M3Type)
f8E4M3B11FNUZ = _made_by(Float8E4M3B11FNUZType)
f8E4M3FN = _made_by(Float8E4M3FNType)
f8E5M2 = _made_by(Float8E5M2Type)

try:
    from ..ir import (
        Float4E2M1FNType,
        Float6E2M3FNType,
        Float6E3M2FNType,
        Float8E3M4Type,
        Float8E8M0FNUType,
    )
except ImportError:
    # LLVM 19 has none of these formats.
    pass
else:
    f4E2M1FN = _made_by(Float4E2M1FNType)
    f6E2M3FN = _made_by(Float6E2M3FNType)
    f6E3M2FN = _made_by(Float6E3M2FNType)
    f8E3M4 = _made_by(Float8E3M4Type)
    f8E8M0FNU = _made_by(Float8E8M0FNUType)


def complex(type: Type) -> ComplexType:
    """A complex number of two of ``type``."""
    return ComplexType.get(type)


def opaque(dialect_namespace: str, type_data: str) -> OpaqueType:
    """A type of a dialect that is not there, by its text."""
    return OpaqueType.get(dialect_namespace, type_data)


def _sizes_and_element(shape: _Shape, element_type: Type | None) -> Any:
    """Splits the arguments of a shaped type: the element type is named, or comes last."""
    comes_last = len(shape) > 0 and isinstance(shape[-1], Type)
    if comes_last == (element_type is not None):
        raise ValueError(
            "Either element_type must be provided explicitly XOR last arg to tensor type "
            "constructor must be the element type."
        )
    return (shape[:-1], shape[-1]) if comes_last else (shape, element_type)


def _shaped(
    *shape: int | Type,
    element_type: Type | None = None,
    type_constructor: Callable[..., Type] | None = None,
) -> Type:
    """The type that ``type_constructor`` makes of sizes, if any, and an element type."""
    if type_constructor is None:
        raise ValueError("shaped is an abstract base class - cannot be constructed.")
    sizes, element = _sizes_and_element(shape, element_type)
    return type_constructor(sizes, element) if sizes else type_constructor(element)


def vector(
    *shape: int | Type,
    element_type: Type | None = None,
    scalable: list[_Bool] | None = None,
    scalable_dims: list[int] | None = None,
) -> VectorType:
    """A vector; ``scalable`` or ``scalable_dims`` say which of its sizes are scalable."""
    sizes, element = _sizes_and_element(shape, element_type)
    return VectorType.get(sizes, element, scalable=scalable, scalable_dims=scalable_dims)


def tensor(
    *shape: int | Type, element_type: Type | None = None, encoding: str | None = None
) -> RankedTensorType | UnrankedTensorType:
    """A tensor; one without a rank where there is nothing but an element type."""
    sizes, element = _sizes_and_element(shape, element_type)
    attribute = None if encoding is None else StringAttr.get(encoding)
    if sizes:
        return RankedTensorType.get(sizes, element, encoding=attribute)
    if attribute is not None:
        raise ValueError("UnrankedTensorType does not support encoding.")
    return UnrankedTensorType.get(element)


def memref(
    *shape: int | Type,
    element_type: Type | None = None,
    memory_space: int | None = None,
    layout: Attribute | None = None,
) -> MemRefType | UnrankedMemRefType:
    """A memref; one without a rank where there is nothing but an element type."""
    sizes, element = _sizes_and_element(shape, element_type)
    space = None if memory_space is None else Attribute.parse(str(memory_space))
    if sizes:
        return MemRefType.get(sizes, element, memory_space=space, layout=layout)
    return UnrankedMemRefType.get(element, memory_space=space)


def tuple(*elements: Type) -> TupleType:
    """A tuple of these types."""
    return TupleType.get_tuple(elements)


def function(*, inputs: Sequence[Type], results: Sequence[Type]) -> FunctionType:
    """A function's type."""
    return FunctionType.get(inputs, results)
