"""Part of `ir`: operations and their views."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, ClassVar, Literal, Protocol, TypeVar, overload

from typing_extensions import Self

from ._structure import Block, OpSuccessors, RegionSequence
from ._values import OpOperandList, OpResult, OpResultList, Value
from .ir import (
    AsmState,
    Attribute,
    Context,
    InsertionPoint,
    Location,
    OpAttributeMap,
    Type,
    WalkOrder,
    WalkResult,
    _Context,
)

class _BytesWriter(Protocol):
    def write(self, data: bytes, /) -> object:
        """Writes bytes."""

class _StrWriter(Protocol):
    def write(self, data: str, /) -> object:
        """Writes text."""

# A dictionary of attributes of one kind is one of attributes.
_Attribute = TypeVar("_Attribute", bound=Attribute)

class _OperationBase:
    location: Location
    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def context(self) -> Context:
        """The context that the operation lives in."""
    @property
    def name(self) -> Any:
        """The name with its dialect: `func.return`."""
    @property
    def attributes(self) -> OpAttributeMap:
        """The attributes of the operation by name, its properties included."""
    @property
    def operands(self) -> OpOperandList:
        """The values that the operation uses, as a sequence that can be assigned to."""
    @property
    def results(self) -> OpResultList:
        """The values that the operation computes, as a sequence."""
    @property
    def result(self) -> OpResult:
        """The result of an operation that has exactly one."""
    @property
    def regions(self) -> RegionSequence:
        """The regions of the operation, as a sequence."""
    @property
    def parent(self) -> Operation | None:
        """The operation around this one, or none at the top."""
    @property
    def attached(self) -> bool:
        """True if the operation is in a block."""
    def walk(
        self, callback: Callable[[Operation], WalkResult], walk_order: WalkOrder = ...
    ) -> None:
        """Calls `callback` with this operation and every one below it that was there when the walk
        began, until it returns `WalkResult.INTERRUPT`. `WalkResult.SKIP` leaves out what is below.
        """
    def verify(self) -> bool:
        """Checks the operation and all below it; raises `MLIRError` if it is not valid."""
    def has_trait(self, trait_cls: type) -> bool:
        """Returns whether operations of this name have a trait, which is given as its class."""
    def clone(self, ip: InsertionPoint | Literal[False] | None = None) -> OpView:
        """A deep copy, inserted at `ip`, or at the current insertion point; `False` inserts it
        nowhere.
        """
    def detach_from_parent(self) -> OpView:
        """Takes the operation out of its block; it becomes a tree of its own."""
    def erase(self) -> None:
        """Destroys the operation and all below it; nothing outside may use their values."""
    def move_after(self, other: _OperationBase) -> None:
        """Moves the operation behind another one, with all below it."""
    def move_before(self, other: _OperationBase) -> None:
        """Moves the operation before another one, with all below it."""
    def is_before_in_block(self, other: _OperationBase) -> bool:
        """Returns whether the operation comes before another one of the same block."""
    @overload
    def print(
        self,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        pretty_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        assume_verified: bool = False,
        file: _StrWriter | _BytesWriter | None = None,
        binary: bool = False,
        skip_regions: bool = False,
    ) -> None:
        """Prints the operation to a file object, by default `sys.stdout`. `print(state, file=None,
        binary=False)` takes the names of values from an `AsmState`.
        """
    @overload
    def print(
        self,
        large_elements_limit: AsmState,
        large_resource_limit: _StrWriter | _BytesWriter | None = None,
        enable_debug_info: bool = False,
    ) -> None: ...
    @overload
    def print(
        self,
        *,
        state: AsmState,
        file: _StrWriter | _BytesWriter | None = None,
        binary: bool = False,
    ) -> None: ...
    @overload
    def get_asm(
        self,
        binary: Literal[False] = False,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        pretty_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        assume_verified: bool = False,
        skip_regions: bool = False,
    ) -> str:
        """The operation's assembly form, as `str` or `bytes`."""
    @overload
    def get_asm(
        self,
        binary: Literal[True],
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        pretty_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        assume_verified: bool = False,
        skip_regions: bool = False,
    ) -> bytes: ...
    @overload
    def get_asm(
        self,
        binary: bool,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        pretty_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        assume_verified: bool = False,
        skip_regions: bool = False,
    ) -> str | bytes: ...
    def write_bytecode(
        self, file: _BytesWriter | str | PathLike[str], desired_version: int | None = None
    ) -> None:
        """Writes the operation's bytecode to a file object that takes `bytes`."""

