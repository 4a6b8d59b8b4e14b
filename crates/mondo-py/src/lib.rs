//! The extension module `_mlir`.
