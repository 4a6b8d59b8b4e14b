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
        """staticmethod(function) -> method

        Convert a function to be a static method.

        A static method does not receive an implicit first argument. To declare a static method, use
        this idiom:

        class C: @staticmethod def f(arg1, arg2, argN): ...

        It can be called either on the class (e.g. C.f()) or on an instance (e.g. C().f()). Both the
        class and the instance are ignored, and neither is passed implicitly as the first argument
        to the method.

        Static methods in Python are similar to those found in Java or C++. For a more advanced
        concept, see the classmethod builtin.
        """
