"""The `sparse_tensor` dialect. Importing it registers its passes."""

from .._mlir_libs import _mlirSparseTensorPasses as _cextSparseTensorPasses
from .._mlir_libs._mlirDialectsSparseTensor import *
from ._sparse_tensor_enum_gen import *
from ._sparse_tensor_ops_gen import *
from ._sparse_tensor_ops_gen import _Dialect
