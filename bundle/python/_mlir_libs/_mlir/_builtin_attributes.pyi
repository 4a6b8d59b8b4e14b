"""Part of `ir`: the classes of the builtin attributes."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Protocol, SupportsFloat, SupportsInt, overload

from typing_extensions import Buffer, Self, disjoint_base

from ._affine import AffineMap, IntegerSet
from .ir import Attribute, Location, NamedAttribute, Type, TypeID, _Context

# An array of numpy's, whose stubs know the buffer protocol only from Python 3.12 on.
class _Array(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...

class IntegerAttr(Attribute):
    """An integer and its type."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(type: Type, value: SupportsInt) -> IntegerAttr:
        """The attribute of an integer or index type. Bits of the value that do not fit are cut
        off.
        """
    @property
    def value(self) -> int:
        """The integer, signed or not as its type says."""
    def __int__(self) -> int: ...

class BoolAttr(Attribute):
    """A truth value: an integer of type `i1`."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(value: bool, context: _Context | None = None) -> BoolAttr:
        """The attribute of a truth value."""
    @property
    def value(self) -> bool:
        """The value as a `bool`."""
    def __bool__(self) -> bool: ...

class FloatAttr(Attribute):
    """A floating point number and its type."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(type: Type, value: SupportsFloat, loc: Location | None = None) -> FloatAttr:
        """The attribute of a floating point type; raises `MLIRError` for other types."""
    @staticmethod
    def get_unchecked(
        type: Type, value: SupportsFloat, context: _Context | None = None
    ) -> FloatAttr:
        """As `get`, without a location for the errors."""
    @staticmethod
    def get_f32(value: SupportsFloat, context: _Context | None = None) -> FloatAttr:
        """The attribute of type `f32`."""
    @staticmethod
    def get_f64(value: SupportsFloat, context: _Context | None = None) -> FloatAttr:
        """The attribute of type `f64`."""
    @property
    def value(self) -> float:
        """The number as a `float`; one of a wider type is rounded."""
    def __float__(self) -> float: ...

class TypeAttr(Attribute):
    """A type, as an attribute."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(value: Type, context: _Context | None = None) -> TypeAttr:
        """The attribute of a type."""
    @property
    def value(self) -> Type:
        """The type that the attribute holds."""

class UnitAttr(Attribute):
    """An attribute that is there or is not, and has no value."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> UnitAttr:
        """The attribute."""

class StringAttr(Attribute):
    """A text, or bytes."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(value: str | bytes, context: _Context | None = None) -> StringAttr:
        """The attribute of a `str` or `bytes`."""
    @staticmethod
    def get_typed(type: Type, value: str) -> StringAttr:
        """The attribute of a text that has a type."""
    @property
    def value(self) -> str:
        """The text; raises an error, `UnicodeDecodeError` and `RuntimeError` at once, if it is not
        UTF-8.
        """
    @property
    def value_bytes(self) -> bytes:
        """The text as bytes."""

class SymbolRefAttr(Attribute):
    """A reference to a symbol, perhaps one within others."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(symbols: Iterable[str], context: _Context | None = None) -> SymbolRefAttr:
        """The reference by the names of symbols, the outermost first."""
    @property
    def value(self) -> list[str]:
        """The names, the outermost first."""

class FlatSymbolRefAttr(Attribute):
    """A reference to a symbol that is in no other."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(value: str, context: _Context | None = None) -> FlatSymbolRefAttr:
        """The reference by the name of the symbol."""
    @property
    def value(self) -> str:
        """The name."""

class OpaqueAttr(Attribute):
    """An attribute of a dialect that is not loaded."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(
        dialect_namespace: str, buffer: Buffer, type: Type, context: _Context | None = None
    ) -> OpaqueAttr:
        """An attribute of a dialect that is not loaded, by its text."""
    @property
    def dialect_namespace(self) -> str:
        """The name of the dialect that the attribute is of."""
    @property
    def data(self) -> bytes:
        """The text of the attribute as bytes."""

