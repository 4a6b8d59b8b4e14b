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

class TDMDescriptorType(Type):
    """The descriptor that the unit which moves tensors reads."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> TDMDescriptorType:
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

class TDMGatherBaseType(Type):
    """The same as a base, for rows that are gathered by their indices."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(
        element_type: Type, index_type: Type, context: _Context | None = None
    ) -> TDMGatherBaseType:
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
