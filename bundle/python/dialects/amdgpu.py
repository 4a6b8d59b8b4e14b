"""The `amdgpu` dialect."""

from .._mlir_libs._mlirDialectsAMDGPU import *
from ._amdgpu_enum_gen import *
from ._amdgpu_ops_gen import *
from ._amdgpu_ops_gen import _Dialect
