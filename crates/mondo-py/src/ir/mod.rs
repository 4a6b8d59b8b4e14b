//! The classes of `mlir.ir` for the IR itself: their Python methods, and the functions that read, print, and
//! change IR. `ownership` has the wrappers' contents and lifetimes, `builtin` the builtin types and
//! attributes, `affine` the affine classes.

pub(crate) mod arguments;
pub(crate) mod asm_state;
pub(crate) mod attribute;
mod block;
pub(crate) mod block_arguments;
pub(crate) mod bundle_registration;
mod bytecode;
mod context;
pub(crate) mod context_stack;
pub(crate) mod debug_output;
pub(crate) mod derived_class;
pub(crate) mod diagnostics;
pub(crate) mod dialect_registry;
pub(crate) mod error;
pub(crate) mod insertion_point;
mod insertion_point_methods;
pub(crate) mod interfaces;
pub(crate) mod lists;
pub(crate) mod location;
pub(crate) mod location_classes;
mod location_methods;
pub(crate) mod module;
pub(crate) mod operation;
pub(crate) mod printing;
mod region;
pub(crate) mod registration_decorators;
mod storage_class;
pub(crate) mod symbol_table;
pub(crate) mod thread_pool;
pub(crate) mod traceback;
pub(crate) mod types;
pub(crate) mod value;
