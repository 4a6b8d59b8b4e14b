"""The configuration of lit for upstream's own Python tests.

`cargo xtask conformance` starts lit with it, and passes these parameters (`-D`): `mlir`, the mlir
folder of LLVM's sources; `work`, an empty folder; `root`, the import root of the package under
test; `edits`, the edits of tests/conformance.toml as JSON; `python`, the interpreter; `llvm`, the
folder of the locked LLVM tools; `libraries`, the search path of their shared libraries.
"""

# ruff: noqa: F821
# lit defines `config` and `lit_config`.

import json
import sys
from pathlib import Path

import lit.formats

sys.path.insert(0, str(Path(__file__).parent))
import rewriting  # noqa: E402

parameters = lit_config.params
mlir, work, llvm = (Path(parameters[name]) for name in ("mlir", "work", "llvm"))

# Some tests expect these folders in the locations that they print.
tests = work / "mlir/test/python"
rewriting.copy(mlir / "test/python", tests, parameters["root"], json.loads(parameters["edits"]))

config.name = "upstream"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = {".py"}
# The tests in these folders need C++, a GPU or the runtime of a JIT.
config.excludes = {"integration", "lib"}
config.test_source_root = str(tests)
config.test_exec_root = str(work / "outputs")

# Every test runs; tests/conformance.toml gives the reasons of those that fail.
config.enable_bindings_python = True
config.available_features.update(
    ["host-supports-amdgpu", "host-supports-jit", "host-supports-nvptx"]
)
if sys.version_info >= (3, 11):
    config.available_features.add("python-ge-311")

config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
filecheck = f"env LD_LIBRARY_PATH={parameters['libraries']} {llvm / 'bin/FileCheck'}"
config.substitutions += [
    ("%PYTHON", parameters["python"]),
    (r"\bFileCheck\b", filecheck),
    ("%mlir_src_(root|dir)", str(mlir)),
    ("%mlir_runner_utils", str(llvm / "lib/libmlir_runner_utils.so")),
    ("%mlir_c_runner_utils", str(llvm / "lib/libmlir_c_runner_utils.so")),
]
