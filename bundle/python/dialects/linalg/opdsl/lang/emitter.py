"""Operations built from definitions: in their own form, or as `linalg.generic`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .....ir import *
from .....ir import OpView as _OpView
from .... import arith as arith
from .... import complex as complex
from .... import func as func
from .... import linalg as linalg
from .... import math as math
from ...._ods_common import get_op_result_or_value as _get_op_result_or_value
from ...._ods_common import get_op_results_or_values as _get_op_results_or_values
from ...._typing import Dict, List, Tuple, Union
from .body import BodyBuilder as _BodyBuilder
from .comprehension import *
from .config import *
from .config import LinalgStructuredOpConfig, OperandDefConfig
from .operands import FUNCTION_ATTRIBUTES, OperandKind
from .scalar_expr import *

__all__ = ["ValueList", "emit_generic_structured_op", "emit_named_structured_op"]

ValueList = Sequence[Value] | OpResultList


class Prepared(NamedTuple):
    """The parts that both forms are built from."""

    all_arg_defs: list[OperandDefConfig]
    in_arg_defs: list[OperandDefConfig]
    out_arg_defs: list[OperandDefConfig]
    outs: ValueList
    result_types: list[Type]
    type_mapping: dict[str, Type]
    indexing_maps_attr: ArrayAttr
    iterator_types_attr: ArrayAttr
    index_attrs: dict[str, Attribute]
    fn_attr_mapping: dict[str, tuple[str, OperandKind]]
    block_arg_types: list[Type]


def prepare_common_structured_op(
    op_config: LinalgStructuredOpConfig, *ins: Value, outs: ValueList, **attrs: Any
) -> Prepared:
    """Checks operands and attributes against a definition, and works out what they mean for it."""
    operands = list(op_config.ordered_operands)
    inputs = [it for it in operands if it.operand_def.is_input()]
    outputs = [it for it in operands if it.kind == OperandKind.OUTPUT_TENSOR]
    if not isinstance(outs, (Sequence, OpResultList)):
        raise ValueError(
            "Expected named argument outs to have type Sequence or OpResultLis but got "
            f"{type(outs)}"
        )
    if len(ins) != len(inputs):
        raise ValueError(f"Expected {len(inputs)} inputs but got {len(ins)} for {op_config}")
    if outs and len(outs) != len(outputs):
        raise ValueError(f"Expected {len(outputs)} outputs but got {len(outs)} for {op_config}")
    outs, result_types = _infer_structured_outs(op_config, inputs, ins, outputs, outs)
    maps, iterators = _indexing_maps(op_config, attrs), op_config.iterator_types
    if not iterators:
        maps, rank = _rank_polymorphic(op_config, ins, outs)
        iterators = ["parallel"] * rank
    types: dict[str, Type] = {
        "F32": F32Type.get(),
        "F64": F64Type.get(),
        "I32": IntegerType.get_signless(32),
        "I64": IntegerType.get_signless(64),
    }
    argument_types: list[Type] = []
    for operand, value in zip([*inputs, *outputs], [*ins, *outs], strict=True):
        _add_type_mapping(operand, value.type, types, argument_types)
    return Prepared(
        operands,
        inputs,
        outputs,
        outs,
        result_types,
        types,
        ArrayAttr.get([AffineMapAttr.get(each) for each in maps]),
        ArrayAttr.get([Attribute.parse(f"#linalg.iterator_type<{each}>") for each in iterators]),
        {
            it.name: _indices(attrs[it.name])
            for it in operands
            if it.kind == OperandKind.INDEX_ATTR and attrs.get(it.name)
        },
        {
            it.name: (_function(it, attrs), it.kind)
            for it in operands
            if it.kind in FUNCTION_ATTRIBUTES
        },
        argument_types,
    )


def _infer_structured_outs(
    op_config: LinalgStructuredOpConfig,
    in_arg_defs: Sequence[OperandDefConfig],
    ins: Sequence[Value],
    out_arg_defs: Sequence[OperandDefConfig],
    outs: ValueList,
) -> tuple[ValueList, list[Type]]:
    """The outputs, and the types of the results that follow from them."""
    if not outs:
        raise NotImplementedError("Output tensor inference not yet supported for structured ops")
    return outs, [value.type for value in outs if isinstance(value.type, RankedTensorType)]


def _get_types_from_values(*values: Value) -> list[Type]:
    return [value.type for value in values]


def _get_operand_def_names(*operand_configs: OperandDefConfig) -> list[str]:
    return [operand.name for operand in operand_configs]


def _is_bool_type(t: Type) -> bool:
    return isinstance(t, IntegerType) and t.width == 1


def _add_type_mapping(
    operand_config: OperandDefConfig,
    operand_type: Type,
    type_mapping: dict[str, Type],
    block_arg_types: list[Type],
) -> None:
    """Learns what an operand's type variable stands for: its element type, or a scalar's type."""
    element = operand_type
    if operand_config.shape_map:
        try:
            element = ShapedType(operand_type).element_type
        except ValueError as error:
            raise ValueError(f"Expected ShapedType but got {operand_type}") from error
    assert operand_config.type_var is not None
    name = operand_config.type_var.name
    if type_mapping.setdefault(name, element) != element:
        raise ValueError(
            f"Cannot overwrite type mapping {name} = {type_mapping[name]} by type {element}"
        )
    block_arg_types.append(element)


def _indices(values: Sequence[int]) -> Attribute:
    i64 = IntegerType.get_signless(64)
    numbers: list[Attribute] = [IntegerAttr.get(i64, value) for value in values]
    return DenseElementsAttr.get(numbers, RankedTensorType.get([len(numbers)], i64))


def _function(operand: OperandDefConfig, attrs: dict[str, Any]) -> str:
    """The name of the function that an attribute is, or its default."""
    if operand.name not in attrs:
        assert operand.operand_def.default_fn, "Function attribute has no value"
        return operand.operand_def.default_fn
    wanted = FUNCTION_ATTRIBUTES[operand.kind]
    given = attrs[operand.name]
    if not isinstance(given, wanted):
        raise ValueError(
            f"Attribute {operand.name} needs to be of type {wanted.__name__} but got {type(given)}"
        )
    return str(given)


def _indexing_maps(config: LinalgStructuredOpConfig, attrs: dict[str, Any]) -> list[AffineMap]:
    """The maps with numbers for the symbols that attributes give, which must be all there are."""
    numbers: list[tuple[AffineExpr, AffineExpr]] = []
    for operand in config.ordered_operands:
        if operand.kind != OperandKind.INDEX_ATTR:
            continue
        values: Any = attrs.get(operand.name, operand.operand_def.default_indices)
        assert values, "Index attribute has no value"
        if not all(isinstance(value, int) for value in values):
            raise ValueError(
                f"Attribute {operand.name} needs to be of type Sequence[int] but got {type(values)}"
            )
        assert operand.index_attr_map is not None
        symbols = operand.index_attr_map.results
        if len(values) != len(symbols):
            raise ValueError(
                f"Attribute {operand.name} has length {len(symbols)} but got {len(values)} values"
            )
        numbers += zip(symbols, map(AffineConstantExpr.get, values), strict=True)
    maps = []
    for each in config.indexing_maps:
        for symbol, number in numbers:
            each = each.replace(symbol, number, each.n_dims, each.n_symbols)
        maps.append(each)
    maps = AffineMap.compress_unused_symbols(maps, Context.current)
    if any(each.n_symbols for each in maps):
        raise ValueError(
            "Expected indexing_maps to use no symbols after replacement and compression but got "
            f"{maps}"
        )
    return maps


def _rank_polymorphic(
    config: LinalgStructuredOpConfig, ins: Sequence[Value], outs: ValueList
) -> tuple[list[AffineMap], int]:
    """The maps of an operation without dimensions: as many as the first output has."""
    rank = ShapedType(outs[0].type).rank
    scalar, whole = AffineMap.get(rank, 0, []), AffineMap.get_identity(rank)
    maps = []
    for operand in config.ordered_operands:
        place = operand.operand_def.registered_index
        if operand.kind == OperandKind.SCALAR:
            maps.append(scalar)
        elif operand.operand_def.is_tensor():
            has_none = place < len(ins) and ShapedType(ins[place].type).rank == 0
            maps.append(scalar if has_none else whole)
    return maps, rank


def emit_generic_structured_op(
    op_config: LinalgStructuredOpConfig, *ins: Value, outs: ValueList, **attrs: Any
) -> OpResult | OpResultList:
    """Builds a `linalg.generic`, and returns its result or its results."""
    from .... import _linalg_ops_gen as linalg

    parts = prepare_common_structured_op(op_config, *ins, outs=outs, **attrs)
    op = linalg.GenericOp(
        result_tensors=parts.result_types,
        inputs=ins,
        outputs=outs,
        indexing_maps=parts.indexing_maps_attr,
        iterator_types=parts.iterator_types_attr,
    )
    block = op.regions[0].blocks.append(*parts.block_arg_types)
    names = _get_operand_def_names(*parts.in_arg_defs, *parts.out_arg_defs)
    with InsertionPoint(block):
        arguments = dict(zip(names, block.arguments, strict=True))
        body = _BodyBuilder(parts.type_mapping, arguments, parts.fn_attr_mapping)
        for assignment in op_config.assignments:
            body.assign(assignment)
        body.yield_outputs(*_get_operand_def_names(*parts.out_arg_defs))
    return _results(op, parts)


def emit_named_structured_op(
    op_config: LinalgStructuredOpConfig,
    op_name: str,
    op_class_name: str,
    *ins: Value,
    outs: ValueList,
    **attrs: Any,
) -> OpResult | OpResultList:
    """Builds the operation of that name, and returns its result or its results."""
    from .... import linalg
    from ... import fill_builtin_region

    parts = prepare_common_structured_op(op_config, *ins, outs=outs, **attrs)
    assert Context.current is not None
    known = Context.current.is_registered_operation(f"linalg.{op_name}")
    if not known or not hasattr(linalg, op_class_name):
        raise NotImplementedError(
            f"Unknown named op_name / op_class_name: {op_name} / {op_class_name}"
        )
    op = getattr(linalg, op_class_name)(parts.result_types, ins, outs)
    attributes = op.operation.attributes
    for name, value in parts.index_attrs.items():
        attributes[name] = value
    for name, (function, kind) in parts.fn_attr_mapping.items():
        enum = kind.name.lower().removesuffix("_attr")
        attributes[name] = Attribute.parse(f"#linalg.{enum}<{function}>")
    fill_builtin_region(op.operation)
    return _results(op, parts)


def _results(op: _OpView, parts: Prepared) -> OpResult | OpResultList:
    return op.result if len(parts.result_types) == 1 else op.results
