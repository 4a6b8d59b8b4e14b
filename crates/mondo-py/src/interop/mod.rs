//! Conversions between Rust and Python that know no class of `ir`: buffers, capsules, callbacks,
//! enumerations, casters, operands, the classes that Python code registers, and the extension's submodules.
//! The wrappers of MLIR's objects are in `ownership`, and their methods in `ir`.

pub(crate) mod absent_parts;
pub(crate) mod attached_cell;
pub(crate) mod attachment;
pub(crate) mod buffer;
pub(crate) mod buffer_export;
pub(crate) mod callback;
pub(crate) mod capsule;
pub(crate) mod casters;
pub(crate) mod conversion_errors;
pub(crate) mod enums;
pub(crate) mod exchanged;
pub(crate) mod features;
pub(crate) mod interrupts;
pub(crate) mod missing_elements;
pub(crate) mod operators;
pub(crate) mod registered_classes;
pub(crate) mod standard_error;
pub(crate) mod submodules;
pub(crate) mod two_phase;
