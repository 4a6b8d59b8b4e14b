"""Functions that compiled modules call: printing, copying, `async`, floats of two bytes."""

import ctypes
import importlib
import os
import textwrap

import pytest

LOWER = (
    "builtin.module(async-to-async-runtime,async-runtime-ref-counting,"
    "async-runtime-ref-counting-opt,convert-async-to-llvm,convert-linalg-to-loops,"
    "convert-vector-to-scf,convert-scf-to-cf,convert-vector-to-llvm,expand-strided-metadata,"
    "lower-affine,finalize-memref-to-llvm,convert-func-to-llvm,arith-expand,convert-arith-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts)"
)

PRINT_VECTOR = """
func.func @go() attributes { llvm.emit_c_interface } {
  %it = arith.constant dense<[[1.0, 2.5], [-3.0, 4.0]]> : vector<2x2xf32>
  vector.print %it : vector<2x2xf32>
  %long = arith.constant -5 : i64
  vector.print %long : i64
  vector.print str "end\\0A"
  return
}
"""

PRINT_MEMREF = """
memref.global "private" constant @numbers : memref<2x3xf32> = dense<[[1.0, 2.5, 3.0], [4.0, 5.0,
    6.0]]>
func.func private @printMemrefF32(%it: memref<*xf32>) attributes { llvm.emit_c_interface }
func.func @go() attributes { llvm.emit_c_interface } {
  %numbers = memref.get_global @numbers : memref<2x3xf32>
  %any = memref.cast %numbers : memref<2x3xf32> to memref<*xf32>
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  return
}
"""

COPY = """
func.func @go(%from: memref<?x?xi16, strided<[?, ?], offset: ?>>,
              %to: memref<?x?xi16, strided<[?, ?], offset: ?>>) attributes { llvm.emit_c_interface
                  } {
  memref.copy %from, %to : memref<?x?xi16, strided<[?, ?], offset: ?>>
      to memref<?x?xi16, strided<[?, ?], offset: ?>>
  return
}
"""

# Each task squares its number; the group is awaited by the caller, the value by another task.
ASYNC = """
func.func @go(%results: memref<8xi64>) -> i64 attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %group = async.create_group %c8 : !async.group
  scf.for %i = %c0 to %c8 step %c1 {
    %token = async.execute {
      %number = arith.index_cast %i : index to i64
      %square = arith.muli %number, %number : i64
      memref.store %square, %results[%i] : memref<8xi64>
      async.yield
    }
    %index = async.add_to_group %token, %group : !async.token
  }
  async.await_all %group
  %token, %first = async.execute -> !async.value<i64> {
    %last = memref.load %results[%c1] : memref<8xi64>
    async.yield %last : i64
  }
  %token2, %second = async.execute [%token] (%first as %it: !async.value<i64>) -> !async.value<i64>
      {
    %c41 = arith.constant 41 : i64
    %sum = arith.addi %it, %c41 : i64
    async.yield %sum : i64
  }
  %found = async.await %second : !async.value<i64>
  return %found : i64
}
"""

# LLVM calls these for `fptrunc` where the machine has no instruction.
ROUND = """
llvm.func @__truncsfbf2(f32) -> bf16
llvm.func @__truncdfbf2(f64) -> bf16
func.func @go(%it: memref<f32>, %wide: memref<f64>, %to: memref<2xbf16>)
    attributes { llvm.emit_c_interface } {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %value = memref.load %it[] : memref<f32>
  %short = llvm.call @__truncsfbf2(%value) : (f32) -> bf16
  memref.store %short, %to[%c0] : memref<2xbf16>
  %double = memref.load %wide[] : memref<f64>
  %other = llvm.call @__truncdfbf2(%double) : (f64) -> bf16
  memref.store %other, %to[%c1] : memref<2xbf16>
  return
}
"""

# A program of its own, as what it prints is written to the file of C's standard output.
PROGRAM = textwrap.dedent(
    """
    import ctypes, importlib, os, sys
    root, lower, text, *libraries = sys.argv[1:]
    ir, pm, ee = (importlib.import_module(f'{root}.{it}')
                  for it in ('ir', 'passmanager', 'execution_engine'))
    def make():
        with ir.Context():
            module = ir.Module.parse(text)
            pm.PassManager.parse(lower).run(module.operation)
            return ee.ExecutionEngine(module, shared_libs=libraries)
    """
)

BUNDLE = os.environ.get("MONDO_BUNDLE")

if BUNDLE not in {"core", "standard"}:

    @pytest.fixture
    def compiled(ctx, ir, passmanager, root):
        module_of = importlib.import_module(f"{root}.execution_engine")

        def compiled(text, **options):
            module = ir.Module.parse(text)
            passmanager.PassManager.parse(LOWER).run(module.operation)
            return module_of.ExecutionEngine(module, **options)

        return compiled


