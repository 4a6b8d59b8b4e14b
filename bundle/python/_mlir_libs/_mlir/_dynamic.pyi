"""Part of `ir`: what belongs to dialects that are defined at run time, in bundles with `irdl`."""

from collections.abc import Sequence
from typing import Any, ClassVar

from .ir import Attribute, Type, TypeID, _Context

class DynamicType(Type):
    """A type that was defined at run time."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(
        full_type_name: str, attributes: Sequence[Attribute], context: _Context | None = None
    ) -> DynamicType:
        """The type of this name, as in `my_dialect.name`, with these parameters."""
    @property
    def params(self) -> list[Attribute]:
        """The parameters."""
    @property
    def type_name(self) -> str:
        """The name, with that of the dialect."""
    @staticmethod
    def lookup_typeid(full_type_name: str, context: _Context | None = None) -> TypeID:
        """The `TypeID` of the types of this name in a context."""

class DynamicAttr(Attribute):
    """An attribute that was defined at run time."""

    static_typeid: ClassVar[TypeID]
    @staticmethod
    def get(
        full_attr_name: str, attributes: Sequence[Attribute], context: _Context | None = None
    ) -> DynamicAttr:
        """The attribute of this name, as in `my_dialect.name`, with these parameters."""
    @property
    def params(self) -> list[Attribute]:
        """The parameters."""
    @property
    def attr_name(self) -> str:
        """The name, with that of the dialect."""
    @staticmethod
    def lookup_typeid(full_attr_name: str, context: _Context | None = None) -> TypeID:
        """The `TypeID` of the attributes of this name in a context."""

class DynamicOpTrait:
    """A trait of operations that were defined at run time. A class derived from it checks
    operations with the static methods `verify_invariants` and `verify_region_invariants`."""

    @classmethod
    def attach(
        cls, op_name: str | type, target: Any = None, context: _Context | None = None
    ) -> bool:
        """Gives the operation this trait; false if it has the trait already. With `target`, that
        object has the methods.

        The context has no threads from then on, because MLIR verifies in them."""

class IsTerminatorTrait(DynamicOpTrait):
    """The trait of operations that end a block."""

    _trait_typeid: TypeID
    @staticmethod
    def attach(op_name: str | type, context: _Context | None = None) -> bool:  # type: ignore[override]
        """Gives the operation this trait; false if it has the trait already."""

class NoTerminatorTrait(DynamicOpTrait):
    """The trait of operations whose blocks need no terminator."""

    _trait_typeid: TypeID
    @staticmethod
    def attach(op_name: str | type, context: _Context | None = None) -> bool:  # type: ignore[override]
        """Gives the operation this trait; false if it has the trait already."""