class Operation(_OperationBase):
    """An operation."""

    @staticmethod
    def _CAPICreate(capsule: object) -> Operation: ...
    def _set_invalid(self) -> None: ...
    @staticmethod
    def create(
        name: str,
        results: Sequence[Type] | None = None,
        operands: Sequence[Value] | None = None,
        attributes: dict[str, _Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int = 0,
        loc: Location | None = None,
        ip: InsertionPoint | Literal[False] | None = None,
        infer_type: bool = False,
    ) -> Operation:
        """Makes an operation by its name.

        `ip` is where it goes: the current insertion point by default, nowhere for `False`.
        """
    @staticmethod
    def parse(source: str, *, source_name: str = "", context: _Context | None = None) -> OpView:
        """Parses one operation from text or bytecode; raises `MLIRError` if it cannot be parsed."""
    @property
    def name(self) -> str:
        """The name with its dialect: `func.return`."""
    @property
    def operation(self) -> Operation:
        """The operation itself."""
    @property
    def opview(self) -> OpView:
        """The operation as its dialect's Python code shows it."""
    @property
    def block(self) -> Block:
        """The block that the operation is in."""
    @property
    def successors(self) -> OpSuccessors:
        """The blocks that control may go to from here."""
    def replace_uses_of_with(self, of: Value, with_: Value) -> None:
        """Makes the operation use one value where it uses another."""

class OpView(_OperationBase):
    """An operation as its dialect's Python code shows it."""

    _ODS_REGIONS: ClassVar[tuple[int, bool]]
    _ODS_OPERAND_SEGMENTS: ClassVar[Sequence[int] | None]
    _ODS_RESULT_SEGMENTS: ClassVar[Sequence[int] | None]
    @overload
    def __init__(
        self,
        name: str,
        opRegionSpec: tuple[int, bool],
        operandSegmentSpecObj: Sequence[int] | None = None,
        resultSegmentSpecObj: Sequence[int] | None = None,
        results: Sequence[Type | Sequence[Type] | None] | None = None,
        operands: Sequence[Value | _OperationBase | Sequence[Value | _OperationBase] | None]
        | None = None,
        attributes: dict[str, _Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int | None = None,
        loc: Location | None = None,
        ip: InsertionPoint | Literal[False] | None = None,
    ) -> None: ...
    @overload
    def __init__(self, name: _OperationBase) -> None: ...
    @overload
    def __init__(self, *, operation: _OperationBase) -> None: ...
    @classmethod
    def build_generic(
        cls,
        results: Sequence[Type | Sequence[Type] | None] | None = None,
        operands: Sequence[Value | _OperationBase | Sequence[Value | _OperationBase] | None]
        | None = None,
        attributes: dict[str, _Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int | None = None,
        loc: Location | None = None,
        ip: InsertionPoint | Literal[False] | None = None,
    ) -> Self:
        """Builds an operation from what the class says of it (`OPERATION_NAME`, `_ODS_REGIONS`,
        `_ODS_OPERAND_SEGMENTS`, `_ODS_RESULT_SEGMENTS`).
        """
    @classmethod
    def parse(cls, source: str, *, source_name: str = "", context: _Context | None = None) -> Self:
        """Parses an operation, which must be of the kind of the class."""
    @classmethod
    def has_trait(cls, trait_cls: type, context: _Context | None = None) -> bool:  # type: ignore[override]
        """Returns whether the operations of the class have a trait, which is given as its class."""
    def _set_invalid(self) -> None: ...
    @property
    def operation(self) -> Operation:
        """The operation that this is a view of."""
    @property
    def opview(self) -> Self:
        """The view itself."""
    @property
    def successors(self) -> OpSuccessors:
        """The blocks that control may go to from here."""

class OpAdaptor:
    """An operation's attributes with other operands than its own, as a conversion sees them."""

    def __init__(self, operands: Iterable[Value], attributes: OpAttributeMap | OpView) -> None: ...
    @property
    def operands(self) -> list[Value]:
        """The operands."""
    @property
    def attributes(self) -> OpAttributeMap:
        """The attributes."""
