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
    def get_signless(width: int, context: _Context | None = None) -> IntegerType:
        """The signless integer type of a width."""
    @staticmethod
    def get_signed(width: int, context: _Context | None = None) -> IntegerType:
        """The signed integer type of a width."""
    @staticmethod
    def get_unsigned(width: int, context: _Context | None = None) -> IntegerType:
        """The unsigned integer type of a width."""
    @staticmethod
    def get(
        width: int,
        signedness: Signedness = ...,
        context: _Context | None = None,
    ) -> IntegerType:
        """The integer type of a width and a signedness."""
    @property
    def signedness(self) -> Signedness:
        """The signedness: signless, signed or unsigned."""
    @property
    def width(self) -> int:
        """The number of bits of the numbers."""
    @property
    def is_signless(self) -> bool:
        """True if the operations decide on the sign, as in `i32`."""
    @property
    def is_signed(self) -> bool:
        """True if the integers are signed, as in `si32`."""
    @property
    def is_unsigned(self) -> bool:
        """True if the integers are unsigned, as in `ui32`."""

class FloatType(Type):
    """A floating point type."""

    static_typeid: ClassVar[TypeID]
    @property
    def width(self) -> int:
        """The number of bits of the numbers."""

class IndexType(Type):
    """The type of indices and sizes, whose width the target decides."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> IndexType:
        """The index type."""

class Float4E2M1FNType(FloatType):
    """Four bits: two of exponent, one of mantissa; finite."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float4E2M1FNType:
        """The type."""

class Float6E2M3FNType(FloatType):
    """Six bits: two of exponent, three of mantissa; finite."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float6E2M3FNType:
        """The type."""

class Float6E3M2FNType(FloatType):
    """Six bits: three of exponent, two of mantissa; finite."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float6E3M2FNType:
        """The type."""

class Float8E4M3FNType(FloatType):
    """Eight bits: four of exponent, three of mantissa; no infinities."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3FNType:
        """The type."""

class Float8E5M2Type(FloatType):
    """Eight bits: five of exponent, two of mantissa; as IEEE 754 has them."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E5M2Type:
        """The type."""

class Float8E4M3Type(FloatType):
    """Eight bits: four of exponent, three of mantissa; as IEEE 754 has them."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3Type:
        """The type."""

class Float8E4M3FNUZType(FloatType):
    """Eight bits: four of exponent, three of mantissa; no infinities, one zero."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3FNUZType:
        """The type."""

class Float8E4M3B11FNUZType(FloatType):
    """Eight bits: four of exponent with a bias of 11, three of mantissa; no infinities, one
    zero.
    """

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E4M3B11FNUZType:
        """The type."""

class Float8E5M2FNUZType(FloatType):
    """Eight bits: five of exponent, two of mantissa; no infinities, one zero."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E5M2FNUZType:
        """The type."""

class Float8E3M4Type(FloatType):
    """Eight bits: three of exponent, four of mantissa; as IEEE 754 has them."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E3M4Type:
        """The type."""

class Float8E8M0FNUType(FloatType):
    """Eight bits, all of them exponent."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> Float8E8M0FNUType:
        """The type."""

class BF16Type(FloatType):
    """Sixteen bits: eight of exponent, seven of mantissa."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> BF16Type:
        """The type."""

class F16Type(FloatType):
    """Half precision."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> F16Type:
        """The type."""

class FloatTF32Type(FloatType):
    """Nineteen bits: eight of exponent, ten of mantissa."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> FloatTF32Type:
        """The type."""

class F32Type(FloatType):
    """Single precision."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> F32Type:
        """The type."""

class F64Type(FloatType):
    """Double precision."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> F64Type:
        """The type."""

class NoneType(Type):
    """The type of what has no value."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> NoneType:
        """The type."""

class ComplexType(Type):
    """Complex numbers of an integer or floating point type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, /) -> ComplexType:
        """The complex type over an element type."""
    @property
    def element_type(self) -> Type:
        """The type of the real and the imaginary part."""

