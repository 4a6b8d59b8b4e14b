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

    def _missing(self) -> str:
        """The end of a message about code that cannot be linked: which part the bundle lacks."""
        from ._mlir_libs._absent import runtime

        return runtime(self._undefined_functions())

    def initialize(self) -> None:
        """Runs the module's global constructors; only the first call does anything."""
        try:
            super().initialize()
        except RuntimeError as error:
            raise RuntimeError(f"{error}{self._missing()}") from None

    def lookup(self, name: str) -> Callable[[Any], None]:
        """The function ``name``, which takes a pointer to an array with a pointer per argument."""
        address = self.raw_lookup(_WRAPPER_PREFIX + name)
        if not address:
            raise RuntimeError("Unknown function " + name + self._missing())
        function = _PACKED(address)
        # Its code is part of the engine.
        function.engine = self  # type: ignore[attr-defined]
        return function

    def invoke(self, name: str, *ctypes_args: Any) -> None:
        """Calls the function ``name`` with pointers to its arguments, and to its result."""
        function = self.lookup(name)
        addresses = [ctypes.cast(argument, ctypes.c_void_p) for argument in ctypes_args]
        function((ctypes.c_void_p * len(addresses))(*addresses))

    def invoke_numpy(self, name: str, *arguments: Any, type: Any = None) -> Any:
        """Calls the function ``name`` with NumPy arrays for memrefs, numbers for scalars.

        Descriptors are made for the call. ``type`` is the function's MLIR type, as it was before
        lowering: a text such as ``"(memref<?x?xf32>, f32) -> f32"``, an ``ir.FunctionType`` or the
        function. With it, element types, shapes and layouts are checked, and results are returned:
        numbers, and copies of memrefs. Only functions of scalars without a result can do without
        it: the lowered function has no element types to compare an array with.
        """
        from .runtime.np_invoke import invoke

        function = self.lookup(name)

        def call(addresses: list[int]) -> None:
            function((ctypes.c_void_p * len(addresses))(*addresses))

        return invoke(name, call, self._function_type(name), arguments, type)

    def register_runtime(self, name: str, ctypes_callback: Any) -> None:
        """Makes a ``ctypes`` function what the declared function ``name`` stands for."""
        address = ctypes.cast(ctypes_callback, ctypes.c_void_p)
        self.raw_register_runtime(_WRAPPER_PREFIX + name, address)
