"""``python -m damage bytecode|text|parts``: the command. See ``--help``."""

import argparse
import json
import mmap
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time

from damage import inputs, parts

SECONDS = 10
PER_CONTEXT = 200
OUTCOMES = ["check", "mlir", "nobody"]


def arguments():
    parser = argparse.ArgumentParser(prog="python -m damage", description=__doc__)
    parser.add_argument("kind", choices=["bytecode", "text", "parts"])
    parser.add_argument("--inputs", type=int, help="their number (10000; of parts, all)")
    parser.add_argument("--seed", type=int, default=0, help="what they follow from (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--jobs", type=int, default=1, help="workers at a time (%(default)s)")
    parser.add_argument(
        "--corpus", type=pathlib.Path, help="a folder of .mlir files, seeds as well"
    )
    parser.add_argument("--plain", action="store_true", help="without red zones (for memcheck)")
    parser.add_argument("--out", type=pathlib.Path, help="a folder for the inputs that fail")
    parser.add_argument(
        "--minimise", type=int, default=3, help="how many of them are made smaller (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print the totals as JSON")
    options = parser.parse_args()
    if options.inputs is None and options.kind != "parts":
        options.inputs = 10_000
    return options


def with_red_zones():
    """Starts this program again over an allocator that looks at its blocks."""
    source = pathlib.Path(__file__).with_name("redzones.c")
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "redzones.so"
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
        environment = {**os.environ, "LD_PRELOAD": str(library), "MONDO_RED_ZONES": "1"}
        command = [sys.executable, "-m", "damage", *sys.argv[1:]]
        return subprocess.run(command, env=environment).returncode


def seeds_of(options, readers):
    texts = list(inputs.SEEDS)
    if options.corpus:
        for path in sorted(options.corpus.rglob("*.mlir")):
            text = path.read_text(errors="replace")
            if len(text) < 20_000 or options.kind == "parts":
                texts.append(text)
    if options.kind == "text":
        return texts
    if options.kind == "parts":
        return parts.made(readers, texts)
    with readers.context():
        sound = []
        for text in texts:
            try:
                readers.ir.Operation.parse(text)
            except readers.ir.MLIRError:
                continue
            sound.append(text)
        return inputs.bytecodes(readers.ir, sound)


def guarded(work):
    """Runs work in a child. Returns its status, a signal's number below zero."""
    pid = os.fork()
    if pid == 0:
        code = 70
        try:
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


class Share:
    """A part of the inputs: the numbers from ``first`` in steps of ``step``."""

    # The number that is being read, the number that comes after it, and a counter for each outcome.
    FIELDS = struct.Struct("qq3q")

    def __init__(self, options, readers, seeds, first, step):
        self.options, self.readers, self.seeds = options, readers, seeds
        self.first, self.step = first, step
        self.memory = mmap.mmap(-1, self.FIELDS.size)
        self.failed = []

    def end(self):
        return self.options.first + self.options.inputs

    def work(self, start):
        counts = list(self.FIELDS.unpack(self.memory[:])[2:])
        number = start
        while number < self.end():
            with self.readers.context():
                for _ in range(PER_CONTEXT):
                    if number >= self.end():
                        break
                    following = number + self.step
                    self.memory[:] = self.FIELDS.pack(number, following, *counts)
                    signal.setitimer(signal.ITIMER_REAL, SECONDS)
                    reader, data = inputs.make(
                        self.options.kind, self.options.seed, number, self.seeds
                    )
                    counts[OUTCOMES.index(self.readers.read(reader, data))] += 1
                    number = following
                signal.setitimer(signal.ITIMER_REAL, 0)
        self.memory[:] = self.FIELDS.pack(-1, number, *counts)

    def run(self):
        """Reads all, in one child after another. Returns the counts and what failed."""
        start = self.first
        while start < self.end():
            status = guarded(lambda start=start: self.work(start))
            number, start, *counts = self.FIELDS.unpack(self.memory[:])
            if status != 0:
                self.failed.append((number, status))
        return counts, self.failed


def fails(readers, reader, data):
    """The status of a child that reads one input; 0 is well."""

    def work():
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        with readers.context():
            readers.read(reader, data)

    return guarded(work)


def minimised(readers, reader, data, status):
    """A smaller input that fails in the same way."""
    size = len(data) // 2
    budget = time.monotonic() + 60
    while size >= 1 and time.monotonic() < budget:
        at = 0
        while at < len(data):
            less = data[:at] + data[at + size :]
            if fails(readers, reader, less) == status:
                data = less
            else:
                at += size
        size //= 2
    return data


def shares(options, readers, seeds):
    """Runs a share in each worker, and returns what they found, added up."""
    pipes = []
    for index in range(options.jobs):
        ours, theirs = os.pipe()
        if os.fork() == 0:
            os.close(ours)
            share = Share(options, readers, seeds, options.first + index, options.jobs)
            with os.fdopen(theirs, "w") as pipe:
                json.dump(share.run(), pipe)
            os._exit(0)
        os.close(theirs)
        pipes.append(ours)
    counts, failed = [0] * len(OUTCOMES), []
    for pipe in pipes:
        with os.fdopen(pipe) as answer:
            some, more = json.load(answer)
        counts = [a + b for a, b in zip(counts, some, strict=True)]
        failed += more
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return counts, sorted(failed)


def main():
    options = arguments()
    if not options.plain and "MONDO_RED_ZONES" not in os.environ:
        return with_red_zones()
    from damage import readers

    seeds = seeds_of(options, readers)
    if options.kind == "parts":
        most = max(len(seeds) - options.first, 0)
        options.inputs = most if options.inputs is None else min(options.inputs, most)
    start = time.monotonic()
    counts, failed = shares(options, readers, seeds)
    hangs = [number for number, status in failed if status == -signal.SIGALRM]
    totals = {
        "kind": options.kind,
        "seed": options.seed,
        "first": options.first,
        "inputs": options.inputs,
        "seeds": len(seeds),
        "refused by the check": counts[0],
        "refused by MLIR": counts[1],
        "read": counts[2],
        "crashes": len(failed) - len(hangs),
        "hangs": len(hangs),
        "seconds": round(time.monotonic() - start),
    }
    for place, (number, status) in enumerate(failed):
        reader, data = inputs.make(options.kind, options.seed, number, seeds)
        said = data.decode().partition("\n")[0] if options.kind == "parts" else f"{len(data)} bytes"
        print(f"input {number}, {reader}, {said}: ends with {status}", file=sys.stderr)
        if options.out:
            options.out.mkdir(parents=True, exist_ok=True)
            if status != -signal.SIGALRM and place < options.minimise:
                data = minimised(readers, reader, data, status)
            (options.out / f"{options.kind}-{options.seed}-{number}.{reader}").write_bytes(data)
    if options.json:
        print(json.dumps(totals))
    else:
        for name, value in totals.items():
            print(f"{name:>21}  {value}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
