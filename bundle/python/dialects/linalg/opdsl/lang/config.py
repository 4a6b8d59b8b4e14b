"""Definitions worked out: the maps and iterators that follow from a comprehension."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..... import ir as _ir
from ...._typing import Callable, Dict, List, Optional, Set, Tuple
from .comprehension import *

__all__ = ["LinalgOpConfig", "LinalgStructuredOpConfig", "OperandDefConfig"]


class TensorUseConfig:
    """An element of a tensor with the map of what it is indexed with."""

    def __init__(self, tensor_use: TensorUse, indexing_map: _ir.AffineMap):
        self.tensor_use = tensor_use
        self.indexing_map = indexing_map

    def __repr__(self) -> str:
        return f"Use({self.tensor_use}, indexing_map={self.indexing_map})"


def _serialize_affine_map(affine_map: _ir.AffineMap) -> str:
    """A map as an attribute is written, which is how it can be read again."""
    with affine_map.context:
        return str(_ir.AffineMapAttr.get(affine_map))


class OperandDefConfig(YAMLObject):
    """An operand with its maps: those of its sizes, and of what it is indexed with."""

    yaml_tag = "!LinalgOperandDefConfig"

    def __init__(
        self,
        operand_def: OperandDef,
        shape_map: _ir.AffineMap | None = None,
        index_attr_map: _ir.AffineMap | None = None,
    ):
        self.operand_def = operand_def
        self.shape_map = shape_map
        self.index_attr_map = index_attr_map
        self.indexing_map: _ir.AffineMap | None = None

    @property
    def name(self) -> str:
        """The operand's name."""
        assert self.operand_def.name is not None, "operand not registered with an op"
        return self.operand_def.name

    @property
    def kind(self) -> OperandKind:
        """The kind of the operand."""
        return self.operand_def.kind

    @property
    def type_var(self) -> TypeVar | None:
        """The variable for the operand's element type."""
        return self.operand_def.type_var

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        operand = self.operand_def
        out: dict[str, Any] = {"name": self.name, "kind": self.kind.name.lower()}
        if self.type_var:
            out["type_var"] = self.type_var.name
        if self.shape_map:
            out["shape_map"] = _serialize_affine_map(self.shape_map)
        if self.index_attr_map:
            out["index_attr_map"] = _serialize_affine_map(self.index_attr_map)
        if operand.default_indices:
            out["default_indices"] = operand.default_indices
        if operand.default_fn:
            out["default_fn"] = operand.default_fn
        return out

    def __repr__(self) -> str:
        return (
            f"OperandDefConfig({self.operand_def}, shape_map={self.shape_map}, "
            f"index_attr_map={self.index_attr_map}, indexing_map={self.indexing_map})"
        )


class LinalgIndexingMapsConfig(YAMLObject):
    """The maps of an operation; they depend on nothing but the operation."""

    yaml_tag = "!LinalgIndexingMapsConfig"

    def __init__(self, static_indexing_maps: Sequence[_ir.AffineMap] | None = None):
        self.static_indexing_maps = static_indexing_maps

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        maps = self.static_indexing_maps or ()
        return {"static_indexing_maps": [_serialize_affine_map(each) for each in maps]}


