"""Extensions that were compiled for another package: upstream's, another label's, another LLVM's.

`MONDO_UPSTREAM` is a folder with upstream's package of the same LLVM, `MONDO_LLVM_DIR` has MLIR's
headers, and `MONDO_EXAMPLES` an extension as other people write them. Each error names the package
that the extension was compiled for and the one that is here.
"""

import contextlib
import importlib
import os
import subprocess
import sysconfig
from pathlib import Path

import nanobind
import pytest

UPSTREAM = Path(os.environ["MONDO_UPSTREAM"])
UPSTREAM_LIBS = UPSTREAM / "mlir" / "_mlir_libs"
LLVM = Path(os.environ["MONDO_LLVM_DIR"])
SOURCE = Path(os.environ["MONDO_EXAMPLES"]) / "extension.cpp"
# A function that no MLIR has, as one that another version has.
ABSENT = "extern int mlirOfAnotherVersion(void); int (*absent)(void) = mlirOfAnotherVersion;"
REMEDY = "compile it from its sources with the headers of this package"

# Imports what `sys.argv` names, one after the other, and prints the messages of the error and its
# causes.
IMPORTS = """
import importlib, sys
try:
    for name in sys.argv[1:]:
        if name.startswith("/"):
            sys.path.append(name)
        else:
            importlib.import_module(name)
except ImportError as error:
    while error is not None:
        print(error)
        error = error.__cause__
else:
    print("imported")
"""


def compiled(source, target, *flags):
    """An object file."""
    home = Path(nanobind.__file__).parent
    command = ["g++", "-std=c++17", "-O1", "-fPIC", "-fvisibility=hidden", "-w", "-c"]
    command += ["-fno-strict-aliasing", "-DNB_DOMAIN=mlir", *flags]
    command += [f"-I{nanobind.include_dir()}", f"-I{home / 'ext' / 'robin_map' / 'include'}"]
    command += [f"-I{LLVM / 'include'}", f"-I{sysconfig.get_paths()['include']}"]
    subprocess.run([*command, source, "-o", target], check=True)
    return target


@pytest.fixture(scope="session")
def build(tmp_path_factory):
    """Makes a folder with an extension for a package, linked with the library of one."""
    objects = tmp_path_factory.mktemp("objects")
    shared = compiled(Path(nanobind.source_dir()) / "nb_combined.cpp", objects / "nanobind.o")

    def build(prefix, library, runpath, *more):
        name = objects / f"{prefix}.o"
        if not name.exists():
            compiled(SOURCE, name, f"-DMLIR_PYTHON_PACKAGE_PREFIX={prefix}.")
        folder = tmp_path_factory.mktemp("folder")
        command = ["g++", "-shared", "-o", folder / "extension.so", name, shared, *more]
        command += ["-Wl,--no-as-needed", library, "-Wl,--as-needed"]
        command += [LLVM / "lib" / f"libLLVM{part}.a" for part in ("Support", "Demangle")]
        command += ["-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", f"-Wl,-rpath,{runpath}"]
        subprocess.run(command, check=True)
        return folder

    return build


@pytest.fixture(scope="session")
def for_upstream(build):
    """A folder with an extension for upstream's package, whose library it finds."""
    return build("mlir", UPSTREAM_LIBS / "libMLIRPythonCAPI.so", UPSTREAM_LIBS)


@pytest.fixture(scope="session")
def for_a_label(build, tmp_path_factory):
    """A folder with an extension for the label `other`, whose library is nowhere."""
    library = tmp_path_factory.mktemp("label") / "libother_MLIRPythonCAPI.so"
    command = ["g++", "-shared", "-o", library, f"-Wl,-soname,{library.name}", "-xc", "/dev/null"]
    subprocess.run(command, check=True)
    return build("other.mlir", library, "/nowhere")


@pytest.fixture
def libs(root):
    """The package's folder of native modules."""
    return Path(importlib.import_module(f"{root}._mlir_libs").get_lib_dirs()[0])


@pytest.fixture
def imports(python):
    """Imports modules and adds folders, one after the other; returns the text that comes of it."""

    def imports(*names, folders=(), may_fail=False):
        return python(IMPORTS, *map(str, names), folders=folders, may_fail=may_fail).stdout

    return imports


@contextlib.contextmanager
def in_package(libs, folder):
    """Puts the extension of a folder into the package."""
    place = libs / "extension.so"
    place.write_bytes((folder / "extension.so").read_bytes())
    try:
        yield
    finally:
        place.unlink()


def names_both(said, root, libs):
    """True if the first line names upstream's package and this one, and says what to do."""
    first = said.splitlines()[0]
    theirs = str(UPSTREAM_LIBS.resolve()) if root == "mlir" else "for the package mlir"
    ours = str(libs) if root == "mlir" else root
    return all(it in first for it in (theirs, ours, REMEDY, "the extension "))


@pytest.mark.parametrize("upstream_is_there", [False, True])
def test_for_upstream_in_the_package(imports, root, libs, for_upstream, upstream_is_there):
    """Beside upstream's package, too, whose classes this one's objects are not of."""
    with in_package(libs, for_upstream):
        behind = [UPSTREAM] if upstream_is_there else []
        said = imports(f"{root}.ir", *behind, f"{root}._mlir_libs.extension")
    assert names_both(said, root, libs), said


def test_for_upstream_beside_the_package(imports, root, libs, for_upstream):
    said = imports(f"{root}.ir", "extension", folders=[for_upstream])
    assert names_both(said, root, libs), said


