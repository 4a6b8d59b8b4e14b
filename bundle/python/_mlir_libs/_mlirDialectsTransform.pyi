"""A native part of the dialect `transform`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class AnyOpType(Type):
    """A handle to operations."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyOpType:
        """The type, in the context that is given or in the current one."""

class AnyParamType(Type):
    """A parameter of any type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyParamType:
        """The type, in the context that is given or in the current one."""

class AnyValueType(Type):
    """A handle to values."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyValueType:
        """The type, in the context that is given or in the current one."""

class OperationType(Type):
    """A handle to operations of one name."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(operation_name: str, context: _Context | None = None) -> OperationType:
        """The type for operations of this name."""
    @property
    def operation_name(self) -> str:
        """The name of the operations."""

class ParamType(Type):
    """A parameter of one type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(type: Type, context: _Context | None = None) -> ParamType:
        """The type for parameters of `type`, in the context of that; another one cannot be
        given.
        """
    @property
    def type(self) -> Type:
        """The type of the parameters."""
