"""MLIR's intermediate representation."""

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import GenericAlias, TracebackType
from typing import Any, ClassVar, TypeVar, final, overload

from typing_extensions import Self, disjoint_base

from ._affine import *
from ._builtin_attributes import *
from ._builtin_attributes import StringAttr as StringAttr
from ._builtin_types import *
from ._dynamic import *
from ._interfaces import InferShapedTypeOpInterface as InferShapedTypeOpInterface
from ._interfaces import InferTypeOpInterface as InferTypeOpInterface
from ._interfaces import ShapedTypeComponents as ShapedTypeComponents
from ._locations import CallSiteLoc as CallSiteLoc
from ._locations import FileLineColLoc as FileLineColLoc
from ._locations import FusedLoc as FusedLoc
from ._locations import Location as Location
from ._locations import NameLoc as NameLoc
from ._locations import UnknownLoc as UnknownLoc
from ._operations import OpAdaptor as OpAdaptor
from ._operations import Operation as Operation
from ._operations import OpView as OpView
from ._operations import _OperationBase as _OperationBase
from ._structure import Block as Block
from ._structure import BlockIterator as BlockIterator
from ._structure import BlockList as BlockList
from ._structure import BlockPredecessors as BlockPredecessors
from ._structure import BlockSuccessors as BlockSuccessors
from ._structure import Module as Module
from ._structure import OperationIterator as OperationIterator
from ._structure import OperationList as OperationList
from ._structure import OpSuccessors as OpSuccessors
from ._structure import Region as Region
from ._structure import RegionIterator as RegionIterator
from ._structure import RegionSequence as RegionSequence
from ._values import BlockArgument as BlockArgument
from ._values import BlockArgumentList as BlockArgumentList
from ._values import OpOperand as OpOperand
from ._values import OpOperandIterator as OpOperandIterator
from ._values import OpOperandList as OpOperandList
from ._values import OpResult as OpResult
from ._values import OpResultList as OpResultList
from ._values import Value as Value

_Attribute = TypeVar("_Attribute", bound=Attribute)
_Default = TypeVar("_Default")

class DiagnosticSeverity(enum.Enum):
    """The severity of a diagnostic."""

    ERROR = 0
    WARNING = 1
    NOTE = 2
    REMARK = 3

class WalkOrder(enum.Enum):
    """The order of a walk: operations before or after those inside of them."""

    PRE_ORDER = 0
    POST_ORDER = 1

class WalkResult(enum.Enum):
    """The answer of a walk's callback: go on, stop, or leave out what is inside."""

    ADVANCE = 0
    INTERRUPT = 1
    SKIP = 2

class MLIRError(Exception):
    """An error that MLIR reported.

    ``error_diagnostics`` are the :class:`DiagnosticInfo` objects that it consists of.
    """

    message: str
    error_diagnostics: list[DiagnosticInfo]
    def __init__(self, message: str, error_diagnostics: list[DiagnosticInfo]) -> None: ...

