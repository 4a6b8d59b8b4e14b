"""Pattern rewriting."""

import enum
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from typing_extensions import disjoint_base

from . import ir

_Op = TypeVar("_Op", bound=ir.OpView)

class GreedyRewriteStrictness(enum.Enum):
    """The operations that a greedy rewrite visits."""

    ANY_OP = 0
    EXISTING_AND_NEW_OPS = 1
    EXISTING_OPS = 2

class GreedySimplifyRegionLevel(enum.Enum):
    """The extent to which a greedy rewrite simplifies regions."""

    DISABLED = 0
    NORMAL = 1
    AGGRESSIVE = 2

class DialectConversionFoldingMode(enum.Enum):
    """When a conversion folds operations."""

    NEVER = 0
    BEFORE_PATTERNS = 1
    AFTER_PATTERNS = 2

@disjoint_base
class PatternRewriter:
    """Changes IR so that the driver knows; valid until the pattern returns."""

    @property
    def ip(self) -> ir.InsertionPoint:
        """The insertion point of new operations: before the operation that matched."""
    @overload
    def replace_op(
        self, op: ir._OperationBase, new_op: ir._OperationBase | Sequence[ir.Value]
    ) -> None:
        """Replaces an operation's results with those of another operation, or with values, and
        erases it: `replace_op(op, new_op)`, `replace_op(op, values)`.
        """
    @overload
    def replace_op(self, op: ir._OperationBase, *, values: Sequence[ir.Value]) -> None: ...
    def erase_op(self, op: ir._OperationBase) -> None:
        """Erases an operation whose results have no uses."""

@disjoint_base
class RewritePatternSet:
    """Patterns, to be frozen before they are applied."""

    def __init__(self, context: ir._Context | None = None) -> None: ...
    # The function gets the class that is registered for the operation.
    @overload
    def add(
        self, root: type[_Op], fn: Callable[[_Op, PatternRewriter], object], benefit: int = 1
    ) -> None:
        """Adds `func(op, rewriter)` as a pattern for operations of a class or a name. It has
        matched if it returns nothing or something false.
        """
    @overload
    def add(
        self, root: str, fn: Callable[[Any, PatternRewriter], object], benefit: int = 1
    ) -> None: ...
    @overload
    def add_conversion(
        self,
        root: type[_Op],
        fn: Callable[[_Op, Any, TypeConverter, ConversionPatternRewriter], object],
        type_converter: TypeConverter,
        benefit: int = 1,
    ) -> None:
        """Adds `func(op, adaptor, type_converter, rewriter)` as a pattern of conversions for
        operations of a class or a name. It has matched if it returns nothing or something false.
        """
    @overload
    def add_conversion(
        self,
        root: str,
        fn: Callable[[Any, Any, TypeConverter, ConversionPatternRewriter], object],
        type_converter: TypeConverter,
        benefit: int = 1,
    ) -> None: ...
    def freeze(self) -> FrozenRewritePatternSet:
        """Makes the set ready to be applied. Nothing can be added afterwards."""

@disjoint_base
class FrozenRewritePatternSet:
    """Patterns that are ready to be applied."""

    @property
    def _CAPIPtr(self) -> object: ...
    @staticmethod
    def _CAPICreate(capsule: object) -> FrozenRewritePatternSet: ...

@disjoint_base
class GreedyRewriteConfig:
    """The options of the greedy driver."""

    max_iterations: int
    max_num_rewrites: int
    use_top_down_traversal: bool
    enable_folding: bool
    strictness: GreedyRewriteStrictness
    region_simplification_level: GreedySimplifyRegionLevel
    enable_constant_cse: bool
    def __init__(self) -> None: ...

class ConversionPatternRewriter(PatternRewriter):
    """Changes IR so that the driver of a conversion knows; valid until the pattern returns."""

    def convert_region_types(self, region: ir.Region, type_converter: TypeConverter) -> None:
        """Converts the types of the arguments of a region's blocks."""

@disjoint_base
class ConversionTarget:
    """What may be there after a conversion."""

    def __init__(self, context: ir._Context | None = None) -> None: ...
    def add_legal_op(self, *ops: type[ir.OpView] | str) -> None:
        """Operations of these classes or names may be there."""
    def add_illegal_op(self, *ops: type[ir.OpView] | str) -> None:
        """Operations of these classes or names must not be there."""
    def add_legal_dialect(self, *dialects: type[ir.Dialect] | str) -> None:
        """Operations of these dialects may be there, unless there is a rule for them."""
    def add_illegal_dialect(self, *dialects: type[ir.Dialect] | str) -> None:
        """Operations of these dialects must not be there, unless there is a rule for them."""

@disjoint_base
class TypeConverter:
    """Says what types become in a conversion."""

    def __init__(self) -> None: ...
    def add_conversion(self, convert: Callable[[Any], ir.Type | None]) -> None:
        """Adds `convert(type)`, which returns what a type becomes, or None for a type that earlier
        functions convert.
        """
    def convert_type(self, type: ir.Type) -> ir.Type | None:
        """What a type becomes; None if no function converts it."""

@disjoint_base
class ConversionConfig:
    """The options of a conversion."""

    folding_mode: DialectConversionFoldingMode
    build_materializations: bool
    def __init__(self) -> None: ...

@disjoint_base
class PDLResultList:
    """The list in which a native function puts its results; valid until it returns."""

    def append(self, value: ir.Value | ir._OperationBase | ir.Type | ir.Attribute) -> None:
        """Appends a value, an operation, a type or an attribute."""

@disjoint_base
class PDLModule:
    """Patterns in the PDL dialect."""

    def __init__(self, module: ir.Module) -> None: ...
    def freeze(self) -> FrozenRewritePatternSet:
        """Makes the patterns ready to be applied. Nothing can be registered afterwards."""
    def register_rewrite_function(self, name: str, fn: Callable[..., object]) -> None:
        """Makes `fn(rewriter, results, values)` the rewrite function of a name."""
    def register_constraint_function(self, name: str, fn: Callable[..., object]) -> None:
        """Makes `fn(rewriter, results, values)` the constraint of a name."""

@overload
def apply_patterns_and_fold_greedily(
    module: ir.Module,
    set: FrozenRewritePatternSet,
    config: GreedyRewriteConfig | None = None,
) -> None: ...
@overload
def apply_patterns_and_fold_greedily(
    op: ir._OperationBase,
    set: FrozenRewritePatternSet,
    config: GreedyRewriteConfig | None = None,
) -> None: ...
def walk_and_apply_patterns(op: ir._OperationBase, set: FrozenRewritePatternSet) -> None:
    """Applies patterns to everything in an operation, once, in the order of a walk."""

def apply_partial_conversion(
    op: ir._OperationBase,
    target: ConversionTarget,
    set: FrozenRewritePatternSet,
    config: ConversionConfig | None = None,
) -> None:
    """Converts an operation and everything in it until nothing illegal is left; raises `MLIRError`,
    and takes all changes back, if that is not possible.
    """

def apply_full_conversion(
    op: ir._OperationBase,
    target: ConversionTarget,
    set: FrozenRewritePatternSet,
    config: ConversionConfig | None = None,
) -> None:
    """Converts an operation and everything in it until all of it is legal; raises `MLIRError`, and
    takes all changes back, if that is not possible.
    """
