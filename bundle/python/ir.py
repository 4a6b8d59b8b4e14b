"""MLIR's intermediate representation."""

from ._mlir_libs import append_load_on_create_dialect as append_load_on_create_dialect
from ._mlir_libs import get_dialect_registry as get_dialect_registry
from ._mlir_libs import get_load_on_create_dialects as get_load_on_create_dialects
from ._mlir_libs._mlir.ir import *
