"""What a dialect in Rust does not say of itself is not linked."""

from pathlib import Path

import pytest


@pytest.mark.parametrize("name", ["bufferization.to_tensor", "llvm.mlir.constant", "tensor.cast"])
def test_what_no_operation_needs(ir, name):
    """No operation is bufferized, tiled or lowered to ``llvm``: the units for it are left out."""
    folder = Path(ir.__file__).parent / "_mlir_libs"
    [library] = [path for path in folder.glob("lib*_mondo.so") if not path.is_symlink()]
    image = library.read_bytes()
    assert b"arith.addi" in image
    assert name.encode() not in image