@disjoint_base
class _Context:
    current: ClassVar[Context | None]
    allow_unregistered_dialects: bool
    emit_error_diagnostics: bool
    def __new__(cls, *args: Any, **kwargs: Any) -> Self: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> Context: ...
    @staticmethod
    def _get_live_count() -> int: ...
    def _get_live_module_count(self) -> int: ...
    def _get_context_again(self) -> Context: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    def new_op(
        self,
        name: str,
        *,
        results: Sequence[Type] | None = None,
        operands: Sequence[Value | _OperationBase] | None = None,
        attributes: dict[str, _Attribute] | None = None,
        successors: Sequence[Block] | None = None,
        regions: int | Sequence[Region] | None = None,
        loc: Location | None = None,
    ) -> OpView:
        """Makes an operation that is in no block yet.

        `regions` are regions that `new_region` made, or the number of empty ones. Without `results`
        they are inferred.
        """
    def new_region(self) -> Region:
        """Makes a region that is in no operation yet."""
    def new_block(
        self,
        arg_types: Sequence[Type] | None = None,
        arg_locs: Sequence[Location] | None = None,
    ) -> Block:
        """Makes a block that is in no region yet, with arguments of these types."""
    @property
    def dialects(self) -> Dialects:
        """The dialects by name."""
    @property
    def d(self) -> Dialects:
        """The dialects by name; short for `dialects`."""
    def get_dialect_descriptor(self, dialect_name: str) -> DialectDescriptor:
        """Loads a dialect and returns its descriptor."""
    def attach_diagnostic_handler(
        self, callback: Callable[[Diagnostic], object]
    ) -> DiagnosticHandler:
        """Calls `callback` with every diagnostic, until the handler is detached. The callback
        returns whether it dealt with it.
        """
    def enable_multithreading(self, enable: bool) -> None:
        """Switches the context's threads on or off: those that it was given, or those that all
        contexts of the process share.
        """
    def set_thread_pool(self, pool: ThreadPool) -> None:
        """Gives the context threads of its own."""
    def _mlir_thread_pool_ptr(self) -> str: ...
    def get_num_threads(self) -> int:
        """The number of threads that a pipeline may use."""
    def is_registered_operation(self, operation_name: str) -> bool:
        """Returns whether an operation of this name is registered."""
    def append_dialect_registry(self, registry: DialectRegistry) -> None:
        """Makes the dialects of a registry available."""
    def load_all_available_dialects(self) -> None:
        """Loads every dialect that a registry made available."""

class Context(_Context):
    """A context that knows the dialects of the bundle.

    ``load_on_create_dialects`` names the dialects to load at once; by default all are.
    """

    def __init__(
        self,
        load_on_create_dialects: Iterable[str] | None = None,
        thread_pool: ThreadPool | None = None,
    ) -> None: ...

@disjoint_base
class ThreadPool:
    """Threads that contexts can be given. They do not survive a fork, which those that contexts
    share do.
    """

    def __init__(self) -> None: ...
    def get_max_concurrency(self) -> int:
        """The greatest number of its threads."""
    def _mlir_thread_pool_ptr(self) -> str: ...

class _GlobalDebugType(type):
    flag: bool

class _GlobalDebug(metaclass=_GlobalDebugType):
    @staticmethod
    def set_types(types: str | Sequence[str]) -> None:
        """Says which kinds of debug output LLVM prints: one, or a list of them."""

class AttrBuilder:
    """The functions that make attributes of Python values, by the kind of the attribute."""

    @staticmethod
    def contains(attribute_kind: str) -> bool:
        """Returns whether there is a function for a kind."""
    @staticmethod
    def get(attribute_kind: str) -> Callable[..., Any]:
        """The function for a kind."""
    @staticmethod
    def insert(
        attribute_kind: str,
        attr_builder: Callable[..., Any],
        replace: bool = False,
        allow_existing: bool = False,
    ) -> None:
        """Makes a function the one for a kind.

        With ``allow_existing``, one that is registered already stays.
        """

@disjoint_base
class DialectRegistry:
    """A set of dialects that contexts can be given."""

    def __init__(self) -> None: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> DialectRegistry: ...

@disjoint_base
class DialectDescriptor:
    """A loaded dialect."""

    @property
    def namespace(self) -> str:
        """The name of the dialect, as it is before the dot in names of operations."""

@disjoint_base
class Dialect:
    """A dialect as Python code uses it."""

    def __init__(self, descriptor: DialectDescriptor) -> None: ...
    @property
    def descriptor(self) -> DialectDescriptor:
        """The description of the dialect in its context."""

@disjoint_base
class Dialects:
    """The dialects of a context; asking for one loads it."""

    def __getitem__(self, name: str, /) -> Any: ...
    def __getattr__(self, name: str, /) -> Any: ...

