"""The parts of opdsl that generators of others call."""

import pytest


@pytest.fixture(scope="module")
def matmul(module):
    names = {}
    exec(f"from {module('dialects.linalg.opdsl.lang').__name__} import *", names)
    source = """
@linalg_structured_op
def contracted(
    A=TensorDef(TV.T1, S.M, S.K),
    B=TensorDef(TV.T2, S.K, S.N),
    C=TensorDef(U, S.M, S.N, output=True),
    cast=TypeFnAttrDef(default=TypeFn.cast_signed),
):
    domain(D.m, D.n, D.k)
    C[D.m, D.n] += cast(U, A[D.m, D.k]) * cast(U, B[D.k, D.n])
"""
    exec(source, names)
    return names["contracted"].op_def


@pytest.fixture
def config(module, ctx, matmul):
    made = module("dialects.linalg.opdsl.lang.config").LinalgOpConfig
    return made.from_linalg_op_def(matmul, context=ctx)[0].structured_op


def test_prepare(ir, module, body, config):
    emitter = module("dialects.linalg.opdsl.lang.emitter")
    kinds = [ir.Type.parse(f"tensor<{sizes}xf32>") for sizes in ("4x8", "8x16", "4x16")]
    a, b, c = (ir.Operation.create("x.y", results=[kind]).result for kind in kinds)
    f32 = ir.F32Type.get()
    (
        operands,
        inputs,
        outputs,
        outs,
        result_types,
        type_mapping,
        maps,
        iterators,
        index_attrs,
        functions,
        argument_types,
    ) = emitter.prepare_common_structured_op(config, a, b, outs=[c])
    assert [it.name for it in operands] == ["A", "B", "C", "cast"]
    assert [it.name for it in inputs] == ["A", "B"]
    assert [it.name for it in outputs] == ["C"]
    assert list(outs) == [c] and result_types == [kinds[2]]
    assert type_mapping["T1"] == type_mapping["T2"] == type_mapping["U"] == f32
    assert [str(it) for it in maps] == [
        "affine_map<(d0, d1, d2) -> (d0, d2)>",
        "affine_map<(d0, d1, d2) -> (d2, d1)>",
        "affine_map<(d0, d1, d2) -> (d0, d1)>",
    ]
    assert [str(it) for it in iterators] == [
        f"#linalg.iterator_type<{kind}>" for kind in ("parallel", "parallel", "reduction")
    ]
    assert index_attrs == {}
    name, kind = functions["cast"]
    assert (name, kind.name) == ("cast_signed", "TYPE_FN_ATTR")
    assert argument_types == [f32] * 3


def test_helpers_of_the_emitter(ir, module, body, config):
    emitter = module("dialects.linalg.opdsl.lang.emitter")
    kind = ir.Type.parse("tensor<4x8xf32>")
    value = ir.Operation.create("x.y", results=[kind]).result
    assert emitter._get_types_from_values(value, value) == [kind, kind]
    assert emitter._get_operand_def_names(*config.ordered_operands) == ["A", "B", "C", "cast"]
    types, arguments = {}, []
    emitter._add_type_mapping(config.ordered_operands[0], kind, types, arguments)
    assert types == {"T1": ir.F32Type.get()} and arguments == [ir.F32Type.get()]
    assert emitter._is_bool_type(ir.IntegerType.get_signless(1))
    assert not emitter._is_bool_type(ir.IntegerType.get_signless(8))


def test_config(module, config, matmul):
    assert str(config._get_scalar_map()) == "(d0, d1, d2)[s0, s1, s2] -> ()"
    scalar = config._normalize_affine_map(config._get_scalar_map(), with_dims=False)
    assert str(scalar) == "()[s0, s1, s2] -> ()"
    uses = {repr(use): str(it.indexing_map) for use, it in config.uses.items()}
    assert uses["C[Dim(m), Dim(n)]"] == "(d0, d1, d2)[s0, s1, s2] -> (d0, d1)"
    [(use, value)] = config.writes
    config.add_tensor_use(use)
    assert len(config.uses) == 3
    assert [repr(dim) for dim in use._compute_reduce_dims(value)] == ["Dim(k)"]
    for operand in list(config.operands):
        config.add_operand(operand)
    assert len(config.operands) == 4


def test_known_names(module):
    affine = module("dialects.linalg.opdsl.lang.affine")
    types = module("dialects.linalg.opdsl.lang.types")
    assert affine.DimDef.ALL_DIMS["i"] is affine.D.i if affine.D.i else False
    assert affine.SymbolDef.ALL_SYMBOLS[affine.S.N.symname] is affine.S.N
    assert types.TypeVar.ALL_TYPEVARS["T"] is types.T


def test_classes_are_those_of_comprehension(module):
    comprehension = module("dialects.linalg.opdsl.lang.comprehension")
    for name in ("FunctionKind", "OperandKind", "TensorDef", "BinaryFn", "const"):
        assert getattr(comprehension, name).__module__ == comprehension.__name__


def test_yaml(module):
    yaml = module("dialects.linalg.opdsl.lang.yaml_helper")
    assert yaml.yaml_dump({"b": 1, "a": [1, 2]}) == "b: 1\na:\n- 1\n- 2\n"
    assert yaml.yaml_dump({"b": 1, "a": 2}, sort_keys=True) == "a: 2\nb: 1\n"
    assert yaml.yaml_dump_all([{"b": 1}], explicit_start=False) == "b: 1\n"
    assert yaml.yaml_dump_all([{"b": 1}, {"c": 2}]) == "---\nb: 1\n---\nc: 2\n"


def test_maps_are_optional(module):
    config = module("dialects.linalg.opdsl.lang.config")
    assert config.LinalgIndexingMapsConfig().static_indexing_maps is None