class ArrayAttr(Attribute):
    """An array of attributes."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(attributes: Iterable[Attribute], context: _Context | None = None) -> ArrayAttr:
        """The array of some attributes."""
    def __getitem__(self, key: int, /) -> Attribute: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> ArrayAttributeIterator: ...
    def __add__(self, value: Iterable[Attribute], /) -> ArrayAttr: ...

@disjoint_base
class ArrayAttributeIterator(Iterator[Attribute]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Attribute: ...

class DictAttr(Attribute):
    """Attributes by name."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(value: dict[str, Attribute] = ..., context: _Context | None = None) -> DictAttr:
        """The attribute of a `dict` from names to attributes."""
    def __contains__(self, key: str, /) -> bool: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: str, /) -> Attribute: ...
    @overload
    def __getitem__(self, key: int, /) -> NamedAttribute: ...

class AffineMapAttr(Attribute):
    """An affine map, as an attribute."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(affine_map: AffineMap) -> AffineMapAttr:
        """The attribute of a map."""
    @property
    def value(self) -> AffineMap:
        """The affine map that the attribute holds."""

class IntegerSetAttr(Attribute):
    """An integer set, as an attribute."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(integer_set: IntegerSet) -> IntegerSetAttr:
        """The attribute of a set."""
    @property
    def value(self) -> IntegerSet:
        """The integer set that the attribute holds."""

class StridedLayoutAttr(Attribute):
    """The layout of elements in memory: an offset and strides."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(
        offset: int, strides: Iterable[int], context: _Context | None = None
    ) -> StridedLayoutAttr:
        """The layout of an offset and strides."""
    @staticmethod
    def get_fully_dynamic(rank: int, context: _Context | None = None) -> StridedLayoutAttr:
        """The layout of a rank of which nothing is known."""
    @property
    def offset(self) -> int:
        """The distance of the first element, in elements; a dynamic one is
        `ShapedType.get_dynamic_stride_or_offset()`.
        """
    @property
    def strides(self) -> list[int]:
        """The distance of neighbours in each dimension, in elements."""

class DenseBoolArrayAttr(Attribute):
    """An array of truth values."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[object], context: _Context | None = None) -> DenseBoolArrayAttr:
        """The array of some values."""
    def __getitem__(self, key: int, /) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> DenseBoolArrayIterator: ...
    def __add__(self, value: Iterable[object], /) -> DenseBoolArrayAttr: ...

