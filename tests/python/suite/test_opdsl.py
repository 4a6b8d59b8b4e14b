"""linalg's language for structured operations."""

import collections
import importlib
import itertools
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def lang(dialect):
    return dialect("linalg.opdsl.lang")


@pytest.fixture(scope="session")
def linalg(dialect):
    return dialect("linalg")


@pytest.fixture(scope="session")
def affine_sum(lang):
    """An operation that MLIR does not have: a weighted sum of rows, with a stride."""
    D, S, TV = lang.D, lang.S, lang.TV

    @lang.linalg_structured_op
    def affine_sum(
        rows=lang.TensorDef(TV.In, S.M * S.Step, S.N),
        weight=lang.ScalarDef(TV.Out),
        sums=lang.TensorDef(TV.Out, S.M, output=True),
        combine=lang.BinaryFnAttrDef(default=lang.BinaryFn.mul),
        cast=lang.TypeFnAttrDef(default=lang.TypeFn.cast_signed),
        steps=lang.IndexAttrDef(S.Step, default=[1]),
    ):
        """Adds up each row."""
        lang.domain(D.m, D.n)
        sums[D.m] += combine(cast(TV.Out, rows[D.m * S.Step, D.n]), weight)

    return affine_sum


@pytest.fixture
def built(here, ir, func, text):
    """Builds an operation in a function with operands of these types, and gives the text."""

    names = itertools.count()

    def built(op, *types, **attributes):
        kinds = [ir.Type.parse(kind) for kind in types]

        @func.FuncOp.from_py_func(*kinds, name=f"f{next(names)}")
        def f(*operands):
            return op(*operands[:-1], outs=[operands[-1]], **attributes)

        assert text(here)
        return str(f.func_op)

    return built


def test_names_are_unique(lang):
    assert lang.D.a is lang.DimDef("a") is not lang.D.b
    assert lang.S.a is lang.SymbolDef("a") is not lang.D.a
    assert lang.TV.a is lang.TypeVar("a") and repr(lang.TV.a) == "TypeVar(a)"
    assert lang.T is lang.TV.T and lang.I32 is lang.TV.I32
    assert (
        repr(lang.D.i + lang.S.x * 2) == "AffineAddExpr(Dim(i), AffineMulExpr(Symbol(x), Const(2)))"
    )


