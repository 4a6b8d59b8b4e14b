"""Diagnostics, verification errors, and parse errors as users handle them."""

import traceback

from mlir.dialects import arith, func
from mlir.ir import *

ctx = Context()
ctx.__enter__()
loc = Location.file("f.py", 3, 4)
loc.__enter__()
seen = []


def h(d):
    seen.append(
        (
            d.severity,
            d.message,
            str(d.location),
            [(n.message, str(n.location), n.severity) for n in d.notes],
        )
    )
    return True


hd = ctx.attach_diagnostic_handler(h)
loc.emit_error("an error")
seen.pop()
hd.attached
hd.had_error
Module.parse("foo")
seen
m = Module.parse("func.func @f() -> i32 { %0 = arith.constant 1 : i32 return %0 : i32 }")
seen.clear()
Module.parse('"func.func"() ({ }) : () -> ()')
seen
op = 0
seen
hd.detach()
hd.attached
ctx.emit_error_diagnostics
with ctx:
    pass
try:
    Operation.parse("%0 = arith.constant 1 : i32\n%1 = arith.addi %0, %0 : i64")
except MLIRError as e:
    x = e
x.message
len(x.error_diagnostics)
str(x.error_diagnostics[0].location)
x.error_diagnostics[0].message
x.error_diagnostics[0].severity
str(x)
repr(x.error_diagnostics[0])[:20]
isinstance(x, MLIRError)
MLIRError.__mro__[1:]
x.args[:1]
raise MLIRError("hello", [])
try:
    raise MLIRError("hello", x.error_diagnostics)
except MLIRError as e:
    print(e, e.message)
str(MLIRError("z", []))
with Location.unknown():
    bad = Operation.parse('"arith.constant"() <{value = 1 : i32}> : () -> i32')
bad2 = Operation.create(
    "arith.constant",
    results=[F32Type.get()],
    attributes={"value": IntegerAttr.get(IntegerType.get_signless(32), 1)},
)
bad2.verify()
ctx.attach_diagnostic_handler(lambda d: print("H1", d.message, d.severity, len(d.notes)) or False)
ctx.attach_diagnostic_handler(lambda d: print("H2", d.message) or False)
Location.unknown().emit_error("zz")
bad2.verify()


def boom(d):
    raise ValueError("in handler")


hb = ctx.attach_diagnostic_handler(boom)
Location.unknown().emit_error("zz")
hb.had_error
hb.detach()
hb.detach()
with ctx.attach_diagnostic_handler(lambda d: True) as hh:
    print(hh.attached)
hh.attached
DiagnosticSeverity.ERROR
list(DiagnosticSeverity)
DiagnosticSeverity.WARNING.name
DiagnosticSeverity.NOTE.value
d = None


def keep(dd):
    global d
    d = dd
    return True


kh = ctx.attach_diagnostic_handler(keep)
loc.emit_error("kept")
d.message
kh.detach()
Location.file("a", 1, 2)
Location.fused([Location.name("x"), Location.unknown()])
Location.callsite(Location.name("c"), [Location.name("d")])
Location.name("n", Location.file("b", 3, 4))
Location.fused([loc], StringAttr.get("meta"))
Location.file("a", 1, 2, 3, 4)
Location.file("a", 1, 2, 3, 4).end_line
Location.file("a", 1, 2).filename
Location.file("a", 1, 2).start_line
Location.file("a", 1, 2).start_col
Location.name("x").name_str
Location.name("x", loc).child_loc
Location.callsite(Location.name("c"), [loc]).callee
Location.callsite(Location.name("c"), [loc]).caller
Location.fused([loc, Location.unknown()]).locations
Location.fused([loc]).metadata
Location.unknown().is_a_file()
loc.is_a_file()
Location.name("x").is_a_name()
Location.fused([loc, Location.unknown()]).is_a_fused()
Location.callsite(loc, [loc]).is_a_callsite()
Location.callsite(loc, [])
Location.from_attr(loc.attr)
loc == Location.file("f.py", 3, 4)
loc.context is ctx
str(loc)
Location.current == loc
ctx.get_or_load_dialect
ctx.d.arith
ctx.dialects["nope"]
ctx.d.nope
ctx.is_registered_operation("func.func")
ctx.is_registered_operation("x.y")
ctx.allow_unregistered_dialects
ctx.get_dialect_descriptor("func")
ctx.get_dialect_descriptor("func").namespace
ctx.load_all_available_dialects()
ctx.num_loaded_dialects
ctx.get_dialect_descriptor("nopenope")
ctx.enable_multithreading(False)
ctx._get_live_operation_count()
ctx.allow_unregistered_dialects = True
Operation.create("un.known")
Type.parse("!un.known<x>")
Attribute.parse("#un.known<x>")
type(Type.parse("!un.known<x>"))
