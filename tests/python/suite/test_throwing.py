"""Exceptions of C++ callbacks and MLIR's frames (`link.unwind-tables`)."""

import importlib
import os
import signal
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("throwing.cpp")
# Their manifests say that MLIR has no unwind tables.
NONE = {"core", "standard"}


@pytest.fixture(scope="session")
def program(root, tmp_path_factory):
    libs = importlib.import_module(f"{root}._mlir_libs")
    (folder,), (include,) = libs.get_lib_dirs(), libs.get_include_dirs()
    (library,) = Path(folder).glob("lib*_mondo.so")
    target = tmp_path_factory.mktemp("throwing") / "throwing"
    subprocess.run(
        [
            *("g++", "-std=c++17", "-O1", "-w", f"-I{include}", SOURCE),
            *(library, f"-Wl,-rpath,{folder}", "-o", target),
        ],
        check=True,
    )
    return target


@pytest.mark.parametrize("scenario", ["walk", "print", "diagnostic", "pass"])
def test_what_a_callback_throws_arrives_or_ends_the_process(program, scenario):
    done = subprocess.run(
        [program, scenario], capture_output=True, text=True, timeout=60, check=False
    )
    if os.environ.get("MONDO_BUNDLE") in NONE:
        assert done.returncode == -signal.SIGABRT, done
        assert "terminate called" in done.stderr
    else:
        assert (done.returncode, done.stdout) == (0, "caught: out of a callback\n"), done
