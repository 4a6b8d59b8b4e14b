"""An operation that is defined: its operands, its domain, and what it assigns."""

from __future__ import annotations

from typing import Any

from . import operands as _operands
from .affine import DimDef
from .expressions import TensorExpression, TensorReduceFn, TensorUse
from .operands import OperandDef, OperandKind
from .yaml_helper import YAMLObject


class Comprehension:
    """Assignments that are one computation."""

    def __init__(self, *bindings: tuple[TensorUse, TensorExpression]):
        self.definitions: list[TensorUse] = []
        self.values: list[TensorExpression] = []
        for assigned, value in bindings:
            if isinstance(value, TensorReduceFn):
                if value.lhs:
                    raise ValueError(f"Reduction expression already assigns: {value}")
                value.lhs = assigned
            self.definitions.append(assigned)
            self.values.append(value)

    @property
    def all_reduction_dims(self) -> set[tuple[DimDef, ...]]:
        """The dimensions that each assignment reduces over; none without a reduction."""
        return {
            tuple(value.reduce_use.reduce_dims) if isinstance(value, TensorReduceFn) else ()
            for value in self.values
        }

    def __repr__(self) -> str:
        return f"{_side(self.definitions)} = {_side(self.values)}"


def _side(items: list[Any]) -> str:
    text = ", ".join(map(repr, items))
    return text if len(items) == 1 else f"({text})"


class OpInterfaceDef:
    """An interface of the operation, by its name in C++."""

    def __init__(self, cpp_name: str):
        self.cpp_name = cpp_name


ContractionOpInterface = OpInterfaceDef("LinalgContractionOpInterface")
ConvolutionOpInterface = OpInterfaceDef("LinalgConvolutionOpInterface")
FillOpInterface = OpInterfaceDef("LinalgFillOpInterface")


class OpDefinitionDef:
    """Something that the operation brings in C++, by ODS's name of it."""

    def __init__(self, def_name: str):
        self.def_name = def_name


Canonicalizer = OpDefinitionDef("hasCanonicalizer")


class OpMetadataDef(YAMLObject):
    """The metadata of an operation."""

    yaml_tag = "!LinalgOpMetadata"

    def __init__(self, name: str, cpp_class_name: str | None, doc: str | None):
        self.name = name
        self.cpp_class_name = name if cpp_class_name is None else cpp_class_name
        self.doc = doc
        self.implements: list[OpInterfaceDef] = []
        self.defines: list[OpDefinitionDef] = []

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "name": self.name,
            "cpp_class_name": self.cpp_class_name,
            "doc": self.doc,
        }
        if self.implements:
            out["implements"] = [interface.cpp_name for interface in self.implements]
        if self.defines:
            out["defines"] = [definition.def_name for definition in self.defines]
        return out


# An attribute cannot be called like a method of the operation's class.
_METHODS = (
    "inputs",
    "outputs",
    "result_tensors",
    "region",
    "iterator_types",
    "indexing_maps",
    "getRegionBuilder",
    "getLibraryCallName",
)


class LinalgOpDef:
    """An operation that is being defined."""

    def __init__(self, name: str, cpp_class_name: str | None = None, doc: str | None = None):
        self.metadata = OpMetadataDef(name=name, cpp_class_name=cpp_class_name, doc=doc)
        self.registered_operands: dict[str, OperandDef] = {}
        self.domain: list[DimDef] = []
        self.comprehensions: list[Comprehension] = []

    def add_operand(self, name: str, operand: OperandDef) -> None:
        """Adds an operand: inputs first, outputs after them, attributes last."""
        earlier = self.registered_operands
        if name in earlier:
            raise ValueError(f"The operand {name} is already registered to {earlier[name]}")
        if operand.is_attribute() and name in _METHODS:
            raise ValueError(
                f"The attribute name {name} conflicts with a structured op method name"
            )
        if operand.is_input() and any(not other.is_input() for other in earlier.values()):
            raise ValueError(f"Input {name} registered after an output or attribute")
        if operand.kind == OperandKind.OUTPUT_TENSOR and any(
            other.is_attribute() for other in earlier.values()
        ):
            raise ValueError(f"Output {name} registered after an attribute")
        operand.attach(len(earlier), name, self)
        earlier[name] = operand

    def assign(self, use: TensorUse, value: TensorExpression) -> None:
        """Says what the elements of a tensor become."""
        self.comprehensions.append(Comprehension((use, value)))

    def __repr__(self) -> str:
        lines = [f"LinalgOpDef({self.metadata.name} -> {self.metadata.cpp_class_name},"]
        lines += [f"  {operand}" for operand in self.registered_operands.values()]
        if self.comprehensions:
            lines[-1] += " {"
            lines += [f"    {comprehension}" for comprehension in self.comprehensions]
            lines.append("}")
        return "\n".join(lines)


# `typing.get_type_hints` looks for the classes that annotations name in the module of the function.
vars(_operands).update(LinalgOpDef=LinalgOpDef)
