"""Pass pipelines."""

from ._mlir_libs._mlir.passmanager import *
