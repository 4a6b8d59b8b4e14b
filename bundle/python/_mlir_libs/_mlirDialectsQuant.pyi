"""A native part of the dialect `quant`."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from ._mlir.ir import Attribute, DenseElementsAttr, Type, TypeID, _Context

class QuantizedType(Type):
    FLAG_SIGNED: ClassVar[int]
    static_typeid: ClassVar[TypeID]
    @staticmethod
    def default_minimum_for_integer(is_signed: bool, integral_width: int) -> int: ...
    @staticmethod
    def default_maximum_for_integer(is_signed: bool, integral_width: int) -> int: ...
    @property
    def expressed_type(self) -> Type | None: ...
    @property
    def flags(self) -> int: ...
    @property
    def is_signed(self) -> bool: ...
    @property
    def storage_type(self) -> Type | None: ...
    @property
    def storage_type_min(self) -> int: ...
    @property
    def storage_type_max(self) -> int: ...
    @property
    def storage_type_integral_width(self) -> int: ...
    def is_compatible_expressed_type(self, candidate: Type) -> bool: ...
    @property
    def quantized_element_type(self) -> Type | None: ...
    def cast_from_storage_type(self, candidate: Type) -> Type: ...
    @staticmethod
    def cast_to_storage_type(type: Type) -> Type: ...
    def cast_from_expressed_type(self, candidate: Type) -> Type: ...
    @staticmethod
    def cast_to_expressed_type(type: Type) -> Type: ...
    def cast_expressed_to_storage_type(self, candidate: Type) -> Type: ...

class AnyQuantizedType(QuantizedType):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        flags: int,
        storage_type: Type,
        expressed_type: Type,
        storage_type_min: int,
        storage_type_max: int,
        context: _Context | None = None,
    ) -> AnyQuantizedType: ...

class UniformQuantizedType(QuantizedType):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        flags: int,
        storage_type: Type,
        expressed_type: Type,
        scale: float,
        zero_point: int,
        storage_type_min: int,
        storage_type_max: int,
        context: _Context | None = None,
    ) -> UniformQuantizedType: ...
    @property
    def scale(self) -> float: ...
    @property
    def zero_point(self) -> int: ...
    @property
    def is_fixed_point(self) -> bool: ...

class UniformQuantizedPerAxisType(QuantizedType):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        flags: int,
        storage_type: Type,
        expressed_type: Type,
        scales: Sequence[float],
        zero_points: Iterable[int],
        quantized_dimension: int,
        storage_type_min: int,
        storage_type_max: int,
        context: _Context | None = None,
    ) -> UniformQuantizedPerAxisType: ...
    @property
    def scales(self) -> list[float]: ...
    @property
    def zero_points(self) -> list[int]: ...
    @property
    def quantized_dimension(self) -> int: ...
    @property
    def is_fixed_point(self) -> bool: ...

class UniformQuantizedSubChannelType(QuantizedType):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        flags: int,
        storage_type: Type,
        expressed_type: Type,
        scales: Attribute,
        zero_points: Attribute,
        quantized_dimensions: Iterable[int],
        block_sizes: Iterable[int],
        storage_type_min: int,
        storage_type_max: int,
        context: _Context | None = None,
    ) -> UniformQuantizedSubChannelType: ...
    @property
    def quantized_dimensions(self) -> list[int]: ...
    @property
    def block_sizes(self) -> list[int]: ...
    @property
    def scales(self) -> DenseElementsAttr: ...
    @property
    def zero_points(self) -> DenseElementsAttr: ...

class CalibratedQuantizedType(QuantizedType):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        expressed_type: Type, min: float, max: float, context: _Context | None = None
    ) -> CalibratedQuantizedType: ...
    @property
    def min(self) -> float: ...
    @property
    def max(self) -> float: ...
