"""Dense elements, and the buffers that they are made from and shown as."""

import array
import ctypes
import gc
import struct
import subprocess
import sys
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture
def loc(ir, ctx):
    with ir.Location.unknown() as location:
        yield location


def shaped(values, code, *shape):
    """A buffer of numbers of a format, with a shape."""
    data = struct.pack(f"{len(values)}{code}", *values)
    return memoryview(data).cast("B").cast(code, shape or (len(values),))


KINDS = {
    "b": ("i8", "si8"),
    "B": ("i8", "ui8"),
    "h": ("i16", "si16"),
    "H": ("i16", "ui16"),
    "i": ("i32", "si32"),
    "I": ("i32", "ui32"),
    "q": ("i64", "si64"),
    "Q": ("i64", "ui64"),
    "f": ("f32", "f32"),
    "d": ("f64", "f64"),
    "?": ("i1", "i1"),
}


@pytest.mark.parametrize("code", KINDS)
def test_each_format_has_a_type(ir, ctx, code):
    values = [1, 0, 1, 1, 0, 1]
    for signless, name in zip((True, False), KINDS[code], strict=True):
        made = ir.DenseElementsAttr.get(shaped(values, code, 2, 3), signless=signless)
        assert str(made.type) == f"tensor<2x3x{name}>" and len(made) == 6
        shown = memoryview(made)
        assert shown.shape == (2, 3) and shown.readonly
        assert [number for row in shown.tolist() for number in row] == values
        number = ir.DenseIntElementsAttr if name[0] != "f" else ir.DenseFPElementsAttr
        assert type(made) is number
        assert [int(one) for one in made] == values
        assert made is ir.DenseElementsAttr.get(shaped(values, code, 2, 3), signless)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_elements_come_back_as_they_were(ir, data):
    code = data.draw(st.sampled_from(sorted(KINDS)))
    shape = data.draw(st.lists(st.integers(1, 5), max_size=3))
    count = 1
    for size in shape:
        count *= size
    if code == "?":
        one = st.booleans()
    elif code in "fd":
        one = st.floats(width=struct.calcsize(code) * 8, allow_nan=False)
    else:
        bits = struct.calcsize(code) * 8
        low, high = (0, 1 << bits) if code.isupper() else (-1 << bits - 1, 1 << bits - 1)
        one = st.integers(low, high - 1)
    values = data.draw(st.lists(one, min_size=count, max_size=count))
    raw = struct.pack(f"{count}{code}", *values)
    buffer = memoryview(raw).cast("B").cast(code, shape)
    with ir.Context() as context:
        made = ir.DenseElementsAttr.get(buffer, signless=False, context=context)
        shown = memoryview(made)
        assert shown.tobytes() == raw and bytes(made) == raw
        assert list(shown.shape) == shape and shown.format == code
        assert list(made) == values
    # The memory stays when nobody has the context any more.
    del context, made
    gc.collect()
    assert shown.tobytes() == raw


def test_half_precision(ir, ctx):
    raw = struct.pack("3e", 1.5, -2.0, 0.25)
    bits = ir.DenseElementsAttr.get(memoryview(raw).cast("H"), type=ir.F16Type.get())
    assert str(bits.type) == "tensor<3xf16>"
    shown = memoryview(bits)
    assert shown.format == "e" and bytes(shown) == raw
    # Neither `array` nor `memoryview` makes the format, but an attribute shows it.
    assert ir.DenseElementsAttr.get(shown) is bits


def test_strides_are_followed(ir, ctx):
    every_second = memoryview(array.array("i", range(10)))[::2]
    assert list(ir.DenseElementsAttr.get(every_second)) == [0, 2, 4, 6, 8]
    backwards = memoryview(array.array("d", [1, 2, 3]))[::-1]
    assert list(ir.DenseElementsAttr.get(backwards)) == [3, 2, 1]
    truths = memoryview(bytes([1, 0, 0, 1, 1, 0])).cast("?")[::2]
    assert [bool(one) for one in ir.DenseElementsAttr.get(truths)] == [True, False, True]


def test_arrays_of_ctypes_and_empty_ones(ir, ctx):
    rows = ((ctypes.c_int32 * 3) * 2)((1, 2, 3), (4, 5, 6))
    made = ir.DenseElementsAttr.get(rows)
    assert str(made) == "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>"
    empty = ir.DenseElementsAttr.get(array.array("i"))
    assert str(empty.type) == "tensor<0xi32>" and list(empty) == []
    assert memoryview(empty).tolist() == []
    no_truths = ir.DenseElementsAttr.get(memoryview(b"\1").cast("?")[1:])
    assert str(no_truths.type) == "tensor<0xi1>" and list(no_truths) == []
    single = ir.DenseElementsAttr.get(ctypes.c_float(2.5))
    assert str(single.type) == "tensor<f32>" and memoryview(single).tolist() == 2.5


