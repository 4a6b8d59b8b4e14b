# The tests of toy: IR through toy-opt, and Python.
import os

import lit.formats
from lit.llvm import llvm_config

config.name = "TOY"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir", ".py"]
config.excludes = ["lit.cfg.py", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.toy_obj_root, "test")

llvm_config.use_default_substitutions()
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.add_tool_substitutions(
    ["toy-opt"], [os.path.join(config.toy_obj_root, "bin"), config.llvm_tools_dir]
)
packages = os.path.join(config.toy_obj_root, "python_packages")
llvm_config.with_environment("PYTHONPATH", packages, append_path=True)
