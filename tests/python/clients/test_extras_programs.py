"""eudsl-python-extras 0.1.0: contexts, rewriting of Python's syntax, passes, JIT and utilities."""

import numpy as np
import pytest
from mlir.dialects import builtin
from mlir.extras import types as T
from mlir.extras.ast.canonicalize import canonicalize
from mlir.extras.ast.py_type import PyTypeObject
from mlir.extras.ast.util import ast_call, bind, copy_func
from mlir.extras.context import (
    ExplicitlyManagedModule,
    RAIIMLIRContext,
    RAIIMLIRContextModule,
    disable_multithreading,
    enable_multithreading,
    mlir_mod,
    mlir_mod_ctx,
)
from mlir.extras.dialects import arith, func, memref, scf
from mlir.extras.runtime.passes import Pipeline, run_pipeline
from mlir.extras.runtime.refbackend import LLVMJITBackend
from mlir.extras.util import (
    find_ops,
    find_parent_of_type,
    infer_mlir_type,
    memref_type_to_np_dtype,
    mlir_type_to_np_dtype,
    np_dtype_to_mlir_type,
    shlib_ext,
)
from mlir.ir import Context, InsertionPoint, Location, Module


def test_a_module_in_a_context():
    with mlir_mod_ctx("module { func.func private @f() }") as ctx:
        assert isinstance(ctx.context, Context) and isinstance(ctx.module, Module)
        assert Context.current == ctx.context
        assert "@f" in str(ctx.module)
    with Context(), mlir_mod() as module:
        assert InsertionPoint.current.block == module.body


def test_contexts_that_end_with_their_object():
    first = RAIIMLIRContext()
    assert Context.current == first.context and Location.current
    del first
    second = RAIIMLIRContextModule()
    assert InsertionPoint.current.block == second.module.body
    del second
    with Context() as other:
        assert Context.current == other


def test_a_module_that_is_finished_by_hand():
    context = RAIIMLIRContext()
    managed = ExplicitlyManagedModule()
    arith.constant(1)
    module = managed.finish()
    assert "arith.constant" in str(module) and module.context == context.context


def test_threads_are_switched():
    with mlir_mod_ctx("func.func @f() { return }") as ctx:
        for switched in [disable_multithreading, enable_multithreading]:
            with switched(ctx.context):
                assert "@f" in str(run_pipeline(ctx.module, Pipeline().canonicalize()))


def test_if_and_for_of_python_become_structured_operations(ctx):
    @func.func(emit=True)
    @canonicalize(using=scf.canonicalizer)
    def clamp(a: T.i32(), b: T.i32()):
        if a < b:
            arith.constant(3)
        elif a > b:
            arith.constant(4)
        else:
            arith.constant(5)
        return

    text = str(ctx.module)
    assert text.count("scf.if") == 2 and text.count("else") == 2
    assert ctx.module.operation.verify()


def test_a_value_from_both_branches(ctx):
    @func.func(emit=True)
    @canonicalize(using=scf.canonicalizer)
    def chosen(a: T.i32(), b: T.i32()):
        if a < b:
            x = yield a
        else:
            x = yield b
        return x

    text = str(ctx.module)
    assert text.count("scf.yield") == 2 and "return %1 : i32" in text


def test_multiplications_and_additions_become_one_operation(ctx):
    @func.func(emit=True)
    @canonicalize(using=arith.canonicalizer)
    def fused(a: T.f32(), b: T.f32(), c: T.f32()):
        c += a * b
        return c

    assert "math.fma" in str(ctx.module)


def test_python_functions_are_copied_and_bound():
    def plus(self, x):
        return self.base + x

    class Holder:
        base = 3

    holder = Holder()
    bind(plus, holder)
    assert holder.plus(4) == 7
    assert copy_func(plus)(holder, 1) == 4
    assert ast_call("f", args=[]).func.id == "f"
    assert PyTypeObject.from_object(int).tp_name == b"int"


def test_pipelines_as_text():
    pipeline = Pipeline().canonicalize().cse().Func(Pipeline().convert_linalg_to_loops())
    assert str(pipeline) == "builtin.module(canonicalize,cse,func.func(convert-linalg-to-loops))"
    assert str(pipeline + Pipeline().sccp()).count("sccp") == 1


def test_pipelines_run(ctx):
    @func.func(emit=True)
    def dead(a: T.i32()):
        arith.addi(a, a)
        return a

    done = run_pipeline(ctx.module, Pipeline().canonicalize().cse())
    assert "addi" not in str(done) and "return %arg0" in str(done)


def test_a_failing_pipeline_says_why(ctx):
    from mlir.extras.runtime.passes import MlirCompilerError

    with pytest.raises((MlirCompilerError, ValueError), match="no-such-pass"):
        run_pipeline(ctx.module, "builtin.module(no-such-pass)")


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.float32, np.float64])
def test_arrays_in_compiled_functions(ctx, kind):
    element = np_dtype_to_mlir_type(kind)
    backend = LLVMJITBackend()

    @func.func(emit=True)
    def product(a: T.memref(4, 4, element), b: T.memref(4, 4, element)):
        for i in scf.range_(0, 4):
            for j in scf.range_(0, 4):
                x = memref.load(a, [i, j])
                memref.store(x * x, b, [i, j])
                scf.yield_()
            scf.yield_()

    module = backend.compile(
        ctx.module,
        kernel_name="product",
        pipeline=Pipeline().bufferize().lower_to_llvm(),
    )
    invoker = backend.load(module)
    given = np.arange(16).reshape(4, 4).astype(kind)
    result = np.zeros_like(given)
    invoker.product(given, result)
    assert np.array_equal(result, given * given)


def test_operations_are_found(ctx):
    @func.func(emit=True)
    def body(a: T.i32()):
        return a + a

    found = find_ops(ctx.module.operation, lambda op: op.name == "arith.addi")
    assert len(found) == 1
    single = find_ops(ctx.module, lambda op: op.name == "func.return", single=True)
    parent = find_parent_of_type(lambda op: isinstance(op.opview, builtin.ModuleOp), single)
    assert parent.operation == ctx.module.operation


def test_types_of_python_ctypes_and_numpy(ctx):
    assert infer_mlir_type(True) == T.bool() and infer_mlir_type(3) == T.i32()
    assert infer_mlir_type(0.5) == T.f32()
    assert infer_mlir_type(np.zeros((2, 3), np.float64)) == T.tensor(2, 3, T.f64())
    assert mlir_type_to_np_dtype(T.f32()) == np.float32
    assert memref_type_to_np_dtype(T.memref(element_type=T.f64())) == np.float64
    assert shlib_ext() == "so"


def test_the_helpers_of_tests(ctx, capsys):
    from mlir.extras.testing import MLIRContext
    from mlir.extras.testing.generate_test_checks import main

    arith.constant(7)
    assert isinstance(ctx, MLIRContext)
    assert "arith.constant 7 : i32" in main(str(ctx.module)).replace("\n", " ")