def test_a_type_overrides_the_format(ir, ctx, loc, llvm):
    i4, bf16 = ir.IntegerType.get_signless(4), ir.BF16Type.get()
    made = ir.DenseElementsAttr.get(bytes([1, 7]), type=i4)
    assert str(made) == "dense<[1, 7]> : tensor<2xi4>"
    halves = ir.DenseElementsAttr.get(shaped([0x3F80, 0x4000], "H"), type=bf16)
    assert str(halves) == "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>"
    vector = ir.VectorType.get([2], ir.F32Type.get())
    assert ir.DenseElementsAttr.get(array.array("f", [1, 2]), type=vector).type is vector
    # Truth values are bits before LLVM 23.
    raw = bytes([0b101]) if llvm < 23 else bytes([1, 0, 4])
    truths = ir.DenseElementsAttr.get(raw, type=ir.IntegerType.get_signless(1), shape=[3])
    assert [bool(one) for one in truths] == [True, False, True]
    index = ir.DenseElementsAttr.get(array.array("q", [-1, 2]), type=ir.IndexType.get())
    assert memoryview(index).tolist() == [-1, 2]


def test_shapes(ir, ctx, loc):
    numbers = array.array("i", range(6))
    made = ir.DenseElementsAttr.get(numbers, shape=[2, 3])
    assert memoryview(made).tolist() == [[0, 1, 2], [3, 4, 5]]
    for shape in ([5], [2, 2], [0], [1 << 40, 1 << 40]):
        with pytest.raises(ValueError):
            ir.DenseElementsAttr.get(numbers, shape=shape)
    with pytest.raises(ValueError, match="no static shape"):
        ir.DenseElementsAttr.get(numbers, shape=[ir.ShapedType.get_dynamic_size()])
    tensor = ir.RankedTensorType.get([6], ir.IntegerType.get_signless(32))
    with pytest.raises(ValueError, match="when the type is not a shaped type"):
        ir.DenseElementsAttr.get(numbers, type=tensor, shape=[6])
    with pytest.raises(ValueError):
        ir.DenseElementsAttr.get(array.array("i"), type=tensor)


def test_what_cannot_be_dense_elements(ir, ctx, loc):
    numbers = array.array("i", range(6))
    dynamic = ir.RankedTensorType.get([ir.ShapedType.get_dynamic_size()], ir.F32Type.get())
    nested = ir.RankedTensorType.get([1], ir.VectorType.get([6], ir.F32Type.get()))
    for wrong in (dynamic, nested, ir.UnrankedTensorType.get(ir.F32Type.get())):
        with pytest.raises(ValueError, match="cannot be of type"):
            ir.DenseElementsAttr.get(numbers, type=wrong)
    with pytest.raises(ValueError, match="cannot be of type"):
        ir.DenseElementsAttr.get(b"", type=ir.IntegerType.get_signless(0))
    with pytest.raises(ir.MLIRError):
        ir.DenseElementsAttr.get(numbers, type=ir.NoneType.get())
    with pytest.raises(ValueError, match="unimplemented array format conversion from format: c"):
        ir.DenseElementsAttr.get(memoryview(b"ab").cast("c"))
    for wrong in (5, "abc", None):
        with pytest.raises(TypeError):
            ir.DenseElementsAttr.get(wrong)


