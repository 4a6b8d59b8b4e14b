"""The end of the interpreter while another thread is in a call of the extension."""

PROGRAM = """
import fractions
import importlib
import sys
import threading
import time

root = sys.argv[1]
ir = importlib.import_module(f"{root}.ir")
fxp = importlib.import_module(f"{root}.dialects.fxp")
Fraction = fractions.Fraction
started = threading.Event()


def pause(*arguments):
    '''Python code in which the thread gives the interpreter away.'''
    started.set()
    time.sleep(0.002)
    return Fraction(*arguments)


# `value` calls it in C++.
fractions.Fraction = pause


class Slow:
    '''Holds up the end of the interpreter, so that the thread wants to have it meanwhile.'''

    def __del__(self, sleep=time.sleep):
        sleep(0.2)


with ir.Context():
    attribute = fxp.ValueAttr.get(fxp.NumType.get(16, 8), 3)


def extension():
    while True:
        attribute.value


slow = Slow()
threading.Thread(target=extension, daemon=True).start()
assert started.wait(30), "the thread did not start"
print("ends")
"""


def test_a_daemon_thread_in_the_extension_does_not_end_the_process(python, root):
    done = python(PROGRAM, root)
    assert (done.stdout, done.stderr) == ("ends\n", "")
