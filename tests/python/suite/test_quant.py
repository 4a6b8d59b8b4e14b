"""The native part of `quant`."""

import math

import pytest


@pytest.fixture(scope="session")
def quant(dialect):
    return dialect("quant")


@pytest.fixture
def i8(ctx, ir):
    return ir.IntegerType.get_signless(8)


@pytest.fixture
def f32(ctx, ir):
    return ir.F32Type.get()


SIGNED = 1


def test_numbers_of_integers(quant):
    assert quant.QuantizedType.FLAG_SIGNED == SIGNED
    assert quant.QuantizedType.default_minimum_for_integer(True, 4) == -8
    assert quant.QuantizedType.default_maximum_for_integer(is_signed=False, integral_width=4) == 15
    for width in (0, 65):
        with pytest.raises(ValueError, match="from 1 to 64"):
            quant.QuantizedType.default_maximum_for_integer(True, width)


def test_any(ir, quant, i8, f32):
    made = quant.AnyQuantizedType.get(SIGNED, i8, f32, -100, 100)
    assert made is ir.Type.parse("!quant.any<i8<-100:100>:f32>")
    assert type(made) is quant.AnyQuantizedType and isinstance(made, quant.QuantizedType)
    assert made.storage_type == i8 and made.expressed_type == f32
    assert (made.storage_type_min, made.storage_type_max) == (-100, 100)
    assert made.storage_type_integral_width == 8 and made.is_signed and made.flags == SIGNED
    assert made.quantized_element_type is made
    assert ir.Type.parse("!quant.any<i8>").expressed_type is None


def test_uniform(ir, quant, i8, f32):
    made = quant.UniformQuantizedType.get(0, i8, f32, 1e-3, -7, 0, 255)
    assert str(made) == "!quant.uniform<u8:f32, 1.000000e-03:-7>"
    assert made.scale == 1e-3 and made.zero_point == -7 and not made.is_fixed_point
    assert quant.UniformQuantizedType.get(SIGNED, i8, f32, 2, 0, -8, 7).is_fixed_point
    # The text has fewer digits than the type.
    exact = quant.UniformQuantizedType.get(0, i8, f32, 1 / 3, 0, 0, 255)
    assert exact.scale == 1 / 3


def test_uniform_per_axis(ir, quant, i8, f32):
    made = quant.UniformQuantizedPerAxisType.get(
        SIGNED, i8, f32, [0.5, 20], [0, 3], quantized_dimension=1, storage_type_min=-128,
        storage_type_max=127,
    )  # fmt: skip
    assert made is ir.Type.parse("!quant.uniform<i8:f32:1, {0.5, 20.0:3}>")
    assert made.scales == [0.5, 20.0] and made.zero_points == [0, 3]
    assert made.quantized_dimension == 1 and not made.is_fixed_point


@pytest.mark.since_llvm(22, "LLVM 19 has no such type")
def test_sub_channels(ir, quant, i8, f32):
    scales = ir.DenseElementsAttr.get([ir.FloatAttr.get_f32(it) for it in (1.0, 2.0)])
    zeros = ir.DenseElementsAttr.get([ir.IntegerAttr.get(i8, it) for it in (3, 4)])
    kind = quant.UniformQuantizedSubChannelType

    def make(scales=scales, zeros=zeros, dimensions=(0,), sizes=(2,)):
        return kind.get(SIGNED, i8, f32, scales, zeros, dimensions, sizes, -128, 127)

    made = make()
    assert made == ir.Type.parse("!quant.uniform<i8:f32:{0:2}, {1.0:3, 2.0:4}>")
    assert made.scales == scales and made.zero_points == zeros
    assert made.quantized_dimensions == [0] and made.block_sizes == [2]
    for wrong, why in (
        ({"dimensions": [0, 1]}, "does not match"),
        ({"dimensions": [-1]}, "illegal quantized dimension: -1"),
        ({"sizes": [0]}, "illegal block size: 0"),
        ({"scales": zeros}, "match the expressed type"),
        ({"zeros": scales}, "match the storage type"),
        ({"scales": ir.UnitAttr.get()}, "scales must be a DenseElementsAttr"),
        ({"zeros": ir.DenseElementsAttr.get([ir.IntegerAttr.get(i8, 1)])}, "the shape of scales"),
    ):
        with pytest.raises(ValueError, match=why):
            make(**wrong)


