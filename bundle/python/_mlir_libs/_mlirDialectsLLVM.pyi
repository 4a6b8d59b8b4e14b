"""A native part of the dialect `llvm`."""

from collections.abc import Iterable
from typing import ClassVar

from ._mlir.ir import Location, Type, TypeID, _Context, _OperationBase

class StructType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get_literal(
        elements: Iterable[Type],
        *,
        packed: bool = False,
        loc: Location | None = None,
        context: _Context | None = None,
    ) -> StructType: ...
    @staticmethod
    def get_literal_unchecked(
        elements: Iterable[Type], *, packed: bool = False, context: _Context | None = None
    ) -> StructType: ...
    @staticmethod
    def get_identified(name: str, *, context: _Context | None = None) -> StructType: ...
    @staticmethod
    def get_opaque(name: str, context: _Context | None = None) -> StructType: ...
    def set_body(self, elements: Iterable[Type], *, packed: bool = False) -> None: ...
    @staticmethod
    def new_identified(
        name: str,
        elements: Iterable[Type],
        *,
        packed: bool = False,
        context: _Context | None = None,
    ) -> StructType: ...
    @property
    def name(self) -> str | None: ...
    @property
    def body(self) -> list[Type] | None: ...
    @property
    def packed(self) -> bool: ...
    @property
    def opaque(self) -> bool: ...

class PointerType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        address_space: int | None = None, *, context: _Context | None = None
    ) -> PointerType: ...
    @property
    def address_space(self) -> int: ...

def translate_module_to_llvmir(module: _OperationBase) -> str: ...
