"""The classes of the builtin attributes, but for dense elements."""

import gc

import pytest


@pytest.fixture
def loc(ir, ctx):
    with ir.Location.unknown() as location:
        yield location


@pytest.fixture
def i32(ir, ctx):
    return ir.IntegerType.get_signless(32)


def test_integers(ir, ctx, i32):
    made = ir.IntegerAttr.get(i32, -5)
    assert made is ir.IntegerAttr.get(i32, -5) and made is ir.Attribute.parse("-5 : i32")
    assert made.value == int(made) == -5 and made.type is i32
    assert repr(made) == "IntegerAttr(-5 : i32)"
    assert ir.IntegerAttr.get(ir.IndexType.get(), 1 << 62).value == 1 << 62
    signed = ir.IntegerType.get_signed(8)
    assert ir.IntegerAttr.get(signed, -1).value == -1
    assert ir.IntegerAttr.get(ir.IntegerType.get_unsigned(8), 255).value == 255
    assert ir.IntegerAttr.get(ir.IntegerType.get_unsigned(64), -1).value == (1 << 64) - 1
    assert ir.IntegerAttr.get(i32, made) is made


@pytest.mark.parametrize("text", ["170141183460469231731687303715884105727", "-3", "0"])
def test_wide_integers_have_all_their_bits(ir, ctx, text):
    assert ir.Attribute.parse(f"{text} : i128").value == int(text)
    assert ir.Attribute.parse(f"{text} : si200").value == int(text)


def test_integers_of_other_types_are_refused(ir, ctx, i32):
    with pytest.raises(ValueError, match="integer or index type, not f32"):
        ir.IntegerAttr.get(ir.F32Type.get(), 1)
    for wrong in (1.5, "1", None, 1 << 70):
        with pytest.raises(TypeError):
            ir.IntegerAttr.get(i32, wrong)


def test_truth_values(ir, ctx):
    yes = ir.BoolAttr.get(True)
    assert yes is ir.BoolAttr.get(True) and yes is ir.Attribute.parse("true")
    assert yes.value is True and bool(yes) and not ir.BoolAttr.get(False)
    assert repr(yes) == "BoolAttr(true)"
    with pytest.raises(TypeError):
        ir.BoolAttr.get(1)
    # An IntegerAttr that is asked for by its own class is equal to the BoolAttr.
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(1), 1)
    assert type(number) is ir.IntegerAttr and number.value == -1
    assert number == yes and hash(number) == hash(yes)
    with pytest.raises(AttributeError, match="BoolAttr has no typeid"):
        _ = ir.BoolAttr.static_typeid


def test_floating_point_numbers(ir, ctx, loc, i32):
    made = ir.FloatAttr.get(ir.F32Type.get(), 1.5)
    assert made is ir.FloatAttr.get_f32(1.5) and made.value == float(made) == 1.5
    assert ir.FloatAttr.get_f64(0.1).value == 0.1
    assert ir.FloatAttr.get(ir.BF16Type.get(), 3).value == 3.0
    assert ir.FloatAttr.get_unchecked(ir.F32Type.get(), 1.5) is made
    for get in (ir.FloatAttr.get, ir.FloatAttr.get_unchecked):
        with pytest.raises(ir.MLIRError, match="expected floating point type"):
            get(i32, 1.0)


def test_types_and_units(ir, ctx, i32):
    assert ir.TypeAttr.get(i32).value is i32
    assert str(ir.UnitAttr.get()) == "unit"
    with pytest.raises(ValueError, match="another context"):
        ir.TypeAttr.get(ir.F32Type.get(ir.Context()))


def test_strings(ir, ctx, i32):
    made = ir.StringAttr.get("zwölf")
    assert made.value == "zwölf" and made.value_bytes == "zwölf".encode()
    assert ir.StringAttr.get("zwölf".encode()) is made
    assert ir.StringAttr.get("a\0b").value == "a\0b"
    raw = ir.StringAttr.get(b"\xff")
    assert raw.value_bytes == b"\xff"
    # The latter is what upstream raises.
    for error in (UnicodeDecodeError, RuntimeError):
        with pytest.raises(error, match="can't decode byte 0xff in position 0"):
            _ = raw.value
    typed = ir.StringAttr.get_typed(i32, "7")
    assert typed.type is i32 and typed.value == "7"
    with pytest.raises(TypeError):
        ir.StringAttr.get(5)


