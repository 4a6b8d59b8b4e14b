"""The `toy` dialect: structs, with the classes that the project's extension has."""

from .._mlir_libs._toy import StructType, count_parts
from ._toy_enum_gen import *
from ._toy_ops_gen import *

__all__ = [
    "Color",
    "GetOp",
    "MakeOp",
    "PaintOp",
    "StructType",
    "count_parts",
    "get",
    "make",
    "paint",
]
