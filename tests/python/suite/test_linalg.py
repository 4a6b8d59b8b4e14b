"""The linalg dialect: named operations, bodies, and what kind of operation one is."""

import importlib

import pytest


@pytest.fixture(scope="session")
def linalg(dialect):
    return dialect("linalg")


@pytest.fixture
def tensors(ir):
    """Makes tensors out of nothing, of a shape and an element type's text."""

    def tensors(*shapes, of="f32"):
        types = [
            ir.Type.parse(f"tensor<{''.join(f'{size}x' for size in shape)}{of}>")
            for shape in shapes
        ]
        cast = ir.Operation.create("builtin.unrealized_conversion_cast", results=types)
        return list(cast.results)

    return tensors


def test_products(here, ir, linalg, tensors, text, llvm):
    a, b, c = tensors((4, 8), (8, 2), (4, 2))
    product = linalg.matmul(a, b, outs=[c])
    assert product.type == c.type and type(product.owner) is linalg.MatmulOp
    unsigned = linalg.matmul(a, b, outs=[product], cast=linalg.TypeFn.cast_unsigned)
    same = unsigned
    if llvm >= 22:  # 19 has no contraction in general.
        d0, d1, d2 = (ir.AffineDimExpr.get(at) for at in range(3))
        maps = [ir.AffineMap.get(3, 0, dims) for dims in ([d0, d2], [d2, d1], [d0, d1])]
        same = linalg.contract(a, b, outs=[unsigned], indexing_maps=maps)
    batch = linalg.batch_matmul(*tensors((3, 4, 8), (3, 8, 2)), outs=tensors((3, 4, 2)))
    reduced = linalg.batch_reduce_matmul(*tensors((3, 4, 8), (3, 8, 2)), outs=[same])
    assert batch.type.rank == 3 and reduced.type.rank == 2
    body = same.owner.regions[0].blocks[0]
    assert [op.name for op in body.operations] == ["arith.mulf", "arith.addf", "linalg.yield"]
    with pytest.raises(ValueError, match="must have length 1"):
        linalg.matmul(a, b, outs=[c, c])
    printed = text(here)
    assert ("linalg.contract indexing_maps" in printed) == (llvm >= 22)
    assert "cast = #linalg.type_fn<cast_unsigned>" in printed


def test_on_memrefs_there_is_no_result(here, ir, linalg, text):
    kinds = [ir.Type.parse(f"memref<{shape}xf32>") for shape in ("4x8", "8x2", "4x2")]
    cast = ir.Operation.create("builtin.unrealized_conversion_cast", results=kinds)
    a, b, c = cast.results
    assert isinstance(linalg.matmul(a, b, outs=[c]), ir.Operation)
    linalg.transpose(a, outs=[cast.results[0]], permutation=[0, 1])
    text(here)


def test_shapes_are_changed(here, ir, linalg, tensors, text):
    a, turned, wider = tensors((4, 8), (8, 4), (4, 3, 8))
    assert linalg.transpose(a, outs=[turned], permutation=[1, 0]).results[0].type == turned.type
    linalg.broadcast(a, outs=[wider], dimensions=[1])
    text(here)


@pytest.mark.since_llvm(22, "LLVM 19 has them in the dialect `tensor`")
def test_tiles(here, linalg, tensors, text):
    (a,) = tensors((4, 8))
    packed = linalg.pack(a, *tensors((2, 4, 2, 2)), inner_dims_pos=[0, 1], inner_tiles=[2, 2])
    linalg.unpack(packed, a, inner_dims_pos=[0, 1], inner_tiles=[2, 2])
    assert "inner_dims_pos = [0, 1] inner_tiles = [2, 2]" in text(here)


@pytest.mark.since_llvm(22, "LLVM 19 has no such operation")
def test_elementwise(here, ir, linalg, tensors, text):
    a, b = tensors((4, 8), (4, 8))
    kinds = linalg.ElementwiseKind
    total = linalg.elementwise(a, b, outs=[b], kind=kinds.add)
    assert linalg.elementwise(total, outs=[b], kind=kinds.exp).type == b.type
    assert linalg.get_indexing_maps(total.owner)[0] == ir.AffineMapAttr.get(
        ir.AffineMap.get_identity(2)
    )
    with pytest.raises(AssertionError, match="need indexing maps"):
        linalg.elementwise(a, *tensors((8,)), outs=[b], kind=kinds.mul)
    text(here)


