//! Pass pipelines: the pass manager, passes that are written in Python, and scripts of the transform dialect.

pub(crate) mod external;
pub(crate) mod manager;
pub(crate) mod transform_interpreter;
