"""A native part of the dialect `gpu`."""

from typing import ClassVar

from ._mlir.ir import Attribute, DictAttr, Type, TypeID, _Context

class AsyncTokenType(Type):
    """The token that a program waits with for an asynchronous operation."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AsyncTokenType:
        """The type."""

class ObjectAttr(Attribute):
    """A compiled module, for one target."""

    static_typeid: ClassVar[TypeID]
    attr_name: ClassVar[str]
    @staticmethod
    def get(
        target: Attribute,
        format: int,
        object: bytes,
        properties: Attribute | None = None,
        kernels: Attribute | None = None,
        context: _Context | None = None,
    ) -> ObjectAttr:
        """The attribute for an object that was made for `target`."""
    @property
    def target(self) -> Attribute:
        """The target that the object was compiled for."""
    @property
    def format(self) -> int:
        """The format of the bytes: a number of `CompilationTarget`."""
    @property
    def object(self) -> bytes:
        """The object itself."""
    @property
    def properties(self) -> DictAttr | None:
        """The properties that go with the binary, as a dictionary attribute; None if it has
        none.
        """
    @property
    def kernels(self) -> Attribute | None:
        """The metadata of the kernels in it."""
