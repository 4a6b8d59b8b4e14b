//! Owned C objects for a program that has a guard of its own for trees, as the Python layer has with the
//! operation hooks: what in a scope is [`PassManager`](crate::PassManager), [`Patterns`](crate::Patterns) and
//! [`ExecutionEngine`](crate::ExecutionEngine).
//!
//! An object can go to other code and come back, by its address. What destroys nodes is an `unsafe fn`, as no
//! handle of [`nodes`](crate::nodes) may be in use meanwhile. Callbacks are closures, and a panic in one counts
//! as a failure.

mod context;
mod conversions;
mod engine;
mod greedy;
mod interrupts;
mod listeners;
mod nesting;
mod patterns;
mod pdl;
mod pipeline;
mod rewriter;
mod running_conversion;
pub mod transform;
mod type_converter;

pub use context::KeptContext;
pub use conversions::{ConversionConfig, LegalityRule};
pub use engine::{Engine, EngineForm};
pub use greedy::GreedyConfig;
pub use interrupts::interruptible;
pub use listeners::{Listener, ListenerId};
pub use nesting::{Nesting, NestingWithin};
pub use patterns::{FrozenPatterns, PatternSet};
pub use pdl::{NativeCall, NativeValue, PdlFunction, PdlPatterns};
pub use pipeline::{IrPrinting, PassTexts, Pipeline, PipelineRun};
pub use rewriter::{Insertion, OpenRewriter};
pub use running_conversion::RunningConversion;