class ShapedType(Type):
    """A type with elements and, unless it is unranked, a shape."""

    static_typeid: ClassVar[TypeID]
    @property
    def element_type(self) -> Type:
        """The type of the elements."""
    @property
    def has_rank(self) -> bool:
        """True if the number of dimensions is known."""
    @property
    def rank(self) -> int:
        """The number of dimensions."""
    @property
    def has_static_shape(self) -> bool:
        """True if the type has a rank and all its sizes are known."""
    def is_dynamic_dim(self, dim: int) -> bool:
        """Returns whether the size of a dimension is not known."""
    def is_static_dim(self, dim: int) -> bool:
        """Returns whether the size of a dimension is known."""
    def get_dim_size(self, dim: int) -> int:
        """The size of a dimension, or `get_dynamic_size()`."""
    @staticmethod
    def is_dynamic_size(dim_size: int) -> bool:
        """Returns whether a size stands for one that is not known."""
    @staticmethod
    def is_static_size(dim_size: int) -> bool:
        """Returns whether a size is known."""
    def is_dynamic_stride_or_offset(self, dim_size: int) -> bool:
        """Returns whether a stride or an offset stands for one that is not known."""
    def is_static_stride_or_offset(self, dim_size: int) -> bool:
        """Returns whether a stride or an offset is known."""
    @property
    def shape(self) -> list[int]:
        """The sizes."""
    @staticmethod
    def get_dynamic_size() -> int:
        """The number that stands for a size which is not known."""
    @staticmethod
    def get_dynamic_stride_or_offset() -> int:
        """The number that stands for a stride or an offset which is not known."""

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
    ) -> VectorType:
        """The vector type of a shape; raises `MLIRError` if there is none."""
    @staticmethod
    def get_unchecked(
        shape: Iterable[int],
        element_type: Type,
        *,
        scalable: Iterable[bool] | None = None,
        scalable_dims: Iterable[int] | None = None,
        context: _Context | None = None,
    ) -> VectorType:
        """As `get`, without a location for the errors."""
    @property
    def scalable(self) -> bool:
        """True if any dimension is scalable."""
    @property
    def scalable_dims(self) -> list[bool]:
        """For each dimension whether it is scalable."""

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
    ) -> RankedTensorType:
        """The tensor type of a shape; raises `MLIRError` if there is none."""
    @staticmethod
    def get_unchecked(
        shape: Iterable[int],
        element_type: Type,
        encoding: Attribute | None = None,
        context: _Context | None = None,
    ) -> RankedTensorType:
        """As `get`, without a location for the errors."""
    @property
    def encoding(self) -> Attribute | None:
        """The encoding of the tensor, if it has one."""

class UnrankedTensorType(ShapedType):
    """A tensor of any rank."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, loc: Location | None = None) -> UnrankedTensorType:
        """The unranked tensor type of an element type; raises `MLIRError` if there is none."""
    @staticmethod
    def get_unchecked(element_type: Type, context: _Context | None = None) -> UnrankedTensorType:
        """As `get`, without a location for the errors."""

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
    ) -> MemRefType:
        """The memref type of a shape; raises `MLIRError` if there is none."""
    @staticmethod
    def get_unchecked(
        shape: Iterable[int],
        element_type: Type,
        layout: Attribute | None = None,
        memory_space: Attribute | None = None,
        context: _Context | None = None,
    ) -> MemRefType:
        """As `get`, without a location for the errors."""
    @property
    def layout(self) -> Attribute:
        """The layout of the elements in memory."""
    def get_strides_and_offset(self) -> tuple[list[int], int]:
        """The strides and the offset, where the layout is made of such."""
    @property
    def affine_map(self) -> AffineMap:
        """The layout as a map."""
    @property
    def memory_space(self) -> Attribute | None:
        """The memory space, if the type has one."""

class UnrankedMemRefType(ShapedType):
    """A reference to memory of any rank."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        element_type: Type, memory_space: Attribute | None, loc: Location | None = None
    ) -> UnrankedMemRefType:
        """The unranked memref type of an element type; raises `MLIRError` if there is none."""
    @staticmethod
    def get_unchecked(
        element_type: Type, memory_space: Attribute | None, context: _Context | None = None
    ) -> UnrankedMemRefType:
        """As `get`, without a location for the errors."""
    @property
    def memory_space(self) -> Attribute | None:
        """The memory space, if the type has one."""

class TupleType(Type):
    """A tuple of types."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get_tuple(elements: Iterable[Type], context: _Context | None = None) -> TupleType:
        """The tuple type of element types."""
    def get_type(self, pos: int) -> Type:
        """The element type at a place."""
    @property
    def num_types(self) -> int:
        """The number of elements."""

class FunctionType(Type):
    """The type of a function."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        inputs: Iterable[Type], results: Iterable[Type], context: _Context | None = None
    ) -> FunctionType:
        """The type of functions with such inputs and results."""
    @property
    def inputs(self) -> list[Type]:
        """The types of the inputs."""
    @property
    def results(self) -> list[Type]:
        """The types of the results."""

class OpaqueType(Type):
    """A type of a dialect that is not loaded."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(dialect_namespace: str, buffer: str, context: _Context | None = None) -> OpaqueType:
        """A type of a dialect that is not loaded, by its text."""
    @property
    def dialect_namespace(self) -> str:
        """The name of the dialect that the type is of."""
    @property
    def data(self) -> str:
        """The text of the type."""