def test_splats(ir, ctx, loc):
    i32 = ir.IntegerType.get_signless(32)
    tensor = ir.RankedTensorType.get([2, 3], i32)
    seven = ir.IntegerAttr.get(i32, 7)
    made = ir.DenseElementsAttr.get_splat(tensor, seven)
    assert made.is_splat and made.get_splat_value() is seven and list(made) == [7] * 6
    shown = memoryview(made)
    assert shown.strides == (0, 0) and shown.tolist() == [[7] * 3] * 2
    # A consumer without support for strides gets the elements one by one.
    assert bytes(made) == struct.pack("6i", *[7] * 6) == shown.tobytes()
    one_for_all = ir.DenseElementsAttr.get(array.array("i", [7]), type=tensor)
    assert one_for_all is made
    plain = ir.DenseElementsAttr.get(array.array("i", [1, 2]))
    assert not plain.is_splat
    with pytest.raises(ValueError, match="get_splat_value called on a non-splat attribute"):
        plain.get_splat_value()


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("size", [1, 3, 8, 9, 64, 65])
def test_splats_of_truth_values(ir, ctx, loc, value, size):
    i1 = ir.IntegerType.get_signless(1)
    tensor = ir.RankedTensorType.get([size], i1)
    splat = ir.DenseElementsAttr.get_splat(tensor, ir.BoolAttr.get(value))
    assert memoryview(splat).tolist() == [value] * size
    assert bytes(splat) == bytes([value] * size)
    several = ir.DenseElementsAttr.get(shaped([value] * size, "?"))
    assert memoryview(several).tolist() == [value] * size
    assert [bool(one) for one in several] == [value] * size
    one = ir.DenseElementsAttr.get(shaped([value], "?"), shape=[size])
    assert memoryview(one).tolist() == [value] * size


def test_splats_that_do_not_fit(ir, ctx, loc):
    i32 = ir.IntegerType.get_signless(32)
    tensor = ir.RankedTensorType.get([2], i32)
    get = ir.DenseElementsAttr.get_splat
    with pytest.raises(ValueError, match="Illegal element type for DenseElementsAttr"):
        get(tensor, ir.UnitAttr.get())
    with pytest.raises(ValueError, match="Expected a static ShapedType"):
        get(i32, ir.IntegerAttr.get(i32, 1))
    with pytest.raises(ValueError, match="Shaped element type and attribute type must be equal"):
        get(tensor, ir.FloatAttr.get_f32(1))


def test_lists_of_attributes(ir, ctx, loc):
    i32 = ir.IntegerType.get_signless(32)
    numbers = [ir.IntegerAttr.get(i32, number) for number in (3, 1, 2, 4)]
    made = ir.DenseElementsAttr.get(numbers)
    assert str(made) == "dense<[3, 1, 2, 4]> : tensor<4xi32>"
    square = ir.RankedTensorType.get([2, 2], i32)
    for again in (
        ir.DenseElementsAttr.get(numbers, square),
        ir.DenseElementsAttr.get(attrs=numbers, type=square),
        ir.DenseElementsAttr.get(numbers, square, ctx),
    ):
        assert memoryview(again).tolist() == [[3, 1], [2, 4]]
    assert ir.DenseElementsAttr.get(numbers[:1], square).is_splat
    with pytest.raises(ValueError, match="Attributes list must be non-empty"):
        ir.DenseElementsAttr.get([])
    with pytest.raises(RuntimeError, match="Invalid attribute when attempting"):
        ir.DenseElementsAttr.get([*numbers, 5])
    with pytest.raises(ValueError, match="All attributes must be of the same type"):
        ir.DenseElementsAttr.get([*numbers, ir.FloatAttr.get_f32(1)])
    with pytest.raises(ValueError, match="3 attributes for a type with 4 elements"):
        ir.DenseElementsAttr.get(numbers[:3], square)
    with pytest.raises(ValueError, match="Expected a static ShapedType"):
        ir.DenseElementsAttr.get(numbers, i32)
    with pytest.raises(ir.MLIRError, match="invalid tensor element type"):
        ir.DenseElementsAttr.get([ir.StringAttr.get("x")])


def test_elements_by_place(ir, ctx):
    made = ir.DenseElementsAttr.get(array.array("i", [5, 6]))
    assert made[1] == 6 and type(made[0]) is int
    for wrong in (-3, 2):
        with pytest.raises(IndexError, match="attempt to access out of bounds element"):
            made[wrong]
    nibbles = ir.Attribute.parse("dense<[1, 2]> : tensor<2xi4>")
    with pytest.raises(TypeError, match="Unsupported integer type"):
        nibbles[0]
    brains = ir.Attribute.parse("dense<[1.0, 2.0]> : tensor<2xbf16>")
    with pytest.raises(TypeError, match="Unsupported floating-point type"):
        brains[0]


def test_elements_without_a_format_have_no_buffer(ir, ctx):
    for text in ("dense<[1.0]> : tensor<1xbf16>", "dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>"):
        parsed = ir.Attribute.parse(text)
        assert isinstance(parsed, ir.DenseElementsAttr)
        with pytest.raises(BufferError, match="unsupported data type"):
            memoryview(parsed)