def test_calibrated(ir, quant, f32):
    made = quant.CalibratedQuantizedType.get(f32, -0.25, 4)
    assert made == ir.Type.parse("!quant.calibrated<f32<-0.25:4.0>>")
    assert (made.min, made.max) == (-0.25, 4.0)
    # It stores nothing.
    assert made.storage_type is None
    with pytest.raises(ValueError, match="a calibrated type has no storage type"):
        _ = made.storage_type_integral_width
    with pytest.raises(TypeError, match="Invalid cast"):
        quant.QuantizedType.cast_to_storage_type(made)
    tensor = ir.RankedTensorType.get([2], made, loc=ir.Location.unknown())
    with pytest.raises(TypeError, match="Invalid cast"):
        quant.QuantizedType.cast_to_storage_type(tensor)
    with pytest.raises(TypeError, match="Invalid cast"):
        made.cast_expressed_to_storage_type(f32)


def test_casts(ir, quant, i8, f32):
    kind = quant.UniformQuantizedType.get(SIGNED, i8, f32, 0.5, 0, -128, 127)

    def tensor_of(element):
        return ir.RankedTensorType.get([4], element, loc=ir.Location.unknown())

    assert kind.is_compatible_expressed_type(f32)
    assert kind.is_compatible_expressed_type(tensor_of(f32))
    assert not kind.is_compatible_expressed_type(i8)
    assert kind.cast_from_storage_type(i8) is kind
    assert quant.QuantizedType.cast_to_storage_type(tensor_of(kind)) == tensor_of(i8)
    assert kind.cast_from_expressed_type(f32) is kind
    assert quant.QuantizedType.cast_to_expressed_type(tensor_of(kind)) == tensor_of(f32)
    assert kind.cast_expressed_to_storage_type(tensor_of(f32)) == tensor_of(i8)
    partly = ir.Type.parse("!quant.any<i8>")
    for cast in (
        lambda: kind.cast_from_storage_type(f32),
        lambda: quant.QuantizedType.cast_to_storage_type(i8),
        lambda: quant.QuantizedType.cast_to_storage_type(tensor_of(f32)),
        lambda: quant.QuantizedType.cast_to_expressed_type(partly),
        lambda: quant.QuantizedType.cast_to_expressed_type(tensor_of(partly)),
        lambda: kind.cast_expressed_to_storage_type(i8),
    ):
        with pytest.raises(TypeError, match="Invalid cast"):
            cast()
    with pytest.raises(ValueError, match="Cannot cast type to QuantizedType"):
        quant.QuantizedType(i8)


def test_what_there_is_no_type_for_is_an_error(ctx, ir, quant, i8, f32, llvm):
    def uniform(storage=i8, expressed=f32, scale=0.5, low=-128, high=127):
        return quant.UniformQuantizedType.get(SIGNED, storage, expressed, scale, 0, low, high)

    i64 = ir.IntegerType.get_signless(64)
    for wrong, why in (
        ({"storage": i64}, "illegal storage type size: 64"),
        ({"low": -129}, "illegal storage type minimum: -129"),
        ({"high": 128}, "illegal storage type maximum: 128"),
        # 19 takes it.
        *([({"scale": 1e39}, "out of expressed type range")] if llvm >= 22 else []),
        ({"scale": -1.0}, "scale"),
    ):
        with pytest.raises(ir.MLIRError, match=why):
            uniform(**wrong)
    for wrong, why in (
        ({"storage": f32}, "storage type must be integral"),
        ({"expressed": i8}, "expressed type must be floating point"),
        ({"scale": math.inf}, "inf is not a finite number"),
        ({"scale": math.nan}, "not a finite number"),
    ):
        with pytest.raises(ValueError, match=why):
            uniform(**wrong)
    per_axis = quant.UniformQuantizedPerAxisType
    with pytest.raises(ValueError, match="Mismatching number of scales and zero points"):
        per_axis.get(SIGNED, i8, f32, [1.0], [1, 2], 0, -128, 127)
    if llvm >= 22:  # 19 takes this, too.
        with pytest.raises(ir.MLIRError):
            per_axis.get(SIGNED, i8, f32, [1.0], [1], -1, -128, 127)
    with pytest.raises(ir.MLIRError, match="illegal min and max"):
        quant.CalibratedQuantizedType.get(f32, 1, 0)
    with pytest.raises(ValueError, match="expressed type must be floating point"):
        quant.CalibratedQuantizedType.get(i8, 0, 1)
    with pytest.raises(ValueError, match="another context"):
        uniform(expressed=ir.F32Type.get(context=ir.Context()))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("!quant.uniform<i8:f32, 0.5:", "unbalanced"),
        ("!quant.uniform<i8<300:400>:f32, 0.5>", "illegal storage type m"),
        ("!quant.uniform<i8:i32, 0.5>", "invalid kind of type"),
        ("!quant.uniform<i33:f32, 0.5>", "illegal storage type size: 33"),
        ("!quant.nothing<i8>", "unknown quantized type"),
    ],
)
def test_malformed_text(ctx, ir, text, why):
    with pytest.raises(ir.MLIRError, match=why):
        ir.Type.parse(text)
