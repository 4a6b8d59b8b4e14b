"""A native part of the dialect `quant`."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from ._mlir.ir import Attribute, DenseElementsAttr, Type, TypeID, _Context

class QuantizedType(Type):
    """Any type of this dialect: numbers of one type that stand for numbers of another."""

    FLAG_SIGNED: ClassVar[int]
    static_typeid: ClassVar[TypeID]
    @staticmethod
    def default_minimum_for_integer(is_signed: bool, integral_width: int) -> int:
        """The least integer of this width."""
    @staticmethod
    def default_maximum_for_integer(is_signed: bool, integral_width: int) -> int:
        """The greatest integer of this width."""
    @property
    def expressed_type(self) -> Type | None:
        """The type of the numbers that are represented; None where it is not known."""
    @property
    def flags(self) -> int:
        """The flags as a number; bit 0 says that the stored integers are signed."""
    @property
    def is_signed(self) -> bool:
        """True if the stored integers have signs."""
    @property
    def storage_type(self) -> Type | None:
        """The type of the numbers that are stored; None for a calibrated type."""
    @property
    def storage_type_min(self) -> int:
        """The least number that is stored."""
    @property
    def storage_type_max(self) -> int:
        """The greatest number that is stored."""
    @property
    def storage_type_integral_width(self) -> int:
        """The number of bits of a stored number."""
    def is_compatible_expressed_type(self, candidate: Type) -> bool:
        """Returns whether numbers of a type, or a shape's elements, are representable."""
    @property
    def quantized_element_type(self) -> Type | None:
        """The type itself, as that of an element."""
    def cast_from_storage_type(self, candidate: Type) -> Type:
        """This type in the place of the storage type, whose shapes are passed on; raises
        `TypeError` for anything else.
        """
    @staticmethod
    def cast_to_storage_type(type: Type) -> Type:
        """The storage type, or its shape, in the place of a quantized type; raises `TypeError` if
        there is none.
        """
    def cast_from_expressed_type(self, candidate: Type) -> Type:
        """This type, or its shape, in the place of the expressed type; raises `TypeError` if there
        is none.
        """
    @staticmethod
    def cast_to_expressed_type(type: Type) -> Type:
        """The expressed type, or its shape, in the place of a quantized type; raises `TypeError` if
        there is none.
        """
    def cast_expressed_to_storage_type(self, candidate: Type) -> Type:
        """The storage type, or its shape, in the place of the expressed type; raises `TypeError` if
        there is none.
        """

class AnyQuantizedType(QuantizedType):
    """Numbers that are stored in a way which is not said."""

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
    ) -> AnyQuantizedType:
        """The type for such numbers; raises `MLIRError` or `ValueError` if there is none."""

class UniformQuantizedType(QuantizedType):
    """Numbers that are stored as multiples of a scale, counted from an integer that stands for
    zero.
    """

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
    ) -> UniformQuantizedType:
        """The type for such numbers; raises `MLIRError` or `ValueError` if there is none."""
    @property
    def scale(self) -> float:
        """The distance between two numbers that are stored as neighbours."""
    @property
    def zero_point(self) -> int:
        """The integer that stands for zero."""
    @property
    def is_fixed_point(self) -> bool:
        """True if zero is stored as zero, and numbers have signs."""

class UniformQuantizedPerAxisType(QuantizedType):
    """The same, with a scale and a zero for each slice along one dimension."""

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
    ) -> UniformQuantizedPerAxisType:
        """The type for such numbers; raises `MLIRError` or `ValueError` if there is none."""
    @property
    def scales(self) -> list[float]:
        """The scales of the slices."""
    @property
    def zero_points(self) -> list[int]:
        """The integers that stand for zero in the slices."""
    @property
    def quantized_dimension(self) -> int:
        """The dimension that the slices are along."""
    @property
    def is_fixed_point(self) -> bool:
        """True if zero is stored as zero, and numbers have signs."""

class UniformQuantizedSubChannelType(QuantizedType):
    """Numbers that are stored as multiples of a scale, with a scale and a zero for each block."""

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
    ) -> UniformQuantizedSubChannelType:
        """The type for such numbers; raises `MLIRError` or `ValueError` if there is none."""
    @property
    def quantized_dimensions(self) -> list[int]:
        """The dimensions that are cut into blocks."""
    @property
    def block_sizes(self) -> list[int]:
        """The sizes of the blocks along those dimensions."""
    @property
    def scales(self) -> DenseElementsAttr:
        """The scales of the blocks."""
    @property
    def zero_points(self) -> DenseElementsAttr:
        """The integers that stand for zero in the blocks."""

class CalibratedQuantizedType(QuantizedType):
    """Numbers within bounds that were found by trying."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        expressed_type: Type, min: float, max: float, context: _Context | None = None
    ) -> CalibratedQuantizedType:
        """The type for numbers within these bounds; raises `MLIRError` or `ValueError` if there is
        none.
        """
    @property
    def min(self) -> float:
        """The least number."""
    @property
    def max(self) -> float:
        """The greatest number."""
