"""Importing this registers the passes of the `gpu` dialect."""

from ...._mlir_libs import _mlirGPUPasses as _cextGPUPasses
