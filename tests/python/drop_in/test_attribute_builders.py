"""The functions of ``ir`` that make attributes of Python values, by name and by kind."""

import pytest

# Name, kind, a value, and the attribute that is made of it.
BUILDERS = [
    ("_boolAttr", "BoolAttr", True, "true"),
    ("_dictAttr", "DictionaryAttr", {}, "{}"),
    ("_indexAttr", "IndexAttr", 3, "3 : index"),
    ("_i1Attr", "I1Attr", 1, "true"),
    *[(f"_i{width}Attr", f"I{width}Attr", 3, f"3 : i{width}") for width in (8, 16, 32, 64)],
    *[(f"_si{width}Attr", f"SI{width}Attr", -3, f"-3 : si{width}") for width in (8, 16, 32, 64)],
    *[(f"_ui{width}Attr", f"UI{width}Attr", 3, f"3 : ui{width}") for width in (8, 16, 32, 64)],
    ("_f32Attr", "F32Attr", 2.0, "2.000000e+00 : f32"),
    ("_f64Attr", "F64Attr", 2.0, "2.000000e+00 : f64"),
    ("_stringAttr", "StrAttr", "x", '"x"'),
    ("_symbolNameAttr", "SymbolNameAttr", "x", '"x"'),
    ("_symbolRefAttr", "SymbolRefAttr", "x", "@x"),
    ("_symbolRefAttr", "SymbolRefAttr", ["x", "y"], "@x::@y"),
    ("_flatSymbolRefAttr", "FlatSymbolRefAttr", "x", "@x"),
    ("_unitAttr", "UnitAttr", True, "unit"),
    ("_arrayAttr", "ArrayAttr", [], "[]"),
    ("_boolArrayAttr", "BoolArrayAttr", [True, False], "[true, false]"),
    ("_dictArrayAttr", "DictArrayAttr", [{}], "[{}]"),
    ("_flatSymbolRefArrayAttr", "FlatSymbolRefArrayAttr", ["x"], "[@x]"),
    ("_symbolRefArrayAttr", "SymbolRefArrayAttr", ["x"], "[@x]"),
    ("_i32ArrayAttr", "I32ArrayAttr", [1, 2], "[1 : i32, 2 : i32]"),
    ("_i64ArrayAttr", "I64ArrayAttr", [1, 2], "[1, 2]"),
    ("_i64SmallVectorArrayAttr", "I64SmallVectorArrayAttr", [1], "[1]"),
    ("_indexListArrayAttr", "IndexListArrayAttr", [[1], []], "[[1], []]"),
    ("_f32ArrayAttr", "F32ArrayAttr", [2.0], "[2.000000e+00 : f32]"),
    ("_f64ArrayAttr", "F64ArrayAttr", [2.0], "[2.000000e+00]"),
    ("_strArrayAttr", "StrArrayAttr", ["x"], '["x"]'),
    ("_denseBoolArrayAttr", "DenseBoolArrayAttr", [True], "array<i1: true>"),
    *[
        (f"_denseI{width}ArrayAttr", f"DenseI{width}ArrayAttr", [1, 2], f"array<i{width}: 1, 2>")
        for width in (8, 16, 32, 64)
    ],
    ("_denseF32ArrayAttr", "DenseF32ArrayAttr", [2.0], "array<f32: 2.000000e+00>"),
    ("_denseF64ArrayAttr", "DenseF64ArrayAttr", [2.0], "array<f64: 2.000000e+00>"),
]


@pytest.mark.parametrize(("name", "kind", "value", "text"), BUILDERS)
def test_builder(ir, ctx, name, kind, value, text):
    builder = getattr(ir, name)
    assert ir.AttrBuilder.get(kind) is builder
    assert builder.__name__ == name
    assert str(builder(value, ctx)) == text
    assert str(builder(x=value, context=ctx)) == text


def test_types(ir, ctx):
    f32 = ir.F32Type.get()
    assert str(ir._typeAttr(f32, ctx)) == "f32"
    assert str(ir._memref_type_attr(f32, ctx)) == "f32"
    assert str(ir._typeArrayAttr([f32, f32], ctx)) == "[f32, f32]"


def test_maps_and_sets(ir, ctx):
    identity = ir.AffineMap.get_identity(1)
    assert str(ir._affineMapAttr(identity, ctx)) == "affine_map<(d0) -> (d0)>"
    assert str(ir._affineMapArrayAttr([identity], ctx)) == "[affine_map<(d0) -> (d0)>]"
    empty = ir.IntegerSet.get_empty(1, 0)
    assert str(ir._integerSetAttr(empty, ctx)).startswith("affine_set<(d0)")


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("_i32ElementsAttr", [1, 2], "dense<[1, 2]> : tensor<2xi32>"),
        ("_i64ElementsAttr", [1, 2], "dense<[1, 2]> : tensor<2xi64>"),
        ("_indexElementsAttr", [1, 2], "dense<[1, 2]> : tensor<2xindex>"),
        ("_f64ElementsAttr", [1.0, 2.0], "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>"),
    ],
)
def test_elements(ir, ctx, name, value, text):
    assert str(getattr(ir, name)(value, ctx)) == text


def test_no_unit_attribute_of_false(ir, ctx):
    assert ir._unitAttr(False, ctx) is None
