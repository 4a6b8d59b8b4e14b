"""``python -m damage.differential``: the same inputs for this package and for upstream's.

The installed package reads all inputs, many in one process and one context. Upstream's package
reads the inputs that crash or delay the installed one, and a sample. The command fails if there is
an input for which the installed package crashes, hangs or takes ten times as long, and upstream's
does not.
"""

import argparse
import collections
import json
import mmap
import os
import pathlib
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time

from damage import inputs, records, replay
from damage.mixture import Mixture

# Creating a context takes as long as some hundred inputs.
PER_CONTEXT = 2_000
PER_CHUNK = 20_000
# Seconds of the processor, and how many times those of upstream's package, that are too many.
SLOW = 0.5
TIMES = 10
VERDICTS = ["", "check", "mlir", "nobody", "crash", "hang"]
READ, CRASH, HANG = 3, 4, 5


def arguments():
    parser = argparse.ArgumentParser(prog="python -m damage.differential", description=__doc__)
    parser.add_argument("--peer", help="the interpreter that has upstream's package")
    parser.add_argument("--inputs", type=int, default=PER_CHUNK, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="what they follow from (%(default)s)")
    parser.add_argument(
        "--first", type=int, help="the number of the first one, else where --out has come to"
    )
    parser.add_argument("--jobs", type=int, default=1, help="workers at a time (%(default)s)")
    parser.add_argument("--seconds", type=int, help="end after the chunk that passes this time")
    parser.add_argument(
        "--sample", type=int, default=400, help="of each chunk, for verdicts (%(default)s)"
    )
    parser.add_argument("--corpus", type=pathlib.Path, help="a folder of .mlir files, as seeds")
    parser.add_argument(
        "--out", type=pathlib.Path, help="a folder for the corpus, the findings and the progress"
    )
    parser.add_argument(
        "--every", type=int, default=1, help="read every file of that number only (%(default)s)"
    )
    parser.add_argument("--sampled", type=int, nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def corpus(options, readers):
    """The corpus, made once for each folder of results: two packages must have the same."""
    path = options.out / "corpus.pickle"
    if not path.exists():
        texts = list(inputs.SEEDS)
        files = sorted(options.corpus.rglob("*.mlir")) if options.corpus else []
        for file in files[:: options.every]:
            texts.append(file.read_text(errors="replace"))
        made = records.corpus_of(readers, texts)
        path.write_bytes(pickle.dumps(made))
    return pickle.loads(path.read_bytes())


class Reading:
    """Reads a range of numbers with the installed package, in one child after another."""

    def __init__(self, mixture, readers, first, end):
        self.mixture, self.readers, self.first, self.end = mixture, readers, first, end
        # The verdict of each input; the number that is being read, and the first in its context.
        self.verdicts = mmap.mmap(-1, end - first)
        self.slow = mmap.mmap(-1, end - first)
        self.place = mmap.mmap(-1, 16)
        self.failed = []

    def work(self, start):
        place = memoryview(self.place).cast("q")
        read, make = self.readers.read, self.mixture.make
        codes = {verdict: code for code, verdict in enumerate(VERDICTS)}
        while start < self.end:
            end = min(self.end, (start // PER_CONTEXT + 1) * PER_CONTEXT)
            place[1] = start
            with self.readers.context():
                for number in range(start, end):
                    place[0] = number
                    _, reader, data = make(number)
                    signal.setitimer(signal.ITIMER_PROF, replay.SECONDS)
                    began = time.process_time()
                    self.verdicts[number - self.first] = codes[read(reader, data)]
                    if time.process_time() - began > SLOW:
                        self.slow[number - self.first] = 1
                signal.setitimer(signal.ITIMER_PROF, 0)
            start = end

    def run(self):
        start = self.first
        place = memoryview(self.place).cast("q")
        while start < self.end:
            status, _ = replay.in_child(lambda start=start: self.work(start))
            if status == 0:
                break
            number, context = place
            code = HANG if status == -signal.SIGPROF else CRASH
            self.verdicts[number - self.first] = code
            self.failed.append((number, context, status))
            start = number + 1
        return self


def readings(options, mixture, readers, first, end):
    """The verdicts and failures of a range that is shared among the workers."""
    step = -(-(end - first) // options.jobs)
    starts = range(first, end, step)
    pipes = []
    for start in starts:
        answer, question = os.pipe()
        if os.fork() == 0:
            os.close(answer)
            reading = Reading(mixture, readers, start, min(start + step, end)).run()
            slow = [start + place for place, it in enumerate(reading.slow[:]) if it]
            with os.fdopen(question, "wb") as pipe:
                pickle.dump((reading.verdicts[:], reading.failed, slow), pipe)
            os._exit(0)
        os.close(question)
        pipes.append(answer)
    verdicts, failed, slow = b"", [], []
    for answer in pipes:
        with os.fdopen(answer, "rb") as pipe:
            some, more, slower = pickle.load(pipe)
        verdicts, failed, slow = verdicts + some, failed + more, slow + slower
    for _ in pipes:
        os.wait()
    return verdicts, failed, slow


def peer(options, *arguments):
    """Runs a module of this package with the interpreter of the peer, and returns its output."""
    done = subprocess.run(
        [options.peer, "-m", *map(str, arguments)], stdout=subprocess.PIPE, check=True
    )
    return done.stdout


def processor():
    """The processor's time that children have used, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Chunk:
    """A range of inputs: what became of them."""

    def __init__(self, options, mixture, readers, first, end):
        self.options, self.mixture, self.readers = options, mixture, readers
        self.first, self.end = first, end
        self.totals = collections.Counter()
        self.findings = []

    def write(self, folder, number, context=None):
        """Writes an input, with those that are before it in its context."""
        _, reader, data = self.mixture.make(number)
        path = folder / f"{self.options.seed}-{number}.{reader}"
        if context is None:
            path.write_bytes(data)
            return path
        path = folder / f"{self.options.seed}-{number}.order"
        path.mkdir()
        for before in range(context, number + 1):
            _, reader, data = self.mixture.make(before)
            (path / f"{before:012}.{reader}").write_bytes(data)
        return path

    def run(self):
        start, used = time.monotonic(), processor()
        verdicts, failed, slow = readings(
            self.options, self.mixture, self.readers, self.first, self.end
        )
        self.totals["inputs"] = self.end - self.first
        for code, verdict in enumerate(VERDICTS[1:], 1):
            self.totals[verdict] = verdicts.count(code)
        self.totals["seconds"] = time.monotonic() - start
        self.totals["of the processor"] = processor() - used
        with tempfile.TemporaryDirectory(dir=self.options.out) as folder:
            self.compare(pathlib.Path(folder), failed, slow)
        if self.options.peer and self.options.sample:
            self.sample(verdicts)
        return self

    def compare(self, folder, failed, slow):
        """Reads what failed alone, with both packages."""
        replays = [(number, self.write(folder, number)) for number in slow]
        for number, context, _ in failed:
            path = self.write(folder, number)
            found = replay.outcome(self.readers, list(replay.inputs_at(path)))
            if found["status"] == 0:
                path = self.write(folder, number, context)
            replays.append((number, path))
        if not replays:
            return
        paths = [path for _, path in replays]
        theirs = [{}] * len(paths)
        if self.options.peer:
            theirs = map(json.loads, peer(self.options, "damage.replay", *paths).splitlines())
        for (number, path), other in zip(replays, theirs, strict=True):
            found = replay.outcome(self.readers, list(replay.inputs_at(path)))
            self.finding(number, path, found, other)

    def finding(self, number, path, found, other):
        if found["status"] == 0:
            long = found["seconds"] > SLOW and found["seconds"] > TIMES * other.get("seconds", 1e9)
            if not long:
                return
            found["verdict"] = "slow"
        both = other.get("status", 0) != 0
        self.totals["both" if both else "ours only"] += 1
        kind, _, _ = self.mixture.make(number)
        self.findings.append(
            {"number": number, "kind": kind, "file": path.name, "ours": found, "peer": other}
        )
        kept = self.options.out / ("both" if both else "ours")
        kept.mkdir(exist_ok=True)
        path.rename(kept / path.name)

    def sample(self, verdicts):
        """Compares the verdicts on the first inputs of the chunk with those of the peer."""
        end = min(self.first + self.options.sample, self.end)
        options = ["--seed", self.options.seed, "--out", self.options.out]
        theirs = peer(self.options, "damage.differential", *options, "--sampled", self.first, end)
        for place, (mine, other) in enumerate(zip(verdicts, theirs, strict=False)):
            if other >= CRASH > mine:
                self.totals["peer only"] += 1
            elif mine < CRASH and (mine == READ) != (other == READ):
                pair = f"{VERDICTS[mine]}, {VERDICTS[other]}"
                self.totals[f"differs: {pair}"] += 1
                # The check refuses damage that MLIR's reader does not look at.
                if VERDICTS[mine] != "check":
                    self.findings.append({"number": self.first + place, "verdicts": pair})
        self.totals["sampled"] = end - self.first


def main():
    options = arguments()
    from damage import readers

    if options.out is None:
        with tempfile.TemporaryDirectory() as folder:
            options.out = pathlib.Path(folder)
            return run(options, readers)
    options.out.mkdir(parents=True, exist_ok=True)
    return run(options, readers)


def first_of(options):
    """The number to begin with: behind those of the same seed that ``--out`` has."""
    progress = options.out / "progress.jsonl"
    if options.first is not None or not progress.exists():
        return options.first or 0
    lines = map(json.loads, progress.read_text().splitlines())
    ends = (line["first"] + line["inputs"] for line in lines if line["seed"] == options.seed)
    return max(ends, default=0)


def run(options, readers):
    mixture = Mixture(corpus(options, readers), options.seed)
    if options.sampled:
        reading = Reading(mixture, readers, *options.sampled).run()
        sys.stdout.buffer.write(reading.verdicts[:])
        return 0
    start, totals = time.monotonic(), collections.Counter()
    beginning = first_of(options)
    end = beginning + options.inputs
    for first in range(beginning, end, PER_CHUNK):
        chunk = Chunk(options, mixture, readers, first, min(first + PER_CHUNK, end)).run()
        totals.update(chunk.totals)
        counts = {name: round(value, 1) for name, value in chunk.totals.items()}
        line = {"seed": options.seed, "first": first, **counts, "findings": chunk.findings}
        with (options.out / "progress.jsonl").open("a") as progress:
            print(json.dumps(line), file=progress)
        for found in chunk.findings:
            print(json.dumps(found), file=sys.stderr)
        if options.seconds and time.monotonic() - start > options.seconds:
            break
    for name, value in totals.items():
        print(f"{name:>24}  {round(value, 1)}")
    return 1 if totals["ours only"] else 0


if __name__ == "__main__":
    sys.exit(main())
