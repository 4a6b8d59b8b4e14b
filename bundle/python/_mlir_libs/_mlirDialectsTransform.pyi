"""A native part of the dialect `transform`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class AnyOpType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyOpType: ...

class AnyParamType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyParamType: ...

class AnyValueType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyValueType: ...

class OperationType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(operation_name: str, context: _Context | None = None) -> OperationType: ...
    @property
    def operation_name(self) -> str: ...

class ParamType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(type: Type, context: _Context | None = None) -> ParamType: ...
    @property
    def type(self) -> Type: ...
