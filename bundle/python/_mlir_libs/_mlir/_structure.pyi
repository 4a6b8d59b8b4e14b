"""Part of `ir`: modules, regions and blocks, and what is in them in order."""

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from typing_extensions import disjoint_base

from ._operations import Operation, OpView, _OperationBase
from ._values import BlockArgument, BlockArgumentList
from .ir import Context, Location, Type, _Context

class Module:
    """A module, the owner of all the operations in it."""

    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> Module: ...
    def _clear_mlir_module(self) -> None: ...
    @staticmethod
    def parse(asm: str | bytes, context: _Context | None = None) -> Module:
        """Parses a module from text or bytecode; raises `MLIRError` if it cannot be parsed."""
    @staticmethod
    def parseFile(path: str, context: _Context | None = None) -> Module:
        """Parses a module from a file; raises `MLIRError` if it cannot be read or parsed."""
    @staticmethod
    def create(loc: Location | None = None) -> Module:
        """Makes an empty module."""
    @property
    def context(self) -> Context:
        """The context that the module lives in."""
    @property
    def operation(self) -> Operation:
        """The module as an operation."""
    @property
    def body(self) -> Block:
        """The block of the module."""
    def dump(self) -> None:
        """Prints the module to standard error."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class Region:
    """A region: the operation that has it and its position there, or one that has no operation
    yet.
    """

    @property
    def blocks(self) -> BlockList:
        """The blocks of the region, as a sequence."""
    @property
    def owner(self) -> OpView:
        """The operation that has the region; none if it was made by itself."""
    def __iter__(self) -> BlockIterator: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class RegionIterator:
    """Goes through the regions of an operation."""

    def __iter__(self) -> RegionIterator: ...
    def __next__(self) -> Region: ...

class Block:
    """A block."""

    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> Block: ...
    @staticmethod
    def create_at_start(
        parent: Region,
        arg_types: Sequence[Type] = [],
        arg_locs: Sequence[Location] | None = None,
    ) -> Block:
        """Makes a block at the beginning of a region."""
    def create_before(self, *arg_types: Type, arg_locs: Sequence[Location] | None = None) -> Block:
        """Makes a block before this one."""
    def create_after(self, *arg_types: Type, arg_locs: Sequence[Location] | None = None) -> Block:
        """Makes a block after this one."""
    def append(self, operation: _OperationBase) -> None:
        """Moves an operation to the end of the block."""
    def append_to(self, region: Region) -> None:
        """Moves the block to the end of a region."""
    def detach(self) -> Block:
        """Takes the block out of its region; it becomes a tree of its own."""
    def erase(self) -> None:
        """Destroys the block and all operations in it, none of which may be used from outside."""
    def add_argument(self, type: Type, loc: Location) -> BlockArgument:
        """Adds an argument after the others."""
    def erase_argument(self, index: int) -> None:
        """Removes an argument, which must not be used."""
    @property
    def owner(self) -> OpView:
        """The operation that the block is in."""
    @property
    def region(self) -> Region:
        """The region that the block is in."""
    @property
    def arguments(self) -> BlockArgumentList:
        """The arguments of the block, as a sequence."""
    @property
    def operations(self) -> OperationList:
        """The operations of the block, as a sequence that follows changes of the block."""
    @property
    def successors(self) -> BlockSuccessors:
        """The blocks that the last operation can branch to, as a sequence."""
    @property
    def predecessors(self) -> BlockPredecessors:
        """The blocks that can branch to this one, as a sequence."""
    def __iter__(self) -> OperationIterator: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class BlockList:
    """The blocks of a region."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Block: ...
    def __iter__(self) -> BlockIterator: ...
    @overload
    def append(self, block: Block, /) -> Block:
        """Appends a new block, with its arguments' types; or one that exists and is in no
        region.
        """
    @overload
    def append(self, *args: Type, arg_locs: Sequence[Location] | None = None) -> Block: ...
    def insert(self, index: int, block: Block) -> None:
        """Inserts a block that is in no region before the one at an index."""

@disjoint_base
class BlockIterator:
    """Goes through the blocks of a region. The one that it gave last may be erased or moved; if
    that happens to the next one, it raises.
    """

    def __iter__(self) -> BlockIterator: ...
    def __next__(self) -> Block: ...

class OperationList:
    """The operations of a block."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> OpView: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[OpView]: ...
    def __iter__(self) -> OperationIterator: ...

class OperationIterator:
    """Goes through the operations of a block. The one that it gave last may be erased or moved; if
    that happens to the next one, it raises.
    """

    def __iter__(self) -> OperationIterator: ...
    def __next__(self) -> OpView: ...

class RegionSequence(Sequence[Region]):
    """The regions of an operation."""

    __nb_signature__: str
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Region: ...
    @overload
    def __getitem__(self, index: slice, /) -> RegionSequence: ...
    def __iter__(self) -> RegionIterator: ...
    def __add__(self, other: Iterable[Region], /) -> list[Region]: ...
    def __radd__(self, other: Iterable[Region], /) -> list[Region]: ...

class OpSuccessors(Sequence[Block]):
    """The blocks that control may go to from an operation."""

    __nb_signature__: str
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Block: ...
    @overload
    def __getitem__(self, index: slice, /) -> OpSuccessors: ...
    def __iter__(self) -> Iterator[Block]: ...
    def __add__(self, other: Iterable[Block], /) -> list[Block]: ...
    def __radd__(self, other: Iterable[Block], /) -> list[Block]: ...
    def __setitem__(self, index: int, block: Block, /) -> None: ...

class BlockSuccessors(Sequence[Block]):
    """The blocks that control may go to from a block."""

    __nb_signature__: str
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Block: ...
    @overload
    def __getitem__(self, index: slice, /) -> BlockSuccessors: ...
    def __iter__(self) -> Iterator[Block]: ...
    def __add__(self, other: Iterable[Block], /) -> list[Block]: ...
    def __radd__(self, other: Iterable[Block], /) -> list[Block]: ...

class BlockPredecessors(Sequence[Block]):
    """The blocks that control may come from."""

    __nb_signature__: str
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Block: ...
    @overload
    def __getitem__(self, index: slice, /) -> BlockPredecessors: ...
    def __iter__(self) -> Iterator[Block]: ...
    def __add__(self, other: Iterable[Block], /) -> list[Block]: ...
    def __radd__(self, other: Iterable[Block], /) -> list[Block]: ...
