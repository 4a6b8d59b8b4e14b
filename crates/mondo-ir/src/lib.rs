//! A safe Rust API of MLIR, over the functions of a mondo library.
//!
//! There are three kinds of things, distinguished by their types:
//!
//! - *Uniqued* ones live as long as their context: [`Type`], [`Attribute`], [`Location`], [`AffineExpr`],
//!   [`AffineMap`], [`IntegerSet`], [`Identifier`], [`TypeId`]. They are `Copy`, and have a kind that is checked
//!   once, by [`Type::cast`].
//! - *Trees* die when something erases them: [`Op`], [`Block`], [`Region`], [`Value`]. Their handles borrow the
//!   scope's token, [`Ir`], which each call that may free something borrows exclusively.
//! - *Owners* free what they own: [`Context`], [`Module`], [`OwnedOp`], [`PassManager`], [`ExecutionEngine`].
//!
//! All of it happens in a scope of a context, whose lifetime `'ctx` is a brand: nothing of one context can be
//! used with another one. `docs/design/mondo-ir.md` has the reasons.
//!
//! ```
//! use mondo_ir::{Context, Module, PassManager};
//!
//! let mut context = Context::new();
//! let text = context.enter(|ctx, ir| {
//!     let module = Module::parse(ctx, "func.func @f() { %0 = arith.constant 1 : i32 return }")?;
//!     PassManager::parse(ctx, "builtin.module(canonicalize)")?.run(ir, module.owner())?;
//!     Ok::<_, mondo_ir::Error>(module.op(ir).to_string())
//! });
//! assert!(!text.unwrap().contains("arith"));
//! ```

pub mod affine;
pub mod attributes;
mod block;
mod brand;
mod builder;
#[doc(hidden)]
pub mod bundle;
mod c_object;
mod c_type;
mod callback;
mod capture;
mod compiled;
mod context;
mod conversion;
mod conversion_driver;
mod conversion_rewriter;
mod crossings;
#[doc(hidden)]
pub mod debug;
#[doc(hidden)]
pub mod declarations;
mod dense_arrays;
mod dense_elements;
mod diagnostic;
pub mod dialects;
mod editing;
mod edits;
mod emitted_diagnostic;
mod engine;
mod error;
mod fence;
mod handle;
mod identifier;
mod integer_set;
mod iteration;
pub mod location;
mod nesting;
#[doc(hidden)]
pub mod nodes;
#[doc(hidden)]
pub mod numbers;
#[doc(hidden)]
pub mod objects;
mod operation;
#[cfg(feature = "typed-operations")]
pub mod ops;
mod own_pass;
mod owner;
mod pass;
mod pattern;
mod printing;
mod resource;
mod retained_operation;
mod scope;
#[cfg(feature = "sdk")]
pub mod sdk;
mod shape;
mod shaped;
mod shapes;
mod source;
mod symbols;
mod text;
mod texts;
mod threads;
mod tree;
pub mod types;
mod uniqued_handles;

mod sort;
mod uniquer;
mod value;
mod walk;

pub use attributes::Named;
pub use builder::OpBuilder;
#[doc(hidden)]
pub use capture::transcribed;
pub use context::{Context, Ctx, Registry};
pub use conversion::{Cast, Conversion};
pub use conversion_rewriter::{Adaptor, ConversionRewriter};
pub use dense_elements::{DenseShape, Scalar};
pub use diagnostic::{Diagnostic, Severity};
#[doc(hidden)]
pub use emitted_diagnostic::Emitted;
pub use engine::{EngineOptions, ExecutionEngine, Function, Signature};
pub use error::{Error, ErrorKind, Result};
pub use handle::{Block, Op, OwnedOp, Region, Value};
pub use integer_set::Constraint;
pub use iteration::{Arguments, Blocks, Operands, Operations, Regions, Results};
pub use own_pass::OwnPass;
pub use owner::Module;
pub use pass::PassManager;
pub use pattern::{Patterns, Rewriter};
pub use printing::PrintFlags;
pub use resource::Blob;
pub use retained_operation::Retained;
pub use scope::Ir;
pub use shaped::Ranked;
pub use sort::Sort;
pub use source::{DictionaryNames, Source};
pub use symbols::SymbolTable;
pub use text::{Terminated, Text};
pub use threads::ThreadPool;
pub use uniqued_handles::{
    AffineExpr, AffineMap, Attribute, Identifier, IntegerSet, Location, Type, TypeId, TypeKey,
};
pub use uniquer::Uniquer;
pub use walk::{Walk, WalkOrder};
