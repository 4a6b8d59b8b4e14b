"""A native part of the dialect `gpu`."""

from typing import ClassVar

from ._mlir.ir import Attribute, DictAttr, Type, TypeID, _Context

class AsyncTokenType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AsyncTokenType: ...

class ObjectAttr(Attribute):
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
    ) -> ObjectAttr: ...
    @property
    def target(self) -> Attribute: ...
    @property
    def format(self) -> int: ...
    @property
    def object(self) -> bytes: ...
    @property
    def properties(self) -> DictAttr | None: ...
    @property
    def kernels(self) -> Attribute | None: ...
