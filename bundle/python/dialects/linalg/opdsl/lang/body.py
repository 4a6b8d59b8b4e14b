"""The body of a generic operation: scalars computed with `arith`, `math` and `complex`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from .....ir import (
    Attribute,
    ComplexType,
    FloatAttr,
    FloatType,
    IndexType,
    IntegerAttr,
    IntegerType,
    Type,
    Value,
)
from .expressions import FunctionKind
from .operands import OperandKind
from .scalar_expr import ScalarAssign, ScalarExpression

# Each function's operation for floats, integers and complex numbers, in this order; none where it
# is not defined for them.
_FUNCTIONS: dict[str, tuple[str | None, str | None, str | None]] = {
    "unary_exp": ("math.ExpOp", None, None),
    "unary_log": ("math.LogOp", None, None),
    "unary_abs": ("math.AbsFOp", None, None),
    "unary_ceil": ("math.CeilOp", None, None),
    "unary_floor": ("math.FloorOp", None, None),
    "unary_negf": ("arith.NegFOp", None, "complex.NegOp"),
    "unary_round": ("math.RoundOp", None, None),
    "unary_sqrt": ("math.SqrtOp", None, None),
    "unary_rsqrt": ("math.RsqrtOp", None, None),
    "unary_tanh": ("math.TanhOp", None, None),
    "unary_erf": ("math.ErfOp", None, None),
    "binary_add": ("arith.AddFOp", "arith.AddIOp", "complex.AddOp"),
    "binary_sub": ("arith.SubFOp", "arith.SubIOp", "complex.SubOp"),
    "binary_mul": ("arith.MulFOp", "arith.MulIOp", "complex.MulOp"),
    "binary_div": ("arith.DivFOp", "arith.DivSIOp", "complex.DivOp"),
    "binary_div_unsigned": (None, "arith.DivUIOp", None),
    "binary_max_signed": ("arith.MaximumFOp", "arith.MaxSIOp", None),
    "binary_min_signed": ("arith.MinimumFOp", "arith.MinSIOp", None),
    "binary_max_unsigned": (None, "arith.MaxUIOp", None),
    "binary_min_unsigned": (None, "arith.MinUIOp", None),
    "binary_powf": ("math.PowFOp", None, None),
}

# Truth values have no order.
_NOT_FOR_BOOL = ("binary_max_unsigned", "binary_min_unsigned")


def _build(operation: str, *args: Any) -> Value:
    """An operation's result; the module of its dialect is imported when it is first needed."""
    dialect, name = operation.split(".")
    module = import_module(f"....{dialect}", __package__)
    return getattr(module, name)(*args).result