if BUNDLE == "acme":
    # Its manifest has the engine and no runtime libraries.
    @pytest.mark.parametrize(
        ("text", "function", "library"),
        [
            (PRINT_VECTOR, "printNewline", "c-runner-utils"),
            (PRINT_MEMREF, "_mlir_ciface_printMemrefF32", "runner-utils"),
            (ASYNC, "mlirAsyncRuntimeCreateToken", "async"),
        ],
    )
    def test_a_bundle_without_them_names_the_manifests_key(compiled, text, function, library):
        with pytest.raises(RuntimeError) as caught:
            compiled(text).invoke("go")
        said = str(caught.value)
        assert said.startswith("Unknown function go; the module calls ")
        assert function in said
        assert f'add "{library}" to `runtime` under `[contents]` of its manifest' in said
        assert "or name a library that has it in `shared_libs`" in said

    @pytest.mark.since_llvm(22, "before, constructors are written in another way")
    def test_constructors_that_cannot_be_linked_name_it_too(compiled):
        engine = compiled(
            """
            llvm.mlir.global_ctors ctors = [@start], priorities = [0 : i32], data = [#llvm.zero]
            llvm.func @printNewline()
            llvm.func @start() {
              llvm.call @printNewline() : () -> ()
              llvm.return
            }
            """
        )
        with pytest.raises(
            RuntimeError, match='cannot be linked.*add "c-runner-utils" to `runtime`'
        ):
            engine.initialize()


