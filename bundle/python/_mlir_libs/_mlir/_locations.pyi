"""Part of `ir`: locations."""

from collections.abc import Sequence
from types import TracebackType
from typing import ClassVar, final, overload

from .ir import Attribute, Context, TypeID, _Context

class Location:
    """A source location. Locations are unique in their context and live as long as it."""

    current: ClassVar[Location | None]
    def _repr_html_(self) -> str: ...
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> Location: ...
    def __enter__(self) -> Location: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    @property
    def typeid(self) -> TypeID:
        """The `TypeID` of this kind of location."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @staticmethod
    def unknown(context: _Context | None = None) -> UnknownLoc:
        """A location that says nothing."""
    @staticmethod
    def callsite(
        callee: Location, frames: Sequence[Location], context: _Context | None = None
    ) -> CallSiteLoc:
        """A call: where the callee is, and the frames that called it, innermost first."""
    def is_a_callsite(self) -> bool:
        """Returns whether it is the site of a call: a callee and a caller."""
    @property
    def callee(self) -> Location:
        """The location of what is called; of a call site only."""
    @property
    def caller(self) -> Location:
        """The location of the call; of a call site only."""
    @overload
    @staticmethod
    def file(filename: str, line: int, col: int, context: _Context | None = None) -> FileLineColLoc:
        """A place in a file, `file(filename, line, col)`, or a range of it, `file(filename,
        start_line, start_col, end_line, end_col)`.
        """
    @overload
    @staticmethod
    def file(
        filename: str,
        start_line: int,
        start_col: int,
        end_line: int,
        end_col: int,
        context: _Context | None = None,
    ) -> FileLineColLoc: ...
    def is_a_file(self) -> bool:
        """Returns whether it is a range of a file."""
    @property
    def filename(self) -> str:
        """The name of the file; of a location in a file only."""
    @property
    def start_line(self) -> int:
        """The line that the range begins in, or -1 if the location is not one in a file."""
    @property
    def start_col(self) -> int:
        """The column that the range begins at, or -1 if the location is not one in a file."""
    @property
    def end_line(self) -> int:
        """The line that the range ends in, or -1 if the location is not one in a file."""
    @property
    def end_col(self) -> int:
        """The column that the range ends at, or -1 if the location is not one in a file."""
    @staticmethod
    def fused(
        locations: Sequence[Location],
        metadata: Attribute | None = None,
        context: _Context | None = None,
    ) -> Location:
        """Several locations as one."""
    def is_a_fused(self) -> bool:
        """Returns whether it is several locations as one."""
    @property
    def locations(self) -> list[Location]:
        """The parts of a fused location; none for any other."""
    @property
    def metadata(self) -> Attribute | None:
        """The attribute that a fused location has beside its parts; none for any other."""
    @staticmethod
    def name(
        name: str, childLoc: Location | None = None, context: _Context | None = None
    ) -> NameLoc:
        """A name, and where what it names is."""
    def is_a_name(self) -> bool:
        """Returns whether it is a name with a location."""
    @property
    def name_str(self) -> str:
        """The name; of a named location only."""
    @property
    def child_loc(self) -> Location:
        """The location that has the name; of a named location only."""
    @property
    def context(self) -> Context:
        """The context that the location lives in."""
    @staticmethod
    def from_attr(attribute: Attribute, context: _Context | None = None) -> Location:
        """The location that an attribute stands for."""
    @property
    def attr(self) -> Attribute:
        """The location as an attribute."""
    def emit_error(self, message: str) -> None:
        """Emits an error diagnostic here."""

@final
class UnknownLoc(Location):
    """A location that says nothing."""

    static_typeid: ClassVar[TypeID]
    def __new__(cls, cast_from_loc: Location) -> UnknownLoc: ...
    @staticmethod
    def get(context: _Context | None = None) -> UnknownLoc:
        """A location that says nothing."""

@final
class FileLineColLoc(Location):
    """A place or a range in a file."""

    static_typeid: ClassVar[TypeID]
    def __new__(cls, cast_from_loc: Location) -> FileLineColLoc: ...
    @overload
    @staticmethod
    def get(filename: str, line: int, col: int, context: _Context | None = None) -> FileLineColLoc:
        """A place in a file, `get(filename, line, col)`, or a range of it,
        `get(filename, start_line, start_col, end_line, end_col)`.
        """
    @overload
    @staticmethod
    def get(
        filename: str,
        start_line: int,
        start_col: int,
        end_line: int,
        end_col: int,
        context: _Context | None = None,
    ) -> FileLineColLoc: ...

@final
class NameLoc(Location):
    """A name, and where what it names is."""

    static_typeid: ClassVar[TypeID]
    def __new__(cls, cast_from_loc: Location) -> NameLoc: ...
    @staticmethod
    def get(
        name: str, child_loc: Location | None = None, context: _Context | None = None
    ) -> NameLoc:
        """A name, and where what it names is."""

@final
class CallSiteLoc(Location):
    """A call: where the callee is, and where it is called."""

    static_typeid: ClassVar[TypeID]
    def __new__(cls, cast_from_loc: Location) -> CallSiteLoc: ...
    @staticmethod
    def get(
        callee: Location, frames: Sequence[Location], context: _Context | None = None
    ) -> CallSiteLoc:
        """A call: where the callee is, and the frames that called it, innermost first."""

@final
class FusedLoc(Location):
    """Several locations as one."""

    static_typeid: ClassVar[TypeID]
    def __new__(cls, cast_from_loc: Location) -> FusedLoc: ...
    @staticmethod
    def get(
        locations: Sequence[Location],
        metadata: Attribute | None = None,
        context: _Context | None = None,
    ) -> FusedLoc:
        """Several locations as one. Fails where MLIR would return another kind: of one location
        without metadata, it is that location. `Location.fused` returns what MLIR returns.
        """