def test_symbols(ir, ctx):
    flat = ir.FlatSymbolRefAttr.get("f")
    assert flat.value == "f" and type(ir.Attribute.parse("@f")) is ir.FlatSymbolRefAttr
    nested = ir.SymbolRefAttr.get(["a", "b", "c"])
    assert str(nested) == "@a::@b::@c" and nested.value == ["a", "b", "c"]
    assert type(nested) is ir.SymbolRefAttr and nested is ir.Attribute.parse("@a::@b::@c")
    single = ir.SymbolRefAttr.get(["f"])
    assert single.value == ["f"] and single == flat
    with pytest.raises(RuntimeError, match="at least one symbol"):
        ir.SymbolRefAttr.get([])
    with pytest.raises(TypeError):
        ir.SymbolRefAttr.get("ab")


def test_opaque_attributes(ir, ctx):
    made = ir.OpaqueAttr.get("nobody", bytearray(b"abc"), ir.NoneType.get())
    assert str(made) == "#nobody.abc"
    assert (made.dialect_namespace, made.data) == ("nobody", b"abc")
    assert ir.OpaqueAttr.get("nobody", memoryview(b"c.b.a")[::-2], ir.NoneType.get()) == made
    with pytest.raises(TypeError, match="expected an object with the buffer protocol"):
        ir.OpaqueAttr.get("nobody", "abc", ir.NoneType.get())


def test_arrays(ir, ctx, i32):
    one, two = ir.IntegerAttr.get(i32, 1), ir.StringAttr.get("two")
    made = ir.ArrayAttr.get([one, two])
    assert len(made) == 2 and made[0] is one and made[-1] is two and list(made) == [one, two]
    assert made + [one] == ir.ArrayAttr.get((one, two, one))
    assert list(reversed(made)) == [two, one] and list(reversed(ir.ArrayAttr.get([]))) == []
    iterator = iter(made)
    assert type(iterator).__name__ == "ArrayAttributeIterator" and iter(iterator) is iterator
    assert [next(iterator), next(iterator), next(iterator, None)] == [one, two, None]
    for wrong in (2, -3):
        with pytest.raises(IndexError, match="ArrayAttribute index out of range"):
            made[wrong]
    for get in (ir.ArrayAttr.get, made.__add__):
        none = r"Invalid attribute \(None\?\) when attempting .*\n.* is None"
        with pytest.raises(RuntimeError, match=none):
            get([None])
        with pytest.raises(RuntimeError, match="Invalid attribute when attempting"):
            get([5])


def test_dictionaries(ir, ctx, i32):
    one, two = ir.IntegerAttr.get(i32, 1), ir.UnitAttr.get()
    made = ir.DictAttr.get({"b": two, "a": one})
    assert str(made) == "{a = 1 : i32, b}" and len(made) == 2
    assert made["a"] is one and "b" in made and "c" not in made
    assert (made[0].name, made[0].attr) == ("a", one)
    assert [named.name for named in reversed(made)] == ["b", "a"]
    assert len(ir.DictAttr.get()) == 0 and ir.DictAttr.get(value={}) is ir.DictAttr.get()
    with pytest.raises(KeyError, match="attempt to access a non-existent attribute"):
        made["c"]
    for wrong in (2, -1):
        with pytest.raises(IndexError, match="attempt to access out of bounds attribute"):
            made[wrong]
    for wrong in ({"a": 1}, {"a": None}, {1: one}):
        with pytest.raises(TypeError):
            ir.DictAttr.get(wrong)


def test_strided_layouts(ir, ctx):
    made = ir.StridedLayoutAttr.get(3, [1, 2])
    assert str(made) == "strided<[1, 2], offset: 3>"
    assert (made.offset, made.strides) == (3, [1, 2])
    dynamic = ir.StridedLayoutAttr.get_fully_dynamic(2)
    unknown = ir.ShapedType.get_dynamic_stride_or_offset()
    assert str(dynamic) == "strided<[?, ?], offset: ?>" and dynamic.strides == [unknown] * 2
    with pytest.raises(ValueError, match="rank"):
        ir.StridedLayoutAttr.get_fully_dynamic(-1)