if BUNDLE not in {"core", "standard", "acme"}:
    np = pytest.importorskip("numpy")

    @pytest.fixture
    def run(root, python):
        def run(text, program="make().invoke('go')", *libraries):
            return python(PROGRAM + program, root, LOWER, text, *map(str, libraries))

        return run

    @pytest.fixture
    def library(tmp_path):
        """A shared library with one function, by its C text."""
        import shutil
        import subprocess

        def library(text):
            compiler = shutil.which("cc") or pytest.skip("there is no C compiler")
            (tmp_path / "it.c").write_text(text)
            path = tmp_path / "libit.so"
            subprocess.run(
                [compiler, "-shared", "-fPIC", "-o", path, tmp_path / "it.c"], check=True
            )
            return path

        return library

    def test_vectors_and_numbers_are_printed(run):
        assert run(PRINT_VECTOR).stdout == "( ( 1, 2.5 ), ( -3, 4 ) )\n-5\nend\n"

    def test_a_memref_is_printed(run):
        first, *rest = run(PRINT_MEMREF).stdout.splitlines()
        assert first.startswith("Unranked Memref base@ = 0x")
        assert first.endswith(" rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1] data = ")
        assert rest == ["[[1,   2.5,   3], ", " [4,   5,   6]]"]

    @pytest.mark.parametrize(
        "pick",
        [
            lambda it: it,
            lambda it: it.T,
            lambda it: it[::-1, 1::2],
            lambda it: it[:0],
            lambda it: it[2:3, ::-3],
        ],
        ids=["contiguous", "transposed", "strided", "empty", "one-row"],
    )
    def test_memrefs_of_any_layout_are_copied(compiled, pick):
        source = np.arange(48, dtype=np.int16).reshape(6, 8)
        target = np.full((6, 8), -1, dtype=np.int16)
        of = "memref<?x?xi16, strided<[?, ?], offset: ?>>"
        compiled(COPY).invoke_numpy("go", pick(source), pick(target), type=f"({of}, {of}) -> ()")
        expected = np.full((6, 8), -1, dtype=np.int16)
        pick(expected)[...] = pick(source)
        assert (target == expected).all()

    @pytest.mark.parametrize("level", [0, 3])
    def test_asynchronous_code_runs(compiled, level):
        engine = compiled(ASYNC, opt_level=level)
        for _ in range(50):
            results = np.zeros(8, dtype=np.int64)
            assert engine.invoke_numpy("go", results, type="(memref<8xi64>) -> i64") == 42
            assert results.tolist() == [i * i for i in range(8)]

    def test_asynchronous_code_runs_in_many_threads_and_engines(compiled):
        import threading

        engines = [compiled(ASYNC) for _ in range(3)]
        found = []

        def run(engine):
            for _ in range(30):
                results = np.zeros(8, dtype=np.int64)
                found.append(engine.invoke_numpy("go", results, type="(memref<8xi64>) -> i64"))

        threads = [threading.Thread(target=run, args=[engine]) for engine in engines * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [42] * 180

    def test_asynchronous_code_survives_fork_and_exit(run):
        """The child has none of the threads; neither process waits or crashes at its end."""
        program = textwrap.dedent(
            """
            engine = make()
            def go():
                results = (ctypes.c_int64 * 8)()
                words = (ctypes.c_int64 * 5)(ctypes.addressof(results), ctypes.addressof(results),
                0, 8, 1)
                pointer, found = ctypes.pointer(words), ctypes.c_int64()
                engine.invoke('go', ctypes.pointer(pointer), ctypes.pointer(found))
                return found.value
            assert go() == 42
            child = os.fork()
            if child == 0:
                other = make()
                os._exit(go() if other.raw_lookup('go') else 1)
            assert go() == 42
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        )
        assert run(ASYNC, program).stdout == "42\n"

    # Ties, numbers that round twice, the largest, not a number.
    @pytest.mark.parametrize(
        "number",
        [
            1.0,
            1.00390625,
            1.01171875,
            1.00390625 + 2**-40,
            -1.00390625 - 2**-30,
            3.4e38,
            1e-40,
            1e39,
        ],
    )
    def test_numbers_are_rounded_to_bf16(compiled, number):
        import ml_dtypes

        with np.errstate(over="ignore"):
            single, double = np.array(number, np.float32), np.array(number, np.float64)
        results = np.zeros(2, dtype=ml_dtypes.bfloat16)
        type = "(memref<f32>, memref<f64>, memref<2xbf16>) -> ()"
        compiled(ROUND).invoke_numpy("go", single, double, results, type=type)
        # Not by way of f32, which would round twice.
        candidates = np.arange(0, 0x7F81, dtype=np.uint16).view(ml_dtypes.bfloat16)
        assert results[0] == single.astype(ml_dtypes.bfloat16)
        magnitudes = candidates.astype(np.float64)
        magnitudes[-1] = 2.0**128
        distances = abs(magnitudes - abs(number))
        nearest = np.flatnonzero(distances == distances.min())
        even = [it for it in nearest if it % 2 == 0] if len(nearest) > 1 else nearest
        assert abs(results[1]) == candidates[even[0]]
        assert (results[1] < 0) == (number < 0)

    def test_a_shared_library_takes_precedence(run, library):
        path = library('#include <stdio.h>\nvoid printNewline(void) { fputs("!", stdout); }\n')
        run_it = "make().invoke('go')"
        assert run(PRINT_VECTOR, run_it, path).stdout == "( ( 1, 2.5 ), ( -3, 4 ) )!-5!end\n"

    def test_a_registered_function_takes_precedence(compiled):
        engine = compiled(PRINT_MEMREF)
        calls = []
        callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(calls.append)
        engine.register_runtime("printMemrefF32", callback)
        engine.invoke("go")
        assert len(calls) == 1

    def test_the_modules_own_function_takes_precedence(compiled):
        engine = compiled(
            """
            llvm.func @printNewline() { llvm.return }
            func.func @go() attributes { llvm.emit_c_interface } {
              llvm.call @printNewline() : () -> ()
              return
            }
            """
        )
        engine.invoke("go")

    def test_what_was_taken_cannot_be_registered(compiled):
        engine = compiled(PRINT_MEMREF)
        engine.lookup("go")
        callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(print)
        with pytest.raises(ValueError, match="defined already"):
            engine.register_runtime("printMemrefF32", callback)

    @pytest.mark.since_llvm(22, "LLVM 19 writes constructors in another form")
    def test_constructors_may_call_them(run):
        text = """
        llvm.mlir.global_ctors ctors = [@start], priorities = [0 : i32], data = [#llvm.zero]
        llvm.func @printI64(i64)
        llvm.func @start() {
          %it = llvm.mlir.constant(7 : i64) : i64
          llvm.call @printI64(%it) : (i64) -> ()
          llvm.return
        }
        """
        assert run(text, "make().initialize()").stdout == "7"

    def test_each_library_is_there(run):
        """A module that calls one of each library with few demands on arguments."""
        text = """
        func.func private @_mlir_ciface_nanoTime() -> i64
        llvm.func @rtclock() -> f64
        llvm.func @printF16(i16)
        llvm.func @mlirAsyncRuntimGetNumWorkerThreads() -> i64
        func.func @go() attributes { llvm.emit_c_interface } {
          %now = call @_mlir_ciface_nanoTime() : () -> i64
          %then = llvm.call @rtclock() : () -> f64
          %count = llvm.call @mlirAsyncRuntimGetNumWorkerThreads() : () -> i64
          %bits = llvm.mlir.constant(15360 : i16) : i16
          llvm.call @printF16(%bits) : (i16) -> ()
          return
        }
        """
        assert run(text).stdout == "1"
