"""The classes of the builtin types."""

import gc
import importlib
import weakref

import pytest

FORMATS = {
    "Float8E4M3FNType": ("f8E4M3FN", 8),
    "Float8E5M2Type": ("f8E5M2", 8),
    "Float8E4M3Type": ("f8E4M3", 8),
    "Float8E4M3FNUZType": ("f8E4M3FNUZ", 8),
    "Float8E4M3B11FNUZType": ("f8E4M3B11FNUZ", 8),
    "Float8E5M2FNUZType": ("f8E5M2FNUZ", 8),
    "BF16Type": ("bf16", 16),
    "F16Type": ("f16", 16),
    "FloatTF32Type": ("tf32", 19),
    "F32Type": ("f32", 32),
    "F64Type": ("f64", 64),
}
NEWER_FORMATS = {
    "Float4E2M1FNType": ("f4E2M1FN", 4),
    "Float6E2M3FNType": ("f6E2M3FN", 6),
    "Float6E3M2FNType": ("f6E3M2FN", 6),
    "Float8E3M4Type": ("f8E3M4", 8),
    "Float8E8M0FNUType": ("f8E8M0FNU", 8),
}


@pytest.fixture
def loc(ir, ctx):
    with ir.Location.unknown() as location:
        yield location


def test_integers_know_width_and_signedness(ir, ctx):
    integer = ir.IntegerType
    for made, text, name in [
        (integer.get_signless(8), "i8", "SIGNLESS"),
        (integer.get_signed(16), "si16", "SIGNED"),
        (integer.get_unsigned(128), "ui128", "UNSIGNED"),
        (integer.get(7), "i7", "SIGNLESS"),
        (integer.get(7, integer.SIGNED), "si7", "SIGNED"),
        (integer.get(width=7, signedness=integer.Signedness.UNSIGNED), "ui7", "UNSIGNED"),
    ]:
        assert str(made) == text
        assert made.width == int(text.lstrip("sui"))
        assert made.signedness is getattr(integer.Signedness, name)
        flags = (made.is_signless, made.is_signed, made.is_unsigned)
        assert flags.index(True) == ["SIGNLESS", "SIGNED", "UNSIGNED"].index(name)
        assert sum(flags) == 1


@pytest.mark.parametrize("width", [-1, 1 << 40, 1.5, "8", None])
def test_what_is_no_width_is_a_type_error(ir, ctx, width):
    with pytest.raises(TypeError, match="width"):
        ir.IntegerType.get_signless(width)


def test_widths_that_mlir_cannot_have_are_refused(ir, ctx):
    assert ir.IntegerType.get_signless((1 << 24) - 1).width == (1 << 24) - 1
    with pytest.raises(ValueError, match="16777215"):
        ir.IntegerType.get_signless(1 << 24)


def test_one_type_is_one_object(ir, ctx, loc):
    i32 = ir.IntegerType.get_signless(32)
    assert i32 is ir.IntegerType.get_signless(32)
    assert i32 is ir.Type.parse("i32")
    assert i32 is not ir.IntegerType.get_signed(32)
    tensor = ir.RankedTensorType.get([2, 3], i32)
    assert tensor is ir.RankedTensorType.get((2, 3), i32)
    assert tensor.element_type is i32
    assert {i32: 1}[ir.IntegerType.get(32)] == 1


def test_attributes_of_an_object_survive_it(ir, ctx):
    i9 = ir.IntegerType.get_signless(9)
    i9.note = ["mine"]
    address = id(i9)
    gone = weakref.ref(i9)
    del i9
    gc.collect()
    again = ir.IntegerType.get_signless(9)
    assert again.note == ["mine"]
    assert id(again) == address
    assert gone() is None or gone() is again


def test_a_weak_reference_does_not_keep_a_type(ir, ctx):
    called = []
    i11 = ir.IntegerType.get_signless(11)
    reference = weakref.ref(i11, called.append)
    assert reference() is i11
    del i11
    gc.collect()
    assert called == [reference]
    assert reference() is None


@pytest.mark.since_llvm(22, "LLVM 19 has no such formats")
def test_each_newer_format_has_a_class(ir, ctx):
    each_format_has_a_class(ir, NEWER_FORMATS)


@pytest.mark.before_llvm(22, "newer LLVMs have them")
def test_newer_formats_are_absent(ir, root):
    types = importlib.import_module(f"{root}.extras.types")
    for name, (text, _) in NEWER_FORMATS.items():
        assert not hasattr(ir, name) and not hasattr(types, text)


def test_each_floating_point_format_has_a_class(ir, ctx, llvm):
    # LLVM 19 counts the bits that TF32 is stored in.
    widths = {"FloatTF32Type": ("tf32", 32)} if llvm < 22 else {}
    each_format_has_a_class(ir, FORMATS | widths)