def test_it_is_imported_before_the_package(imports, root, libs, for_upstream):
    """Nanobind puts the package's error behind one of its own."""
    if root != "mlir":
        pytest.skip("nothing of the package is imported: the error is Python's")
    said = imports("extension", folders=[for_upstream]).splitlines()
    assert names_both(said[1], root, libs), said


def test_both_packages_in_one_process(python, imports, root, libs, for_upstream):
    """An extension belongs to the package of its import root; if both have that, it is refused."""
    if root == "mlir":
        said = imports(f"{root}.ir", UPSTREAM, "extension", folders=[for_upstream])
        assert names_both(said, root, libs), said
        return
    script = f"""
import {root}.ir as ours, mlir.ir as theirs, mlir.dialects.quant, extension
with theirs.Context():
    assert extension.WideIntegerType(theirs.Type.parse("i64")).width == 64
with ours.Context():
    try:
        extension.WideIntegerType(ours.Type.parse("i64"))
    except (TypeError, ValueError):
        print("refused")
"""
    assert python(script, folders=[for_upstream, UPSTREAM]).stdout == "refused\n"


def test_upstreams_own_extension(imports, root, libs, tmp_path):
    """One over upstream's IRCore.h, which ended the process."""
    if root != "mlir":
        pytest.skip("it looks for nothing of this package")
    for path in [*UPSTREAM_LIBS.glob("_mlirDialectsQuant.*"), *UPSTREAM_LIBS.glob("lib*.so")]:
        (tmp_path / path.name).symlink_to(path)
    said = imports(f"{root}.ir", "_mlirDialectsQuant", folders=[tmp_path])
    assert f"libMLIRPythonSupport-mlir.so is in {UPSTREAM_LIBS.resolve()}" in said
    assert str(libs) in said and REMEDY in said


def test_for_another_label_in_the_package(imports, root, libs, for_a_label):
    with in_package(libs, for_a_label):
        said = imports(f"{root}._mlir_libs.extension")
    assert f"was compiled for the label other, and {root} has the label " in said


def test_for_another_label_beside_the_package(imports, root, libs, for_a_label):
    said = imports(f"{root}.ir", "extension", folders=[for_a_label]).splitlines()[0]
    assert "for a package other.mlir, whose library libother_MLIRPythonCAPI.so is not here" in said
    assert f"here is {root} in {libs}, of LLVM " in said and REMEDY in said


def test_for_this_package_that_it_does_not_find(imports, root, libs, build):
    folder = build(root, libs / "libMLIRPythonCAPI.so", "/nowhere")
    said = imports(f"{root}.ir", "extension", folders=[folder])
    assert "MLIRPythonCAPI.so is not found" in said and f"-rpath={libs}" in said


@pytest.mark.parametrize("by_links", [False, True])
def test_for_this_package(python, root, libs, build, tmp_path, by_links):
    """One that was compiled for this package is loaded wherever it lies."""
    for path in libs.glob("lib*.so"):
        (tmp_path / path.name).symlink_to(path)
    folder = build(root, libs / "libMLIRPythonCAPI.so", tmp_path if by_links else libs)
    script = f"""
import extension
from {root} import ir
with ir.Context():
    print(extension.WideIntegerType(ir.Type.parse("i64")).width)
"""
    assert python(script, folders=[folder]).stdout == "64\n"


def test_for_upstream_and_compiled_to_look_in_its_own_folder(python, root, libs, build):
    """As upstream's CMake links them: in the package without a label it finds our library."""
    if root != "mlir":
        pytest.skip("upstream's name is not this package's")
    folder = build("mlir", UPSTREAM_LIBS / "libMLIRPythonCAPI.so", "$ORIGIN")
    script = """
from mlir import ir
from mlir._mlir_libs import extension
with ir.Context():
    print(extension.WideIntegerType(ir.Type.parse("i64")).width)
"""
    with in_package(libs, folder):
        assert python(script).stdout == "64\n"


def test_for_another_llvm(imports, root, libs, build, tmp_path):
    """A function that the MLIR of this package does not have."""
    absent = tmp_path / "absent.c"
    absent.write_text(ABSENT)
    subprocess.run(["gcc", "-c", "-fPIC", absent, "-o", tmp_path / "absent.o"], check=True)
    folder = build(root, libs / "libMLIRPythonCAPI.so", libs, tmp_path / "absent.o")
    said = imports(f"{root}.ir", "extension", folders=[folder]).splitlines()[0]
    assert f"the function mlirOfAnotherVersion, which {root} does not have" in said
    assert f"here is {root} in {libs}, of LLVM " in said and REMEDY in said


def test_other_native_modules(python, root, tmp_path):
    """They are loaded as before, and what is wrong with them is Python's to say."""
    (tmp_path / "_broken.so").write_bytes(b"\x7fELF\x02" + bytes(59))
    (tmp_path / "_short.so").write_bytes(b"\x7fELF\x02")
    script = f"""
import importlib, sys, traceback, {root}.ir
import numpy
sys.path.append(sys.argv[1])
for name in ("_broken", "_short"):
    try:
        importlib.import_module(name)
    except ImportError as error:
        assert error.__cause__ is None
        assert "compiled for" not in str(error)
        files = {{frame.filename for frame in traceback.extract_tb(error.__traceback__)}}
        print(any("_mlir_libs" in file for file in files))
"""
    assert python(script, tmp_path).stdout == "False\nFalse\n"
