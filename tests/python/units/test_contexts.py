"""Many contexts and threads: each context has its own definitions, and none is left behind."""

import gc
import resource
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

PROGRAM = """
func.func @f(%d: !units.q<"m">, %t: !units.q<"s">) -> !units.q<"m/s"> {{
  %v = units.div %d, %t : !units.q<"m">, !units.q<"s">
  %c = units.constant #units.value<{0}.0, "km/h">
  %e = units.convert %c : !units.q<"km/h"> to !units.q<"m/s">
  %s = units.add %v, %e : !units.q<"m/s">, !units.q<"m/s">
  return %s : !units.q<"m/s">
}}
"""


def work(ir, passmanager, number):
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(PROGRAM.format(number * 18))
        passmanager.PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        return str(module)


def check(text, number):
    assert f"{number * 5:e}".split("e")[0].rstrip("0").rstrip(".") in text
    assert "units.convert" not in text
    assert text.count("units.constant") == 1


def test_contexts_live_side_by_side(ir, units):
    first, second = ir.Context(), ir.Context()
    one = units.q("m/s", context=first)
    other = units.q("m/s", context=second)
    assert one != other
    del second, other
    gc.collect()
    assert units.q("m/s", context=first) == one


def test_contexts_in_threads(ir, passmanager):
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda number: work(ir, passmanager, number), range(1, 65)))
    for number, text in enumerate(texts, 1):
        check(text, number)


def test_threads_share_a_context(ir, units, ctx):
    """Types and attributes are made, verified and printed in many threads at once."""
    wrong = []

    def make(seed):
        for step in range(200):
            number = (seed * 37 + step) % 150 + 1
            made = units.q(f"{number}*m/s", context=ctx)
            value = units.value(number / 8, f"{number}*m/s", context=ctx)
            if str(made) != str(ir.Type.parse(str(made), context=ctx)) or str(made.unit) not in str(
                value
            ):
                wrong.append(number)

    threads = [threading.Thread(target=make, args=[seed]) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_many_functions_are_verified_and_folded_in_the_pool(ir, passmanager, ctx):
    program = "".join(PROGRAM.format(18 * n).replace("@f", f"@f{n}") for n in range(1, 200))
    module = ir.Module.parse(program)
    pipeline = "builtin.module(func.func(canonicalize,cse))"
    passmanager.PassManager.parse(pipeline).run(module.operation)
    assert str(module).count("units.constant") == 199
    assert "units.convert" not in str(module)


def test_contexts_leave_nothing_behind(ir, passmanager):
    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for number in range(1, 60):
        work(ir, passmanager, number)
    before = peak()
    for number in range(1, 400):
        check(work(ir, passmanager, number), number)
    # One context with the dialect is some 500 kB.
    assert peak() - before < 4096, f"{peak() - before} kB more"


def test_the_interpreter_ends_quietly_with_live_objects(ir, units):
    program = (
        f"from {ir.__name__} import *\nfrom {units.__name__} import q, constant\n"
        "context = Context()\nwith context, Location.unknown():\n"
        "    module = Module.create()\n    with InsertionPoint(module.body):\n"
        "        kept = constant(1.0, 'm')\n    of = q('m/s')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