def each_format_has_a_class(ir, formats):
    for name, (text, width) in formats.items():
        cls = getattr(ir, name)
        made = cls.get()
        assert type(made) is cls
        assert isinstance(made, ir.FloatType)
        assert (str(made), made.width) == (text, width)
        assert ir.Type.parse(text) is made
        assert cls.type_name == f"builtin.{text}"
        assert cls.static_typeid == made.typeid
        assert repr(made) == f"{name}({text})"


def test_casts_test_what_they_cast(ir, ctx):
    i32, f32 = ir.IntegerType.get_signless(32), ir.F32Type.get()
    assert ir.IntegerType(i32) is i32
    assert ir.FloatType(f32) == f32
    assert ir.FloatType(f32).width == 32
    for cls in (ir.IntegerType, ir.ShapedType, ir.F64Type, ir.TupleType):
        with pytest.raises(ValueError, match=f"Cannot cast type to {cls.__name__}"):
            cls(f32)
    with pytest.raises(TypeError):
        ir.IntegerType(5)
    with pytest.raises(TypeError):
        ir.IntegerType()


def test_a_class_that_was_changed_is_noticed(ir, ctx):
    plain = ir.FloatType(ir.F32Type.get())
    try:
        plain.__class__ = ir.IntegerType
    except TypeError:
        return
    said = "the `__class__` of this object was set to .*IntegerType.*, which does not fit"
    with pytest.raises(TypeError, match=said):
        _ = plain.width


def test_kinds_without_a_typeid_say_so(ir, ctx):
    assert ir.IntegerType.static_typeid == ir.IntegerType.get_signless(3).typeid
    assert ir.IntegerType.static_typeid != ir.IndexType.static_typeid
    for cls in (ir.FloatType, ir.ShapedType):
        with pytest.raises(AttributeError, match=f"{cls.__name__} has no typeid"):
            _ = cls.static_typeid


def test_none_index_and_complex(ir, ctx):
    assert str(ir.NoneType.get()) == "none"
    assert str(ir.IndexType.get()) == "index"
    made = ir.ComplexType.get(ir.F32Type.get())
    assert str(made) == "complex<f32>"
    assert made.element_type is ir.F32Type.get()
    with pytest.raises(ValueError, match=r"invalid 'Type\(index\)' and expected floating point"):
        ir.ComplexType.get(ir.IndexType.get())


def test_shapes(ir, ctx, loc):
    dynamic = ir.ShapedType.get_dynamic_size()
    made = ir.RankedTensorType.get([4, dynamic], ir.F32Type.get())
    assert str(made) == "tensor<4x?xf32>"
    assert made.has_rank and made.rank == 2 and not made.has_static_shape
    assert made.shape == [4, dynamic]
    assert made.get_dim_size(0) == 4
    assert (made.is_dynamic_dim(0), made.is_dynamic_dim(1)) == (False, True)
    assert (made.is_static_dim(0), made.is_static_dim(dim=1)) == (True, False)
    assert ir.ShapedType.is_dynamic_size(dynamic) and ir.ShapedType.is_static_size(0)
    stride = ir.ShapedType.get_dynamic_stride_or_offset()
    assert made.is_dynamic_stride_or_offset(stride) and made.is_static_stride_or_offset(1)
    for dim in (-1, 2, 1 << 60):
        for ask in (made.get_dim_size, made.is_dynamic_dim, made.is_static_dim):
            with pytest.raises(IndexError, match="rank of 2"):
                ask(dim)


def test_unranked_types_have_no_shape(ir, ctx, loc):
    made = ir.UnrankedTensorType.get(ir.F32Type.get())
    assert str(made) == "tensor<*xf32>" and not made.has_rank
    for ask in (lambda: made.rank, lambda: made.shape, lambda: made.get_dim_size(0)):
        with pytest.raises(ValueError, match="requires that the type has a rank"):
            ask()
    space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 3)
    memref = ir.UnrankedMemRefType.get(ir.F32Type.get(), space)
    assert str(memref) == "memref<*xf32, 3 : i32>" and memref.memory_space is space
    assert ir.UnrankedMemRefType.get(ir.F32Type.get(), None).memory_space is None


def test_tensors(ir, ctx, loc):
    f32 = ir.F32Type.get()
    assert ir.RankedTensorType.get([], f32).rank == 0
    assert ir.RankedTensorType.get(range(1, 9), f32).shape == list(range(1, 9))
    encoding = ir.StringAttr.get("sparse")
    made = ir.RankedTensorType.get([2], f32, encoding)
    assert made.encoding is encoding
    assert ir.RankedTensorType.get([2], f32).encoding is None
    assert ir.RankedTensorType.get_unchecked([2], f32) is ir.RankedTensorType.get([2], f32)
    for shape, element in [([-7], f32), ([2], ir.NoneType.get())]:
        for get in (ir.RankedTensorType.get, ir.RankedTensorType.get_unchecked):
            with pytest.raises(ir.MLIRError, match="Invalid type"):
                get(shape, element)
    for shape in (5, "23", [2, None], [1.5], None):
        with pytest.raises(TypeError):
            ir.RankedTensorType.get(shape, f32)


