"""A native part of the dialect `smt`."""

from typing import ClassVar

from ._mlir.ir import Module, Type, TypeID, _Context, _OperationBase

class BoolType(Type):
    """Truth values."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> BoolType:
        """The type, in the context that is given or in the current one."""

class BitVectorType(Type):
    """Bit vectors of one width."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(width: int, context: _Context | None = None) -> BitVectorType:
        """The type of bit vectors of this width; raises `MLIRError` if there is none."""

class IntType(Type):
    """Integers without bounds."""

    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> IntType:
        """The type, in the context that is given or in the current one."""

def export_smtlib(
    module: Module | _OperationBase,
    inline_single_use_values: bool = False,
    indent_let_body: bool = False,
) -> str:
    """The text for solvers of a module or an operation; raises `ValueError` if it has none."""
