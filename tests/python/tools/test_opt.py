"""The console scripts of tools without a server: what they know, print and return."""

import ctypes
import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

DOUBLE = "module { func.func @f() { return } }\n// -----\nmodule {}\n"

NVVM = """\
llvm.func @id() -> i32 {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  llvm.return %0 : i32
}
llvm.func @caller() -> i32 {
  %0 = llvm.call @id() : () -> i32
  llvm.return %0 : i32
}
"""


def test_a_pass_runs_over_the_bundle_s_dialects(run, sample):
    text, name = sample
    done = run("opt", "--cse", text=text)
    assert done.returncode == 0, done.stderr
    assert name in done.stdout
    assert done.stderr == ""


def test_passes_of_a_crate_are_registered(run, sample):
    text, name = sample
    lowering = "convert-fxp-to-arith" if name.startswith("fxp") else "int-range-optimizations"
    help_ = run("opt", "--help")
    assert help_.returncode == 0
    assert f"--{lowering}" in help_.stdout
    assert name.partition(".")[0] in help_.stdout.splitlines()[2]
    pipeline = f"--pass-pipeline=builtin.module({lowering})"
    done = run("opt", pipeline, text=text)
    assert done.returncode == 0, done.stderr
    assert "fxp" not in done.stdout


def test_errors_are_said_and_counted(run):
    wrong = run("opt", text="func.func @f() { nothing.at_all }")
    assert wrong.returncode == 1
    assert "<stdin>:1:18: error:" in wrong.stderr
    unknown = run("opt", "--no-such-option")
    assert unknown.returncode == 1
    assert "Unknown command line argument '--no-such-option'" in unknown.stderr
    absent = run("opt", "/no/such/file.mlir")
    assert absent.returncode == 1
    assert "/no/such/file.mlir" in absent.stderr


def test_output_goes_where_it_is_sent(run, tmp_path):
    target = tmp_path / "out.mlir"
    done = run("opt", "--split-input-file", "-o", str(target), text=DOUBLE)
    assert (done.returncode, done.stdout) == (0, "")
    assert target.read_text().count("module") == 2


def test_a_closed_pipe_and_ctrl_c_end_a_tool(command):
    functions = "".join(f"func.func @f{i}() {{ return }}\n" for i in range(50_000))
    writing = subprocess.Popen(
        [command("opt")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    writing.stdout.close()
    writing.stdin.write(functions.encode())
    writing.stdin.close()
    assert writing.wait(timeout=120) == -signal.SIGPIPE
    assert b"Traceback" not in writing.stderr.read()
    writing.stderr.close()

    waiting = subprocess.Popen(
        [command("opt")], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    # Until it reads its input, Python's own handler of SIGINT may be at work.
    deadline = time.monotonic() + 60
    while "_mondo.so" not in Path(f"/proc/{waiting.pid}/maps").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.5)
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(timeout=60) == -signal.SIGINT
    waiting.stdin.close()
    assert b"Traceback" not in waiting.stderr.read()
    waiting.stderr.close()


def test_a_second_tool_in_one_process_is_refused(root):
    program = f"""
import ctypes, glob, importlib.util, os
tools = importlib.util.find_spec("{root}._tools").origin
library, = glob.glob(os.path.join(os.path.dirname(tools), "_mlir_libs", "lib*_mondo.so"))
main = ctypes.CDLL(library).mondoToolMain
argv = (ctypes.c_char_p * 3)(b"opt", os.devnull.encode(), None)
print(main(b"opt", 2, argv), main(b"opt", 2, argv), main(b"nothing", 2, argv), flush=True)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-3:] == ["0", "70", "70"]
    assert "a tool already ran in this process" in done.stderr
    assert "this bundle has no such tool; it has" in done.stderr


def test_a_module_runs_a_tool_without_its_script(root, sample):
    text, name = sample
    done = subprocess.run(
        [sys.executable, "-m", f"{root}._tools", "opt"],
        input=text,
        capture_output=True,
        text=True,
    )
    assert name in done.stdout
    assert done.returncode == 0


def test_extensions_that_are_the_same_code_are_both_there(run, only_default):
    inlined = run("opt", "--inline", text=NVVM).stdout
    assert inlined.count("nvvm.read.ptx.sreg.tid.x") == 2


def test_translations(run, only_default):
    module = "llvm.func @f(%a: i32) -> i32 { llvm.return %a : i32 }"
    llvm_ir = run("translate", "--mlir-to-llvmir", text=module).stdout
    assert "define i32 @f(i32" in llvm_ir
    assert "llvm.func @f" in run("translate", "--import-llvm", text=llvm_ir).stdout
    emitc = 'emitc.include <"a.h">'
    assert run("translate", "--mlir-to-cpp", text=emitc).stdout == "#include <a.h>\n\n"
    names = run("translate", "--help").stdout
    for name in ["export-smtlib", "serialize-spirv", "deserialize-spirv", "irdl-to-cpp"]:
        assert f"--{name}" in names


def test_a_translation_knows_each_dialect_of_the_bundle(run, only_default):
    # Upstream's program says that it has never heard of `arith`.
    module = "func.func @f() -> i32 { %0 = arith.constant 1 : i32  return %0 : i32 }"
    done = run("translate", "--mlir-to-llvmir", text=module)
    assert done.returncode == 1
    assert "cannot be converted to LLVM IR" in done.stderr
    assert "arith.constant" in run("opt", text=module).stdout


def test_reduce(run, tmp_path, only_default):
    module = tmp_path / "in.mlir"
    module.write_text("func.func @a() { return }\nfunc.func @b() { return }\n")
    interesting = tmp_path / "interesting.sh"
    interesting.write_text('#!/bin/sh\ngrep -q "@b" "$1" && exit 1\nexit 0\n')
    interesting.chmod(0o755)
    strategy = f"--reduction-tree=traversal-mode=0 test={interesting}"
    done = run("reduce", str(module), strategy)
    assert done.returncode == 0, done.stderr
    assert "@b" in done.stdout
    assert "@a" not in done.stdout


def test_the_function_is_an_export_of_the_library(root):
    spec = importlib.util.find_spec(f"{root}._tools")
    native = Path(spec.origin).parent / "_mlir_libs"
    (library,) = native.glob("lib*_mondo.so")
    assert ctypes.CDLL(str(library), os.RTLD_LAZY).mondoToolMain
    assert (native / "include/mondo_tools.h").is_file()
