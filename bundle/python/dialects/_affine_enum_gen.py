"""The enums that mlir-tblgen finds in the `affine` dialect's files: those of `arith`."""

from ._arith_enum_gen import *
