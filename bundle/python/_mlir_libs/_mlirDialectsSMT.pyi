"""A native part of the dialect `smt`."""

from typing import ClassVar

from ._mlir.ir import Module, Type, TypeID, _Context, _OperationBase

class BoolType(Type):
    """Truth values."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> BoolType:
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

class BitVectorType(Type):
    """Bit vectors of one width."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(width: int, context: _Context | None = None) -> BitVectorType:
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

class IntType(Type):
    """Integers without bounds."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> IntType:
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

def export_smtlib(
    module: Module | _OperationBase,
    inline_single_use_values: bool = False,
    indent_let_body: bool = False,
) -> str:
    """The text for solvers of a module or an operation; raises `ValueError` if it has none."""
