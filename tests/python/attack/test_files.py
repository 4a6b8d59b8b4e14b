"""Files whose other end is in the same process."""

import pytest

# The other thread needs the interpreter, so that the program ends only if the call gives it away.
READ = """
import os, sys, tempfile, threading, time
from mlir.ir import Context, Module

path = os.path.join(tempfile.mkdtemp(), "pipe")
os.mkfifo(path)

def write():
    time.sleep(0.05)
    with open(path, "w") as file:
        file.write("func.func private @f()\\n")
        file.flush()
        time.sleep(0.05)
        file.write("func.func private @g()")

threading.Thread(target=write).start()
with Context():
    print(len(Module.parseFile(path).body.operations))
"""

DUMP = """
import os, threading
from mlir.ir import *

end, start = os.pipe()
os.dup2(start, 2)
os.close(start)
total = []

def read():
    while chunk := os.read(end, 1 << 12):
        total.append(len(chunk))

thread = threading.Thread(target=read)
thread.start()
with Context() as context:
    context.allow_unregistered_dialects = True
    text = "x" * (1 << 20)
    module = Module.parse('module attributes {t.a = "' + text + '"} {}')
    module.dump()
    StringAttr.get(text).dump()
os.close(2)
thread.join()
print(sum(total) > 2 << 20)
"""

OBJECT = """
import os, tempfile, threading, time
from mlir.execution_engine import ExecutionEngine
from mlir.ir import Context, Module

path = os.path.join(tempfile.mkdtemp(), "pipe")
os.mkfifo(path)
content = []

def read():
    time.sleep(0.05)
    with open(path, "rb") as file:
        content.append(file.read())

thread = threading.Thread(target=read)
with Context():
    engine = ExecutionEngine(Module.parse("llvm.func @f() { llvm.return }"))
engine.raw_lookup("f")
thread.start()
engine.dump_to_object_file(path)
thread.join()
print(content[0][:4])
"""


@pytest.mark.parametrize(
    ("program", "output"), [(READ, "2\n"), (DUMP, "True\n"), (OBJECT, "b'\\x7fELF'\n")]
)
def test_the_other_end_of_a_pipe_gets_the_interpreter(attack, program, output):
    outcome = attack(program, seconds=20)
    assert (outcome.status, outcome.output) == (0, output), outcome.errors
