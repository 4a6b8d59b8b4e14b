"""Helper functions of dialects' modules that generators of others call."""

import pytest


@pytest.fixture
def values(ir, module, body):
    """A constant of an integer, one of a float, and a value that is no constant."""
    arith = module("dialects.arith")
    index = ir.IndexType.get()
    return (
        arith.constant(index, 3),
        arith.constant(ir.F32Type.get(), 3.0),
        ir.Operation.create("x.y", results=[index]).result,
    )


def test_static_and_constant_integers(ir, module, values):
    memref = module("dialects.memref")
    constant, of_float, other = values
    dynamic = ir.ShapedType.get_dynamic_size()
    assert [memref._is_static_int_like(it) for it in (5, constant, dynamic, of_float, other)] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert [memref._is_constant_int_like(it) for it in (constant, 5, of_float, other)] == [
        True,
        False,
        False,
        False,
    ]


def test_generated_subview(ir, module, body):
    memref = module("dialects.memref")
    source = ir.Operation.create("x.y", results=[ir.Type.parse("memref<8xf32>")]).result
    result = ir.Type.parse("memref<4xf32, strided<[1]>>")
    view = memref._generated_subview(result, source, [], [], [], [0], [4], [1])
    assert view.owner.name == "memref.subview"


def test_index_fold_results(ir, module, values):
    scf = module("dialects.scf")
    constant, _, other = values
    dynamic = ir.ShapedType.get_dynamic_size()
    found, static = scf._dispatch_index_op_fold_results([constant.owner, 4, other])
    assert found == [constant, other]
    assert static == [dynamic, 4, dynamic]


def test_literals(module, values):
    gpu = module("dialects.gpu")
    constant, *_ = values
    assert gpu._convert_literal_to_constant(constant) == constant
    assert gpu._convert_literal_to_constant(5).owner.name == "arith.constant"
    with pytest.raises(ValueError, match="Invalid value: s"):
        gpu._convert_literal_to_constant("s")


def test_constants_of_other_modules(ir, module, body):
    for name in ("scf", "gpu"):
        made = module(f"dialects.{name}").constant(ir.IndexType.get(), 3)
        assert made.owner.name == "arith.constant"


def test_builders_of_dialects(ir, module, ctx):
    irdl, linalg, transform = (
        module(f"dialects.{name}") for name in ("irdl", "linalg", "transform")
    )
    kinds = [irdl.Variadicity.single, irdl.Variadicity.optional]
    made = [
        irdl._variadicity_array_attr(kinds, ctx),
        linalg._IteratorTypeArrayAttr([linalg.IteratorType.parallel], ctx),
        transform._paramOperandAttr(3, ctx),
    ]
    assert [str(each) for each in made] == [
        "#irdl<variadicity_array[ single,  optional]>",
        "[#linalg.iterator_type<parallel>]",
        "#transform.param_operand<index = 3 : i64>",
    ]


def test_matmul_like(ir, module, body):
    linalg, gen = module("dialects.linalg"), module("dialects._linalg_ops_gen")
    kind = ir.Type.parse("tensor<4x4xf32>")
    a, b, c = (ir.Operation.create("x.y", results=[kind]).result for _ in range(3))
    made = linalg._create_matmul_like_op(gen.MatmulOp, a, b, outs=[c])
    assert type(made).__name__ == "MatmulOp"
    assert len(made.regions[0].blocks) == 1


def test_unpacking(ir, module, body):
    unpack = module("dialects.transform.interpreter")._unpack_operation
    function = module("dialects.func").FuncOp("f", ([], []))
    for given in (body, body.operation, function, function.operation):
        assert type(unpack(given)) is ir.Operation
    with pytest.raises(AttributeError):
        unpack(3)