def test_types_that_are_checked_need_a_location(ir, ctx):
    with pytest.raises(RuntimeError, match="requires a Location"):
        ir.RankedTensorType.get([2], ir.F32Type.get())
    assert ir.RankedTensorType.get([2], ir.F32Type.get(), loc=ir.Location.unknown()).rank == 1


def test_types_need_a_context(ir):
    with pytest.raises(RuntimeError, match="requires a Context"):
        ir.IntegerType.get_signless(32)
    context = ir.Context()
    assert ir.IntegerType.get_signless(32, context).context is context


def test_contexts_are_not_mixed(ir, ctx, loc):
    other = ir.F32Type.get(ir.Context())
    with pytest.raises(ValueError, match="another context"):
        ir.RankedTensorType.get([2], other)
    with pytest.raises(ValueError, match="another context"):
        ir.FunctionType.get([other], [])
    with pytest.raises(ValueError, match="another context"):
        ir.TupleType.get_tuple([other])


def test_vectors(ir, ctx, loc):
    f32 = ir.F32Type.get()
    made = ir.VectorType.get([2, 3], f32, scalable=[False, True])
    assert str(made) == "vector<2x[3]xf32>"
    assert made.scalable and made.scalable_dims == [False, True]
    assert ir.VectorType.get([2, 3], f32, scalable_dims=[1]) is made
    assert ir.VectorType.get_unchecked([2, 3], f32, scalable_dims=[1]) is made
    assert not ir.VectorType.get([2, 3], f32).scalable
    for wrong, text in [
        ({"scalable": [True]}, "len"),
        ({"scalable_dims": [2]}, "out of bounds"),
        ({"scalable_dims": [-1]}, "out of bounds"),
        ({"scalable": [True, True], "scalable_dims": [0]}, "mutually exclusive"),
    ]:
        with pytest.raises(ValueError, match=text):
            ir.VectorType.get([2, 3], f32, **wrong)
    with pytest.raises(ir.MLIRError, match="vector types must have positive constant sizes"):
        ir.VectorType.get([0], f32)


def test_memrefs(ir, ctx, loc):
    f32 = ir.F32Type.get()
    plain = ir.MemRefType.get([2, 3], f32)
    assert plain.get_strides_and_offset() == ([3, 1], 0)
    assert plain.affine_map == ir.AffineMap.get_identity(2)
    assert plain.memory_space is None
    layout = ir.StridedLayoutAttr.get(5, [10, 1])
    space = ir.StringAttr.get("fast")
    made = ir.MemRefType.get((2, 3), f32, layout, space)
    assert str(made) == 'memref<2x3xf32, strided<[10, 1], offset: 5>, "fast">'
    assert made.layout is layout and made.memory_space is space
    assert made.get_strides_and_offset() == ([10, 1], 5)
    assert ir.MemRefType.get_unchecked((2, 3), f32, layout, space) is made
    for shape, wrong in [([2, 3], ir.StringAttr.get("x")), ([2], layout), ([-5], None)]:
        with pytest.raises(ir.MLIRError, match="Invalid type"):
            ir.MemRefType.get(shape, f32, wrong)


def test_layouts_that_are_no_strides(ir, ctx, loc):
    d0 = ir.AffineDimExpr.get(0)
    layout = ir.AffineMapAttr.get(ir.AffineMap.get(1, 0, [d0 % 4]))
    made = ir.MemRefType.get([8], ir.F32Type.get(), layout)
    assert made.affine_map == layout.value
    with pytest.raises(RuntimeError, match="Failed to extract strides"):
        made.get_strides_and_offset()


def test_tuples_and_functions(ir, ctx):
    i32, f32 = ir.IntegerType.get_signless(32), ir.F32Type.get()
    pair = ir.TupleType.get_tuple((i32, f32))
    assert pair.num_types == 2 and pair.get_type(1) is f32
    for pos in (-1, 2):
        with pytest.raises(IndexError):
            pair.get_type(pos)
    assert ir.TupleType.get_tuple([]).num_types == 0
    function = ir.FunctionType.get(inputs=[i32, pair], results=[f32])
    assert function.inputs == [i32, pair] and function.results == [f32]
    for wrong in ([None], [5], None):
        with pytest.raises(TypeError):
            ir.FunctionType.get([i32], wrong)


def test_opaque_types(ir, ctx):
    made = ir.OpaqueType.get("nobody", "thing<3>")
    assert str(made) == "!nobody.thing<3>"
    assert (made.dialect_namespace, made.data) == ("nobody", "thing<3>")