@disjoint_base
class Diagnostic:
    """A diagnostic as its handler sees it; valid until the handler returns."""

    @property
    def severity(self) -> DiagnosticSeverity:
        """The severity: error, warning, remark or note."""
    @property
    def location(self) -> Location:
        """The location that the diagnostic is about."""
    @property
    def message(self) -> str:
        """The text, without its location and without the notes."""
    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """The notes that explain the diagnostic, in order."""

@disjoint_base
class DiagnosticInfo:
    """A diagnostic that stays valid after its handler returned."""

    def __init__(self, diag: Diagnostic) -> None: ...
    @property
    def severity(self) -> DiagnosticSeverity:
        """The severity: error, warning, remark or note."""
    @property
    def location(self) -> Location:
        """The location that the diagnostic is about."""
    @property
    def message(self) -> str:
        """The text, without its location and without the notes."""
    @property
    def notes(self) -> list[DiagnosticInfo]:
        """The notes that explain the diagnostic, in order."""

@disjoint_base
class DiagnosticHandler:
    """A handler that was attached to a context, which it does not keep alive."""

    def detach(self) -> None:
        """Takes the handler off its context; does nothing if that is done, or if the context has
        ended.
        """
    @property
    def attached(self) -> bool:
        """True while the handler gets diagnostics."""
    @property
    def had_error(self) -> bool:
        """True if the callback raised."""
    def __enter__(self) -> DiagnosticHandler: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

class Attribute:
    """An attribute. Attributes are unique in their context and live as long as it."""

    @classmethod
    def __class_getitem__(cls, item: object, /) -> GenericAlias: ...
    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> Attribute: ...
    @overload
    def __init__(self, cast_from_type: Attribute) -> None: ...
    @overload
    def __init__(self, *, cast_from_attr: Attribute) -> None: ...
    def maybe_downcast(self) -> Attribute:
        """The same attribute as the class that fits it best."""
    @property
    def typeid(self) -> TypeID:
        """The `TypeID` of this kind of attribute."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def parse(asm: str, context: _Context | None = None) -> Attribute:
        """Parses an attribute's assembly form; raises `MLIRError` if it cannot be parsed."""
    @property
    def context(self) -> Context:
        """The context that the attribute lives in."""
    @property
    def type(self) -> Type:
        """The type of the attribute; `none` where it has no other."""
    def get_named(self, name: str) -> NamedAttribute:
        """The attribute under a name."""
    def dump(self) -> None:
        """Prints the attribute to standard error."""

@disjoint_base
class NamedAttribute:
    """An attribute and its name."""

    @property
    def name(self) -> str:
        """The name of the attribute."""
    @property
    def attr(self) -> Attribute:
        """The attribute without its name."""

class Type:
    """A type. Types are unique in their context and live as long as it."""

    @classmethod
    def __class_getitem__(cls, item: object, /) -> GenericAlias: ...
    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> Type: ...
    def __init__(self, cast_from_type: Type) -> None: ...
    def maybe_downcast(self) -> Type:
        """The same type as the class that fits it best."""
    @property
    def typeid(self) -> TypeID:
        """The `TypeID` of this kind of type."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def parse(asm: str, context: _Context | None = None) -> Type:
        """Parses a type's assembly form; raises `MLIRError` if it cannot be parsed."""
    @property
    def context(self) -> Context:
        """The context that the type lives in."""
    def dump(self) -> None:
        """Prints the type to standard error."""

