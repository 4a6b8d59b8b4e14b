"""A native part of the dialect `pdl`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class PDLType(Type):
    """Any type of this dialect."""

    static_typeid: ClassVar[TypeID]

class AttributeType(Type):
    """A handle to an attribute."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AttributeType:
        """The type, in the context that is given or in the current one."""

class OperationType(Type):
    """A handle to an operation."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> OperationType:
        """The type, in the context that is given or in the current one."""

class RangeType(Type):
    """A handle to several of what another type is a handle to."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, context: _Context | None = None) -> RangeType:
        """The type of ranges of `element_type`, in its context."""
    @property
    def element_type(self) -> Type:
        """The type of the range's elements."""

class TypeType(Type):
    """A handle to a type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> TypeType:
        """The type, in the context that is given or in the current one."""

class ValueType(Type):
    """A handle to a value."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> ValueType:
        """The type, in the context that is given or in the current one."""