ARRAYS = {
    "DenseBoolArrayAttr": ([True, False], "i1: true, false", bool),
    "DenseI8ArrayAttr": ([-128, 127], "i8: -128, 127", int),
    "DenseI16ArrayAttr": ([-1, 300], "i16: -1, 300", int),
    "DenseI32ArrayAttr": ([1, -(1 << 31)], "i32: 1, -2147483648", int),
    "DenseI64ArrayAttr": ([1, (1 << 63) - 1], "i64: 1, 9223372036854775807", int),
    "DenseF32ArrayAttr": ([1.5, -2.0], "f32: 1.500000e+00, -2.000000e+00", float),
    "DenseF64ArrayAttr": ([1.5, -2.0], "f64: 1.500000e+00, -2.000000e+00", float),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_dense_arrays(ir, ctx, name):
    values, text, kind = ARRAYS[name]
    cls = getattr(ir, name)
    made = cls.get(values)
    assert str(made) == f"array<{text}>" and ir.Attribute.parse(str(made)) is made
    assert type(made) is cls and cls.get(tuple(values)) is made and len(made) == 2
    assert list(made) == values and made[0] == values[0] and made[-1] == values[1]
    assert list(reversed(made)) == values[::-1]
    assert all(type(value) is kind for value in made)
    assert list(made + values[:1]) == [*values, values[0]]
    assert len(cls.get([])) == 0 and list(cls.get([])) == []
    iterator = iter(made)
    assert type(iterator).__name__ == name.replace("Attr", "Iterator")
    assert next(iterator) == values[0] and list(iterator) == values[1:]
    for wrong in (2, -3):
        with pytest.raises(IndexError, match="DenseArray index out of range"):
            made[wrong]
    if kind is not bool:
        for get, error in ((cls.get, TypeError), (made.__add__, RuntimeError)):
            for wrong in (["a"], [None]):
                with pytest.raises(error):
                    get(wrong)
    other = next(one for one in ARRAYS if one != name)
    with pytest.raises(ValueError, match=f"Cannot cast attribute to {other}"):
        getattr(ir, other)(made)


def test_dense_arrays_refuse_what_does_not_fit(ir, ctx, i32):
    for cls, wrong in [
        (ir.DenseI8ArrayAttr, 128),
        (ir.DenseI16ArrayAttr, 1 << 15),
        (ir.DenseI32ArrayAttr, 1.0),
        (ir.DenseI64ArrayAttr, 1 << 63),
    ]:
        with pytest.raises(TypeError):
            cls.get([wrong])
    assert list(ir.DenseI32ArrayAttr.get([ir.IntegerAttr.get(i32, 4)])) == [4]


def test_an_array_of_other_elements_is_a_plain_attribute(ir, ctx):
    parsed = ir.Attribute.parse("array<f16: 1.0>")
    assert type(parsed) is ir.Attribute


def test_names_and_typeids(ir, ctx, i32):
    for made, name in [
        (ir.IntegerAttr.get(i32, 1), "builtin.integer"),
        (ir.FloatAttr.get_f32(1), "builtin.float"),
        (ir.StringAttr.get("x"), "builtin.string"),
        (ir.ArrayAttr.get([]), "builtin.array"),
        (ir.DictAttr.get(), "builtin.dictionary"),
        (ir.TypeAttr.get(i32), "builtin.type"),
        (ir.UnitAttr.get(), "builtin.unit"),
        (ir.StridedLayoutAttr.get(0, []), "builtin.strided_layout"),
        (ir.AffineMapAttr.get(ir.AffineMap.get_empty()), "builtin.affine_map"),
    ]:
        assert made.attr_name == type(made).attr_name == name
        assert type(made).static_typeid == made.typeid


def test_casts(ir, ctx, i32):
    unit = ir.UnitAttr.get()
    with pytest.raises(ValueError, match="Cannot cast attribute to IntegerAttr"):
        ir.IntegerAttr(unit)
    assert ir.UnitAttr(unit) is unit
    assert ir.UnitAttr(cast_from_attr=unit) is unit
    assert type(ir.IntegerAttr(ir.BoolAttr.get(True))) is ir.IntegerAttr


def test_attributes_of_an_object_survive_it(ir, ctx):
    made = ir.StringAttr.get("kept")
    made.note = {"a": 1}
    address = id(made)
    del made
    gc.collect()
    again = ir.StringAttr.get("kept")
    assert id(again) == address and again.note == {"a": 1}


def test_classes_can_be_derived(ir, ctx, i32):
    class Mine(ir.IntegerAttr):
        def twice(self):
            return 2 * self.value

    made = Mine(ir.IntegerAttr.get(i32, 4))
    assert made.twice() == 8 and made == ir.IntegerAttr.get(i32, 4)
    with pytest.raises(ValueError, match="Cannot cast attribute to Mine"):
        Mine(ir.UnitAttr.get())
