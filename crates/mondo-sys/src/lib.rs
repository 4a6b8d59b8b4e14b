//! Declarations of the C API of MLIR and of `mondo.h`.
