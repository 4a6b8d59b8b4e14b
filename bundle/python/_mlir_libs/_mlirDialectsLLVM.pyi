"""A native part of the dialect `llvm`."""

from collections.abc import Iterable
from typing import ClassVar

from ._mlir.ir import Location, Type, TypeID, _Context, _OperationBase

class StructType(Type):
    """A structure, which is known by its name or by what it consists of."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get_literal(
        elements: Iterable[Type],
        *,
        packed: bool = False,
        loc: Location | None = None,
        context: _Context | None = None,
    ) -> StructType:
        """The structure without a name that has these elements."""
    @staticmethod
    def get_literal_unchecked(
        elements: Iterable[Type], *, packed: bool = False, context: _Context | None = None
    ) -> StructType:
        """The same, where nobody checks whether a structure can have such elements."""
    @staticmethod
    def get_identified(name: str, *, context: _Context | None = None) -> StructType:
        """The structure of this name. It has no body until somebody sets it."""
    @staticmethod
    def get_opaque(name: str, context: _Context | None = None) -> StructType:
        """The structure of this name, which never gets a body."""
    def set_body(self, elements: Iterable[Type], *, packed: bool = False) -> None:
        """Gives a structure with a name its elements; they cannot be changed any more."""
    @staticmethod
    def new_identified(
        name: str,
        elements: Iterable[Type],
        *,
        packed: bool = False,
        context: _Context | None = None,
    ) -> StructType:
        """A new structure with a name like this one, and these elements."""
    @property
    def name(self) -> str | None:
        """The name, if the structure has one."""
    @property
    def body(self) -> list[Type] | None:
        """The types of the elements; None where there is no body."""
    @property
    def packed(self) -> bool:
        """True if the elements are put next to one another, however they are aligned."""
    @property
    def opaque(self) -> bool:
        """Returns whether there is no body."""

class PointerType(Type):
    """A pointer into an address space."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(address_space: int | None = None, *, context: _Context | None = None) -> PointerType:
        """The type of pointers into this address space, or into the first."""
    @property
    def address_space(self) -> int:
        """The number of the address space that the pointer points into; 0 is the default."""

def translate_module_to_llvmir(module: _OperationBase) -> str:
    """The LLVM IR of a module; raises `ValueError` if it cannot be translated."""