def test_affine_expressions_get_positions(ir, lang):
    outer = lang.AffineBuildState()
    with ir.Context():
        assert (
            str((lang.D.i // 2 + lang.S.n % lang.S.m).build(outer)) == "d0 floordiv 2 + s0 mod s1"
        )
        inner = lang.AffineBuildState(global_state=outer, allow_new_symbols=False)
        assert str((lang.D.j / lang.S.m).build(inner)) == "d1 ceildiv s1"
        with pytest.raises(ValueError, match="New symbols not allowed.*'k'"):
            lang.S.k.build(inner)
        closed = lang.AffineBuildState(global_state=outer, allow_new_dims=False)
        with pytest.raises(ValueError, match="New dimensions not allowed.*'z'"):
            lang.D.z.build(closed)
    assert (outer.dim_count, outer.symbol_count) == (2, 2)
    assert (inner.local_dim_count, inner.local_symbol_count) == (1, 1)


def test_maps_and_iterators_follow(lang, dialect, affine_sum):
    config = dialect("linalg.opdsl.lang.config")
    (worked_out,) = config.LinalgOpConfig.from_linalg_op_def(affine_sum.op_def)
    op = worked_out.structured_op
    assert op.iterator_types == ["parallel", "reduction"]
    assert [str(each) for each in op.indexing_maps] == [
        "(d0, d1)[s0, s1, s2] -> (d0 * s1, d1)",
        "(d0, d1)[s0, s1, s2] -> ()",
        "(d0, d1)[s0, s1, s2] -> (d0)",
    ]
    assert op.ordered_dims == [("m", 0), ("n", 1)]
    assert "LinalgGenericOpConfig(reduction_dims=(Dim(n),)" in repr(worked_out)


def test_a_generic_operation_is_built(built, affine_sum, lang):
    types = ("tensor<8x4xi8>", "f32", "tensor<4xf32>")
    printed = built(affine_sum, *types, steps=[2])
    assert "(d0, d1) -> (d0 * 2, d1)" in printed
    assert 'iterator_types = ["parallel", "reduction"]' in printed
    assert "arith.sitofp %in : i8 to f32" in printed and "arith.mulf %" in printed
    printed = built(
        affine_sum, *types, steps=[2], combine=lang.BinaryFn.powf, cast=lang.TypeFn.cast_unsigned
    )
    assert "arith.uitofp %in : i8 to f32" in printed and "math.powf %" in printed


def test_a_named_operation_is_built(built, linalg):
    image, kernel, out = "tensor<1x9x4xf32>", "tensor<3x4x5xf32>", "tensor<1x4x5xf32>"
    named = built(linalg.conv_1d_nwc_wcf, image, kernel, out, strides=[2])
    assert "linalg.conv_1d_nwc_wcf {" in named and "strides = dense<2> : tensor<1xi64>" in named
    generic = built(linalg.conv_1d_nwc_wcf, image, kernel, out, strides=[2], emit_generic=True)
    assert "(d0, d1 * 2 + d3, d4)" in generic and "linalg.generic" in generic


@pytest.mark.parametrize(
    ("name", "kinds", "operation"),
    [
        ("exp", "f32", "math.exp"),
        ("negf", "complex<f32>", "complex.neg"),
        ("reciprocal", "f32", "arith.divf %cst"),
        ("square", "f32", "arith.mulf %in, %in"),
        ("rsqrt", "f32", "math.rsqrt"),
        ("round", "f32", "math.round"),
    ],
)
def test_functions_of_one_number(built, linalg, name, kinds, operation):
    of = f"tensor<4x{kinds}>"
    assert operation in built(getattr(linalg, name), of, of, emit_generic=True)


@pytest.mark.parametrize(
    ("name", "kinds", "operation"),
    [
        ("add", "index", "arith.addi"),
        ("sub", "complex<f32>", "complex.sub"),
        ("div", "i8", "arith.divsi"),
        ("div_unsigned", "i8", "arith.divui"),
        ("max", "f32", "arith.maximumf"),
        ("min", "i8", "arith.minsi"),
    ],
)
def test_functions_of_two_numbers(built, linalg, name, kinds, operation):
    of = f"tensor<4x{kinds}>"
    assert operation in built(getattr(linalg, name), of, of, of, emit_generic=True)


def test_more_functions(built, linalg):
    kinds = ("tensor<4xi1>", "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>")
    assert "arith.select" in built(linalg.select, *kinds, emit_generic=True)
    printed = built(linalg.fill_rng_2d, "f64", "f64", "i32", "tensor<2x3xf32>", emit_generic=True)
    assert printed.count("linalg.index") == 2 and "arith.truncf %" in printed
    printed = built(linalg.fill, "f32", "tensor<2x3xf32>", emit_generic=True)
    assert "(d0, d1) -> ()" in printed


@pytest.mark.parametrize(
    ("kinds", "attributes", "error", "reason"),
    [
        (["tensor<4xf32>"], {}, ValueError, "Expected 2 inputs but got 0"),
        (["tensor<8x4xi8>", "f32", "f32"], {}, ValueError, "Expected ShapedType but got f32"),
        (["tensor<8x4xi8>", "f64", "tensor<4xf32>"], {}, ValueError, "overwrite type mapping Out"),
        (["tensor<8x4xindex>", "f32", "tensor<4xf32>"], {}, ValueError, "Unable to cast"),
        (["tensor<8x4xi8>", "f32", "tensor<4xf32>"], {"steps": [1, 2]}, ValueError, "has length 1"),
        (["tensor<8x4xi8>", "f32", "tensor<4xf32>"], {"steps": ["a"]}, ValueError, "Sequence.int"),
        (["tensor<8x4xi8>", "f32", "tensor<4xf32>"], {"cast": "x"}, ValueError, "TypeFnType"),
        (["tensor<8x4xi8>", "f32", "tensor<4xf32>"], {"emit_generic": 1}, ValueError, "type bool"),
    ],
)
def test_what_cannot_be_built(built, affine_sum, kinds, attributes, error, reason):
    with pytest.raises(error, match=reason):
        built(affine_sum, *kinds, **attributes)


def test_functions_that_numbers_do_not_have(built, affine_sum, lang):
    kinds = ("tensor<8x4xi1>", "i1", "tensor<4xi1>")
    for function in (lang.BinaryFn.max_unsigned, lang.BinaryFn.powf):
        with pytest.raises(NotImplementedError, match=f"Unsupported '{function}' operands"):
            built(affine_sum, *kinds, combine=function)


def test_what_is_no_definition(lang):
    D, S, T, U = lang.D, lang.S, lang.T, lang.U
    define = lang.linalg_structured_op

    def worked_out(op):
        return lang.LinalgOpConfig.from_linalg_op_def(op.op_def)

    with pytest.raises(ValueError, match="parameters must be defaulted"):
        define(lambda x=3: None)
    with pytest.raises(ValueError, match="Input b registered after an output"):

        @define
        def wrong_order(a=lang.TensorDef(T, output=True), b=lang.TensorDef(T)): ...

    with pytest.raises(ValueError, match="conflicts with a structured op method name"):

        @define
        def bad_name(inputs=lang.IndexAttrDef(S.A, default=[1])): ...

    with pytest.raises(ValueError, match="none is set"):
        lang.domain(D.m)
    with pytest.raises(ValueError, match="requires default of type UnaryFnType"):
        lang.UnaryFnAttrDef(default=lang.BinaryFn.add)

    @define
    def wrong_domain(a=lang.TensorDef(T, S.M), b=lang.TensorDef(U, S.M, output=True)):
        lang.domain(D.m, D.z)
        b[D.m] = a[D.m]

    with pytest.raises(ValueError, match="to match the set of dimension"):
        worked_out(wrong_domain)

    @define
    def two_ways(a=lang.TensorDef(T, S.M, S.M), b=lang.TensorDef(T, S.M, S.M, output=True)):
        b[D.m, D.n] = a[D.m, D.n] + a[D.n, D.m]

    with pytest.raises(ValueError, match="multi-read of a tensor with different accesses"):
        worked_out(two_ways)

    @define
    def unused(a=lang.TensorDef(T, S.M), b=lang.TensorDef(T, S.M, output=True)):
        b[D.m] = lang.const(1.0)

    with pytest.raises(ValueError, match="Failed to compute an indexing map for operand a"):
        worked_out(unused)


DEFINITION = """
from ROOT.dialects.linalg.opdsl.lang import *

@linalg_structured_op(op_class_name="TripleIt")
def triple(I=TensorDef(T, S.N), O=TensorDef(T, S.N, output=True)):
    '''Three times: it.'''
    implements(FillOpInterface)
    O[D.n] = I[D.n] * TypeFn.cast_signed(T, const(3)) + TypeFn.cast_signed(T, index(D.n))
"""
DUMPED = """--- !LinalgOpConfig
metadata: !LinalgOpMetadata
  name: triple
  cpp_class_name: TripleIt
  doc: 'Three times: it.'
  implements:
  - LinalgFillOpInterface
structured_op: !LinalgStructuredOpConfig
  args:
  - !LinalgOperandDefConfig
    name: I
    kind: input_tensor
    type_var: T
    shape_map: affine_map<()[s0] -> (s0)>
  - !LinalgOperandDefConfig
    name: O
    kind: output_tensor
    type_var: T
    shape_map: affine_map<()[s0] -> (s0)>
  indexing_maps: !LinalgIndexingMapsConfig
    static_indexing_maps:
    - affine_map<(d0)[s0] -> (d0)>
    - affine_map<(d0)[s0] -> (d0)>
  iterator_types:
  - parallel
  assignments:
  - !ScalarAssign
    arg: O
    value: !ScalarExpression
      scalar_fn:
        kind: binary
        fn_name: add
        operands:
        - !ScalarExpression
          scalar_fn:
            kind: binary
            fn_name: mul
            operands:
            - !ScalarExpression
              scalar_arg: I
            - !ScalarExpression
              scalar_fn:
                kind: type
                fn_name: cast_signed
                type_var: T
                operands:
                - !ScalarExpression
                  scalar_const: '3 : i64'
        - !ScalarExpression
          scalar_fn:
            kind: type
            fn_name: cast_signed
            type_var: T
            operands:
            - !ScalarExpression
              scalar_index: 0
"""


def dump(root, *args):
    module = f"{root}.dialects.linalg.opdsl.dump_oplib"
    done = subprocess.run(
        [sys.executable, "-m", module, *args], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_definitions_are_dumped(root, tmp_path):
    (tmp_path / "triple.py").write_text(DEFINITION.replace("ROOT", root))
    given = ("--file", str(tmp_path / "triple.py"))
    assert dump(root, *given).strip() == DUMPED.strip()
    assert dump(root, *given, "--format", "repr").startswith("LinalgOpConfig(metadata=")


def known(defined, llvm):
    """Those definitions that this LLVM has an operation for."""
    newer = (
        {"conv_2d_nchw_fchw_q", "conv_2d_nhwgc_gfhwc", "conv_2d_nhwgc_gfhwc_q"}
        if llvm < 22
        else set()
    )
    return [op for op in defined if op.op_name not in newer]


def test_the_named_operations_are_dumped(root, ir, linalg, dialect, llvm):
    """Each is one that MLIR has, and its class in C++ is called as Python's is."""
    documents = dump(root, ".ops.core_named_ops").split("--- !LinalgOpConfig\n")[1:]
    ops = importlib.import_module(f"{root}.dialects.linalg.opdsl.ops.core_named_ops")
    lang = dialect("linalg.opdsl.lang")
    defined = [it for it in vars(ops).values() if isinstance(it, lang.DefinedOpCallable)]
    assert len(documents) == len(defined) == 81
    with ir.Context() as context:
        context.get_dialect_descriptor("linalg")
        for op in known(defined, llvm):
            assert context.is_registered_operation(f"linalg.{op.op_name}")
            name = op.op_def.metadata.cpp_class_name
            assert issubclass(getattr(linalg, name), ir.OpView)
            assert f"linalg.{op.op_name}" == getattr(linalg, name).OPERATION_NAME


def kind_of(ir, op, operand):
    """A type that an operand of this definition can have."""
    i32, names = ir.IntegerType.get_signless(32), op.op_name
    element = {"I32": i32, "F64": ir.F64Type.get()}.get(operand.type_var.name, ir.F32Type.get())
    if names == "select" and operand.name == "cond":
        element = ir.IntegerType.get_signless(1)
    elif "unsigned" in names:
        element = i32
    if not operand.shape_map:
        return element
    dynamic = ir.ShapedType.get_dynamic_size()
    return ir.RankedTensorType.get([dynamic] * len(operand.shape_map.results), element)


def test_a_definition_is_what_the_named_operation_does(here, ir, lang, root, passmanager, llvm):
    """MLIR makes a generic operation of each named one; it is the one that the definition gives."""
    ops = importlib.import_module(f"{root}.dialects.linalg.opdsl.ops.core_named_ops")
    defined = [it for it in vars(ops).values() if isinstance(it, lang.DefinedOpCallable)]
    defined = known(defined, llvm)
    here.context.allow_unregistered_dialects = True
    for op in defined:
        (config,) = lang.LinalgOpConfig.from_linalg_op_def(op.op_def, here.context)
        operands = [it for it in config.structured_op.ordered_operands if it.type_var]
        kinds = [kind_of(ir, op, operand) for operand in operands]
        made = ir.Operation.create("builtin.unrealized_conversion_cast", results=kinds)
        *ins, out = made.results
        for emit_generic in (False, True):
            result = op(*ins, outs=[out], emit_generic=emit_generic)
            # A result without uses would let the operation be removed.
            ir.Operation.create("test.keep", operands=[result])
    assert here.operation.verify()
    passmanager.PassManager.parse("any(linalg-generalize-named-ops)").run(here.operation)
    generic = [it for it in here.body.operations if it.operation.name == "linalg.generic"]
    assert len(generic) == 2 * len(defined)
    # 19 iterates over its dimensions in another order.
    reordered = {"conv_3d_ncdhw_fcdhw"} if llvm < 22 else set()
    for op, theirs, ours in zip(defined, generic[::2], generic[1::2], strict=True):
        if op.op_name in reordered:
            continue
        for name in ("indexing_maps", "iterator_types"):
            assert theirs.attributes[name] == ours.attributes[name], op.op_name
        bodies = [
            collections.Counter(inner.operation.name for inner in it.regions[0].blocks[0])
            for it in (theirs, ours)
        ]
        assert bodies[0] == bodies[1], op.op_name
