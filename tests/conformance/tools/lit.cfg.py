"""The configuration of lit for the tests of upstream's tools, which run where they are, unchanged.

`cargo xtask conformance --tools` starts lit with it, and passes these parameters (`-D`): `mlir`,
the mlir folder of LLVM's sources; `work`, an empty folder; `programs`, the folder of the tools
under test; `python`, the interpreter; `llvm`, the folder of the locked LLVM tools; `libraries`,
the search path of their shared libraries.
"""

# ruff: noqa: F821
# lit defines `config` and `lit_config`.

import os
from pathlib import Path

import lit.formats

parameters = lit_config.params
mlir, work, llvm = (Path(parameters[name]) for name in ("mlir", "work", "llvm"))

config.name = "upstream"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = {".mlir", ".test", ".ll", ".spvasm"}
config.test_source_root = str(mlir / "test")
config.test_exec_root = str(work / "outputs")
config.excludes = {
    # Inputs of other tests.
    "Inputs",
    "lib",
    # Programs that are built for their tests alone.
    "CAPI",
    "Examples",
    "Unit",
    # A JIT with upstream's runner libraries, GPUs, other machines.
    "Integration",
    "mlir-runner",
    # Tools of a build of MLIR, which do not know dialects.
    "mlir-linalg-ods-gen",
    "mlir-pdll",
    "mlir-tblgen",
    "tblgen-to-irdl",
    # Tools that bundles do not have.
    "mlir-query",
    "mlir-rewrite",
    # `cargo xtask conformance` without `--tools`.
    "python",
}
# Upstream's build without assertions. Tests that need code generators run; conformance-tools.toml
# has the reasons of those that fail.
config.available_features.update(["host-supports-amdgpu", "host-supports-nvptx", "noasserts"])
config.target_triple = f"{os.uname().machine}-pc-linux-gnu"
config.available_features.add(f"target={config.target_triple}")
config.run_xevm_tests = True
config.spirv_tools_tests = False

config.environment.update(
    FILECHECK_OPTS="-enable-var-scope --allow-unused-prefixes=false",
    LD_LIBRARY_PATH=parameters["libraries"],
    PATH=os.pathsep.join([parameters["programs"], str(llvm / "bin"), os.environ["PATH"]]),
    PYTHONDONTWRITEBYTECODE="1",
)
config.substitutions += [
    ("%PYTHON", parameters["python"]),
    ("%mlir_src_(root|dir)", str(mlir)),
]
