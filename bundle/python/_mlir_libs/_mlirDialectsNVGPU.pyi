"""A native part of the dialect `nvgpu`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class TensorMapDescriptorType(Type):
    """The descriptor of a tensor for the unit that copies tensors."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        tensor_type: Type,
        swizzle: int,
        l2promo: int,
        oob_fill: int,
        interleave: int,
        context: _Context | None = None,
    ) -> TensorMapDescriptorType:
        """The descriptor of tensors that are memrefs of `tensor_type`; the others are members of
        the dialect's enumerations.
        """
