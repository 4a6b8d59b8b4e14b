//! Pass pipelines: the pass manager, and passes that are written in Python.

pub(crate) mod external;
pub(crate) mod manager;