def test_a_body_in_python(here, ir, linalg, arith, tensors, text, llvm):
    a, b = tensors((4, 8), (4,))
    rows = ir.AffineMap.get(2, 0, [ir.AffineDimExpr.get(0)])
    maps = [ir.AffineMap.get_identity(2), rows]
    kinds = [linalg.IteratorType.parallel, linalg.IteratorType.reduction]

    @linalg.generic([a], [b], maps, kinds)
    def summed(element, total):
        assert element.type == total.type == ir.F32Type.get()
        return arith.addf(element, total)

    def twice(element: ir.F32Type.get(), _: ir.F32Type.get()):
        return arith.addf(element, element)

    def twice_in_19(element: ir.F32Type.get()):
        return arith.addf(element, element)

    # The output's element is an argument of newer LLVMs' bodies.
    mapped = linalg.map(result=[a.type], inputs=[a], init=a)
    doubled = mapped(twice if llvm >= 22 else twice_in_19)

    @linalg.reduce(result=[b.type], inputs=[doubled], inits=[summed], dimensions=[1])
    def greatest(element: ir.F32Type.get(), last: ir.F32Type.get()):
        return arith.maximumf(element, last)

    assert greatest.type == b.type
    assert 'iterator_types = ["parallel", "reduction"]' in text(here)


@pytest.mark.since_llvm(22, "LLVM 19's C API has no such questions")
def test_contractions_are_told_apart(here, ir, linalg, arith, tensors):
    a, b, c = tensors((4, 8), (8, 2), (4, 2))
    product = linalg.matmul(a, b, outs=[c]).owner
    total = linalg.add(c, c, outs=[c]).owner
    assert linalg.isa_contraction_op(product) and not linalg.isa_contraction_op(total)
    loops = linalg.infer_contraction_dimensions(product)
    assert [list(part) for part in (loops.batch, loops.m, loops.n, loops.k)] == [[], [0], [1], [2]]
    assert isinstance(loops.m, ir.DenseI32ArrayAttr)
    filled = linalg.fill(arith.ConstantOp(ir.F32Type.get(), 0.0), outs=[c]).owner
    assert linalg.infer_contraction_dimensions(filled) is None
    maps = [each.value for each in linalg.get_indexing_maps(product)]
    assert list(linalg.infer_contraction_dimensions_from_maps(maps).k) == [2]
    assert linalg.infer_contraction_dimensions_from_maps(maps[:2]) is None
    assert linalg.infer_contraction_dimensions_from_maps([]) is None
    odd = [*maps[:2], ir.AffineMap.get_identity(2)]
    assert linalg.infer_contraction_dimensions_from_maps(odd) is None
    with pytest.raises(TypeError, match="sequence of AffineMap"):
        linalg.infer_contraction_dimensions_from_maps([3])
    module = here.operation
    assert not linalg.isa_contraction_op(module) and linalg.get_indexing_maps(module) is None


@pytest.mark.since_llvm(22, "LLVM 19's C API has no such questions")
def test_convolutions_are_told_apart(here, ir, linalg, tensors):
    image, kernel, out = tensors((1, 9, 9, 3), (3, 3, 3, 5), (1, 3, 3, 5))
    op = linalg.conv_2d_nhwc_hwcf(image, kernel, outs=[out], strides=[2, 2], dilations=[2, 2]).owner
    assert linalg.isa_convolution_op(op) and not linalg.isa_contraction_op(op)
    found = linalg.infer_convolution_dimensions(op)
    parts = ("batch", "output_image", "output_channel", "filter_loop", "input_channel", "depth")
    assert [list(getattr(found, part)) for part in parts] == [[0], [1, 2], [3], [4, 5], [6], []]
    assert list(found.strides) == list(found.dilations) == [2, 2]
    assert linalg.infer_convolution_dimensions(here.operation) is None
    assert not linalg.isa_convolution_op(here.operation)


@pytest.mark.since_llvm(22, "LLVM 19's C API has no such questions")
def test_what_is_not_valid_is_not_asked_about(here, ir, linalg, tensors):
    a, b, c = tensors((4, 8), (8, 2), (4, 2))
    op = linalg.MatmulOp([c.type], [a, b], [c]).operation
    for ask in (linalg.isa_contraction_op, linalg.infer_convolution_dimensions):
        with pytest.raises(ir.MLIRError, match="The operation is not valid"):
            ask(op)
    linalg.fill_builtin_region(op)
    assert linalg.isa_contraction_op(op)
    with pytest.raises(ValueError, match="has a body already"):
        linalg.fill_builtin_region(op)


