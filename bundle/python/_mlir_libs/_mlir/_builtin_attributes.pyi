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
    def get(type: Type, value: SupportsInt) -> IntegerAttr: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...

class BoolAttr(Attribute):
    """A truth value: an integer of type `i1`."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(value: bool, context: _Context | None = None) -> BoolAttr: ...
    @property
    def value(self) -> bool: ...
    def __bool__(self) -> bool: ...

class FloatAttr(Attribute):
    """A floating point number and its type."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(type: Type, value: SupportsFloat, loc: Location | None = None) -> FloatAttr: ...
    @staticmethod
    def get_unchecked(
        type: Type, value: SupportsFloat, context: _Context | None = None
    ) -> FloatAttr: ...
    @staticmethod
    def get_f32(value: SupportsFloat, context: _Context | None = None) -> FloatAttr: ...
    @staticmethod
    def get_f64(value: SupportsFloat, context: _Context | None = None) -> FloatAttr: ...
    @property
    def value(self) -> float: ...
    def __float__(self) -> float: ...

class TypeAttr(Attribute):
    """A type, as an attribute."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(value: Type, context: _Context | None = None) -> TypeAttr: ...
    @property
    def value(self) -> Type: ...

class UnitAttr(Attribute):
    """An attribute that is there or is not, and has no value."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> UnitAttr: ...

class StringAttr(Attribute):
    """A text, or bytes."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(value: str | bytes, context: _Context | None = None) -> StringAttr: ...
    @staticmethod
    def get_typed(type: Type, value: str) -> StringAttr: ...
    @property
    def value(self) -> str: ...
    @property
    def value_bytes(self) -> bytes: ...

class SymbolRefAttr(Attribute):
    """A reference to a symbol, perhaps one within others."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(symbols: Iterable[str], context: _Context | None = None) -> SymbolRefAttr: ...
    @property
    def value(self) -> list[str]: ...

class FlatSymbolRefAttr(Attribute):
    """A reference to a symbol that is in no other."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(value: str, context: _Context | None = None) -> FlatSymbolRefAttr: ...
    @property
    def value(self) -> str: ...

class OpaqueAttr(Attribute):
    """An attribute of a dialect that is not loaded."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(
        dialect_namespace: str, buffer: Buffer, type: Type, context: _Context | None = None
    ) -> OpaqueAttr: ...
    @property
    def dialect_namespace(self) -> str: ...
    @property
    def data(self) -> bytes: ...

class ArrayAttr(Attribute):
    """An array of attributes."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(attributes: Iterable[Attribute], context: _Context | None = None) -> ArrayAttr: ...
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
    def get(value: dict[str, Attribute] = ..., context: _Context | None = None) -> DictAttr: ...
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
    def get(affine_map: AffineMap) -> AffineMapAttr: ...
    @property
    def value(self) -> AffineMap: ...

class IntegerSetAttr(Attribute):
    """An integer set, as an attribute."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(integer_set: IntegerSet) -> IntegerSetAttr: ...
    @property
    def value(self) -> IntegerSet: ...

class StridedLayoutAttr(Attribute):
    """The layout of elements in memory: an offset and strides."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(
        offset: int, strides: Iterable[int], context: _Context | None = None
    ) -> StridedLayoutAttr: ...
    @staticmethod
    def get_fully_dynamic(rank: int, context: _Context | None = None) -> StridedLayoutAttr: ...
    @property
    def offset(self) -> int: ...
    @property
    def strides(self) -> list[int]: ...

class DenseBoolArrayAttr(Attribute):
    """An array of truth values."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(values: Iterable[object], context: _Context | None = None) -> DenseBoolArrayAttr: ...
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
    def get(values: Iterable[SupportsInt], context: _Context | None = None) -> DenseI8ArrayAttr: ...
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
    def get(
        values: Iterable[SupportsInt], context: _Context | None = None
    ) -> DenseI16ArrayAttr: ...
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
    def get(
        values: Iterable[SupportsInt], context: _Context | None = None
    ) -> DenseI32ArrayAttr: ...
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
    def get(
        values: Iterable[SupportsInt], context: _Context | None = None
    ) -> DenseI64ArrayAttr: ...
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
    def get(
        values: Iterable[SupportsFloat], context: _Context | None = None
    ) -> DenseF32ArrayAttr: ...
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
    def get(
        values: Iterable[SupportsFloat], context: _Context | None = None
    ) -> DenseF64ArrayAttr: ...
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
    ) -> DenseElementsAttr: ...
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
    def get_splat(shaped_type: Type, element_attr: Attribute) -> DenseElementsAttr: ...
    @property
    def is_splat(self) -> bool: ...
    def get_splat_value(self) -> Attribute: ...
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

class DenseIntElementsAttr(DenseElementsAttr):
    """Dense elements that are integers."""

    static_typeid: ClassVar[TypeID]
    def __getitem__(self, key: int, /) -> int: ...

class DenseFPElementsAttr(DenseElementsAttr):
    """Dense elements that are floating point numbers."""

    static_typeid: ClassVar[TypeID]
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
    ) -> DenseResourceElementsAttr: ...
