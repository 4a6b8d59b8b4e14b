"""The end of the interpreter while other threads use the package."""

import ast
import pathlib
import textwrap

import pytest

PROGRAM = pathlib.Path(__file__).with_name("threads_at_the_end.py").read_text()
WAYS = [
    node.name
    for node in ast.parse(PROGRAM).body
    if isinstance(node, ast.FunctionDef) and node.name not in ("pause", "main")
]
# The others take as long, and end by the same means.
IN_GATE = ("a_pipeline", "a_walk", "an_index", "compiled_code")


@pytest.mark.parametrize(
    "way", [way if way in IN_GATE else pytest.param(way, marks=pytest.mark.long) for way in WAYS]
)
def test_a_daemon_thread_does_not_end_the_process(attack, way):
    outcome = attack(PROGRAM, way)
    assert (outcome.status, outcome.output, outcome.errors) == (0, "ends\n", "")


LATE = """
import sys
from mlir.ir import *
from mlir.passmanager import PassManager

class Late:
    # What `__del__` uses, since modules are empty when it runs.
    def __init__(self):
        with Context() as context, Location.unknown():
            i32 = IntegerType.get_signless(32)
            self.attribute = DenseElementsAttr.get(memoryview(b"abc"))
            self.module = Module.parse("module {}")
            self.manager = PassManager.parse("builtin.module(canonicalize)")
            self.called = PassManager("any")
            self.called.add(lambda *_: None, "called")
        self.context = context
        self.functions = memoryview, print, bytes, Module.parse

    def __del__(self):
        memoryview, print, bytes, parse = self.functions
        print(bytes(memoryview(self.attribute)))
        self.manager.run(self.module.operation)
        print(self.module)
        print(parse("module {}", self.context))
        # Native code no longer calls Python.
        try:
            self.called.run(self.module.operation)
        except Exception as error:
            print(error)

sys.modules["late"] = Late()
"""


def test_the_thread_that_ends_the_interpreter_still_uses_everything(attack):
    outcome = attack(LATE)
    assert outcome.status == 0, outcome.errors
    module = "module {\n}\n\n"
    assert outcome.output == f"b'abc'\n{module}{module}the interpreter is ending\n"


ASYNC = textwrap.dedent(
    """
    import ctypes, sys, threading, time, types
    from mlir.execution_engine import ExecutionEngine
    from mlir.ir import Context, Module
    from mlir.passmanager import PassManager

    with Context():
        module = Module.parse(
            '''
            func.func private @pause() attributes {llvm.emit_c_interface}
            func.func @go() attributes {llvm.emit_c_interface} {
              %token = async.execute {
                func.call @pause() : () -> ()
                async.yield
              }
              return
            }
            '''
        )
        PassManager.parse(
            "builtin.module(async-to-async-runtime,async-runtime-ref-counting,convert-async-to-llvm,"
            "convert-func-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,"
            "reconcile-unrealized-casts)"
        ).run(module.operation)
        engine = ExecutionEngine(module)
    started = threading.Event()

    def pause():
        started.set()
        time.sleep(0.3)

    callback = ctypes.CFUNCTYPE(None)(pause)
    engine.register_runtime("pause", callback)
    engine.invoke("go")
    started.wait()
    # A module that nothing in `pause` refers to is emptied at the end, whatever its thread does.
    sys.modules["holder"] = holder = types.ModuleType("holder")
    holder.engine, holder.callback = engine, callback
    del engine, callback, holder
    """
)


def test_an_engine_does_not_wait_for_threads_that_cannot_end(attack):
    outcome = attack(ASYNC, seconds=20)
    assert (outcome.status, outcome.errors) == (0, "")
