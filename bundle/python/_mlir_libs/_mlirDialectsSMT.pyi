"""A native part of the dialect `smt`."""

from typing import ClassVar

from ._mlir.ir import Module, Type, TypeID, _Context, _OperationBase

class BoolType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> BoolType: ...

class BitVectorType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(width: int, context: _Context | None = None) -> BitVectorType: ...

class IntType(Type):
    static_typeid: ClassVar[TypeID]
    type_name: ClassVar[str]
    @staticmethod
    def get(context: _Context | None = None) -> IntType: ...

def export_smtlib(
    module: Module | _OperationBase,
    inline_single_use_values: bool = False,
    indent_let_body: bool = False,
) -> str: ...
