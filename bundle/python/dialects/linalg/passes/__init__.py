"""The passes of `linalg`: importing this makes them known by their names."""

from ...._mlir_libs import _mlirLinalgPasses as _cextLinalgPasses