@pytest.mark.parametrize(
    ("name", "operands", "reason"),
    [
        ("exp", ["i32", "i32"], "not defined for elements"),
        ("exp", ["f32", "f32", "f32"], "has 3 operands, but its body is one for 2"),
        ("add", ["f32", "i32", "f32"], "not defined for elements"),
        ("add", ["index", "index", "index"], "not defined for elements"),
        ("sub", ["i1", "i1", "i1"], "not defined for elements"),
        ("max", ["complex<f32>"] * 3, "not defined for elements"),
        ("div_unsigned", ["f32"] * 3, "not defined for elements"),
        ("powf", ["i32"] * 3, "not defined for elements"),
        ("select", ["i8", "f32", "f32", "f32"], "not defined for elements"),
        ("dot", ["complex<f32>", "f32", "f32"], "not defined for elements"),
        ("dot", ["f32", "f32", "index"], "not defined for elements"),
        ("quantized_matmul", ["i8", "i8", "i32", "i32", "i1"], "not defined for elements"),
        ("pooling_nhwc_max", ["f32", "f32", "complex<f32>"], "not defined for elements"),
        ("generic", ["f32", "f32"], "whose body is known"),
        ("softmax", ["f32", "f32"], "whose body is known"),
        ("no_such_thing", ["f32"], "whose body is known"),
    ],
)
def test_a_body_that_mlir_could_not_build(here, ctx, ir, linalg, tensors, name, operands, reason):
    """MLIR takes for granted what it is given, and would go on with nothing."""
    ctx.allow_unregistered_dialects = True
    values = [tensors((4,), of=kind)[0] for kind in operands]
    sizes = ir.DenseI32ArrayAttr.get([len(values) - 1, 1])
    op = ir.Operation.create(
        f"linalg.{name}",
        operands=values,
        attributes={"operandSegmentSizes": sizes},
        regions=1,
    )
    with pytest.raises(ValueError, match=reason):
        linalg.fill_builtin_region(op)
    assert len(op.regions[0].blocks) == 0


@pytest.mark.before_llvm(22, "newer LLVMs have `elementwise` instead")
def test_functions_with_conversions(here, ir, linalg, tensors, text):
    (a,), (number,) = tensors((4,)), tensors((4,), of="i32")
    square = ir.Attribute.parse("#linalg.unary_fn<square>")
    linalg.elemwise_unary([a.type], [number], [a], fun=square)
    linalg.elemwise_binary([a.type], [a, number], [a])
    for op in here.body.operations:
        if op.operation.name.startswith("linalg."):
            linalg.fill_builtin_region(op.operation)
    names = [op.name for it in here.body for r in it.regions for b in r for op in b]
    assert names.count("arith.sitofp") == 2 and {"arith.mulf", "arith.addf"} < {*names}
    text(here)
    wrong = linalg.ElemwiseUnaryOp([], [number], [number])
    with pytest.raises(ValueError, match="not defined for elements"):
        linalg.fill_builtin_region(wrong.operation)


def test_every_named_operation_has_a_body(here, ir, linalg, dialect):
    """Those that have one region, but for those whose body is written by whoever makes one."""
    generated = dialect("_linalg_ops_gen")
    own_body = {"linalg.generic", "linalg.map", "linalg.reduce"}
    names = {
        cls.OPERATION_NAME
        for cls in vars(generated).values()
        if getattr(cls, "_ODS_REGIONS", None) == (1, True)
    }
    assert len(names) > 80 and own_body < names
    for name in sorted(names - own_body):
        op = ir.Operation.create(name, regions=1)
        # The number of operands is the next thing that is looked at.
        reason = "has 0 operands" if name != "linalg.elementwise" else "body is known"
        with pytest.raises(ValueError, match=reason):
            linalg.fill_builtin_region(op)


def test_the_passes_are_known(root, here, passmanager):
    importlib.import_module(f"{root}.dialects.linalg.passes")
    passmanager.PassManager.parse("builtin.module(func.func(convert-linalg-to-loops))")


def test_other_packages_are_imported_when_something_needs_them(python, root):
    out = python(
        f"import sys; import {root}.dialects.linalg; "
        "print([n for n in ('numpy', 'yaml') if n in sys.modules])"
    )
    assert out.stdout == "[]\n"
