"""The `quant` dialect: numbers that stand for others."""

from .._mlir_libs._mlirDialectsQuant import *
from ._quant_ops_gen import *
from ._quant_ops_gen import _Dialect