class BodyBuilder:
    """Builds the body at the current insertion point."""

    def __init__(
        self,
        type_mapping: Mapping[str, Type],
        block_arg_mapping: Mapping[str, Value],
        fn_attr_mapping: Mapping[str, tuple[str, OperandKind]],
    ):
        self.type_mapping = type_mapping
        self.block_arg_mapping = block_arg_mapping
        self.fn_attr_mapping = fn_attr_mapping
        self.yield_mapping: dict[str, Value] = {}

    def assign(self, assignment: ScalarAssign) -> None:
        """Computes what an output's element becomes."""
        if assignment.arg in self.yield_mapping:
            raise ValueError(
                f"Multiple assignments to the same argument are forbidden: {assignment}"
            )
        self.yield_mapping[assignment.arg] = self.expression(assignment.value)

    def yield_outputs(self, *output_names: str) -> None:
        """Ends the body with the values that were computed for these outputs."""
        for name in output_names:
            if name not in self.yield_mapping:
                raise ValueError(f"Body assignments do not assign all outputs: missing '{name}'")
        dialect = import_module("....linalg", __package__)
        dialect.YieldOp([self.yield_mapping[name] for name in output_names])

    def expression(self, expr: ScalarExpression) -> Value:
        """Computes an expression."""
        if expr.scalar_arg:
            name = expr.scalar_arg.arg
            if name not in self.block_arg_mapping:
                raise ValueError(f"Argument {name} is not bound for this structured op.")
            return self.block_arg_mapping[name]
        if expr.scalar_const:
            value = Attribute.parse(expr.scalar_const.value)
            return _build("arith.ConstantOp", value.type, value)
        if expr.scalar_index:
            i64 = IntegerType.get_signless(64)
            return _build("linalg.IndexOp", IntegerAttr.get(i64, expr.scalar_index.dim))
        function = expr.scalar_fn
        assert function is not None
        named = function.fn_name
        if function.attr_name:
            named, _ = self.fn_attr_mapping[function.attr_name]
        operands = [self.expression(operand) for operand in function.operands]
        if function.kind == FunctionKind.TYPE:
            assert function.type_var is not None
            return self._convert(f"type_{named}", function.type_var.name, *operands)
        return _apply(f"{function.kind.name.lower()}_{named}", operands)

    def _convert(self, function: str, type_var: str, operand: Value) -> Value:
        if function not in ("type_cast_signed", "type_cast_unsigned"):
            raise ValueError(f"Function '{function}' is not a known function")
        if type_var not in self.type_mapping:
            raise ValueError(
                f"Unbound type variable '{type_var}' (expected one of {self.type_mapping.keys()}"
            )
        to_type = self.type_mapping[type_var]
        if operand.type == to_type:
            return operand
        operation = _conversion(operand.type, to_type, function == "type_cast_unsigned")
        if operation is None:
            raise ValueError(f"Unable to cast body expression from {operand.type} to {to_type}")
        return _build(operation, to_type, operand)


def _conversion(given: Type, wanted: Type, unsigned: bool) -> str | None:
    """The operation that converts numbers of one type to those of another."""
    if isinstance(wanted, IntegerType):
        if isinstance(given, FloatType):
            return "arith.FPToUIOp" if unsigned else "arith.FPToSIOp"
        if isinstance(given, IndexType):
            return "arith.IndexCastOp"
        widening, narrowing = "arith.ExtUIOp" if unsigned else "arith.ExtSIOp", "arith.TruncIOp"
    elif isinstance(wanted, FloatType):
        if isinstance(given, IntegerType):
            return "arith.UIToFPOp" if unsigned else "arith.SIToFPOp"
        widening, narrowing = "arith.ExtFOp", "arith.TruncFOp"
    else:
        return None
    if not isinstance(given, (IntegerType, FloatType)) or given.width == wanted.width:
        return None
    return widening if given.width < wanted.width else narrowing


def _apply(function: str, operands: Sequence[Value]) -> Value:
    first = operands[0]
    kind = first.type
    if function == "ternary_select":
        return _build("arith.SelectOp", *operands)
    if function == "unary_square":
        return _apply("binary_mul", [first, first])
    if function == "unary_reciprocal" and isinstance(kind, FloatType):
        one = _build("arith.ConstantOp", kind, FloatAttr.get(kind, 1.0))
        return _build("arith.DivFOp", one, first)
    if function not in _FUNCTIONS and function != "unary_reciprocal":
        raise ValueError(f"Function '{function}' is not a known function")
    of_floats, of_integers, of_complex = _FUNCTIONS.get(function, (None, None, None))
    operation = None
    if isinstance(kind, FloatType):
        operation = of_floats
    elif isinstance(kind, ComplexType):
        operation = of_complex
    elif isinstance(kind, (IntegerType, IndexType)):
        is_bool = isinstance(kind, IntegerType) and kind.width == 1
        operation = None if is_bool and function in _NOT_FOR_BOOL else of_integers
    if operation is None:
        name = function.split("_", 1)[1]
        raise NotImplementedError(f"Unsupported '{name}' operands: {', '.join(map(str, operands))}")
    return _build(operation, *operands)
