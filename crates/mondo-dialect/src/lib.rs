//! The SDK for MLIR dialects written in Rust.
//!
//! A dialect is a constant: a [`Dialect`] with its types, attributes and operations, whose behaviour
//! is in functions and in implementations of [`Parameters`]. [`export_dialect!`] makes the
//! registration function that a bundle calls, and puts the dialect's description into the object
//! file, from which the Python classes are made.
//!
//! Types, attributes and locations are those of [`mondo_ir`], whose pages say what can be asked of them and
//! how they are made; an operation and its values are seen through [`Operation`] and [`Value`], which do not
//! lead to what other threads may be changing.
//!
//! Nothing of MLIR's C++ can be seen, and nothing here is `unsafe` to use. What a function of a
//! dialect gets lives as long as the call. It may be called in any thread, in several at once. If it
//! panics, the panic becomes an error of MLIR, with the panic's message, where the operation is.
//!
//! `crates/dialects/units` is a complete example.

pub mod assembly;
mod checks;
mod constraints;
mod custom_form;
mod defined;
mod definition;
pub mod description;
mod flow;
mod interfaces;
mod op;
mod passes;
mod registration;
mod slots;
mod storage;
mod tiling;
mod verify;

pub use constraints::{AttributeConstraint, Case, Enum, TypeConstraint};
pub use definition::{AttributeDef, Dialect, TypeDef};
pub use flow::{OpEffect, Way};
pub use mondo_ir::sdk::{
    Block, Call, Effect, Error, Failure, Folded, Lower, LowerType, Lowering, Model, ModelEffect,
    Operation, Parameters, Parsed, Parser, Pattern, Place, Printer, Region, Result, Rewrite, Run,
    RunPass, SetUp, Trait, Value,
};
/// The handles of trees, which patterns and passes change.
pub use mondo_ir::{self as ir, Adaptor, Cast, Conversion, ConversionRewriter, Rewriter};
pub use mondo_ir::{Attribute, Location, Type, Uniquer, attributes, types};
pub use op::{Fold, Infer, Op, Verify};
pub use passes::{Pass, PassOption, Statistic};
pub use registration::Registered;
pub use slots::{Default, OpAttribute, RegionSlot, Slot, SuccessorSlot};
pub use tiling::{Indexing, Loop};

/// The names that [`export_dialect!`] expands to.
#[doc(hidden)]
pub mod exported {
    pub use mondo_ir::sdk::Registry;
}

/// Makes a dialect part of the bundles that pick its crate.
///
/// `export_dialect!(UNITS as mondoRegisterDialect_units);` defines the function of that name, which
/// adds the dialect to a registry, and describes the constant `UNITS`, a [`Dialect`], to the build.
#[macro_export]
macro_rules! export_dialect {
    // Items that a macro defines shadow names in its argument, so that these items have names which
    // nobody else uses.
    ($dialect:path as $register:ident) => {
        const _: () = {
            #[used]
            #[unsafe(link_section = ".mondo.dialect")]
            static MONDO_EXPORTED_DESCRIPTION: [u8; $crate::description::length(&$dialect)] =
                $crate::description::text(&$dialect);
        };

        /// Adds the dialect to a registry.
        ///
        /// # Safety
        ///
        /// `registry` is a live registry that no other thread uses meanwhile.
        #[unsafe(no_mangle)]
        #[expect(non_snake_case, reason = "a function of a C API")]
        pub unsafe extern "C" fn $register(registry: $crate::exported::Registry) {
            static MONDO_EXPORTED_DIALECT: $crate::Dialect = $dialect;
            static MONDO_EXPORTED_REGISTERED: $crate::Registered =
                $crate::Registered::new(&MONDO_EXPORTED_DIALECT);
            // SAFETY: `registry` is live and used by this thread alone, by this function's contract.
            unsafe { MONDO_EXPORTED_REGISTERED.add_to(registry) }
        }
    };
}