def test_elements_cannot_be_written(ir, ctx):
    made = ir.DenseElementsAttr.get(array.array("i", [5, 6]))
    with pytest.raises(TypeError):
        memoryview(made)[0] = 1
    with pytest.raises((BufferError, TypeError)):
        (ctypes.c_int32 * 2).from_buffer(made)


class Memory(bytearray):
    """Memory whose end can be seen."""


def test_resources_keep_their_memory(ir, loc, ctx):
    tensor = ir.RankedTensorType.get([2], ir.IntegerType.get_signless(32))
    memory = Memory(struct.pack("2i", 5, 6))
    ended = weakref.ref(memory)
    made = ir.DenseResourceElementsAttr.get_from_buffer(memory, "from_python", tensor, 4)
    assert type(made) is ir.DenseResourceElementsAttr and made.type is tensor
    assert str(made) == "dense_resource<from_python> : tensor<2xi32>"
    # It is MLIR that has it.
    with pytest.raises(BufferError):
        memory.append(1)
    del memory
    gc.collect()
    assert ended() is not None
    module = ir.Module.parse("module {}")
    module.operation.attributes["data"] = made
    assert "0x040000000500000006000000" in str(module)


def test_resources_end_with_their_context(ir):
    with ir.Context() as context, ir.Location.unknown():
        tensor = ir.RankedTensorType.get([4], ir.IntegerType.get_signless(8))
        memory = Memory(b"abcd")
        ended = weakref.ref(memory)
        ir.DenseResourceElementsAttr.get_from_buffer(memory, "short", tensor)
    del memory, tensor, context
    gc.collect()
    assert ended() is None


def test_resources_that_cannot_be(ir, loc, ctx):
    i8 = ir.IntegerType.get_signless(8)
    tensor = ir.RankedTensorType.get([4], i8)
    get = ir.DenseResourceElementsAttr.get_from_buffer
    with pytest.raises(ValueError, match="requires a ShapedType"):
        get(b"abcd", "x", i8)
    with pytest.raises(ValueError, match="Contiguous buffer is required"):
        get(memoryview(b"abcdefgh")[::2], "x", tensor)
    with pytest.raises(ValueError, match="power of two"):
        get(b"abcd", "x", tensor, alignment=3)
    with pytest.raises(ValueError, match="written to"):
        get(b"abcd", "x", tensor, is_mutable=True)
    with pytest.raises(TypeError):
        get("abcd", "x", tensor)
    assert get(bytearray(b"abcd"), "x", tensor, is_mutable=True).type is tensor


def test_elements_need_no_other_package(root):
    code = f"""
import sys
from {root} import ir
with ir.Context():
    made = ir.DenseElementsAttr.get(memoryview(bytes([1, 0, 1])).cast("?"))
    assert memoryview(made).tolist() == [True, False, True]
assert "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# Text may have any shape, and MLIR multiplies sizes without a look at what that exceeds.
BEYOND = [
    'dense<"0x00010203"> : tensor<6148914691236517206x6xi8>',
    "dense<0> : tensor<9223372036854775807x2xi64>",
    "dense<0> : tensor<4611686018427387904xi64>",
    "dense<true> : tensor<4294967296x4294967296xi1>",
    "dense<1.0> : tensor<9223372036854775807x9223372036854775807xf32>",
]


@pytest.mark.parametrize("text", BEYOND)
def test_a_shape_beyond_memory_is_not_shown(ir, ctx, text):
    attr = ir.Attribute.parse(text)
    with pytest.raises(BufferError, match=r"does not fit into memory"):
        memoryview(attr)
    assert str(attr)


def test_the_length_of_a_shape_beyond_memory(ir, ctx):
    with pytest.raises(OverflowError):
        len(ir.Attribute.parse(BEYOND[1]))
    with pytest.raises(IndexError):
        ir.Attribute.parse(BEYOND[0])[6]


def test_an_empty_dimension_beside_great_ones(ir, ctx):
    text = "dense<> : tensor<4611686018427387904x4611686018427387904x0xi64>"
    view = memoryview(ir.Attribute.parse(text))
    assert view.nbytes == 0 and view.shape[2] == 0


def test_one_truth_value_for_many_takes_no_memory(ir, ctx):
    view = memoryview(ir.Attribute.parse("dense<true> : tensor<1099511627776xi1>"))
    assert view[1099511627775] is True and view.strides == (0,)
    assert bytes(memoryview(ir.Attribute.parse("dense<true> : tensor<3xi1>"))) == b"\1\1\1"
