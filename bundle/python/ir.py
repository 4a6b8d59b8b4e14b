"""MLIR's intermediate representation."""

from ._mlir_libs._mlir.ir import *
from ._mlir_libs import (
    append_load_on_create_dialect,
    get_dialect_registry,
    get_load_on_create_dialects,
)
