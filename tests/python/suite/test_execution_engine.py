"""Compiling modules for this machine, and running them."""

import ctypes
import gc
import importlib
import os
import weakref

import pytest

np = pytest.importorskip("numpy") if os.environ.get("MONDO_BUNDLE") != "core" else None

LOWER = (
    "builtin.module(finalize-memref-to-llvm,convert-func-to-llvm,convert-arith-to-llvm,"
    "reconcile-unrealized-casts)"
)

ADD = """
func.func @add(%a: i32, %b: i32) -> i32 attributes { llvm.emit_c_interface } {
  %sum = arith.addi %a, %b : i32
  return %sum : i32
}
"""

CALLS = """
func.func private @tell(%it: i32) attributes { llvm.emit_c_interface }
func.func @go(%it: i32) attributes { llvm.emit_c_interface } {
  call @tell(%it) : (i32) -> ()
  return
}
"""

# A constructor that calls what somebody registers, and one that needs nobody.
BEGINS = """
llvm.func @start() {
  func.call @begin() : () -> ()
  llvm.return
}
func.func private @begin() attributes { llvm.emit_c_interface }
"""
COUNTS = """
llvm.mlir.global internal @runs(0 : i32) : i32
llvm.func @start() {
  %place = llvm.mlir.addressof @runs : !llvm.ptr
  %before = llvm.load %place : !llvm.ptr -> i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %after = llvm.add %before, %one : i32
  llvm.store %after, %place : i32, !llvm.ptr
  llvm.return
}
func.func @count() -> i32 attributes { llvm.emit_c_interface } {
  %place = llvm.mlir.addressof @runs : !llvm.ptr
  %runs = llvm.load %place : !llvm.ptr -> i32
  return %runs : i32
}
"""


def constructs(llvm, by):
    """A module with a constructor, in the syntax of this LLVM."""
    new = "ctors = [@start], priorities = [0 : i32], data = [#llvm.zero]"
    old = "{ctors = [@start], priorities = [0 : i32]}"
    return f"llvm.mlir.global_ctors {new if llvm >= 22 else old}\n{by}"


@pytest.fixture
def engine(root):
    return importlib.import_module(f"{root}.execution_engine").ExecutionEngine


@pytest.fixture
def compiled(ctx, ir, passmanager, engine):
    def compiled(text, **options):
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(LOWER).run(module.operation)
        return engine(module, **options)

    return compiled


if os.environ.get("MONDO_BUNDLE") in {"core", "standard"}:

    def test_a_bundle_without_it_says_what_brings_it(root):
        with pytest.raises(ImportError, match="execution-engine = true"):
            importlib.import_module(f"{root}.execution_engine")

