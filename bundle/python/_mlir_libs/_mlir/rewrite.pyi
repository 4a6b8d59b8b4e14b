"""Pattern rewriting."""

import enum
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from typing_extensions import Self

from . import ir

_Op = TypeVar("_Op", bound=ir.OpView)

class GreedyRewriteStrictness(enum.Enum):
    ANY_OP = 0
    EXISTING_AND_NEW_OPS = 1
    EXISTING_OPS = 2

class GreedySimplifyRegionLevel(enum.Enum):
    DISABLED = 0
    NORMAL = 1
    AGGRESSIVE = 2

class PatternRewriter:
    @property
    def ip(self) -> ir.InsertionPoint: ...
    @overload
    def replace_op(
        self, op: ir._OperationBase, new_op: ir._OperationBase | Sequence[ir.Value]
    ) -> None: ...
    @overload
    def replace_op(self, op: ir._OperationBase, *, values: Sequence[ir.Value]) -> None: ...
    def erase_op(self, op: ir._OperationBase) -> None: ...

class RewritePatternSet:
    def __new__(cls, context: ir._Context | None = None) -> Self: ...
    # The class that is registered for the operation is what the function gets.
    @overload
    def add(
        self, root: type[_Op], fn: Callable[[_Op, PatternRewriter], object], benefit: int = 1
    ) -> None: ...
    @overload
    def add(
        self, root: str, fn: Callable[[Any, PatternRewriter], object], benefit: int = 1
    ) -> None: ...
    def freeze(self) -> FrozenRewritePatternSet: ...

class FrozenRewritePatternSet:
    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> FrozenRewritePatternSet: ...

class GreedyRewriteConfig:
    max_iterations: int
    max_num_rewrites: int
    use_top_down_traversal: bool
    enable_folding: bool
    strictness: GreedyRewriteStrictness
    region_simplification_level: GreedySimplifyRegionLevel
    enable_constant_cse: bool
    def __new__(cls) -> Self: ...

class PDLResultList:
    def append(self, value: ir.Value | ir._OperationBase | ir.Type | ir.Attribute) -> None: ...

class PDLModule:
    def __new__(cls, module: ir.Module) -> Self: ...
    def freeze(self) -> FrozenRewritePatternSet: ...
    def register_rewrite_function(self, name: str, fn: Callable[..., object]) -> None: ...
    def register_constraint_function(self, name: str, fn: Callable[..., object]) -> None: ...

@overload
def apply_patterns_and_fold_greedily(
    module: ir.Module | ir._OperationBase,
    set: FrozenRewritePatternSet,
    config: GreedyRewriteConfig | None = None,
) -> None: ...
@overload
def apply_patterns_and_fold_greedily(
    *,
    op: ir._OperationBase,
    set: FrozenRewritePatternSet,
    config: GreedyRewriteConfig | None = None,
) -> None: ...
def walk_and_apply_patterns(op: ir._OperationBase, set: FrozenRewritePatternSet) -> None: ...
