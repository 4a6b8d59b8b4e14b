"""Passes written in Python."""

from mlir.dialects import arith, func
from mlir.dialects.builtin import ModuleOp
from mlir.ir import *
from mlir.passmanager import *
from mlir.rewrite import *


def show(op, pass_=None):
    print("pass on", op.name, type(op).__name__)
    op.walk(lambda o: (print(" ", o.name), WalkResult.ADVANCE)[1])


class Counter:
    def __init__(self):
        self.n = 0

    def __call__(self, op, pass_):
        self.n += 1
        print(type(op).__name__, type(pass_).__name__)


def fails(op, pass_):
    pass_.signal_pass_failure()


def raises(op, pass_):
    raise RuntimeError("no good")


with Context() as ctx, Location.unknown():
    m = Module.parse(
        "func.func @f() { %0 = arith.constant 1 : i32 return } func.func @g() { return }"
    )
    c = Counter()
    pm = PassManager("any")
    pm.enable_verifier(True)
    pm.add(show)
    pm.add(c, "count")
    pm.add("canonicalize")
    print(pm)
    pm.run(m.operation)
    print(m, c.n)
    pm = PassManager()
    print(pm)
    pm.add("func.func(cse)")
    pm.add(c)
    print(pm)
    pm.run(m.operation)
    for bad in [fails, raises]:
        pm = PassManager("any")
        pm.add(bad)
        try:
            pm.run(m.operation)
        except BaseException as e:
            print(type(e).__name__, e)
    for text in ["nope", "any(nope)", "builtin.module(", "", "func.func(cse"]:
        try:
            print(PassManager.parse(text))
        except Exception as e:
            print(type(e).__name__, e)
    for text in ["nope", "func.func("]:
        pm = PassManager()
        try:
            pm.add(text)
        except Exception as e:
            print(type(e).__name__, e)
    print(PassManager.parse("builtin.module(func.func(canonicalize{max-iterations=3},cse))"))
