//! The shim's side of dialects that are defined in Rust: the objects that their functions see, the calls of
//! `dialect_sdk.h`, and the table by which C++ calls them. mondo-dialect makes dialects of it.
//!
//! A function of a dialect may be called in any thread, in several at once, while other threads change what
//! is beside its operation. So it has no token and no handles of trees, but [`Operation`] and [`Value`], which
//! show what cannot change during the call. Its types and attributes are those of the whole crate.

mod call;
mod callbacks;
mod calls;
mod codec;
mod defined;
mod error;
mod folded;
mod groups;
mod interfaces;
mod lowering;
mod models;
mod operation;
mod panic;
mod parameters;
mod parser;
mod printer;
mod rewriting;
mod table;
mod traits;

pub use call::Call;
pub use codec::{Codec, Parameters};
pub use defined::{Constants, DefinedOp, Verification};
pub use error::{Error, Result};
pub use folded::Folded;
pub use groups::{Count, Group};
pub use interfaces::{AddInterface, Callee, Edge, Effect, EffectOn, Interfaces, LoopShape, Tiling};
pub use lowering::{Lower, LowerType, Lowering, ToLlvm};
pub use models::{Model, ModelEffect};
pub use operation::{Block, Operation, Region, Value};
pub use parser::{Failure, OpParser, Parsed, Parser, Place};
pub use printer::{OpPrinter, Printer};
pub use rewriting::{Extent, Initial, PassRow, Pattern, Rewrite, Run, RunPass, SetUp};
pub use table::{OpRow, Registry, Table, TypeRow};
pub use traits::Trait;
