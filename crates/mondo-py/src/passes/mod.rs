//! The classes of `mlir.passmanager`: the pass manager and passes written in Python; and the interpreter of
//! the transform dialect.

pub(crate) mod external;
pub(crate) mod manager;
pub(crate) mod transform_interpreter;
