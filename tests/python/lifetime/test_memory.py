"""A million operations fetched and dropped: only dormant wrappers stay, of bounded size."""

import json
import subprocess
import sys

from lifetime.package import ROOT

SCRIPT = """
import gc, importlib, json, sys
ir = importlib.import_module(sys.argv[1] + ".ir")

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

COUNT = 50_000
context = ir.Context()
context.allow_unregistered_dialects = True
body = "\\n".join(
    '%%v%d = "t.op"(%%x) : (i32) -> i32' % number for number in range(COUNT)
)
module = ir.Module.parse('%%x = "t.x"() : () -> i32\\n%s' % body, context)

def sweep():
    for op in module.body:
        op.operation.results[0].owner
        list(op.operation.operands)

def fetch_all():
    sweep()
    return resident()

before = resident()
first = fetch_all()
# Twenty times fifty thousand.
again = [fetch_all() for _ in range(19)]
module.operation.erase()
del module
gc.collect()
rounds = []
for _ in range(20):
    made = ir.Module.parse('%%x = "t.x"() : () -> i32\\n%s' % body, context)
    for op in made.body:
        op.operation.results
    del op, made
    rounds.append(resident())
print(json.dumps({"dormant": (first - before) / COUNT, "growth": again[-1] - again[0],
                  "rounds": rounds[-1] - rounds[4]}))
"""

# The size of the dormant wrappers of one operation, its view and its result, in bytes.
DORMANT = 700
# Memory that the allocator may keep, in bytes.
SLACK = 4 * 2**20


def test_a_million_operations_fetched_and_dropped():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, ROOT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(found)
    assert found["dormant"] < DORMANT, found
    assert found["growth"] < SLACK, found
    assert found["rounds"] < SLACK, found
