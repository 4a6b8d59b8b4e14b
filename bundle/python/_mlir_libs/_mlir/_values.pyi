"""Part of `ir`: values, their uses, and lists of them."""

from collections.abc import Iterable, Iterator, Sequence
from types import GenericAlias
from typing import Generic, overload

from typing_extensions import TypeVar

from ._operations import OpView, _OperationBase
from ._structure import Block
from .ir import AsmState, Context, Location, Type

_Type = TypeVar("_Type", bound=Type, default=Type, covariant=True)

class Value(Generic[_Type]):
    """A value: a result of an operation, or an argument of a block."""

    @classmethod
    def __class_getitem__(cls, item: object, /) -> GenericAlias: ...
    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> Value: ...
    def __init__(self, value: Value[_Type]) -> None: ...
    def maybe_downcast(self) -> Value[_Type]:
        """The same value as an object of the class that fits it best."""
    @property
    def context(self) -> Context:
        """The context that the value lives in."""
    @property
    def type(self) -> _Type:
        """The type of the value."""
    def set_type(self, type: Type) -> None:
        """Gives the value another type."""
    @property
    def owner(self) -> OpView | Block:
        """The definition of the value: an operation for a result, a block for an argument."""
    @property
    def uses(self) -> OpOperandIterator:
        """The uses of the value at this moment."""
    @property
    def location(self) -> Location:
        """The location of the operation or block argument that the value is of."""
    @overload
    def get_name(self, use_local_scope: bool = False, use_name_loc_as_prefix: bool = False) -> str:
        """The name under which the value is printed as an operand: `%0`."""
    @overload
    def get_name(self, use_local_scope: AsmState) -> str: ...
    @overload
    def get_name(self, *, state: AsmState) -> str: ...
    def replace_all_uses_with(self, value: Value, /) -> None:
        """Makes everything that uses this value use `with` instead."""
    def replace_all_uses_except(
        self, with_: Value, exceptions: _OperationBase | Sequence[_OperationBase]
    ) -> None:
        """Makes everything but some operations use `with` instead of this value."""
    def dump(self) -> None:
        """Prints the value to standard error."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class OpResult(Value[_Type]):
    """A result of an operation."""

    @staticmethod
    def isinstance(other_value: Value) -> bool:
        """Returns whether a value is a result of an operation."""
    def maybe_downcast(self) -> OpResult[_Type]:
        """The same value as an object of the class that fits it best."""
    @property
    def owner(self) -> OpView:
        """The definition of the value: an operation for a result, a block for an argument."""
    @property
    def result_number(self) -> int:
        """The place of the value among the results of its operation."""

class BlockArgument(Value[_Type]):
    """An argument of a block."""

    @staticmethod
    def isinstance(other_value: Value) -> bool:
        """Returns whether a value is an argument of a block."""
    def maybe_downcast(self) -> BlockArgument[_Type]:
        """The same value as an object of the class that fits it best."""
    def set_type(self, type: Type) -> None:
        """Gives the argument another type."""
    @property
    def owner(self) -> Block:
        """The definition of the value: an operation for a result, a block for an argument."""
    @property
    def arg_number(self) -> int:
        """The place of the value among the arguments of its block."""
    def set_location(self, loc: Location) -> None:
        """Gives the argument another location."""

class OpOperand:
    """A use of a value: an operand of an operation."""

    @property
    def operand_number(self) -> int:
        """The number of the operand."""
    @property
    def owner(self) -> OpView:
        """The operation that has this operand."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class OpOperandIterator:
    """Goes through the uses that a value had when it was asked for them."""

    def __iter__(self) -> OpOperandIterator: ...
    def __next__(self) -> OpOperand: ...

class OpOperandList(Sequence[Value]):
    """The operands of an operation."""

    __nb_signature__: str
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Value: ...
    @overload
    def __getitem__(self, index: slice, /) -> OpOperandList: ...
    def __iter__(self) -> Iterator[Value]: ...
    def __add__(self, other: Iterable[Value], /) -> list[Value]: ...
    def __radd__(self, other: Iterable[Value], /) -> list[Value]: ...
    @property
    def types(self) -> list[Type]:
        """The types of the operands."""
    def __setitem__(self, index: int, value: Value, /) -> None: ...

class OpResultList(Sequence[OpResult]):
    """The results of an operation."""

    __nb_signature__: str
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> OpResult: ...
    @overload
    def __getitem__(self, index: slice, /) -> OpResultList: ...
    def __iter__(self) -> Iterator[OpResult]: ...
    def __add__(self, other: Iterable[OpResult], /) -> list[OpResult]: ...
    def __radd__(self, other: Iterable[OpResult], /) -> list[OpResult]: ...
    @property
    def types(self) -> list[Type]:
        """The types of the results."""
    @property
    def owner(self) -> OpView:
        """The operation that has these results."""

class BlockArgumentList(Sequence[BlockArgument]):
    """The arguments of a block."""

    __nb_signature__: str
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> BlockArgument: ...
    @overload
    def __getitem__(self, index: slice, /) -> BlockArgumentList: ...
    def __iter__(self) -> Iterator[BlockArgument]: ...
    def __add__(self, other: Iterable[BlockArgument], /) -> list[BlockArgument]: ...
    def __radd__(self, other: Iterable[BlockArgument], /) -> list[BlockArgument]: ...
    @property
    def types(self) -> list[Type]:
        """The types of the arguments."""
