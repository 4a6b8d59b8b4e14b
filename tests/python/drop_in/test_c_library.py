"""The C API's library by upstream's name, for programs that load it themselves."""

import os

import pytest

PROGRAM = """
import ctypes, importlib, sys
{before}
library = ctypes.CDLL({library!r})
library.mlirContextCreate.restype = ctypes.c_void_p
library.mlirContextGetNumRegisteredDialects.argtypes = [ctypes.c_void_p]
context = library.mlirContextCreate()
print(library.mlirContextGetNumRegisteredDialects(context))
library.mlirContextDestroy(ctypes.c_void_p(context))
{after}
"""
USE = """
from {root} import ir
with ir.Context():
    assert str(ir.Module.parse("module {{}}")) == "module {{\\n}}\\n"
"""


@pytest.mark.parametrize("order", ["alone", "first", "last"])
def test_ctypes_finds_the_functions(python, root, module, order):
    """The package is not imported at all, or before the library is loaded, or after it."""
    (folder,) = module("_mlir_libs").get_lib_dirs()
    library = os.path.join(folder, "libMLIRPythonCAPI.so")
    use = USE.format(root=root)
    program = PROGRAM.format(
        library=library,
        before=use if order == "last" else "",
        after=use if order == "first" else "",
    )
    # The builtin dialect is in every context.
    assert python(program).stdout == "1\n"
