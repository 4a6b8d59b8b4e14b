"""The package under test, by its import root."""

import ctypes
import importlib
import os
import re
from functools import cache

ROOT = os.environ.get("MONDO_IMPORT_ROOT", "mlir")

ir = importlib.import_module(f"{ROOT}.ir")
passmanager = importlib.import_module(f"{ROOT}.passmanager")
rewrite = importlib.import_module(f"{ROOT}.rewrite")

# A package without such a class may raise any RuntimeError.
INVALIDATED = getattr(ir, "InvalidatedError", None)
STRICT = INVALIDATED is not None


@cache
def c_api() -> ctypes.CDLL:
    """The library with MLIR's C API that the package has loaded into this process."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if line.count("/") > 1}
    for path in sorted(paths):
        if re.search(r"(_mondo|MLIRPythonCAPI|IREECompiler)[^/]*\.so", path):
            library = ctypes.CDLL(path)
            for name in ("mlirOperationGetRegion", "mlirRegionGetFirstBlock"):
                getattr(library, name).restype = ctypes.c_void_p
            return library
    raise LookupError("no library with the C API is loaded")


def pointer(thing) -> ctypes.c_void_p:
    """The pointer in an object's capsule."""
    capsule = thing._CAPIPtr
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype = ctypes.c_char_p
    get_name.argtypes = [ctypes.py_object]
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return ctypes.c_void_p(get_pointer(capsule, get_name(capsule)))
