//! The parameters of the storage type that the types of the `quant` dialect share, and their check.

use std::fmt::Write as _;

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::dialects::making::{context_with, type_written};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The parameters that all types which store integers have.
pub(super) struct Storage<'a> {
    pub(super) flags: u32,
    pub(super) storage: &'a Bound<'a, Type>,
    pub(super) expressed: &'a Bound<'a, Type>,
    pub(super) min: i64,
    pub(super) max: i64,
}

/// The same as the C API takes it, and checked.
pub(super) struct Checked {
    pub(super) context: Py<Context>,
    pub(super) storage: MlirType,
    pub(super) expressed: MlirType,
}

impl Storage<'_> {
    /// Makes sure that there is a type with this, which the C API does not: MLIR checks what it
    /// parses. `kind` and `rest` are what stands before and after all this in the type's text.
    pub(super) fn check(
        &self,
        given: Option<Bound<'_, Context>>,
        kind: &str,
        rest: &str,
    ) -> PyResult<Checked> {
        let py = self.storage.py();
        let of = self.storage.get().context_of(py)?;
        let given = given.unwrap_or_else(|| of.into_bound(py));
        let (context, _) = context_with(py, Some(given), mlirGetDialectHandle__quant__)?;
        let storage = self.storage.get().get_in(py, &context)?;
        let expressed = self.expressed.get().get_in(py, &context)?;
        // SAFETY: the types are live.
        let (integer, float) =
            unsafe { (mlirTypeIsAInteger(storage), mlirTypeIsAFloat(expressed)) };
        if !integer {
            return Err(PyValueError::new_err(format!(
                "storage type must be integral, not {}",
                self.storage.get().__str__(py)?
            )));
        }
        let expressed_text = self.expressed.get().__str__(py)?;
        if !float {
            return Err(PyValueError::new_err(format!(
                "expressed type must be floating point, not {expressed_text}"
            )));
        }
        // SAFETY: the type is an integer type; the function has no precondition.
        let (width, signed) = unsafe {
            (
                mlirIntegerTypeGetWidth(storage),
                mlirQuantizedTypeGetSignedFlag(),
            )
        };
        let prefix = if self.flags & signed == 0 { 'u' } else { 'i' };
        let Self { min, max, .. } = self;
        let text = format!("!quant.{kind}<{prefix}{width}<{min}:{max}>:{expressed_text}{rest}>");
        type_written(py, &context, &text)?;
        Ok(Checked {
            context,
            storage,
            expressed,
        })
    }
}

/// A number as MLIR's parser takes it.
pub(super) fn literal(number: f64) -> PyResult<String> {
    if !number.is_finite() {
        return Err(PyValueError::new_err(format!(
            "{number} is not a finite number"
        )));
    }
    let text = format!("{number:e}");
    // The parser wants a point before the exponent.
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    Ok(format!("{digits}{point}e{exponent}"))
}

/// A scale and what stands for zero, as in a type's text.
pub(super) fn scale_and_zero(text: &mut String, scale: f64, zero: i64) -> PyResult<()> {
    // Writing to a String cannot fail.
    let _ = write!(text, "{}:{zero}", literal(scale)?);
    Ok(())
}
