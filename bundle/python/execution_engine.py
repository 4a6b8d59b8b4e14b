"""Compiling modules for this machine, and running them in this process."""

import ctypes
from collections.abc import Callable
from typing import Any

from ._mlir_libs import _mlirExecutionEngine as _execution_engine

__all__ = ["ExecutionEngine"]

# A function that takes one pointer, to the pointers of its arguments.
_PACKED = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# The prefix of the C wrappers of functions with `llvm.emit_c_interface`.
_WRAPPER_PREFIX = "_mlir_ciface_"


class ExecutionEngine(_execution_engine.ExecutionEngine):
    """A module that was compiled.

    Only functions with the attribute ``llvm.emit_c_interface`` can be called, and only functions
    declared with it can be registered.
    """

    def lookup(self, name: str) -> Callable[[Any], None]:
        """The function ``name``, which takes a pointer to an array with a pointer per argument."""
        address = self.raw_lookup(_WRAPPER_PREFIX + name)
        if not address:
            raise RuntimeError("Unknown function " + name)
        function = _PACKED(address)
        # Its code is part of the engine.
        function.engine = self  # type: ignore[attr-defined]
        return function

    def invoke(self, name: str, *ctypes_args: Any) -> None:
        """Calls the function ``name`` with pointers to its arguments, and to its result."""
        function = self.lookup(name)
        addresses = [ctypes.cast(argument, ctypes.c_void_p) for argument in ctypes_args]
        function((ctypes.c_void_p * len(addresses))(*addresses))

    def register_runtime(self, name: str, ctypes_callback: Any) -> None:
        """Makes a ``ctypes`` function what the declared function ``name`` stands for."""
        address = ctypes.cast(ctypes_callback, ctypes.c_void_p)
        self.raw_register_runtime(_WRAPPER_PREFIX + name, address)
