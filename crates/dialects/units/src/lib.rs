//! The MLIR dialect `units`: quantities with dimensions over the SI base units.
//!
//! A quantity is a floating-point number and a unit. Units are kept as what they mean, so
//! `!units.q<"N">` and `!units.q<"kg*m/s^2">` are one type, and `!units.q<"km/h">` is another than
//! `!units.q<"m/s">`: the same dimension, and a scale that has to be converted.

mod lowering;
mod ops;
mod patterns;
mod quantity;
pub mod ratio;
mod spelling;
pub mod unit;

use mondo_dialect::{AttributeDef, Dialect, TypeDef, export_dialect};

pub use quantity::{Element, Quantity, Value};

/// The dialect.
pub const UNITS: Dialect = Dialect::new(
    "units",
    "Quantities with dimensions over the SI base units.",
)
.depends(&["arith", "math"])
.types(&[TypeDef::of::<Quantity>().memref_element()])
.attributes(&[AttributeDef::of::<Value>()])
.operations(ops::ALL)
.passes(lowering::PASSES)
.constant("constant", "value", |value, ty| {
    value
        .parameters::<Value>()
        .is_some_and(|value| ty.parameters() == Some(value.quantity))
});

export_dialect!(UNITS as mondoRegisterDialect_units);
