"""Operations built from definitions: in their own form, or as `linalg.generic`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .....ir import (
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    Context,
    DenseElementsAttr,
    F32Type,
    F64Type,
    InsertionPoint,
    IntegerAttr,
    IntegerType,
    OpResultList,
    RankedTensorType,
    ShapedType,
    Type,
    Value,
)
from .....ir import OpView as _OpView
from .body import BodyBuilder
from .config import LinalgStructuredOpConfig, OperandDefConfig
from .operands import FUNCTION_ATTRIBUTES, OperandKind

__all__ = ["ValueList", "emit_generic_structured_op", "emit_named_structured_op"]

ValueList = Sequence[Value] | OpResultList


class _Parts(NamedTuple):
    """What both forms are built from."""

    inputs: list[OperandDefConfig]
    outputs: list[OperandDefConfig]
    result_types: list[Type]
    types: dict[str, Type]
    indexing_maps: list[AffineMap]
    index_attributes: dict[str, Attribute]
    functions: dict[str, tuple[str, OperandKind]]
    argument_types: list[Type]


def _prepare(
    config: LinalgStructuredOpConfig, ins: Sequence[Value], outs: ValueList, attrs: dict[str, Any]
) -> _Parts:
    operands = config.ordered_operands
    inputs = [it for it in operands if it.operand_def.is_input()]
    outputs = [it for it in operands if it.kind == OperandKind.OUTPUT_TENSOR]
    if not isinstance(outs, (Sequence, OpResultList)):
        raise ValueError(
            "Expected named argument outs to have type Sequence or OpResultLis but got "
            f"{type(outs)}"
        )
    if len(ins) != len(inputs):
        raise ValueError(f"Expected {len(inputs)} inputs but got {len(ins)} for {config}")
    if outs and len(outs) != len(outputs):
        raise ValueError(f"Expected {len(outputs)} outputs but got {len(outs)} for {config}")
    if not outs:
        raise NotImplementedError("Output tensor inference not yet supported for structured ops")
    indexing_maps = _indexing_maps(config, attrs)
    types: dict[str, Type] = {
        "F32": F32Type.get(),
        "F64": F64Type.get(),
        "I32": IntegerType.get_signless(32),
        "I64": IntegerType.get_signless(64),
    }
    argument_types = [
        _bind_type(operand, value.type, types)
        for operand, value in zip([*inputs, *outputs], [*ins, *outs], strict=True)
    ]
    index_attributes = {
        it.name: _indices(attrs[it.name])
        for it in operands
        if it.kind == OperandKind.INDEX_ATTR and attrs.get(it.name)
    }
    return _Parts(
        inputs,
        outputs,
        [value.type for value in outs if isinstance(value.type, RankedTensorType)],
        types,
        indexing_maps,
        index_attributes,
        {
            it.name: (_function(it, attrs), it.kind)
            for it in operands
            if it.kind in FUNCTION_ATTRIBUTES
        },
        argument_types,
    )


def _bind_type(operand: OperandDefConfig, given: Type, types: dict[str, Type]) -> Type:
    """Learns what an operand's type variable stands for: its element type, or a scalar's type."""
    element = given
    if operand.shape_map:
        try:
            element = ShapedType(given).element_type
        except ValueError as error:
            raise ValueError(f"Expected ShapedType but got {given}") from error
    assert operand.type_var is not None
    name = operand.type_var.name
    if types.setdefault(name, element) != element:
        raise ValueError(f"Cannot overwrite type mapping {name} = {types[name]} by type {element}")
    return element


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
):
    """Builds a `linalg.generic`, and returns its result or its results."""
    from .... import _linalg_ops_gen as linalg

    parts = _prepare(op_config, ins, outs, attrs)
    maps, iterators = parts.indexing_maps, op_config.iterator_types
    if not iterators:
        maps, rank = _rank_polymorphic(op_config, ins, outs)
        iterators = ["parallel"] * rank
    op = linalg.GenericOp(
        result_tensors=parts.result_types,
        inputs=ins,
        outputs=outs,
        indexing_maps=ArrayAttr.get([AffineMapAttr.get(each) for each in maps]),
        iterator_types=ArrayAttr.get(
            [Attribute.parse(f"#linalg.iterator_type<{each}>") for each in iterators]
        ),
    )
    block = op.regions[0].blocks.append(*parts.argument_types)
    names = [operand.name for operand in (*parts.inputs, *parts.outputs)]
    with InsertionPoint(block):
        arguments = dict(zip(names, block.arguments, strict=True))
        body = BodyBuilder(parts.types, arguments, parts.functions)
        for assignment in op_config.assignments:
            body.assign(assignment)
        linalg.YieldOp(body.outputs([operand.name for operand in parts.outputs]))
    return _results(op, parts)


def emit_named_structured_op(
    op_config: LinalgStructuredOpConfig,
    op_name: str,
    op_class_name: str,
    *ins: Value,
    outs: ValueList,
    **attrs: Any,
):
    """Builds the operation of that name, and returns its result or its results."""
    from .... import linalg
    from ... import fill_builtin_region

    parts = _prepare(op_config, ins, outs, attrs)
    assert Context.current is not None
    known = Context.current.is_registered_operation(f"linalg.{op_name}")
    if not known or not hasattr(linalg, op_class_name):
        raise NotImplementedError(
            f"Unknown named op_name / op_class_name: {op_name} / {op_class_name}"
        )
    op = getattr(linalg, op_class_name)(parts.result_types, ins, outs)
    attributes = op.operation.attributes
    for name, value in parts.index_attributes.items():
        attributes[name] = value
    for name, (function, kind) in parts.functions.items():
        enum = kind.name.lower().removesuffix("_attr")
        attributes[name] = Attribute.parse(f"#linalg.{enum}<{function}>")
    fill_builtin_region(op.operation)
    return _results(op, parts)


def _results(op: _OpView, parts: _Parts):
    return op.result if len(parts.result_types) == 1 else op.results
