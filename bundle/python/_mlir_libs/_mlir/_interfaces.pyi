"""Part of `ir`: interfaces of operations."""

from collections.abc import Sequence
from typing import Any, overload

from typing_extensions import disjoint_base

from ._operations import Operation, OpView
from ._structure import Region
from ._values import Value
from .ir import Attribute, Location, Type, _Context

@disjoint_base
class InferTypeOpInterface:
    """Knows the types of an operation's results from what it is made of."""

    def __init__(self, object: Any, context: _Context | None = None) -> None: ...
    @property
    def operation(self) -> Operation:
        """The operation that it was made for."""
    @property
    def opview(self) -> OpView:
        """The operation that it was made for, as the class that fits it best."""
    def inferReturnTypes(
        self,
        operands: Sequence[Value | Sequence[Value] | None] | None = None,
        attributes: Attribute | None = None,
        properties: object | None = None,
        regions: Sequence[Region] | None = None,
        context: _Context | None = None,
        loc: Location | None = None,
    ) -> list[Type]:
        """The types of the results; raises `ValueError` if there are none that fit."""

@disjoint_base
class ShapedTypeComponents:
    """The parts of a shaped type."""

    @overload
    @staticmethod
    def get(element_type: Type) -> ShapedTypeComponents:
        """`get(element_type)`, `get(shape, element_type)`, `get(shape, element_type,
        attribute)`.
        """
    @overload
    @staticmethod
    def get(
        shape: list[int], element_type: Type, attribute: Attribute | None = None
    ) -> ShapedTypeComponents: ...
    @property
    def element_type(self) -> Type | None:
        """The type of the elements."""
    @property
    def has_rank(self) -> bool:
        """True if the number of dimensions is known."""
    @property
    def rank(self) -> int | None:
        """The number of dimensions, or `None`."""
    @property
    def shape(self) -> list[int] | None:
        """The sizes of the dimensions, or `None` without a rank."""

@disjoint_base
class InferShapedTypeOpInterface:
    """Knows the shapes of an operation's results from what it is made of."""

    def __init__(self, object: Any, context: _Context | None = None) -> None: ...
    @property
    def operation(self) -> Operation:
        """The operation that it was made for."""
    @property
    def opview(self) -> OpView:
        """The operation that it was made for, as the class that fits it best."""
    def inferReturnTypeComponents(
        self,
        operands: Sequence[Value | Sequence[Value] | None] | None = None,
        attributes: Attribute | None = None,
        regions: Sequence[Region] | None = None,
        properties: object | None = None,
        context: _Context | None = None,
        loc: Location | None = None,
    ) -> list[ShapedTypeComponents]:
        """The parts of the results' types; raises `ValueError` if there are none that fit."""
