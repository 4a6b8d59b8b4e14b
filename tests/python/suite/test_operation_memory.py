"""Operations live in memory of their own, which comes back, in any thread."""

import os
import subprocess
import sys

import pytest

BEGIN = """
import gc, importlib, os, queue, random, sys, threading
ir = importlib.import_module(sys.argv[1] + ".ir")
passmanager = importlib.import_module(sys.argv[1] + ".passmanager")

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def text(count):
    body = "\\n".join(f'  %v{at} = "t.op"(%x) : (i32) -> i32' for at in range(count))
    return f'func.func @f(%x: i32) {{\\n{body}\\n  return\\n}}'

def context():
    made = ir.Context()
    made.allow_unregistered_dialects = True
    return made
"""

# An operation of these has more than a hundred bytes. What malloc got for the parser, it keeps.
COMES_BACK = """
here = context()
module = ir.Module.parse(text(200_000), here)
full = resident()
del module
gc.collect()
back = full - resident()
print(back)
assert ("MONDO_PLAIN_MALLOC" in os.environ) or back > 18e6, back
"""

# Modules that one thread makes and reduces are destroyed by another.
MANY_THREADS = """
source = text(300)
passing = queue.Queue(8)

def make():
    draw = random.Random(threading.get_ident())
    here = context()
    for _ in range(60):
        module = ir.Module.parse(source, here)
        if draw.random() < 0.5:
            passmanager.PassManager.parse("builtin.module(cse)", here).run(module.operation)
        passing.put(module)
    passing.put(None)

def drop():
    held, ends = [], 0
    while ends < 3:
        module = passing.get()
        ends += module is None
        held.append(module)
        if len(held) > 20:
            del held[:15]

threads = [threading.Thread(target=make) for _ in range(3)] + [threading.Thread(target=drop)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""

LARGE = """
here = context()
with here, ir.Location.unknown():
    i32 = ir.IntegerType.get_signless(32)
    for count in (0, 1, 6, 7, 19, 20, 21, 40, 200):
        value = ir.Operation.create("t.value", results=[i32], ip=False).result
        made = [
            ir.Operation.create("t.op", results=[i32] * count, operands=[value] * count, ip=False)
            for _ in range(200)
        ]
        assert all(len(op.operands) == len(op.results) == count for op in made)
        del made[::2]
        assert all(len(op.operands) == count for op in made)
"""

# Python warns, since 3.12, of what this is about: threads that are there while it forks.
FORK = """
import warnings
warnings.simplefilter("ignore", DeprecationWarning)
stop = threading.Event()

def churn():
    here = context()
    while not stop.is_set():
        ir.Module.parse(text(200), here)

threads = [threading.Thread(target=churn) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(20):
    child = os.fork()
    if child == 0:
        here = context()
        for _ in range(5):
            ir.Module.parse(text(500), here)
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
stop.set()
for thread in threads:
    thread.join()
"""


@pytest.mark.parametrize("plain", [False, True], ids=["pages", "malloc"])
@pytest.mark.parametrize(
    "script",
    [COMES_BACK, MANY_THREADS, LARGE, FORK],
    ids=["comes_back", "many_threads", "large", "fork"],
)
def test_memory_of_operations(root, script, plain):
    environment = {name: value for name, value in os.environ.items() if "MALLOC" not in name}
    if plain:
        # As for memcheck, which sees into malloc only.
        environment["MONDO_PLAIN_MALLOC"] = "1"
    command = [sys.executable, "-c", BEGIN + script, root]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")


# The value of an operation without a block, used by another one.
USED_ROOT = """
here = context()
with here, ir.Location.unknown():
    i32 = ir.IntegerType.get_signless(32)
    for operands in (1, 3):
        value = ir.Operation.create("t.value", results=[i32], ip=False).result
        users = [
            ir.Operation.create("t.user", operands=[value] * operands, ip=False)
            for _ in range(4)
        ]
        copy = users[0].clone(ip=False)
        del value
        while users:
            assert [str(it.type) for it in users[0].operands] == ["i32"] * operands
            assert users[0].operands[0].owner.name == "t.value"
            del users[0]
        assert copy.operands[0].owner.name == "t.value"
"""


def test_value_of_an_operation_without_a_block_lives_as_long_as_its_users(root):
    # glibc overwrites what is freed, so that a read of it is noticed at once.
    environment = dict(os.environ, MONDO_PLAIN_MALLOC="1", MALLOC_PERTURB_="165")
    command = [sys.executable, "-c", BEGIN + USED_ROOT, root]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
