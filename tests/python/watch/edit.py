"""Edits a project while `mondo develop --watch` runs, and looks at what Python imports.

python edit.py PROGRAM PROJECT NAME
"""

import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

# Far above what a build takes on a busy machine.
LIMIT = 600

# Longer than the command waits between two looks at the files.
QUIET = 3

FOLD = """\
import {name}
from {name}.mlir import passmanager
module = {name}.parse('''func.func @f(%a: !{name}.box<i32>) -> !{name}.box<i32> {{
  %0 = {name}.unwrap %a : !{name}.box<i32>
  %1 = {name}.wrap %0 : !{name}.box<i32>
  func.return %1 : !{name}.box<i32> }}''')
passmanager.PassManager.parse("builtin.module(canonicalize)", module.context).run(module.operation)
print("{name}.wrap" not in str(module))
"""

NEW_OP = """\
def {Name}_PeekOp : {Name}_Op<"peek"> {{
  let summary = "Looks into a box";
  let arguments = (ins {Name}_BoxType:$box);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$box attr-dict `:` type($box)";
  let hasFolder = 0;
}}

#endif
"""

PEEK = """\
import {name}
from {name}.mlir.dialects import {name} as dialect
module = {name}.parse('''func.func @f(%a: !{name}.box<i32>) {{
  %0 = {name}.peek %a : !{name}.box<i32>
  func.return }}''')
print("{name}.peek" in str(module) and dialect.PeekOp.OPERATION_NAME == "{name}.peek")
"""


class Watch:
    """The running command, and the lines that it prints."""

    def __init__(self, program, project):
        self.process = subprocess.Popen(
            [program, "develop", "--watch", "--offline", "--json"],
            cwd=project,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.lines = queue.Queue()
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream):
        for line in stream:
            self.lines.put(line)

    def until(self, wanted):
        """The next line that is wanted."""
        end = time.monotonic() + LIMIT
        seen = []
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                sys.exit("nothing was built:\n" + "".join(seen))
            seen.append(line)
            if wanted(line):
                return line

    def report(self):
        """The report of the next build."""
        return json.loads(self.until(lambda line: line.startswith("{")))

    def quiet(self):
        """True if nothing is printed for a while."""
        with contextlib.suppress(queue.Empty):
            line = self.lines.get(timeout=QUIET)
            print(f"unexpected: {line}")
            return False
        return True


def printed(code, name):
    """The output of a fresh Python that runs `code`."""
    code = code.format(name=name, Name=name.capitalize())
    return subprocess.check_output([sys.executable, "-c", code], text=True).strip()


def built(watch, what):
    """Waits for a build after an edit."""
    start = time.monotonic()
    report = watch.report()
    assert report["state"] == "built", (what, report)
    seconds = time.monotonic() - start
    print(f"{what}: {seconds:.1f} s until it is built, {report['seconds']:.1f} s of it building")


def edits(watch, project, name):
    """The edits, in the order in which a person makes them."""
    source = project / "dialect/lib/Dialect.cpp"
    cpp = source.read_text()
    assert printed(FOLD, name) == "True"
    source.write_text(cpp.replace("return unwrap.getBox();", "return {};"))
    built(watch, "an edit of C++")
    assert printed(FOLD, name) == "False", "the edit of C++ is not in the library"

    source.write_text(cpp.replace("return unwrap.getBox();", "return unwrap.getBix();"))
    watch.until(lambda line: "getBix" in line)
    assert printed(FOLD, name) == "False", "a build that failed has changed the library"
    source.write_text(cpp)
    built(watch, "a correction after a mistake")
    assert printed(FOLD, name) == "True", "the correction is not in the library"

    module = project / f"python/{name}/__init__.py"
    python = module.read_text()
    module.write_text(f"{python}\nEDITED = 1\n")
    assert printed("import {name}; print({name}.EDITED)", name) == "1"
    assert watch.quiet(), "an edit of Python was built"
    module.write_text(python)

    ods = project / f"dialect/include/{name}/{name.capitalize()}.td"
    text = ods.read_text()
    new = NEW_OP.format(name=name, Name=name.capitalize())
    ods.write_text(text.replace("#endif\n", new))
    built(watch, "an edit of ODS")
    assert printed(PEEK, name) == "True", "the edit of ODS is not in the library and in Python"
    ods.write_text(text)
    built(watch, "the edit of ODS taken back")


def main():
    """Starts, edits and ends as with Ctrl-C."""
    program, project, name = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    watch = Watch(program, project)
    try:
        watch.report()
        edits(watch, project, name)
        watch.process.send_signal(signal.SIGINT)
        code = watch.process.wait(timeout=60)
        assert code == 130, f"Ctrl-C ends it with {code}"
    finally:
        watch.process.kill()
        watch.process.wait()


if __name__ == "__main__":
    main()
