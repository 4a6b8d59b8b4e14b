"""The package around the extension."""

import importlib
import importlib.util
import os
import subprocess

import pytest


@pytest.fixture(scope="module")
def libs(root):
    return importlib.import_module(f"{root}._mlir_libs")


def test_submodules_are_importable_by_name(ir, passmanager, root):
    for name, of in (("ir", ir.Module), ("passmanager", passmanager.PassManager)):
        module = importlib.import_module(f"{root}._mlir_libs._mlir.{name}")
        assert module.__name__ == f"{root}._mlir_libs._mlir.{name}"
        assert of.__module__ == module.__name__
        assert getattr(module, of.__name__) is of


def test_folders(libs, root):
    here = os.path.dirname(libs.__file__)
    assert list(libs.get_lib_dirs()) == [here]
    assert list(libs.get_include_dirs()) == [os.path.join(here, "include")]
    assert any(name.endswith("_mondo.so") for name in os.listdir(here))


def test_registry(ir, libs):
    registry = libs.get_dialect_registry()
    assert isinstance(registry, ir.DialectRegistry)
    assert registry is libs.get_dialect_registry() is ir.get_dialect_registry()


def test_bundle(libs, ir):
    dialects = libs._mlir._bundle_dialects
    assert list(dialects) == sorted(dialects) and "func" in dialects
    with ir.Context() as context:
        for name in dialects:
            assert context.get_dialect_descriptor(name).namespace == name
    assert libs._mlir._llvm_version.split(".")[0].isdigit()


def test_load_on_create(ir):
    context = ir.Context(load_on_create_dialects=["func"])
    assert ir.Context is type(context)
    with pytest.raises(IndexError, match="nope"):
        ir.Context(load_on_create_dialects=["nope"])


def test_context_may_be_subclassed(ir):
    class Mine(ir.Context):
        def __init__(self, extra):
            super().__init__()
            self.extra = extra

    with Mine(3) as mine:
        assert ir.Context.current is mine and mine.extra == 3
        assert ir.Module.parse("").context is mine


def test_typed(root):
    spec = importlib.util.find_spec(root)
    folders = spec.submodule_search_locations
    assert any(os.path.exists(os.path.join(folder, "py.typed")) for folder in folders)


def test_import_leaves_other_packages_alone(python, root):
    out = python(
        f"import sys; import {root}.ir, {root}.passmanager; "
        "print([n for n in ('numpy', 'typing_extensions', 'ml_dtypes') if n in sys.modules])"
    )
    assert out.stdout == "[]\n"


C_PROGRAM = """
#include <mlir-c/IR.h>
int main(void) {
  MlirContext context = mlirContextCreate();
  int null = mlirContextIsNull(context);
  mlirContextDestroy(context);
  return null;
}
"""


def test_c_programs_link_against_the_library_by_upstreams_name(libs, tmp_path):
    """The folders' purpose: headers to include, and a library to link."""
    (tmp_path / "x.c").write_text(C_PROGRAM)
    (lib,), (include,) = libs.get_lib_dirs(), libs.get_include_dirs()
    link = ["cc", "x.c", "-o", "x", f"-I{include}", f"-L{lib}", "-lMLIRPythonCAPI"]
    subprocess.run([*link, f"-Wl,-rpath,{lib}"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "x"], check=True, timeout=60)


def test_a_library_that_needs_the_one_of_upstreams_name(libs, tmp_path):
    """It was linked elsewhere, against a library that was called so."""
    (tmp_path / "x.c").write_text(C_PROGRAM.replace("main", "needs"))
    (tmp_path / "main.c").write_text("int needs(void); int main(void) { return needs(); }")
    (tmp_path / "empty.c").write_text("")
    (lib,), (include,) = libs.get_lib_dirs(), libs.get_include_dirs()
    name = "libMLIRPythonCAPI.so"
    for link in (
        ["-shared", "empty.c", f"-Wl,-soname,{name}", "-o", name],
        ["-shared", "-fPIC", "x.c", f"-I{include}", "-Wl,--no-as-needed", name, "-o", "libx.so"],
        ["main.c", "-L.", "-lx", "-Wl,--allow-shlib-undefined", "-o", "x"],
    ):
        subprocess.run(["cc", *link], cwd=tmp_path, check=True)
    path = {**os.environ, "LD_LIBRARY_PATH": f"{lib}:{tmp_path}"}
    (tmp_path / name).unlink()
    subprocess.run([tmp_path / "x"], env=path, check=True, timeout=60)


def test_what_was_linked_by_upstreams_name_needs_the_labels_own(libs, tmp_path):
    """Two packages in a process have each its own: the loader goes by this name."""
    (tmp_path / "x.c").write_text(C_PROGRAM)
    (lib,), (include,) = libs.get_lib_dirs(), libs.get_include_dirs()
    link = ["cc", "x.c", "-o", "x", f"-I{include}", f"-L{lib}", "-lMLIRPythonCAPI"]
    subprocess.run(link, cwd=tmp_path, check=True)
    (library,) = (name for name in os.listdir(lib) if name.endswith("_mondo.so"))
    needed = library.replace("_mondo.so", "_MLIRPythonCAPI.so").encode()
    assert needed in (tmp_path / "x").read_bytes() and needed.decode() in os.listdir(lib)


def test_numpy_is_passed_on_but_imported_when_it_is_used(root, python):
    script = """
import sys
exec(f"from {sys.argv[1]}.ir import *")
print("numpy" in sys.modules)
print(np.zeros([2], dtype=np.int8).nbytes, "numpy" in sys.modules)
"""
    assert python(script, root).stdout == "False\n2 True\n"
