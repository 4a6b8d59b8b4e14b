"""Installing a wheel into a folder, and running Python that finds it there."""

import os
import subprocess
import sys
from pathlib import Path

# Parses, runs passes, prints, and gets an error; `{root}` is the import root.
WORK = """
import importlib
def work(root):
    ir = importlib.import_module(root + ".ir")
    passes = importlib.import_module(root + ".passmanager")
    arith = importlib.import_module(root + ".dialects.arith")
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(
            "func.func @f() -> i32 {{ %0 = arith.constant 20 : i32  %1 = arith.constant 22 : i32"
            "  %2 = arith.addi %0, %1 : i32  return %2 : i32 }}")
        passes.PassManager.parse("builtin.module(canonicalize)").run(module.operation)
        assert "arith.constant 42 : i32" in str(module), str(module)
        assert isinstance(module.body.operations[0].regions[0].blocks[0].operations[0],
                          arith.ConstantOp)
        try:
            ir.Module.parse("func.func @broken(")
        except ir.MLIRError as error:
            assert type(error).__module__.startswith(root + "."), type(error)
        else:
            raise AssertionError("no error")
    return ir
work({root!r})
"""


def install(wheel: Path, folder: Path) -> Path:
    """Installs a wheel into a folder, as `pip install --target` does it."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-index", "--no-deps", "--no-compile", "--target", str(folder), str(wheel)]
    subprocess.run(pip, check=True)
    return folder


def run(
    code: str, path: Path, *, python: str = sys.executable, wrapper: tuple[str, ...] = ()
) -> subprocess.CompletedProcess:
    """Runs code in a process that looks for packages in `path` first."""
    env = os.environ | {"PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*wrapper, python, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)


def works(path: Path, root: str = "mlir", **how: object) -> None:
    """The package below `path` works."""
    result = run(WORK.format(root=root), path, **how)
    assert result.returncode == 0, f"exit {result.returncode}\n{result.stdout}\n{result.stderr}"


def import_error(path: Path, root: str = "mlir", before: str = "") -> str:
    """The message of the ImportError that importing `<root>.ir` raises."""
    code = f"{before}\ntry:\n import {root}.ir\nexcept ImportError as error: print(error)\n"
    result = run(code, path)
    assert result.returncode == 0, f"exit {result.returncode}\n{result.stdout}\n{result.stderr}"
    assert result.stdout.strip(), "the import succeeded"
    return result.stdout
