//! The MLIR dialect of the language tarn: its types and operations, and the passes that compile a program.
//!
//! - `tarn-parse` makes operations of a program's text, which is in `tarn.source`.
//! - `tarn-lower` makes operations of MLIR's own dialects.

mod lowering;
mod operations;
mod parsing;
mod patterns;
mod types;

use mondo_dialect::attributes::Int;
use mondo_dialect::{Dialect, Pass, PassOption, TypeDef, export_dialect};

use types::{Array, Number};

/// The dialect.
pub const TARN: Dialect = Dialect::new("tarn", "Programs in the language tarn.")
    .depends(&["arith", "func", "memref", "scf"])
    .types(&[TypeDef::of::<Number>(), TypeDef::of::<Array>()])
    .operations(operations::ALL)
    .passes(&[
        Pass::new("tarn-parse", "Makes functions of each `tarn.source`.")
            .on("builtin.module")
            .run(parsing::run),
        Pass::new(
            "tarn-lower",
            "Makes operations of `arith`, `memref`, `scf` and `func`.",
        )
        .options(&[PassOption::flag(
            "c-interface",
            "Lets the functions be called as those of C, by Python's execution engine for one.",
            true,
        )])
        .converts_fully(lowering::set_up),
    ])
    .constant("constant", "value", |value, type_| {
        value.downcast::<Int>().is_some() && type_.parameters::<Number>().is_some()
    });

export_dialect!(TARN as mondoRegisterDialect_tarn);