else:

    def pointers(*values):
        return [ctypes.pointer(value) for value in values]

    @pytest.mark.parametrize("level", range(4))
    def test_a_function_is_called(compiled, level):
        result = ctypes.c_int32()
        compiled(ADD, opt_level=level, enable_pic=level == 3).invoke(
            "add", *pointers(ctypes.c_int32(40), ctypes.c_int32(2), result)
        )
        assert result.value == 42

    def test_nothing_is_written_for_perf(root, python, tmp_path, monkeypatch):
        """The distribution's LLVM would leave a file for each process with an engine."""
        monkeypatch.setenv("JITDUMPDIR", str(tmp_path))
        monkeypatch.setenv("HOME", str(tmp_path))
        script = (
            "import importlib, sys\n"
            "root, text, lower = sys.argv[1:]\n"
            "ir, pm, ee = (importlib.import_module(f'{root}.{it}')"
            " for it in ('ir', 'passmanager', 'execution_engine'))\n"
            "with ir.Context():\n"
            "    module = ir.Module.parse(text)\n"
            "    pm.PassManager.parse(lower).run(module.operation)\n"
            "    print(ee.ExecutionEngine(module).raw_lookup('add') != 0)\n"
        )
        assert python(script, root, ADD, LOWER).stdout == "True\n"
        assert list(tmp_path.iterdir()) == []

    def test_it_outlives_the_module_and_the_context(ir, passmanager, engine):
        with ir.Context():
            module = ir.Module.parse(ADD)
            passmanager.PassManager.parse(LOWER).run(module.operation)
            function = engine(module).lookup("add")
        del module
        gc.collect()
        # The function keeps the engine.
        result = ctypes.c_int32()
        arguments = pointers(ctypes.c_int32(1), ctypes.c_int32(2), result)
        function((ctypes.c_void_p * 3)(*(ctypes.cast(it, ctypes.c_void_p) for it in arguments)))
        assert result.value == 3

    def test_what_is_not_there_is_not_found(compiled):
        made = compiled(ADD)
        assert made.raw_lookup("nothing") == 0
        with pytest.raises(RuntimeError, match="Unknown function nothing"):
            made.invoke("nothing")

    def test_code_calls_back(compiled):
        told = []
        tell = ctypes.CFUNCTYPE(None, ctypes.c_int32)(told.append)
        made = compiled(CALLS)
        made.register_runtime("tell", tell)
        kept = weakref.ref(tell)
        del tell
        gc.collect()
        made.invoke("go", *pointers(ctypes.c_int32(7)))
        assert told == [7]
        del made
        gc.collect()
        assert kept() is None

    def test_a_callback_may_know_its_engine(compiled):
        """A cycle through compiled code is freed."""
        made = compiled(CALLS)
        made.register_runtime("tell", ctypes.CFUNCTYPE(None, ctypes.c_int32)(lambda it: made))
        gone = weakref.ref(made)
        made.invoke("go", *pointers(ctypes.c_int32(7)))
        del made
        # The cycle goes through a cell of this function's frame, which is not the fixture's.
        gc.collect()
        assert gone() is None

    @pytest.mark.parametrize("early", [False, True])
    def test_a_symbol_is_defined_once(compiled, early):
        tell = ctypes.CFUNCTYPE(None, ctypes.c_int32)(print)
        made = compiled(CALLS)
        if early:
            made.register_runtime("tell", tell)
            made.lookup("go")
        else:
            made.register_runtime("tell", tell)
        for name in ("tell", "go"):
            with pytest.raises(ValueError, match="defined already"):
                made.register_runtime(name, tell)
        address = ctypes.cast(tell, ctypes.c_void_p)
        for name in ("go", "_mlir_go", "_mlir__mlir_ciface_go"):
            with pytest.raises(ValueError, match="defined already"):
                made.raw_register_runtime(name, address)
        with pytest.raises(TypeError, match="null pointer"):
            made.raw_register_runtime("new", ctypes.c_void_p())

    def test_names_of_packed_functions_are_taken(ir, ctx, engine):
        module = ir.Module.parse("llvm.func @f() { llvm.return } llvm.func @_mlir_f()")
        with pytest.raises(ValueError, match="@_mlir_f"):
            engine(module)

    def test_constructors_of_the_module_alone(compiled, llvm):
        made = compiled(constructs(llvm, COUNTS))
        made.initialize()
        made.initialize()
        count = ctypes.c_int32()
        made.invoke("count", *pointers(count))
        assert count.value == 1

    @pytest.mark.since_llvm(22, "LLVM 19 runs them before anything can be registered")
    def test_constructors_run_once(compiled, llvm):
        runs = []
        begin = ctypes.CFUNCTYPE(None)(lambda: runs.append(1))
        made = compiled(constructs(llvm, BEGINS))
        made.register_runtime("begin", begin)
        assert runs == []
        made.initialize()
        made.initialize()
        assert runs == [1]

    def test_constructors_that_cannot_be_linked_do_not_run(compiled, capfd, llvm):
        made = compiled(constructs(llvm, BEGINS))
        with pytest.raises(RuntimeError, match="cannot be linked"):
            made.initialize()
        assert "_mlir_ciface_begin" in capfd.readouterr().err

    def test_what_cannot_be_compiled(ir, ctx, engine, capfd):
        with pytest.raises(RuntimeError, match="Failure while creating the ExecutionEngine"):
            engine(ir.Module.parse(ADD))
        assert "LLVMTranslationDialectInterface" in capfd.readouterr().err
        with pytest.raises(ValueError, match="opt_level goes from 0 to 3"):
            engine(ir.Module.parse(""), opt_level=4)
        with pytest.raises(TypeError):
            engine(None)

    def test_what_is_invalid_is_not_compiled(ir, ctx, engine):
        module = ir.Module.parse("llvm.func @f() { llvm.return }")
        module.body.operations[0].regions[0].blocks[0].operations[0].operation.erase()
        with pytest.raises(ir.MLIRError, match="Verification failed"):
            engine(module)

    def test_object_files(compiled, ir, ctx, engine, tmp_path, capfd):
        path = tmp_path / "add.o"
        compiled(ADD).dump_to_object_file(str(path))
        assert path.read_bytes().startswith(b"\x7fELF")
        with pytest.raises(FileNotFoundError):
            compiled(ADD).dump_to_object_file(str(tmp_path / "no" / "add.o"))
        with pytest.raises(RuntimeError, match="no function with a body"):
            engine(ir.Module.parse("")).dump_to_object_file(str(path))
        compiled(ADD, enable_object_dump=False).dump_to_object_file(str(path))
        assert "object cache is disabled" in capfd.readouterr().err

    def test_capsules_hand_it_over(compiled, engine, root):
        told = []
        made = compiled(CALLS)
        made.register_runtime("tell", ctypes.CFUNCTYPE(None, ctypes.c_int32)(told.append))
        capsule = made._CAPIPtr
        assert f"{root}.execution_engine.ExecutionEngine._CAPIPtr" in repr(capsule)
        with pytest.raises(RuntimeError, match="owns the engine"):
            engine._CAPICreate(capsule)
        made._testing_release()
        with pytest.raises(RuntimeError, match="released"):
            made.invoke("go")
        again = engine._CAPICreate(capsule)
        del made
        gc.collect()
        address = again.raw_lookup("_mlir_ciface_go")
        go = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
        it = ctypes.c_int32(5)
        go((ctypes.c_void_p * 1)(ctypes.addressof(it)))
        assert told == [5]

    @pytest.fixture
    def runtime(root):
        return importlib.import_module(f"{root}.runtime")

    @pytest.mark.parametrize(
        "dtype", ["float64", "float32", "float16", "int8", "uint64", "complex64", "complex128"]
    )
    def test_arrays_and_memrefs(runtime, dtype):
        whole = np.arange(24).reshape(4, 6).astype(dtype)
        for array in (whole, whole[1:, ::2], whole.T, whole[2, 3:4].reshape(())):
            ranked = ctypes.pointer(runtime.get_ranked_memref_descriptor(array))
            unranked = ctypes.pointer(runtime.get_unranked_memref_descriptor(array))
            for back in (
                runtime.ranked_memref_to_numpy(ranked),
                runtime.unranked_memref_to_numpy(unranked, array.dtype),
            ):
                assert back.dtype == array.dtype and np.array_equal(back, array)
                assert np.shares_memory(back, array)

    def test_an_offset_counts_elements(runtime):
        array = np.arange(8, dtype="int32")
        descriptor = runtime.get_ranked_memref_descriptor(array)
        descriptor.offset = 5
        descriptor.shape[0] = 3
        back = runtime.ranked_memref_to_numpy(ctypes.pointer(descriptor))
        assert back.tolist() == [5, 6, 7]

    def test_a_descriptor_keeps_its_array(runtime):
        array = np.arange(3.0)
        kept = weakref.ref(array)
        descriptor = runtime.get_unranked_memref_descriptor(array)
        del array
        assert kept() is not None
        del descriptor
        gc.collect()
        assert kept() is None

    def test_compiled_code_works_on_arrays(compiled, runtime):
        made = compiled(
            """
            func.func @negate(%it: memref<4xf32>) attributes { llvm.emit_c_interface } {
              %two = arith.constant 2 : index
              %before = memref.load %it[%two] : memref<4xf32>
              %after = arith.negf %before : f32
              memref.store %after, %it[%two] : memref<4xf32>
              return
            }
            """
        )
        array = np.arange(4, dtype="float32")
        descriptor = ctypes.pointer(runtime.get_ranked_memref_descriptor(array))
        made.invoke("negate", ctypes.pointer(descriptor))
        assert array.tolist() == [0.0, 1.0, -2.0, 3.0]