@disjoint_base
class DenseBoolArrayIterator(Iterator[bool]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> bool: ...

class DenseI8ArrayAttr(Attribute):
    """An array of 8-bit integers."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[SupportsInt], context: _Context | None = None) -> DenseI8ArrayAttr:
        """The array of some values."""
    def __getitem__(self, key: int, /) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> DenseI8ArrayIterator: ...
    def __add__(self, value: Iterable[SupportsInt], /) -> DenseI8ArrayAttr: ...

@disjoint_base
class DenseI8ArrayIterator(Iterator[int]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> int: ...

class DenseI16ArrayAttr(Attribute):
    """An array of 16-bit integers."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[SupportsInt], context: _Context | None = None) -> DenseI16ArrayAttr:
        """The array of some values."""
    def __getitem__(self, key: int, /) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> DenseI16ArrayIterator: ...
    def __add__(self, value: Iterable[SupportsInt], /) -> DenseI16ArrayAttr: ...

@disjoint_base
class DenseI16ArrayIterator(Iterator[int]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> int: ...

class DenseI32ArrayAttr(Attribute):
    """An array of 32-bit integers."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[SupportsInt], context: _Context | None = None) -> DenseI32ArrayAttr:
        """The array of some values."""
    def __getitem__(self, key: int, /) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> DenseI32ArrayIterator: ...
    def __add__(self, value: Iterable[SupportsInt], /) -> DenseI32ArrayAttr: ...

@disjoint_base
class DenseI32ArrayIterator(Iterator[int]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> int: ...

class DenseI64ArrayAttr(Attribute):
    """An array of 64-bit integers."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[SupportsInt], context: _Context | None = None) -> DenseI64ArrayAttr:
        """The array of some values."""
    def __getitem__(self, key: int, /) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> DenseI64ArrayIterator: ...
    def __add__(self, value: Iterable[SupportsInt], /) -> DenseI64ArrayAttr: ...

@disjoint_base
class DenseI64ArrayIterator(Iterator[int]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> int: ...

class DenseF32ArrayAttr(Attribute):
    """An array of numbers in single precision."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[SupportsFloat], context: _Context | None = None) -> DenseF32ArrayAttr:
        """The array of some values."""
    def __getitem__(self, key: int, /) -> float: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> DenseF32ArrayIterator: ...
    def __add__(self, value: Iterable[SupportsFloat], /) -> DenseF32ArrayAttr: ...

@disjoint_base
class DenseF32ArrayIterator(Iterator[float]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> float: ...

class DenseF64ArrayAttr(Attribute):
    """An array of numbers in double precision."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[SupportsFloat], context: _Context | None = None) -> DenseF64ArrayAttr:
        """The array of some values."""
    def __getitem__(self, key: int, /) -> float: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> DenseF64ArrayIterator: ...
    def __add__(self, value: Iterable[SupportsFloat], /) -> DenseF64ArrayAttr: ...

@disjoint_base
class DenseF64ArrayIterator(Iterator[float]):
    """Goes through an array."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> float: ...

class DenseElementsAttr(Attribute):
    """The elements of a tensor or vector."""

    static_typeid: ClassVar[TypeID]
    @overload
    @staticmethod
    def get(
        array: Buffer | _Array,
        signless: bool = True,
        type: Type | None = None,
        shape: Iterable[int] | None = None,
        context: _Context | None = None,
    ) -> DenseElementsAttr:
        """The attribute of a buffer (an array, bytes), or of a list of attributes.

        From a buffer: `get(array, signless=True, type=None, shape=None, context=None)`. Without
        `type` the elements are integers, truth values, or numbers in half, single or double
        precision, as the buffer says; with it, they have the bits that the buffer has. A buffer of
        one element fills any shape. From a list: `get(attrs, type=None, context=None)`, where
        `type` is the whole type.
        """
    @overload
    @staticmethod
    def get(
        array: list[Attribute],
        signless: Type | None = None,
        type: _Context | None = None,
    ) -> DenseElementsAttr: ...
    @overload
    @staticmethod
    def get(
        array: list[Attribute], *, type: Type | None = None, context: _Context | None = None
    ) -> DenseElementsAttr: ...
    @overload
    @staticmethod
    def get(
        *, attrs: list[Attribute], type: Type | None = None, context: _Context | None = None
    ) -> DenseElementsAttr: ...
    @staticmethod
    def get_splat(shaped_type: Type, element_attr: Attribute) -> DenseElementsAttr:
        """The attribute whose elements are all the same."""
    @property
    def is_splat(self) -> bool:
        """True if all elements are one that is stored once."""
    def get_splat_value(self) -> Attribute:
        """The element of a splat."""
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class DenseIntElementsAttr(DenseElementsAttr):
    """Dense elements that are integers."""

    static_typeid: ClassVar[TypeID]
    def __contains__(self, value: object, /) -> bool: ...
    def __getitem__(self, key: int, /) -> int: ...

class DenseFPElementsAttr(DenseElementsAttr):
    """Dense elements that are floating point numbers."""

    static_typeid: ClassVar[TypeID]
    def __contains__(self, value: object, /) -> bool: ...
    def __getitem__(self, key: int, /) -> float: ...

class DenseResourceElementsAttr(Attribute):
    """The elements of a tensor or vector that are a resource with a name."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get_from_buffer(
        array: Buffer | _Array,
        name: str,
        type: Type,
        alignment: int | None = None,
        is_mutable: bool = False,
        context: _Context | None = None,
    ) -> DenseResourceElementsAttr:
        """The attribute of a buffer, which is kept as long as MLIR needs it.

        The elements are not looked at: that they are what the type says is up to the caller. MLIR
        may change the name if there is a resource of that name. The alignment is that of one
        element, unless it is given.
        """
