"""An extension with a dialect, and so an MLIR, of its own: what the audit's refusal guards from.

`MONDO_FXP_ARCHIVE` is the dialect, compiled, and `MONDO_CRATES` the dialect crates' sources.
"""

import importlib
import os
import subprocess
import sysconfig
from pathlib import Path

import nanobind
import pytest

ARCHIVE = os.environ["MONDO_FXP_ARCHIVE"]
CRATE = Path(os.environ["MONDO_CRATES"]) / "fixed-point"
LLVM = Path(os.environ["MONDO_LLVM_DIR"])


@pytest.fixture(scope="module")
def second(root, tmp_path_factory):
    """A script's beginning that imports the extension, made with a second copy of the dialect.

    MLIR's C API is still the package's, as it is where somebody forgot only that the dialect is in
    it already.
    """
    libs = Path(importlib.import_module(f"{root}._mlir_libs").get_lib_dirs()[0])
    home = Path(nanobind.__file__).parent
    target = tmp_path_factory.mktemp("second") / "_fxp.so"
    archives = sorted((LLVM / "lib").glob("libMLIR*.a"))
    archives = [it for it in archives if not it.name.startswith("libMLIRCAPI")]
    # The libraries that LLVM's own archives need are beside its folder.
    archives += LLVM.parent.glob("*/libz*.a")
    archives += [
        LLVM / "lib" / f"libLLVM{name}.a" for name in ("Support", "Demangle", "TargetParser")
    ]
    subprocess.run(
        [
            "g++",
            *("-std=c++17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-w"),
            "-fno-strict-aliasing",
            f"-DMLIR_PYTHON_PACKAGE_PREFIX={root}.",
            "-DNB_DOMAIN=mondo_second",
            f"-I{nanobind.include_dir()}",
            f"-I{home / 'ext' / 'robin_map' / 'include'}",
            f"-I{CRATE / 'include'}",
            f"-I{LLVM / 'include'}",
            f"-I{sysconfig.get_paths()['include']}",
            CRATE / "python-ext" / "FxpModule.cpp",
            Path(nanobind.source_dir()) / "nb_combined.cpp",
            *("-o", target),
            # Before the package's library, and so instead of what that has.
            ARCHIVE,
            *(f"-L{libs}", "-lMLIRPythonCAPI", f"-Wl,-rpath,{libs}"),
            *("-Wl,--start-group", *archives, "-Wl,--end-group"),
            *("-Wl,--exclude-libs,ALL", "-Wl,--gc-sections"),
        ],
        check=True,
    )
    return f"""
import importlib.util
from {root} import ir
spec = importlib.util.spec_from_file_location("_fxp", {str(target)!r})
second = importlib.util.module_from_spec(spec)
spec.loader.exec_module(second)
from {root}._mlir_libs import _fxp as first
context = ir.Context()
num = ir.Type.parse("!fxp.num<16, 8, signed>", context)
"""


def test_its_type_is_another(python, second):
    """One dialect and one type to everybody who reads the text, and two to `isa`."""
    python(
        second
        + """
assert first.NumType.isinstance(num)
assert not second.NumType.isinstance(num)
assert first.NumType.get_static_typeid() != second.NumType.get_static_typeid()
try:
    second.NumType(num)
except ValueError as error:
    assert "Cannot cast type to NumType (from NumType(!fxp.num<16, 8, signed>))" in str(error)
else:
    raise AssertionError("the second copy took the first one's type")
"""
    )


@pytest.mark.parametrize(
    ("use", "words"),
    [
        # The context knows no storage for a type with that TypeID: a segmentation fault.
        ("second.NumType.get(16, 8, context=context)", ""),
        (
            "second.register_dialect(context)",
            "a dialect with namespace 'fxp' has already been registered",
        ),
    ],
)
def test_using_it_ends_the_process(python, second, use, words):
    done = python(second + "print('so far', flush=True)\n" + use, may_fail=True)
    assert done.stdout == "so far\n"
    assert done.returncode < 0, "the process was not ended by a signal"
    assert words in done.stderr
