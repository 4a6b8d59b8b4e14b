"""Affine expressions, maps and integer sets."""

import mlir.ir as ir
from mlir.ir import *

ctx = Context()
ctx.__enter__()
d0, d1 = (AffineDimExpr.get(0), AffineExpr.get_dim(1))
s0 = AffineSymbolExpr.get(0)
c = AffineConstantExpr.get(5)
d0 + 1
1 + d0
d0 * 2
2 * d0
d0 - d1
3 - d0
d0 % 3
d0 + d1 + s0
-d0
AffineExpr.get_floor_div(d0, 2)
AffineExpr.get_ceil_div(d0, 2)
AffineExpr.get_mod(d0, 2)
AffineExpr.get_mod(5, d0)
AffineExpr.get_mul(d0, 2)
AffineExpr.get_add(1, d0)
AffineExpr.get_floor_div(4, 2)
AffineExpr.get_add(d0, d1).lhs
(d0 * 2).rhs
d0 * d1
d0 + "x"
d0 + 1.5
d0 % d1
AffineExpr.simplify_affine_expr(d0 + 0, 1, 0)
(d0 + 1).compose(AffineMap.get(1, 0, [d0 * 2]))
AffineExpr.get_dim(0) == d0
d0 != d1
hash(d0) == hash(AffineExpr.get_dim(0))
d0 == 3
(d0 + d1).shift_dims(2, 3)
(s0 + 1).shift_symbols(1, 2)
type(d0 + 1)
isinstance(d0 + 1, AffineAddExpr)
AffineAddExpr(d0 + 1)
AffineMulExpr(d0 * 2).lhs
AffineConstantExpr(c).value
AffineDimExpr(d0).position
AffineSymbolExpr(s0).position
AffineBinaryExpr(d0 + 1).rhs
AffineMulExpr(d0 + 1)
AffineDimExpr(s0)
repr(d0 + 1)
str(d0 + s0)
d0.context is ctx
AffineModExpr.get(d0, 3)
AffineCeilDivExpr.get(d0, 3)
AffineFloorDivExpr.get(3, d0)
AffineMulExpr.get(2, d0)
AffineAddExpr.get(d0, 3)
m = AffineMap.get(2, 1, [d0 + s0, d1])
m
m.n_dims
m.n_symbols
m.n_inputs
m.results
len(m.results)
m.results[0]
list(m.results)
m.is_permutation
m.is_projected_permutation
m.context is ctx
AffineMap.get_identity(3)
AffineMap.get_permutation([2, 0, 1])
AffineMap.get_minor_identity(4, 2)
AffineMap.get_constant(3)
AffineMap.get_empty()
m.get_submap([1])
m.get_major_submap(1)
m.get_minor_submap(1)
m.replace(d0, d1, 2, 1)
AffineMap.compress_unused_symbols([AffineMap.get(1, 3, [s0])], ctx)
m.get_submap([4])
m.get_major_submap(9)
AffineMap.get_permutation([1, 1])
AffineMap.get(0, 0, [])
AffineMap.get(dim_count=1, symbol_count=0, exprs=[d0], context=ctx)
AffineMap.get(1, 0, [d0 + 1]) == AffineMap.get(1, 0, [d0 + 1])
hash(m) == hash(AffineMap.get(2, 1, [d0 + s0, d1]))
m == 3
AffineMap.get(1, 0, d0)
AffineMapAttr.get(m)
AffineMapAttr(Attribute.parse("affine_map<(d0) -> (d0)>")).value
i = IntegerSet.get(2, 1, [d0 - 1, s0 - d1], [False, True])
i
i.n_dims
i.n_symbols
i.n_inputs
i.n_equalities
i.n_inequalities
i.constraints
len(i.constraints)
i.constraints[0].expr
i.constraints[1].is_eq
list(i.constraints)
i.is_canonical_empty
IntegerSet.get_empty(1, 1)
IntegerSet.get_empty(1, 1).is_canonical_empty
i.get_replaced([d1, d0], [s0 + 1], 2, 1)
i == IntegerSet.get(2, 1, [d0 - 1, s0 - d1], [False, True])
IntegerSet.get(1, 0, [d0], [])
IntegerSet.get(1, 0, [], [])
i.get_replaced([d0], [s0], 1, 1)
i.constraints[7]
[n for n in dir(AffineExpr) if not n.startswith("_")]
[n for n in dir(AffineMap) if not n.startswith("_")]
[n for n in dir(ir) if n.startswith("Affine")]
AffineExpr.get_constant(3) + AffineExpr.get_constant(4)
AffineConstantExpr.get(3) * 4
AffineExpr.get_constant(7) % 4
d0 * 0
d0 * 1
d0 + 3 + 4
d0 * 2 * 3
d0 * 4 % 2
AffineExpr.get_floor_div(d0 * 4, 2)
AffineExpr.get_constant(-3) // 2
AffineExpr.get_mod(d0, 0)
