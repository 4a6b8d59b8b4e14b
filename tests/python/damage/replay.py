"""Reads inputs from files with the installed package, each in a process of its own.

``python -m damage.replay FILE...`` prints a line of JSON for each: how the reading ended. The
suffix of a file names its reader, ``module`` by default. A folder is one input: its files are read
in one context, in the order of their names.
"""

import json
import os
import pathlib
import resource
import signal
import sys
import tempfile
import time

READERS = ("module", "operation", "attribute", "type")
# Of the processor's time; the machine may be busy.
SECONDS = 5
MEMORY = 6 << 30


def limited():
    """Limits this process, so that hangs and large allocations end it."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)


def in_child(work, errors=None):
    """Runs work in a child. Returns its status, and what it returned as JSON or None.

    What the child writes as errors goes to the file ``errors``.
    """
    answer, question = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(errors.fileno() if errors else quiet, 2)
            limited()
            os.write(question, json.dumps(work()).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(question)
    with os.fdopen(answer, "rb") as pipe:
        result = pipe.read()
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return code, json.loads(result) if code == 0 else None


def outcome(readers, inputs):
    """Reads some inputs in one context, and returns how the last of them ended."""

    def work():
        signal.setitimer(signal.ITIMER_PROF, SECONDS * max(1, len(inputs) // 1000))
        with readers.context():
            for reader, data in inputs:
                start = time.process_time()
                verdict = readers.read(reader, data)
        return verdict, time.process_time() - start

    with tempfile.TemporaryFile() as errors:
        status, result = in_child(work, errors)
        if status == 0:
            return {"status": 0, "verdict": result[0], "seconds": round(result[1], 3)}
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
    found = {"status": status, "verdict": "hang" if status == -signal.SIGPROF else "crash"}
    # The message of an assertion or of an exception.
    return {**found, "message": lines[-1][-1000:]} if lines else found


def inputs_at(path):
    """The inputs in a file or a folder: each a reader and bytes."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    for file in files:
        suffix = file.suffix[1:]
        yield suffix if suffix in READERS else "module", file.read_bytes()


def main():
    from damage import readers

    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        found = outcome(readers, list(inputs_at(path)))
        print(json.dumps({"input": path.name, **found}), flush=True)


if __name__ == "__main__":
    main()
