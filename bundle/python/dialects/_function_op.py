"""The part that function operations of several dialects share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir import (
    ArrayAttr,
    Attribute,
    Block,
    BlockArgumentList,
    DictAttr,
    FunctionType,
    InsertionPoint,
    Location,
    Region,
    StringAttr,
    TypeAttr,
)
from ._members import Members

ARGUMENT_ATTRIBUTE_NAME = "arg_attrs"
RESULT_ATTRIBUTE_NAME = "res_attrs"


def base_arguments(name: str, type: Any, visibility: Any) -> dict[str, Any]:
    """The arguments of the generated class for a function of this symbol and type.

    ``type`` is a function type, or a pair of lists: inputs and results.
    """
    if isinstance(type, tuple):
        type = FunctionType.get(inputs=type[0], results=type[1])
    return {
        "sym_name": StringAttr.get(str(name)),
        "function_type": TypeAttr.get(type),
        "sym_visibility": None if visibility is None else StringAttr.get(str(visibility)),
    }


class FunctionOp(Members):
    """Members of the classes of functions, which have a symbol, a type and a region.

    It is no base of them: ``_members.with_members_of`` puts its members into them.
    """

    @property
    def is_external(self) -> bool:
        """True if this only declares a function."""
        return len(self.regions[0].blocks) == 0

    @property
    def body(self) -> Region:
        """The region of the function's blocks."""
        return self.regions[0]

    @property
    def type(self) -> FunctionType:
        """The function's type."""
        return FunctionType(TypeAttr(self.attributes["function_type"]).value)

    @property
    def visibility(self) -> Attribute:
        """The visibility of the function; a :class:`KeyError` where no attribute says so."""
        return self.attributes["sym_visibility"]

    @property
    def name(self) -> StringAttr:
        """The function's symbol."""
        return StringAttr(self.attributes["sym_name"])

    @property
    def entry_block(self) -> Block:
        """The block that a call begins with."""
        if self.is_external:
            raise IndexError("External function does not have a body")
        return self.regions[0].blocks[0]

    def add_entry_block(self, arg_locs: Sequence[Location] | None = None) -> Block:
        """Gives a declaration its entry block, with the arguments of the function's type."""
        if not self.is_external:
            raise IndexError("The function already has an entry block!")
        return self.body.blocks.append(*self.type.inputs, arg_locs=arg_locs)

    @property
    def arg_attrs(self) -> ArrayAttr:
        """The dictionaries of the arguments' attributes; empty ones where nothing is set."""
        if ARGUMENT_ATTRIBUTE_NAME in self.attributes:
            return ArrayAttr(self.attributes[ARGUMENT_ATTRIBUTE_NAME])
        return ArrayAttr.get([DictAttr.get({}) for _ in self.type.inputs])

    @arg_attrs.setter
    def arg_attrs(self, attribute: ArrayAttr | list[DictAttr]) -> None:
        if not isinstance(attribute, ArrayAttr):
            attribute = ArrayAttr.get(attribute, context=self.context)
        self.attributes[ARGUMENT_ATTRIBUTE_NAME] = attribute

    @property
    def arguments(self) -> BlockArgumentList:
        """The arguments of the entry block."""
        return self.entry_block.arguments

    @property
    def result_attrs(self) -> Attribute:
        """The dictionaries of the results' attributes; :class:`KeyError` where none are set."""
        return self.attributes[RESULT_ATTRIBUTE_NAME]

    @result_attrs.setter
    def result_attrs(self, attribute: ArrayAttr) -> None:
        self.attributes[RESULT_ATTRIBUTE_NAME] = attribute

    def _fill(self, body_builder: Callable[[Any], object] | None) -> None:
        """Has ``body_builder`` make the body of a declaration, with this operation."""
        if body_builder:
            with InsertionPoint(self.add_entry_block()):
                body_builder(self)
