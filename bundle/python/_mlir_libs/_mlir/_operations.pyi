"""Part of `ir`: operations and their views."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar, overload

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
    def write(self, data: bytes, /) -> object: ...

class _StrWriter(Protocol):
    def write(self, data: str, /) -> object: ...

# A dictionary of attributes of one kind is one of attributes.
_Attribute = TypeVar("_Attribute", bound=Attribute)

# A value: itself, or an operation with one result.
_ValueLike: TypeAlias = Value | _OperationBase

# The insertion point of a new operation; `False` is none.
_Place: TypeAlias = InsertionPoint | Literal[False]

class _OperationBase:
    location: Location
    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def context(self) -> Context: ...
    @property
    def name(self) -> Any: ...
    @property
    def attributes(self) -> OpAttributeMap: ...
    @property
    def operands(self) -> OpOperandList: ...
    @property
    def results(self) -> OpResultList: ...
    @property
    def result(self) -> OpResult: ...
    @property
    def regions(self) -> RegionSequence: ...
    @property
    def parent(self) -> Operation | None: ...
    @property
    def attached(self) -> bool: ...
    def walk(
        self, callback: Callable[[Operation], WalkResult], walk_order: WalkOrder = ...
    ) -> None: ...
    def verify(self) -> bool: ...
    def clone(self, ip: _Place | None = None) -> OpView: ...
    def detach_from_parent(self) -> OpView: ...
    def erase(self) -> None: ...
    def move_after(self, other: _OperationBase) -> None: ...
    def move_before(self, other: _OperationBase) -> None: ...
    def is_before_in_block(self, other: _OperationBase) -> bool: ...
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
    ) -> None: ...
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
    ) -> str: ...
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
    ) -> None: ...

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
        ip: _Place | None = None,
        infer_type: bool = False,
    ) -> Operation: ...
    @staticmethod
    def parse(source: str, *, source_name: str = "", context: _Context | None = None) -> OpView: ...
    @property
    def name(self) -> str: ...
    @property
    def operation(self) -> Operation: ...
    @property
    def opview(self) -> OpView: ...
    @property
    def block(self) -> Block: ...
    @property
    def successors(self) -> OpSuccessors: ...
    def replace_uses_of_with(self, of: Value, with_: Value) -> None: ...

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
        operands: Sequence[_ValueLike | Sequence[_ValueLike] | None] | None = None,
        attributes: dict[str, _Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int | None = None,
        loc: Location | None = None,
        ip: _Place | None = None,
    ) -> None: ...
    @overload
    def __init__(self, name: _OperationBase) -> None: ...
    @overload
    def __init__(self, *, operation: _OperationBase) -> None: ...
    @classmethod
    def build_generic(
        cls,
        results: Sequence[Type | Sequence[Type] | None] | None = None,
        operands: Sequence[_ValueLike | Sequence[_ValueLike] | None] | None = None,
        attributes: dict[str, _Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int | None = None,
        loc: Location | None = None,
        ip: _Place | None = None,
    ) -> Self: ...
    @classmethod
    def parse(
        cls, source: str, *, source_name: str = "", context: _Context | None = None
    ) -> Self: ...
    def _set_invalid(self) -> None: ...
    @property
    def operation(self) -> Operation: ...
    @property
    def opview(self) -> Self: ...
    @property
    def successors(self) -> OpSuccessors: ...
