"""A native part of the dialect `pdl`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class PDLType(Type):
    static_typeid: ClassVar[TypeID]

class AttributeType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AttributeType: ...

class OperationType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> OperationType: ...

class RangeType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, context: _Context | None = None) -> RangeType: ...
    @property
    def element_type(self) -> Type: ...

class TypeType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> TypeType: ...

class ValueType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> ValueType: ...
