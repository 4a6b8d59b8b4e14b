"""The `nvgpu` dialect."""

from .._mlir_libs._mlirDialectsNVGPU import *
from ._nvgpu_enum_gen import *
from ._nvgpu_ops_gen import *
from ._nvgpu_ops_gen import _Dialect
