"""Part of `ir`: the classes of the builtin types."""

import enum
from collections.abc import Iterable
from typing import ClassVar

from ._affine import AffineMap
from .ir import Attribute, Location, Type, TypeID, _Context

class IntegerType(Type):
    """An integer type: `i32`, `si8`, `ui64`."""

    class Signedness(enum.Enum):
        """The sign of an integer type's numbers."""

        SIGNLESS = 0
        SIGNED = 1
        UNSIGNED = 2

    SIGNLESS: ClassVar[Signedness]
    SIGNED: ClassVar[Signedness]
    UNSIGNED: ClassVar[Signedness]
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get_signless(width: int, context: _Context | None = None) -> IntegerType: ...
    @staticmethod
    def get_signed(width: int, context: _Context | None = None) -> IntegerType: ...
    @staticmethod
    def get_unsigned(width: int, context: _Context | None = None) -> IntegerType: ...
    @staticmethod
    def get(
        width: int,
        signedness: Signedness = ...,
        context: _Context | None = None,
    ) -> IntegerType: ...
    @property
    def signedness(self) -> Signedness: ...
    @property
    def width(self) -> int: ...
    @property
    def is_signless(self) -> bool: ...
    @property
    def is_signed(self) -> bool: ...
    @property
    def is_unsigned(self) -> bool: ...

class FloatType(Type):
    """A floating point type."""

    static_typeid: ClassVar[TypeID]
    @property
    def width(self) -> int: ...

class IndexType(Type):
    """The type of indices and sizes, whose width the target decides."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> IndexType: ...

class Float4E2M1FNType(FloatType):
    """Four bits: two of exponent, one of mantissa; finite."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float4E2M1FNType: ...

class Float6E2M3FNType(FloatType):
    """Six bits: two of exponent, three of mantissa; finite."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float6E2M3FNType: ...

class Float6E3M2FNType(FloatType):
    """Six bits: three of exponent, two of mantissa; finite."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float6E3M2FNType: ...

class Float8E4M3FNType(FloatType):
    """Eight bits: four of exponent, three of mantissa; no infinities."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3FNType: ...

class Float8E5M2Type(FloatType):
    """Eight bits: five of exponent, two of mantissa; as IEEE 754 has them."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E5M2Type: ...

class Float8E4M3Type(FloatType):
    """Eight bits: four of exponent, three of mantissa; as IEEE 754 has them."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3Type: ...

class Float8E4M3FNUZType(FloatType):
    """Eight bits: four of exponent, three of mantissa; no infinities, one zero."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3FNUZType: ...

class Float8E4M3B11FNUZType(FloatType):
    """Eight bits: four of exponent with a bias of 11, three of mantissa; no infinities, one
    zero.
    """

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3B11FNUZType: ...

class Float8E5M2FNUZType(FloatType):
    """Eight bits: five of exponent, two of mantissa; no infinities, one zero."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E5M2FNUZType: ...

class Float8E3M4Type(FloatType):
    """Eight bits: three of exponent, four of mantissa; as IEEE 754 has them."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E3M4Type: ...

class Float8E8M0FNUType(FloatType):
    """Eight bits, all of them exponent."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E8M0FNUType: ...

class BF16Type(FloatType):
    """Sixteen bits: eight of exponent, seven of mantissa."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> BF16Type: ...

class F16Type(FloatType):
    """Half precision."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> F16Type: ...

class FloatTF32Type(FloatType):
    """Nineteen bits: eight of exponent, ten of mantissa."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> FloatTF32Type: ...

class F32Type(FloatType):
    """Single precision."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> F32Type: ...

class F64Type(FloatType):
    """Double precision."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> F64Type: ...

class NoneType(Type):
    """The type of what has no value."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> NoneType: ...

class ComplexType(Type):
    """Complex numbers of an integer or floating point type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, /) -> ComplexType: ...
    @property
    def element_type(self) -> Type: ...