class LinalgStructuredOpConfig(YAMLObject):
    """A comprehension worked out."""

    yaml_tag = "!LinalgStructuredOpConfig"

    def __init__(
        self,
        comprehension: Comprehension,
        domain: Sequence[DimDef],
        registered_operands: Iterable[OperandDef],
        context: _ir.Context | None = None,
    ):
        self.context = _ir.Context() if context is None else context
        self.affine_state = AffineBuildState()
        self.writes: list[tuple[TensorUse, TensorExpression]] = list(
            zip(comprehension.definitions, comprehension.values, strict=True)
        )
        self.operands: dict[OperandDef, OperandDefConfig] = {}
        self.uses: dict[TensorUse, TensorUseConfig] = {}
        registered = list(registered_operands)
        used = _Used(self.writes)
        shaped = [operand for operand in registered if operand.index_dims]
        with self.context:
            self._place_dims(domain, used)
            self._add_operands(registered, shaped, used)
            self._index(shaped, used)
        self._require_maps(registered)
        self.reduction_dims = self._reduction(comprehension)
        for position in used.indices:
            name = position.dim_def.dimname
            if name not in self.affine_state.all_dims:
                raise ValueError(
                    f"The dimension {name} is not part of the iteration domain "
                    f"{self.affine_state.all_dims}"
                )
            position.resolve_dimension_name(self.affine_state)
        self.assignments = [
            ScalarAssign(use.tensor_name, value.to_scalar_expression())
            for use, value in self.writes
        ]

    def _place_dims(self, domain: Sequence[DimDef], used: _Used) -> None:
        """Gives the dimensions their positions: as the domain says, or else by name."""
        domain = domain or sorted(used.dims, key=lambda dim: dim.dimname)
        if len(domain) != len(used.dims) or any(dim not in used.dims for dim in domain):
            raise ValueError(
                f"Expected the annotated domain dimensions {domain} to match the set of dimension "
                f"used by the tensor comprehension {list(used.dims)}"
            )
        for dim in domain:
            self.affine_state.get_dim(dim.dimname)

    def _add_operands(
        self, registered: list[OperandDef], shaped: list[OperandDef], used: _Used
    ) -> None:
        """Takes the operands in order, so that symbols have positions in order of appearance."""
        for operand in shaped:
            if any(dim not in used.dims for dim in operand.index_dims or ()):
                raise ValueError(
                    f"Expected all index dims {operand.index_dims} of operand {operand.name} to "
                    "have uses."
                )
        wanted = {use.operand_def for use in used.tensors}
        wanted |= {scalar.operand_def for scalar in used.scalars}
        wanted |= set(shaped)
        sizes: dict[OperandDef, list[_ir.AffineExpr]] = {}
        for operand in registered:
            if operand not in wanted and not operand.is_attribute():
                continue
            self.operands[operand] = OperandDefConfig(operand)
            if operand.is_tensor() or operand.kind == OperandKind.INDEX_ATTR:
                sizes[operand] = self._build(operand.size_exprs or (), allow_new_dims=False)
        for operand, exprs in sizes.items():
            self._set_sizes(operand, exprs)

    def _set_sizes(self, operand: OperandDef, exprs: list[_ir.AffineExpr]) -> None:
        affine_map = _ir.AffineMap.get(0, self.affine_state.symbol_count, exprs)
        if operand.is_tensor():
            self.operands[operand].shape_map = affine_map
        else:
            self.operands[operand].index_attr_map = affine_map

    def add_operand(self, operand_def: OperandDef) -> None:
        """Adds an operand with the map of its sizes, if it is not there."""
        if operand_def in self.operands:
            return
        if not (operand_def.is_input() or operand_def.is_tensor() or operand_def.is_attribute()):
            return
        self.operands[operand_def] = OperandDefConfig(operand_def)
        if operand_def.is_tensor() or operand_def.kind == OperandKind.INDEX_ATTR:
            with self.context:
                sizes = self._build(operand_def.size_exprs or (), allow_new_dims=False)
                self._set_sizes(operand_def, sizes)

    def add_indexed_operand(self, operand_def: OperandDef) -> None:
        """Gives an operand that is there the map of its ``index_dims``."""
        with self.context:
            self.operands[operand_def].indexing_map = self._map(operand_def.index_dims)

    def add_tensor_use(self, tensor_use: TensorUse) -> None:
        """Adds an element of a tensor that the assignments use, if it is not there."""
        if tensor_use not in self.uses:
            with self.context:
                self.uses[tensor_use] = TensorUseConfig(tensor_use, self._map(tensor_use.indices))

    def _get_scalar_map(self) -> _ir.AffineMap:
        """The map from the domain that has no results."""
        return self._normalize_affine_map(_ir.AffineMap.get(0, 0, [], context=self.context))

    def _normalize_affine_map(
        self, affine_map: _ir.AffineMap, with_dims: bool = True
    ) -> _ir.AffineMap:
        """The map with all symbols of the operation, and all its dimensions or none."""
        state = self.affine_state
        dims = state.dim_count if with_dims else 0
        return _ir.AffineMap.get(
            dims, state.symbol_count, list(affine_map.results), context=self.context
        )

    def _index(self, shaped: list[OperandDef], used: _Used) -> None:
        """Gives each operand the map of what it is indexed with."""
        for operand in shaped:
            self.operands[operand].indexing_map = self._map(operand.index_dims or ())
        written = set()
        for use, _ in self.writes:
            config = self.operands[use.operand_def]
            if use.operand_def in written:
                raise ValueError(f"Unexpected multi-write to a single tensor: {config}")
            written.add(use.operand_def)
            config.indexing_map = self._use(use)
        for use in used.read:
            config = self.operands[use.operand_def]
            indexing_map = self._use(use)
            if config.indexing_map is not None and config.indexing_map != indexing_map:
                raise ValueError(
                    f"Unexpected multi-read of a tensor with different accesses:{config} vs {use}"
                )
            config.indexing_map = indexing_map
        for config in self.operands.values():
            if config.kind == OperandKind.SCALAR:
                config.indexing_map = self._map(())

    def _use(self, use: TensorUse) -> _ir.AffineMap:
        indexing_map = self._map(use.indices)
        self.uses[use] = TensorUseConfig(use, indexing_map)
        return indexing_map

    def _build(self, exprs: Iterable[AffineExprDef], **allowed: bool) -> list[_ir.AffineExpr]:
        state = AffineBuildState(global_state=self.affine_state, **allowed)
        return [expr.build(state) for expr in exprs]

    def _map(self, exprs: Iterable[AffineExprDef]) -> _ir.AffineMap:
        """A map from the domain; all symbols come from the operands' sizes."""
        built = self._build(exprs, allow_new_symbols=False)
        state = self.affine_state
        return _ir.AffineMap.get(state.dim_count, state.symbol_count, built)

    def _require_maps(self, registered: list[OperandDef]) -> None:
        for operand in registered:
            config = self.operands.get(operand)
            indexed = config is not None and config.indexing_map is not None
            if not indexed and not operand.is_attribute():
                raise ValueError(f"Failed to compute an indexing map for operand {operand.name}")

    def _reduction(self, comprehension: Comprehension) -> tuple[DimDef, ...]:
        reductions = comprehension.all_reduction_dims
        if len(reductions) != 1:
            raise ValueError(
                f"All writes within a generic must have the same reduction dims. Got: {reductions}"
            )
        return next(iter(reductions))

    @property
    def ordered_operands(self) -> Sequence[OperandDefConfig]:
        """The operands as they were given."""
        return sorted(self.operands.values(), key=lambda it: it.operand_def.registered_index)

    @property
    def ordered_dims(self) -> Sequence[tuple[str, int]]:
        """The dimensions with their positions."""
        return list(self.affine_state.all_dims.items())

    @property
    def indexing_maps(self) -> Sequence[_ir.AffineMap]:
        """The maps of all that has one."""
        maps = [operand.indexing_map for operand in self.ordered_operands]
        return [each for each in maps if each is not None]

    @property
    def iterator_types(self) -> Sequence[str]:
        """For each dimension, whether it is reduced."""
        reduced = {dim.dimname for dim in self.reduction_dims}
        return [
            "reduction" if name in reduced else "parallel" for name in self.affine_state.all_dims
        ]

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        return {
            "args": self.ordered_operands,
            "indexing_maps": LinalgIndexingMapsConfig(self.indexing_maps),
            "iterator_types": self.iterator_types,
            "assignments": self.assignments,
        }

    def __repr__(self) -> str:
        return "\n".join(
            [
                f"LinalgGenericOpConfig(reduction_dims={self.reduction_dims},",
                "operands=[",
                *(f"  {operand!r}" for operand in self.ordered_operands),
                "], indexing_maps=[",
                *(f"  {each!r}" for each in self.indexing_maps),
                "], iterator_types=[",
                *(f"  {each}" for each in self.iterator_types),
                "])",
            ]
        )


