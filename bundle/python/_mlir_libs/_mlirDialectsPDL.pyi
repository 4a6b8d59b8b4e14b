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

class OperationType(Type):
    """A handle to an operation."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> OperationType:
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

class RangeType(Type):
    """A handle to several of what another type is a handle to."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(element_type: Type, context: _Context | None = None) -> RangeType:
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
    @property
    def element_type(self) -> Type:
        """The type of the range's elements."""

class TypeType(Type):
    """A handle to a type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> TypeType:
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

class ValueType(Type):
    """A handle to a value."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> ValueType:
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
