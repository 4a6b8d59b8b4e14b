"""A native part of the dialect `transform`."""

from typing import ClassVar

from ._mlir.ir import Type, TypeID, _Context

class AnyOpType(Type):
    """A handle to operations."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyOpType:
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

class AnyParamType(Type):
    """A parameter of any type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyParamType:
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

class AnyValueType(Type):
    """A handle to values."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> AnyValueType:
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
    """A handle to operations of one name."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(operation_name: str, context: _Context | None = None) -> OperationType:
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
    def operation_name(self) -> str:
        """The name of the operations."""

class ParamType(Type):
    """A parameter of one type."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(type: Type, context: _Context | None = None) -> ParamType:
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
    def type(self) -> Type:
        """The type of the parameters."""
