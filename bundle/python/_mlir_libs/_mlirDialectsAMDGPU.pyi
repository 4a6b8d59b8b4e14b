"""A native part of the dialect `amdgpu`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class TDMBaseType(Type):
    """The base addresses of a tensor for the unit that moves tensors: in the device's memory and in
    a workgroup's.
    """

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, context: _Context | None = None) -> TDMBaseType:
        """The type for tensors of such elements."""

class TDMDescriptorType(Type):
    """The descriptor that the unit which moves tensors reads."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> TDMDescriptorType:
        """The type."""

class TDMGatherBaseType(Type):
    """The same as a base, for rows that are gathered by their indices."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        element_type: Type, index_type: Type, context: _Context | None = None
    ) -> TDMGatherBaseType:
        """The type for tensors of such elements and indices."""
