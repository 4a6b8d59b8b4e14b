"""Affine expressions, maps and integer sets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture
def dims(ir, ctx):
    return ir.AffineDimExpr.get(0), ir.AffineDimExpr.get(1)


@pytest.fixture
def sym(ir, ctx):
    return ir.AffineSymbolExpr.get(0)


def test_operators(ir, dims, sym):
    d0, d1 = dims
    for made, text, cls in [
        (d0 + 1, "d0 + 1", ir.AffineAddExpr),
        (1 + d0, "d0 + 1", ir.AffineAddExpr),
        (d0 + d1, "d0 + d1", ir.AffineAddExpr),
        (d0 - 1, "d0 - 1", ir.AffineAddExpr),
        (1 - d0, "-d0 + 1", ir.AffineAddExpr),
        (d0 - sym, "d0 - s0", ir.AffineAddExpr),
        (d0 * 2, "d0 * 2", ir.AffineMulExpr),
        (2 * d0, "d0 * 2", ir.AffineMulExpr),
        (d0 % 3, "d0 mod 3", ir.AffineModExpr),
        (3 % d0, "3 mod d0", ir.AffineModExpr),
        (ir.AffineExpr.get_floor_div(d0, 2), "d0 floordiv 2", ir.AffineFloorDivExpr),
        (ir.AffineExpr.get_ceil_div(5, sym), "5 ceildiv s0", ir.AffineCeilDivExpr),
        (ir.AffineExpr.get_add(2, d0), "d0 + 2", ir.AffineAddExpr),
        (ir.AffineExpr.get_mul(d0, sym), "d0 * s0", ir.AffineMulExpr),
        (ir.AffineExpr.get_mod(d0, 7), "d0 mod 7", ir.AffineModExpr),
    ]:
        assert (str(made), type(made)) == (text, cls)
        assert repr(made) == f"AffineExpr({text})"
        assert isinstance(made, ir.AffineBinaryExpr)


def test_what_can_be_simplified_is_of_its_real_class(ir, dims):
    d0, _ = dims
    two = ir.AffineConstantExpr.get(2)
    total = ir.AffineAddExpr.get(two, two)
    assert type(total) is ir.AffineConstantExpr and total.value == 4
    assert type(d0 + 0) is ir.AffineDimExpr


def test_parts(ir, dims, sym):
    d0, d1 = dims
    product = ir.AffineBinaryExpr((d0 + d1) * 3)
    assert product.lhs == d0 + d1
    assert product.rhs.value == 3
    assert ir.AffineExpr.get_dim(4).position == 4
    assert ir.AffineExpr.get_symbol(4).position == 4
    assert ir.AffineExpr.get_constant(-4).value == -4
    assert ir.AffineDimExpr(d0).position == 0
    with pytest.raises(ValueError, match="Cannot cast affine expression to AffineAddExpr"):
        ir.AffineAddExpr(d0)
    assert type(product.maybe_downcast()) is ir.AffineMulExpr


def test_equality(ir, dims, sym):
    d0, d1 = dims
    assert d0 + d1 == d0 + d1 and hash(d0 + d1) == hash(d0 + d1)
    assert d0 != d1 and d0 != sym and d0 != 0
    assert d0 != ir.AffineDimExpr.get(0, ir.Context())


def test_wrong_operands(ir, dims):
    d0, _ = dims
    for wrong in ("x", None, 1.5, 1 << 80):
        with pytest.raises(TypeError):
            d0 + wrong
    with pytest.raises(TypeError):
        ir.AffineExpr.get_add(1, 2)
    with pytest.raises(ValueError, match="another context"):
        d0 + ir.AffineDimExpr.get(0, ir.Context())
    with pytest.raises(ValueError, match="position"):
        ir.AffineDimExpr.get(-1)


def test_dividing_by_nothing_does_not_crash(ir, dims):
    d0, _ = dims
    for divisor in (0, -1):
        for divide in (
            ir.AffineExpr.get_mod,
            ir.AffineExpr.get_floor_div,
            ir.AffineExpr.get_ceil_div,
        ):
            assert str(divide(d0, divisor))


def test_moving_and_simplifying(ir, dims, sym):
    d0, d1 = dims
    assert (d0 + d1).shift_dims(2, 3) == ir.AffineDimExpr.get(3) + ir.AffineDimExpr.get(4)
    assert (d0 + d1).shift_dims(2, 3, 1) == d0 + ir.AffineDimExpr.get(4)
    assert sym.shift_symbols(1, 2, offset=0) == ir.AffineSymbolExpr.get(2)
    assert ir.AffineExpr.simplify_affine_expr(d0 + d1 - d0, 2, 0) == d1
    with pytest.raises(ValueError, match="need 2 dimensions"):
        ir.AffineExpr.simplify_affine_expr(d1, 1, 0)
    swap = ir.AffineMap.get_permutation([1, 0])
    assert (d0 * 2 + d1).compose(swap) == d1 * 2 + d0


def test_maps(ir, dims, sym):
    d0, d1 = dims
    made = ir.AffineMap.get(2, 1, [d0, d1 + sym])
    assert str(made) == "(d0, d1)[s0] -> (d0, d1 + s0)"
    assert repr(made) == f"AffineMap({made})"
    assert (made.n_dims, made.n_symbols, made.n_inputs) == (2, 1, 3)
    assert made == ir.AffineMap.get(2, 1, (d0, d1 + sym)) and made != d0
    assert hash(made) == hash(ir.AffineMap.get(2, 1, [d0, d1 + sym]))
    assert str(ir.AffineMap.get_constant(7)) == "() -> (7)"
    assert str(ir.AffineMap.get_empty()) == "() -> ()"
    assert str(ir.AffineMap.get_minor_identity(3, 2)) == "(d0, d1, d2) -> (d1, d2)"
    assert ir.AffineMap.get_permutation([2, 0, 1]).is_permutation
    assert ir.AffineMap.get_minor_identity(3, 2).is_projected_permutation
    assert made.replace(sym, d0, 2, 0) == ir.AffineMap.get(2, 0, [d0, d1 + d0])


def test_maps_that_cannot_be(ir, dims, sym):
    d0, d1 = dims
    get = ir.AffineMap.get
    for attempt in (
        lambda: get(1, 0, [d1]),
        lambda: get(1, 0, [d0 + sym]),
        lambda: get(-1, 0, []),
        lambda: get(0, 1 << 40, []),
        lambda: ir.AffineMap.get_minor_identity(1, 2),
        lambda: ir.AffineMap.get_identity(-1),
        lambda: get(2, 0, [d0, d1]).replace(d0, sym, 2, 0),
    ):
        with pytest.raises(ValueError):
            attempt()
    for places in ([], [0, 0], [1], [0, 2]):
        with pytest.raises(RuntimeError, match="Invalid permutation"):
            ir.AffineMap.get_permutation(places)
    with pytest.raises(RuntimeError, match=r"Invalid expression \(None\?\) when attempting"):
        get(1, 0, [None])
    with pytest.raises(RuntimeError, match="Invalid expression when attempting"):
        get(1, 0, [3])


def test_parts_of_maps(ir, dims, sym):
    d0, d1 = dims
    made = ir.AffineMap.get(2, 1, [d0, d1, sym])
    assert made.get_submap([2, 0]) == ir.AffineMap.get(2, 1, [sym, d0])
    assert made.get_major_submap(2) == ir.AffineMap.get(2, 1, [d0, d1])
    assert made.get_minor_submap(2) == ir.AffineMap.get(2, 1, [d1, sym])
    assert str(made.get_major_submap(0)) == "(d0, d1)[s0] -> ()"
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match="number of results out of bounds"):
            made.get_major_submap(wrong)
        with pytest.raises(ValueError, match="number of results out of bounds"):
            made.get_minor_submap(wrong)
        with pytest.raises(ValueError, match="result position out of bounds"):
            made.get_submap([wrong])


def test_results_are_a_list(ir, dims, sym):
    d0, d1 = dims
    results = ir.AffineMap.get(2, 1, [d0, d1, sym]).results
    assert len(results) == 3 and list(results) == [d0, d1, sym]
    assert results[-1] == sym and type(results[0]) is ir.AffineDimExpr
    assert list(results[::-1]) == [sym, d1, d0]
    assert list(results[1:][:1]) == [d1]
    assert list(results[::2][::-1]) == [sym, d0]
    assert results + results[:1] == [d0, d1, sym, d0]
    for wrong in (3, -4):
        with pytest.raises(IndexError, match="index out of range"):
            results[wrong]
    with pytest.raises(ValueError, match="expected integer or slice"):
        results["x"]


def test_unused_symbols(ir, dims, sym):
    d0, _ = dims
    s1 = ir.AffineSymbolExpr.get(1)
    maps = [ir.AffineMap.get(1, 2, [d0]), ir.AffineMap.get(1, 2, [d0 + s1])]
    packed = ir.AffineMap.compress_unused_symbols(maps)
    assert packed == [ir.AffineMap.get(1, 1, [d0]), ir.AffineMap.get(1, 1, [d0 + sym])]
    assert ir.AffineMap.compress_unused_symbols([]) == []
    with pytest.raises(ValueError, match="same number of symbols"):
        ir.AffineMap.compress_unused_symbols([maps[0], ir.AffineMap.get(1, 0, [d0])])


def test_integer_sets(ir, dims, sym):
    d0, d1 = dims
    made = ir.IntegerSet.get(2, 1, [d0 - d1, sym - d0], [True, False])
    assert str(made) == "(d0, d1)[s0] : (d0 - d1 == 0, -d0 + s0 >= 0)"
    assert (made.n_dims, made.n_symbols, made.n_inputs) == (2, 1, 3)
    assert (made.n_equalities, made.n_inequalities) == (1, 1)
    assert [one.is_eq for one in made.constraints] == [True, False]
    assert made.constraints[0].expr == d0 - d1
    assert len(made.constraints[1:]) == 1
    assert made == ir.IntegerSet.get(2, 1, [d0 - d1, sym - d0], [True, False])
    empty = ir.IntegerSet.get_empty(1, 0)
    assert empty.is_canonical_empty and not made.is_canonical_empty
    swapped = made.get_replaced([d1, d0], [sym], 2, 1)
    assert swapped.constraints[0].expr == d1 - d0


def test_integer_sets_that_cannot_be(ir, dims, sym):
    d0, d1 = dims
    made = ir.IntegerSet.get(1, 1, [d0], [True])
    for attempt, text in [
        (lambda: ir.IntegerSet.get(1, 1, [d0], [True, False]), "equality flags"),
        (lambda: ir.IntegerSet.get(1, 1, [], []), "non-empty list of constraints"),
        (lambda: ir.IntegerSet.get(1, 1, [d1], [True]), "need 2 dimensions"),
        (lambda: made.get_replaced([], [sym], 1, 1), "dimension replacement"),
        (lambda: made.get_replaced([d0], [], 1, 1), "symbol replacement"),
        (lambda: made.get_replaced([d1], [sym], 1, 1), "need 2 dimensions"),
        (lambda: ir.IntegerSet.get_empty(-1, 0), "dimensions"),
    ]:
        with pytest.raises(ValueError, match=text):
            attempt()
    with pytest.raises(RuntimeError, match="replacing dimensions"):
        made.get_replaced([None], [sym], 1, 1)


def test_attributes_of_them(ir, dims, sym):
    d0, _ = dims
    a_map = ir.AffineMap.get(1, 0, [d0])
    attribute = ir.AffineMapAttr.get(a_map)
    assert attribute.value == a_map and attribute is ir.AffineMapAttr.get(a_map)
    a_set = ir.IntegerSet.get(1, 0, [d0], [False])
    assert ir.IntegerSetAttr.get(a_set).value == a_set


def test_capsules(ir, dims):
    d0, _ = dims
    a_map = ir.AffineMap.get(1, 0, [d0])
    a_set = ir.IntegerSet.get_empty(1, 0)
    assert ir.AffineExpr._CAPICreate(d0._CAPIPtr) == d0
    assert ir.AffineMap._CAPICreate(a_map._CAPIPtr) == a_map
    assert ir.IntegerSet._CAPICreate(a_set._CAPIPtr) == a_set
    with pytest.raises(TypeError):
        ir.AffineMap._CAPICreate(d0._CAPIPtr)


LEAVES = st.one_of(
    st.integers(-9, 9),
    st.sampled_from(["d0", "d1", "s0"]),
)
TREES = st.recursive(
    LEAVES,
    lambda part: (
        st.tuples(st.sampled_from("+-*%"), part, st.integers(1, 9))
        | st.tuples(st.sampled_from("+-"), part, part)
    ),
)


@settings(max_examples=200, deadline=None)
@given(tree=TREES, values=st.tuples(*[st.integers(-50, 50)] * 3))
def test_expressions_have_the_value_that_python_says(ir, tree, values):
    environment = dict(zip(["d0", "d1", "s0"], values, strict=True))

    with ir.Context():

        def build(part):
            if isinstance(part, int):
                return ir.AffineExpr.get_constant(part)
            if isinstance(part, str):
                get = ir.AffineExpr.get_dim if part[0] == "d" else ir.AffineExpr.get_symbol
                return get(int(part[1]))
            operator, left, right = part
            left = build(left)
            right = right if isinstance(right, int) else build(right)
            return {
                "+": lambda: left + right,
                "-": lambda: left - right,
                "*": lambda: left * right,
                "%": lambda: left % right,
            }[operator]()

        def value(part):
            if isinstance(part, int):
                return part
            if isinstance(part, str):
                return environment[part]
            operator, left, right = part
            left, right = value(left), value(right)
            return {
                "+": left + right,
                "-": left - right,
                "*": left * right,
                "%": left % right if right else 0,
            }[operator]

        expression = build(tree)
        constants = [ir.AffineExpr.get_constant(environment[name]) for name in ("d0", "d1", "s0")]
        filled = expression.compose(ir.AffineMap.get(0, 0, constants[:2]))
        assert "d" not in str(filled).replace("mod", "")
        # Symbols are not composed: put the last one in through a map.
        through = ir.AffineMap.get(0, 1, [filled])
        last = through.replace(ir.AffineExpr.get_symbol(0), constants[2], 0, 0).results[0]
        simple = ir.AffineExpr.simplify_affine_expr(last, 0, 0)
        assert simple.value == value(tree)
