"""A forked child process uses its parent's contexts, without the parent's threads."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# CPython 3.12 and later say that threads do not survive a fork; that is what is tested.
NO_WARNING = "-Wignore::DeprecationWarning"

CHILD = """
import importlib, os, sys
ir = importlib.import_module(sys.argv[1] + ".ir")
passmanager = importlib.import_module(sys.argv[1] + ".passmanager")

functions = "".join(
    f"func.func @f{i}(%x: i32) -> i32 {{ %d = arith.addi %x, %x : i32 return %x : i32 }}\\n"
    for i in range(64)
)
context = ir.Context(ARGUMENTS)
context.__enter__()
module = ir.Module.parse(functions)

def work():
    assert module.operation.verify()
    text = str(module)
    passmanager.PassManager.parse("builtin.module(func.func(canonicalize,cse))").run(
        module.operation
    )
    assert "addi" not in str(module)
    return text

BEFORE
child = os.fork()
if child == 0:
    work()
    sys.exit(0)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@pytest.mark.parametrize("arguments", ["", "thread_pool=None"])
@pytest.mark.parametrize(
    "before",
    ["", "str(module)", "assert module.operation.verify()", "ir.Module.parse(functions)", "work()"],
)
def test_child_goes_on(root, arguments, before):
    program = CHILD.replace("ARGUMENTS", arguments).replace("BEFORE", before)
    run = subprocess.run(
        [sys.executable, NO_WARNING, "-c", program, root],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_child_with_a_pool_of_its_own_ends(root):
    program = f"""
import os, sys
from {root} import ir
context = ir.Context(thread_pool=ir.ThreadPool())
child = os.fork()
if child == 0:
    del context
    sys.exit(0)
_, status = os.waitpid(child, 0)
sys.exit(os.waitstatus_to_exitcode(status))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