class ShapedType(Type):
    """A type with elements and, unless it is unranked, a shape."""

    static_typeid: ClassVar[TypeID]
    @property
    def element_type(self) -> Type: ...
    @property
    def has_rank(self) -> bool: ...
    @property
    def rank(self) -> int: ...
    @property
    def has_static_shape(self) -> bool: ...
    def is_dynamic_dim(self, dim: int) -> bool: ...
    def is_static_dim(self, dim: int) -> bool: ...
    def get_dim_size(self, dim: int) -> int: ...
    @staticmethod
    def is_dynamic_size(dim_size: int) -> bool: ...
    @staticmethod
    def is_static_size(dim_size: int) -> bool: ...
    def is_dynamic_stride_or_offset(self, dim_size: int) -> bool: ...
    def is_static_stride_or_offset(self, dim_size: int) -> bool: ...
    @property
    def shape(self) -> list[int]: ...
    @staticmethod
    def get_dynamic_size() -> int: ...
    @staticmethod
    def get_dynamic_stride_or_offset() -> int: ...

class VectorType(ShapedType):
    """A vector, of which dimensions may be scalable."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        shape: Iterable[int],
        element_type: Type,
        *,
        scalable: Iterable[bool] | None = None,
        scalable_dims: Iterable[int] | None = None,
        loc: Location | None = None,
    ) -> VectorType: ...
    @staticmethod
    def get_unchecked(
        shape: Iterable[int],
        element_type: Type,
        *,
        scalable: Iterable[bool] | None = None,
        scalable_dims: Iterable[int] | None = None,
        context: _Context | None = None,
    ) -> VectorType: ...
    @property
    def scalable(self) -> bool: ...
    @property
    def scalable_dims(self) -> list[bool]: ...

class RankedTensorType(ShapedType):
    """A tensor with a shape."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        shape: Iterable[int],
        element_type: Type,
        encoding: Attribute | None = None,
        loc: Location | None = None,
    ) -> RankedTensorType: ...
    @staticmethod
    def get_unchecked(
        shape: Iterable[int],
        element_type: Type,
        encoding: Attribute | None = None,
        context: _Context | None = None,
    ) -> RankedTensorType: ...
    @property
    def encoding(self) -> Attribute | None: ...

class UnrankedTensorType(ShapedType):
    """A tensor of any rank."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, loc: Location | None = None) -> UnrankedTensorType: ...
    @staticmethod
    def get_unchecked(
        element_type: Type, context: _Context | None = None
    ) -> UnrankedTensorType: ...

class MemRefType(ShapedType):
    """A reference to memory of a shape."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        shape: Iterable[int],
        element_type: Type,
        layout: Attribute | None = None,
        memory_space: Attribute | None = None,
        loc: Location | None = None,
    ) -> MemRefType: ...
    @staticmethod
    def get_unchecked(
        shape: Iterable[int],
        element_type: Type,
        layout: Attribute | None = None,
        memory_space: Attribute | None = None,
        context: _Context | None = None,
    ) -> MemRefType: ...
    @property
    def layout(self) -> Attribute: ...
    def get_strides_and_offset(self) -> tuple[list[int], int]: ...
    @property
    def affine_map(self) -> AffineMap: ...
    @property
    def memory_space(self) -> Attribute | None: ...

class UnrankedMemRefType(ShapedType):
    """A reference to memory of any rank."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        element_type: Type, memory_space: Attribute | None, loc: Location | None = None
    ) -> UnrankedMemRefType: ...
    @staticmethod
    def get_unchecked(
        element_type: Type, memory_space: Attribute | None, context: _Context | None = None
    ) -> UnrankedMemRefType: ...
    @property
    def memory_space(self) -> Attribute | None: ...

class TupleType(Type):
    """A tuple of types."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get_tuple(elements: Iterable[Type], context: _Context | None = None) -> TupleType: ...
    def get_type(self, pos: int) -> Type: ...
    @property
    def num_types(self) -> int: ...

class FunctionType(Type):
    """The type of a function."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        inputs: Iterable[Type], results: Iterable[Type], context: _Context | None = None
    ) -> FunctionType: ...
    @property
    def inputs(self) -> list[Type]: ...
    @property
    def results(self) -> list[Type]: ...

class OpaqueType(Type):
    """A type of a dialect that is not loaded."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(dialect_namespace: str, buffer: str, context: _Context | None = None) -> OpaqueType: ...
    @property
    def dialect_namespace(self) -> str: ...
    @property
    def data(self) -> str: ...