@disjoint_base
class TypeID:
    """The identifier of a kind of types, attributes or operations."""

    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> TypeID: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class OpAttributeMap:
    """The attributes of an operation, a mapping from names; a number picks by position."""

    def __contains__(self, name: str, /) -> bool: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: str, /) -> Attribute: ...
    @overload
    def __getitem__(self, key: int, /) -> NamedAttribute: ...
    def __setitem__(self, name: str, attr: Attribute, /) -> None: ...
    def __delitem__(self, name: str, /) -> None: ...
    def __iter__(self) -> Iterator[str]: ...
    def __reversed__(self) -> Iterator[NamedAttribute]: ...
    @overload
    def get(self, key: str) -> Attribute | None:
        """The attribute of this name, else the default."""
    @overload
    def get(self, key: str, default: _Default) -> Attribute | _Default: ...
    def keys(self) -> list[str]:
        """The names of the attributes, as a list."""
    def values(self) -> list[Attribute]:
        """The attributes without their names, as a list."""
    def items(self) -> list[tuple[str, Attribute]]:
        """Pairs of name and attribute, as a list."""

class InvalidatedError(RuntimeError, ReferenceError):
    """The exception for the use of something that has died: an operation, block or block argument
    that was erased, and everything that belongs to it.
    """

@disjoint_base
class AsmState:
    """Names of the values around an operation or a value."""

    @overload
    def __init__(self, value: Value | _OperationBase, use_local_scope: bool = False) -> None: ...
    @overload
    def __init__(self, *, op: _OperationBase, use_local_scope: bool = False) -> None: ...

@disjoint_base
class InsertionPoint:
    """A place in a block: before an operation, or at the end."""

    current: ClassVar[InsertionPoint]
    @overload
    def __init__(self, block: Block | _OperationBase) -> None: ...
    @overload
    def __init__(self, *, beforeOperation: _OperationBase) -> None: ...
    def __enter__(self) -> InsertionPoint: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    @staticmethod
    def at_block_begin(block: Block) -> InsertionPoint:
        """The place at the beginning of a block."""
    @staticmethod
    def at_block_terminator(block: Block) -> InsertionPoint:
        """The place before the terminator of a block; raises `ValueError` if there is none."""
    @staticmethod
    def after(operation: _OperationBase) -> InsertionPoint:
        """The place after an operation."""
    def insert(self, operation: _OperationBase) -> None:
        """Puts an operation there that is in no block."""
    @property
    def block(self) -> Block:
        """The block that operations are inserted into."""
    @property
    def ref_operation(self) -> Operation | None:
        """The operation that new ones go before; none at the end of a block."""

@disjoint_base
class SymbolTable:
    """The symbols of an operation that has a symbol table."""

    def __init__(self, operation: _OperationBase) -> None: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, name: str, /) -> OpView: ...
    def __delitem__(self, name: str, /) -> None: ...
    def insert(self, operation: _OperationBase) -> StringAttr:
        """Puts a symbol into the table, under another name if its own is taken; returns the
        name.
        """
    def erase(self, operation: _OperationBase) -> None:
        """Erases a symbol."""
    @staticmethod
    def get_symbol_name(symbol: _OperationBase) -> StringAttr:
        """The name of a symbol."""
    @staticmethod
    def set_symbol_name(symbol: _OperationBase, name: str) -> None:
        """Renames a symbol; its uses stay as they are."""
    @staticmethod
    def get_visibility(symbol: _OperationBase) -> StringAttr:
        """The visibility of a symbol."""
    @staticmethod
    def set_visibility(symbol: _OperationBase, visibility: str) -> None:
        """Changes the visibility of a symbol: `public`, `private` or `nested`."""
    @staticmethod
    def replace_all_symbol_uses(old_symbol: str, new_symbol: str, from_op: _OperationBase) -> None:
        """Makes everything in an operation that refers to a symbol refer to another one."""
    @staticmethod
    def walk_symbol_tables(
        from_op: _OperationBase,
        all_sym_uses_visible: bool,
        callback: Callable[[Operation, bool], object],
    ) -> None:
        """Calls `callback` with each operation that has a symbol table, and whether its symbols are
        visible.
        """

def _default_location_context(location: Location | None = None) -> _Context | None: ...

@final
class _CurrentProperty:
    def __get__(self, instance: object, owner: type | None = None, /) -> object: ...
    def __set__(self, instance: object, value: object, /) -> None: ...
