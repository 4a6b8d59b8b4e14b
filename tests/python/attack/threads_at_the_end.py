"""A daemon thread works when the interpreter ends. The argument names a function below."""

import ctypes
import sys
import threading
import time

from mlir import ir
from mlir.dialects import arith
from mlir.dialects.transform import interpreter
from mlir.execution_engine import ExecutionEngine
from mlir.ir import Context, IntegerType, Location, Module, TupleType, WalkResult
from mlir.passmanager import PassManager
from mlir.rewrite import RewritePatternSet, apply_patterns_and_fold_greedily

started = threading.Event()
context = Context()
function = "func.func @f{}(%a: i32) -> i32 {{ %b = arith.addi %a, %a : i32 return %b : i32 }}"
text = "\n".join(map(function.format, range(50)))
with context:
    module = Module.parse(text)


def pause(*_):
    """Python code in which the thread gives the interpreter away."""
    started.set()
    time.sleep(0.002)
    return True


def a_pipeline():
    manager = PassManager.parse("builtin.module(canonicalize,cse)")
    started.set()
    while True:
        manager.run(module.operation)


def a_pass():
    manager = PassManager("any")
    manager.add(pause, "pause")
    while True:
        manager.run(module.operation)


def a_busy_pass():
    def spin(*_):
        started.set()
        while True:
            pass

    manager = PassManager("any")
    manager.add(spin, "spin")
    manager.run(module.operation)


def a_walk():
    while True:
        module.operation.walk(lambda _: pause() and WalkResult.ADVANCE)


def an_emitted_error():
    context.attach_diagnostic_handler(pause)
    while True:
        Location.unknown().emit_error("x")


def a_pattern():
    patterns = RewritePatternSet()
    patterns.add(arith.AddIOp, pause)
    frozen = patterns.freeze()
    while True:
        apply_patterns_and_fold_greedily(module, frozen)


def a_transform_script():
    script = Module.parse(
        "module attributes {transform.with_named_sequence} {\n"
        "transform.named_sequence @__transform_main(%a: !transform.any_op {transform.readonly})\n"
        "{ transform.yield } }"
    )
    started.set()
    while True:
        interpreter.apply_named_sequence(module, script.body.operations[0], script)


def an_index():
    class Index:
        def __index__(self):
            pause()
            return 3

    i32 = IntegerType.get_signless(32)
    while True:
        ir.IntegerAttr.get(i32, Index())


def a_sequence():
    def types():
        pause()
        yield IntegerType.get_signless(32)

    while True:
        TupleType.get_tuple(types())


def a_file():
    class File:
        write = pause

    while True:
        module.operation.write_bytecode(file=File())


def a_destructor():
    class Held:
        __del__ = pause

    while True:
        Module.create().operation.held = Held()


def a_parser():
    started.set()
    while True:
        Module.parse(text)


def compiled_code():
    program = Module.parse(
        """
        func.func private @pause() attributes {llvm.emit_c_interface}
        func.func @go() attributes {llvm.emit_c_interface} {
          cf.br ^again
        ^again:
          func.call @pause() : () -> ()
          cf.br ^again
        }
        """
    )
    lower = "convert-cf-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts"
    PassManager.parse(f"builtin.module({lower})").run(program.operation)
    engine = ExecutionEngine(program)
    callback = ctypes.CFUNCTYPE(None)(pause)
    engine.register_runtime("pause", callback)
    engine.invoke("go")


def main(way):
    def run():
        with context, Location.unknown():
            globals()[way]()

    threading.Thread(target=run, daemon=True).start()
    assert started.wait(30), "the thread did not start"


class Slow:
    """Holds up the end of the interpreter, so that the thread wants to have it meanwhile."""

    def __del__(self, sleep=time.sleep):
        sleep(0.2)


slow = Slow()
main(sys.argv[1])
print("ends")