class _Used:
    """The operands that the assignments use, in the order of appearance."""

    def __init__(self, writes: list[tuple[TensorUse, TensorExpression]]):
        self.dims: dict[DimDef, None] = {}
        self.read: dict[TensorUse, None] = {}
        self.scalars: dict[ScalarDef, None] = {}
        self.indices: dict[index, None] = {}
        for written, value in writes:
            value.collect_tensor_uses(self.read)
            value.collect_scalar_uses(self.scalars)
            value.collect_dim_uses(self.dims)
            written.collect_dim_uses(self.dims)
            value.collect_indices(self.indices)
        self.tensors = [*(written for written, _ in writes), *self.read]


class LinalgOpConfig(YAMLObject):
    """An operation worked out, with what is said of it."""

    yaml_tag = "!LinalgOpConfig"

    def __init__(
        self, metadata: OpMetadataDef, *, structured_op: LinalgStructuredOpConfig | None = None
    ):
        self.metadata = metadata
        self.structured_op = structured_op

    def to_yaml_custom_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"metadata": self.metadata}
        if self.structured_op:
            out["structured_op"] = self.structured_op
        return out

    @staticmethod
    def from_linalg_op_def(
        op_def: LinalgOpDef, context: _ir.Context | None = None
    ) -> Sequence[LinalgOpConfig]:
        """Works a definition out; today each is one operation."""
        assert len(op_def.comprehensions) == 1, "Only one comprehension supported"
        structured = LinalgStructuredOpConfig(
            op_def.comprehensions[0],
            op_def.domain,
            op_def.registered_operands.values(),
            context,
        )
        return [LinalgOpConfig(op_def.metadata, structured_op=structured)]

    def __repr__(self) -> str:
        return f"LinalgOpConfig(metadata={self.metadata},\nstructured_op={self.structured_op})"
