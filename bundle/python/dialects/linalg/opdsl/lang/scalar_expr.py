"""The computation of an operation's body, with the types still open."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from ...._typing import Callable, Dict, List, Optional, Set, Tuple
from .affine import *
from .types import *
from .yaml_helper import *

if TYPE_CHECKING:
    from .expressions import FunctionKind


__all__ = [
    "ScalarArg",
    "ScalarAssign",
    "ScalarConst",
    "ScalarExpression",
    "ScalarFn",
    "ScalarIndex",
]


class ScalarFn:
    """A function of scalars: one by its name, or the one that an attribute names."""

    def __init__(
        self,
        kind: FunctionKind,
        fn_name: str | None,
        attr_name: str | None,
        type_var: TypeVar | None,
        operands: Sequence[ScalarExpression],
    ):
        if bool(fn_name) == bool(attr_name):
            raise ValueError("One of 'fn_name', 'attr_name' must be specified")
        self.kind = kind
        self.fn_name = fn_name
        self.attr_name = attr_name
        self.type_var = type_var
        self.operands = operands

    def expr(self) -> ScalarExpression:
        """This as an expression."""
        return ScalarExpression(scalar_fn=self)

    def to_yaml(self) -> dict[str, Any]:
        """The YAML form."""
        parts = {
            "kind": self.kind.name.lower(),
            "fn_name": self.fn_name,
            "attr_name": self.attr_name,
            "type_var": self.type_var and self.type_var.name,
        }
        given = {key: value for key, value in parts.items() if value}
        return {**given, "operands": list(self.operands)}

    def __repr__(self) -> str:
        operands = ", ".join(map(repr, self.operands))
        return (
            f"ScalarFn<{self.kind.name}.{self.fn_name or self.attr_name}>"
            f"(type_var={self.type_var}, operands=[{operands}])"
        )


class ScalarArg:
    """An element of an operand, or a scalar operand."""

    def __init__(self, arg: str):
        self.arg = arg

    def expr(self) -> ScalarExpression:
        """This as an expression."""
        return ScalarExpression(scalar_arg=self)

    def to_yaml(self) -> str:
        """The YAML form."""
        return self.arg

    def __repr__(self) -> str:
        return f"ScalarArg({self.arg})"


class ScalarConst:
    """A constant, as the text of an attribute."""

    def __init__(self, value: str):
        self.value = value

    def expr(self) -> ScalarExpression:
        """This as an expression."""
        return ScalarExpression(scalar_const=self)

    def to_yaml(self) -> str:
        """The YAML form."""
        return self.value

    def __repr__(self) -> str:
        return f"ScalarConst({self.value})"


class ScalarIndex:
    """The position in one dimension of the iteration domain."""

    def __init__(self, dim: int):
        self.dim = dim

    def expr(self) -> ScalarExpression:
        """This as an expression."""
        return ScalarExpression(scalar_index=self)

    def to_yaml(self) -> int:
        """The YAML form."""
        return self.dim

    def __repr__(self) -> str:
        return f"ScalarIndex({self.dim})"


class ScalarExpression(YAMLObject):
    """One of the four; the other three attributes are ``None``."""

    yaml_tag = "!ScalarExpression"

    def __init__(
        self,
        scalar_fn: ScalarFn | None = None,
        scalar_arg: ScalarArg | None = None,
        scalar_const: ScalarConst | None = None,
        scalar_index: ScalarIndex | None = None,
    ):
        self.scalar_fn = scalar_fn
        self.scalar_arg = scalar_arg
        self.scalar_const = scalar_const
        self.scalar_index = scalar_index
        if len(self._given()) != 1:
            raise ValueError(
                "One of 'scalar_fn', 'scalar_arg', 'scalar_const', or 'scalar_index' must be "
                "specified"
            )

    def _given(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if value is not None}

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        return {key: value.to_yaml() for key, value in self._given().items()}

    def __repr__(self) -> str:
        return repr(next(iter(self._given().values())))


class ScalarAssign(YAMLObject):
    """The value that is assigned to an element of an output."""

    yaml_tag = "!ScalarAssign"

    def __init__(self, arg: str, value: ScalarExpression):
        self.arg = arg
        self.value = value

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        return {"arg": self.arg, "value": self.value}

    def __repr__(self) -> str:
        return f"ScalarAssign({self.arg}, {self.value})"
