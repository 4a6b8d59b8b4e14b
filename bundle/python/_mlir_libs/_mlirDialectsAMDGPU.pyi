"""A native part of the dialect `amdgpu`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class TDMBaseType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, context: _Context | None = None) -> TDMBaseType: ...

class TDMDescriptorType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> TDMDescriptorType: ...

class TDMGatherBaseType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        element_type: Type, index_type: Type, context: _Context | None = None
    ) -> TDMGatherBaseType: ...
