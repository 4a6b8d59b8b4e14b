"""Exceptions of callbacks that are no ``Exception`` keep their type, and Ctrl-C ends pipelines."""

import importlib
import io
import os
import signal
import subprocess
import sys
import time

import pytest
from mondo_fixtures import ROOT

NOT_EXCEPTIONS = [KeyboardInterrupt, SystemExit, GeneratorExit]

ADD = """
func.func @f(%a: i64, %b: i64) -> i64 {
  %sum = arith.addi %a, %b : i64
  return %sum : i64
}
"""


class Own(BaseException):
    """An exception that only its raiser knows."""


@pytest.fixture(params=[*NOT_EXCEPTIONS, Own], ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture
def raising(kind):
    """A callable that raises, and a context manager that expects the very exception."""
    error = kind("mine")

    def call(*_args, **_kwargs):
        raise error

    class Expects:
        def __enter__(self):
            return self

        def __exit__(self, _kind, raised, _traceback):
            assert raised is error, f"{raised!r} arrived instead of {error!r}"
            return True

    return call, Expects()


@pytest.fixture(scope="session")
def rewrite():
    return importlib.import_module(f"{ROOT}.rewrite")


@pytest.fixture
def module(ir, ctx):
    return ir.Module.parse(ADD)


def test_walk(module, raising):
    call, expects = raising
    with expects:
        module.operation.walk(call)


def test_walk_of_symbol_tables(ir, module, raising):
    call, expects = raising
    with expects:
        ir.SymbolTable.walk_symbol_tables(module.operation, True, call)


@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.parametrize("pipeline", [None, "func.func"])
def test_pass(passmanager, ctx, module, raising, threads, pipeline):
    ctx.enable_multithreading(threads)
    call, expects = raising
    manager = passmanager.PassManager("any")
    manager.add(call, op_name=pipeline)
    with expects:
        manager.run(module.body.operations[0] if pipeline else module.operation)
    assert module.operation.verify()


@pytest.mark.parametrize("driver", ["apply_patterns_and_fold_greedily", "walk_and_apply_patterns"])
def test_pattern(rewrite, module, raising, driver):
    call, expects = raising
    patterns = rewrite.RewritePatternSet()
    patterns.add("arith.addi", call)
    with expects:
        getattr(rewrite, driver)(module.operation, patterns.freeze())
    assert module.operation.verify()


def test_diagnostic_handler_of_emitted_error(ir, ctx, raising):
    call, expects = raising
    with ctx.attach_diagnostic_handler(call) as handler:
        with expects:
            ir.Location.unknown().emit_error("here")
        assert handler.had_error


def test_diagnostic_handler_of_verifier(ir, ctx, raising):
    ctx.emit_error_diagnostics = True
    module = ir.Module.parse(ADD)
    function = module.body.operations[0]
    function.regions[0].blocks[0].operations[1].erase()
    call, expects = raising
    with ctx.attach_diagnostic_handler(call), expects:
        module.operation.verify()


def test_diagnostic_handler_of_parser(ir, ctx, raising):
    ctx.emit_error_diagnostics = True
    call, expects = raising
    with ctx.attach_diagnostic_handler(call):
        for parse in (ir.Module.parse, ir.Operation.parse, ir.Type.parse, ir.Attribute.parse):
            with expects:
                parse("?")


def test_diagnostic_handler_of_pipeline(ir, passmanager, ctx, raising):
    ctx.emit_error_diagnostics = True
    module = ir.Module.parse(ADD)

    def emit(op, _external):
        op.location.emit_error("of a pass")

    manager = passmanager.PassManager("any")
    manager.add(emit)
    call, expects = raising
    with ctx.attach_diagnostic_handler(call), expects:
        manager.run(module.operation)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_exception_of_diagnostic_handler_ends_nothing(ir, ctx):
    def call(_diagnostic):
        raise ValueError("mine")

    with ctx.attach_diagnostic_handler(call) as handler:
        ir.Location.unknown().emit_error("here")
        assert handler.had_error


def test_printing(module, raising):
    call, expects = raising

    class File(io.StringIO):
        write = call

    for write in (
        lambda: module.operation.print(file=File()),
        lambda: module.operation.write_bytecode(File()),
    ):
        with expects:
            write()


def test_state_of_printing(ir, module, raising):
    call, expects = raising

    class File(io.StringIO):
        write = call

    with expects:
        module.operation.print(state=ir.AsmState(module.operation), file=File())


CASTER = """
import sys
from ROOT import ir
from ROOT._mlir_libs import _mlir

class Own(BaseException):
    pass

def call(*_args):
    raise Own("mine")

with ir.Context(), ir.Location.unknown():
    kind = ir.IntegerType.get_signless(32).typeid
    region = ir.Operation.create("builtin.module", regions=1).regions[0]
    getattr(_mlir, sys.argv[1])(kind, replace=True)(call)
    try:
        if sys.argv[1] == "register_type_caster":
            ir.Type.parse("i33").maybe_downcast()
        else:
            region.blocks.append(ir.IntegerType.get_signless(34)).arguments[0].maybe_downcast()
    except Own:
        print("Own arrived")
"""


@pytest.mark.parametrize("what", ["register_type_caster", "register_value_caster"])
def test_caster(what):
    code = CASTER.replace("ROOT", ROOT)
    done = subprocess.run([sys.executable, "-c", code, what], capture_output=True, text=True)
    assert done.stdout == "Own arrived\n", done.stderr


def test_attribute_builder(ir, ctx, raising):
    call, expects = raising
    ir.AttrBuilder.insert("MondoRaisingAttr", call, replace=True)
    with expects:
        ir.AttrBuilder.get("MondoRaisingAttr")(1, context=ctx)


# Each pass takes a while on each function; all of it would take minutes.
LONG = """
import signal, sys, time
from ROOT import ir, passmanager, rewrite

BODY = "\\n".join(
    f"%{n + 1} = arith.addi %{n}, %{n} : i64" for n in range(200)
).replace("%0,", "%a,").replace(" %0 ", " %a ")
FUNCTION = "func.func @f{0}(%a: i64) -> i64 {{\\n" + BODY + "\\nreturn %200 : i64\\n}}\\n"

class Stop(Exception):
    pass

def stop(_number, _frame):
    raise Stop

seen = []

def note(number, _frame):
    seen.append(number)

mode, threads = sys.argv[1:]
with ir.Context() as ctx:
    ctx.enable_multithreading(threads == "threads")
    module = ir.Module.parse("".join(FUNCTION.format(n) for n in range(300)))
    if mode != "default":
        signal.signal(signal.SIGINT, {"raises": stop, "returns": note}[mode])
    passes = 8 if mode == "returns" else 4000
    manager = passmanager.PassManager.parse(
        "builtin.module(" + ",".join(["func.func(cse,canonicalize)"] * passes) + ")"
    )
    print("running", flush=True)
    start = time.monotonic()
    try:
        manager.run(module.operation)
        # A fast machine is done before the signal comes.
        while mode == "returns" and not seen and time.monotonic() < start + 100:
            manager.run(module.operation)
        print("done", len(seen), flush=True)
    except (KeyboardInterrupt, Stop) as error:
        print(type(error).__name__, flush=True)
    assert module.operation.verify()
    passmanager.PassManager.parse("builtin.module(func.func(cse))").run(module.operation)
    assert len(module.body.operations) == 300
    print("sound", flush=True)
"""


def interrupted(code, *arguments):
    """Sends SIGINT to a program that says that it runs. Returns what it prints from then on, and
    the seconds to the first word of it."""
    with subprocess.Popen(
        [sys.executable, "-c", code.replace("ROOT", ROOT), *arguments],
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout.readline() == "running\n"
        time.sleep(0.5)
        os.kill(program.pid, signal.SIGINT)
        sent = time.monotonic()
        first = program.stdout.readline()
        seconds = time.monotonic() - sent
        rest = program.stdout.read()
        assert program.wait(timeout=120) == 0
    return (first + rest).split("\n")[:-1], seconds


@pytest.mark.parametrize("threads", ["threads", "alone"])
@pytest.mark.parametrize(("mode", "answer"), [("default", "KeyboardInterrupt"), ("raises", "Stop")])
def test_signal_ends_pipeline(mode, answer, threads):
    said, seconds = interrupted(LONG, mode, threads)
    assert said == [answer, "sound"]
    assert seconds < 30


@pytest.mark.parametrize("threads", ["threads", "alone"])
def test_handler_that_returns_ends_nothing(threads):
    said, _ = interrupted(LONG, "returns", threads)
    assert said == ["done 1", "sound"]


REWRITE = """
from ROOT import ir, rewrite

with ir.Context() as ctx, ir.Location.unknown():
    ctx.allow_unregistered_dialects = True
    module = ir.Module.parse('"t.op"() {n = 0 : i64} : () -> ()')

    def count(op, rewriter):
        with rewriter.ip:
            n = ir.IntegerAttr(op.attributes["n"]).value + 1
            number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), n)
            new = ir.Operation.create("t.op", attributes={"n": number})
        rewriter.replace_op(op, new)

    patterns = rewrite.RewritePatternSet()
    patterns.add("t.op", count)
    config = rewrite.GreedyRewriteConfig()
    config.max_iterations = -1
    config.max_num_rewrites = -1
    print("running", flush=True)
    try:
        rewrite.apply_patterns_and_fold_greedily(module, patterns.freeze(), config)
    except KeyboardInterrupt:
        print("KeyboardInterrupt", flush=True)
    assert module.operation.verify()
    print("sound", flush=True)
"""


def test_signal_ends_rewrite_by_patterns():
    said, seconds = interrupted(REWRITE)
    assert said == ["KeyboardInterrupt", "sound"]
    assert seconds < 30


class Stops:
    """An argument whose conversion runs ``stop``."""

    def __init__(self, stop):
        self.stop = stop

    def __iter__(self):
        self.stop()

    def __index__(self):
        self.stop()

    __int__ = __float__ = __bool__ = __index__


CONVERTERS = {
    "DenseI32ArrayAttr": lambda ir, it: ir.DenseI32ArrayAttr.get(it),
    "DenseI64ArrayAttr element": lambda ir, it: ir.DenseI64ArrayAttr.get([it]),
    "DenseF32ArrayAttr": lambda ir, it: ir.DenseF32ArrayAttr.get(it),
    "DenseF64ArrayAttr element": lambda ir, it: ir.DenseF64ArrayAttr.get([it]),
    "DenseBoolArrayAttr": lambda ir, it: ir.DenseBoolArrayAttr.get(it),
    "DenseBoolArrayAttr element": lambda ir, it: ir.DenseBoolArrayAttr.get([it]),
    "shape": lambda ir, it: ir.RankedTensorType.get(it, ir.F32Type.get()),
    "size": lambda ir, it: ir.RankedTensorType.get([it], ir.F32Type.get()),
    "width": lambda ir, it: ir.IntegerType.get_signless(it),
    "dimension": lambda ir, it: ir.AffineDimExpr.get(it),
    "permutation": lambda ir, it: ir.AffineMap.get_permutation([it]),
    "integer": lambda ir, it: ir.IntegerAttr.get(ir.IntegerType.get_signless(8), it),
    "array": lambda ir, it: ir.ArrayAttr.get(it),
    "tuple": lambda ir, it: ir.TupleType.get_tuple(it),
    "function": lambda ir, it: ir.FunctionType.get(it, []),
    "operands": lambda ir, it: ir.Operation.create("func.return", operands=it),
    "results": lambda ir, it: ir.Operation.create("func.return", results=it),
    "position of an operation": lambda ir, it: ir.Module.create().body.operations[it],
    "position of a region": lambda ir, it: ir.Module.create().operation.regions[it],
    "position of an attribute": lambda ir, it: ir.Module.create().operation.attributes[it],
    "position in an array": lambda ir, it: ir.ArrayAttr.get([ir.UnitAttr.get()])[it],
    "position in a dense array": lambda ir, it: ir.DenseI32ArrayAttr.get([1])[it],
    "file": lambda ir, it: ir.Location.file("a", it, 1),
}


@pytest.mark.parametrize("convert", CONVERTERS.values(), ids=CONVERTERS)
def test_the_conversion_of_an_argument(ir, ctx, raising, convert):
    stop, expects = raising
    with ir.Location.unknown(), expects:
        convert(ir, Stops(stop))
        raise AssertionError("nothing was raised")
