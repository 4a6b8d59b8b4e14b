"""Contexts, locations and insertion points, nested and in several threads and processes."""

import copy
import gc
import multiprocessing
import pickle
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import mlir.ir as ir
from mlir.dialects import arith, builtin, func
from mlir.ir import *


def current():
    out = []
    for c in (Context, Location, InsertionPoint):
        try:
            out.append(type(c.current).__name__)
        except Exception as e:
            out.append(f"{type(e).__name__}: {e}")
    return out


current()
with Context() as a:
    print(current())
    with Location.unknown() as l:
        print(current(), Location.current == l, Context.current is a)
        with Context() as b:
            print(current(), Context.current is b)
        print(current())
        m = Module.create()
        with InsertionPoint(m.body):
            print(current(), InsertionPoint.current.block == m.body)
            with Location.name("x"):
                print(arith.constant(IntegerType.get_signless(8), 1).owner.location)
            with b, Location.unknown():
                print(current())
current()
c = Context()
with Location.unknown(c):
    print(current(), Context.current is c)
with Location.unknown(context=c), InsertionPoint(m.body):
    print(current())
Location.unknown()
Module.parse("")
IntegerType.get_signless(8)
IntegerType.get_signless(8, c)
IntegerType.get_signless(8, context=c)
Module.parse("module{}", c).context is c
Module.parse("module{}", context=c)
Module.create()
Module.create(loc=Location.unknown(c))
arith.constant(IntegerType.get_signless(8, c), 1)
arith.constant(IntegerType.get_signless(8, c), 1, loc=Location.unknown(c))
with c:
    StringAttr.get("x")
    Attribute.parse("1 : i3")


def work(n):
    with Context(), Location.unknown():
        m = Module.create()
        with InsertionPoint(m.body):
            for i in range(n):
                arith.constant(IntegerType.get_signless(32), i)
        return len(str(m).split("\n"))


with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(work, range(10, 20))))
r = []
t = threading.Thread(target=lambda: r.append(current()))
t.start()
t.join()
r
with Context():
    t = threading.Thread(target=lambda: r.append(current()))
    t.start()
    t.join()
r


def proc(text):
    with Context():
        m = Module.parse(text)
        return str(m.operation.get_asm(print_generic_op_form=True))


if sys.argv[0]:
    from functools import partial

    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(len, ["a", "bc"]))
pickle.dumps(IntegerType.get_signless(8, c))
copy.copy(IntegerType.get_signless(8, c))
copy.deepcopy(m)
w = 0


class Holder:
    pass


hh = Holder()
hh.m = m
del m
gc.collect()
str(hh.m)[:10]
op = hh.m.body.operations[0] if len(hh.m.body.operations) else None
del hh
gc.collect()
op
x = Context._get_live_count() >= 0
Context() == Context()
c == c
hash(c) == hash(c)
c.__enter__() is c
c.__exit__(None, None, None)
c.__exit__(None, None, None)
Location.unknown(c).__exit__(None, None, None)
InsertionPoint(Module.create(Location.unknown(c)).body).__exit__(None, None, None)
with Context() as c1, Location.unknown():
    mm = Module.create()
    v1 = IntegerType.get_signless(8)
with Context() as c2, Location.unknown():
    v2 = IntegerType.get_signless(8)
v1 == v2
mm.context is c1
c1 == mm.context
v1.context == v2.context
Type(v1)
Type.parse("i8", c2) == v2


def gen():
    with Context() as q:
        yield str(q is Context.current)
        yield str(Context.current is q)


list(gen())
with loc_tracebacks(max_depth=3):
    with Context():
        print("ok")
with Context():
    with ir.loc_tracebacks(max_depth=100):
        m3 = Module.create(Location.unknown())
        with InsertionPoint(m3.body):
            k = arith.constant(IntegerType.get_signless(8), 1)
    print(
        type(k.owner.location).__name__,
        "callsite" in str(k.owner.location) or "steps" in str(k.owner.location),
    )
ir._globals.set_loc_tracebacks_enabled(False)
ir._globals.loc_tracebacks_enabled()
ir._globals.loc_tracebacks_frame_limit()
