"""The native part of `sparse_tensor`."""

import pytest


@pytest.fixture(scope="session")
def sparse(dialect):
    return dialect("sparse_tensor")


@pytest.fixture
def rows(ctx, ir, sparse):
    """The encoding of rows that are stored one after another."""
    text = "#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32 }>"
    return ir.Attribute.parse(text)


def test_parts(ir, sparse, rows):
    assert type(rows) is sparse.EncodingAttr
    assert sparse.EncodingAttr.attr_name == "sparse_tensor.encoding"
    assert rows.lvl_types == [sparse.LevelFormat.dense, sparse.LevelFormat.compressed]
    assert rows.lvl_formats_enum == [sparse.LevelFormat.dense, sparse.LevelFormat.compressed]
    assert str(rows.lvl_formats_enum) == "[65536, 262144]"
    assert rows.dim_to_lvl == ir.AffineMap.get_identity(2) == rows.lvl_to_dim
    assert (rows.pos_width, rows.crd_width) == (32, 0)
    assert rows.explicit_val is None and rows.implicit_val is None
    assert (rows.structured_n, rows.structured_m) == (0, 0)


def test_made_of_parts(ir, sparse, rows):
    kind = sparse.EncodingAttr
    assert kind.get(rows.lvl_types, rows.dim_to_lvl, rows.lvl_to_dim, 32, 0) is rows
    assert kind.get(rows.lvl_types, None, None, 32, 0) is rows
    one = ir.FloatAttr.get_f64(1.0)
    made = kind.get(rows.lvl_types, None, None, 0, 64, explicit_val=one, implicit_val=one)
    assert made.explicit_val == one and made.implicit_val == one and made.crd_width == 64
    columns = ir.AffineMap.get_permutation([1, 0])
    assert kind.get(rows.lvl_types, columns, columns, 0, 0).dim_to_lvl == columns


def test_types_of_levels(ir, sparse):
    build = sparse.EncodingAttr.build_level_type
    two_of_four = build(sparse.LevelFormat.n_out_of_m, n=2, m=4)
    dense = build(sparse.LevelFormat.dense)
    d0, d1 = ir.AffineExpr.get_dim, ir.AffineExpr.get_dim
    with ir.Context():
        blocks = ir.AffineMap.get(
            2,
            0,
            [
                d0(0),
                ir.AffineExpr.get_floor_div(d1(1), 4),
                ir.AffineExpr.get_mod(d1(1), 4),
            ],
        )
        made = sparse.EncodingAttr.get([dense, dense, two_of_four], blocks, None, 0, 0)
        assert (made.structured_n, made.structured_m) == (2, 4)
        assert "structured[2, 4]" in str(made)
    loose = build(sparse.LevelFormat.compressed, [sparse.LevelProperty.non_unique])
    assert loose == sparse.LevelFormat.compressed | sparse.LevelProperty.non_unique.value
    for wrong in (
        (sparse.LevelFormat.dense, [sparse.LevelProperty.soa]),
        (sparse.LevelFormat.dense, [], 1),
        (sparse.LevelFormat.dense | sparse.LevelFormat.compressed,),
        (0,),
    ):
        with pytest.raises(ValueError, match="is not the type of a level"):
            build(*wrong)
    with pytest.raises(TypeError):
        build(sparse.LevelFormat.n_out_of_m, [], 2, 256)


def test_what_there_is_no_encoding_for(ctx, ir, sparse, rows):
    identity = ir.AffineMap.get_identity

    def make(levels=rows.lvl_types, forth=None, back=None, pos=0, crd=0):
        return sparse.EncodingAttr.get(levels, forth, back, pos, crd)

    for wrong, why in (
        ({"levels": []}, "at least one level"),
        ({"levels": [5]}, "0x5 is not the type of a level"),
        ({"forth": identity(3)}, "2 levels, and maps 3 to 3"),
        ({"forth": ir.AffineMap.get_empty()}, "maps 0 to 0"),
        ({"back": ir.AffineMap.get_permutation([1, 0])}, "inverse of dim_to_lvl"),
    ):
        with pytest.raises(ValueError, match=why):
            make(**wrong)
    for wrong, why in (
        ({"pos": 7}, "unexpected position bitwidth: 7"),
        ({"crd": 9}, "unexpected coordinate bitwidth: 9"),
        ({"levels": [sparse.LevelFormat.singleton]}, "before singleton level"),
        ({"forth": ir.AffineMap.get(1, 0, [ir.AffineExpr.get_dim(0)] * 2)}, "failed to infer"),
    ):
        with pytest.raises(ir.MLIRError, match=why):
            make(**wrong)
    with pytest.raises(ir.MLIRError):
        ir.Attribute.parse("#sparse_tensor.encoding<{ map = (i) -> (i : unknown) }>")


def test_on_a_tensor(ir, sparse, rows):
    tensor = ir.RankedTensorType.get(
        [4, 4], ir.F32Type.get(rows.context), rows, ir.Location.unknown(rows.context)
    )
    assert tensor.encoding is rows
