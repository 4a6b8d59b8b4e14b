"""Importing this registers the passes of the `async` dialect."""

from ...._mlir_libs import _mlirAsyncPasses as _cextAsyncPasses
