"""Pattern rewriting."""

from ._mlir_libs._mlir.rewrite import *

# `help` lists the classes of other modules only if they are named.
globals()["__all__"] = [name for name in globals() if not name.startswith("_")]
