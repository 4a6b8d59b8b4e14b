//! The parameters that several types of the `quant` dialect share: flags, storage type, expressed type, and
//! the range of stored integers.

use mondo_ir::dialects::Loaded;
use mondo_ir::dialects::quant as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::arguments::Int;
use crate::ir::derived_class::checked;
use crate::ir::types::Type;
use crate::ownership::context::{Context, Entered};

/// The parameters of a quantized type that stores integers.
pub(super) struct Storage<'a> {
    flags: u32,
    storage: &'a Bound<'a, Type>,
    expressed: &'a Bound<'a, Type>,
    min: i64,
    max: i64,
}

impl<'a> Storage<'a> {
    pub(super) fn new(
        flags: Int<u32>,
        storage: &'a Bound<'a, Type>,
        expressed: &'a Bound<'a, Type>,
        min: Int<i64>,
        max: Int<i64>,
    ) -> Self {
        Self {
            flags: flags.0,
            storage,
            expressed,
            min: min.0,
            max: max.0,
        }
    }

    /// The given context, or else that of the storage type.
    pub(super) fn context(&self, given: Option<Bound<'_, Context>>) -> PyResult<Py<Context>> {
        let storage_context = self.storage.get().context_of(self.storage.py())?;
        Ok(given.map_or(storage_context, Bound::unbind))
    }

    /// The handles of the parameters, in a context; fails with a `ValueError` for a type of a wrong kind.
    pub(super) fn within<'ctx>(&self, ctx: Entered<'_, 'ctx>) -> PyResult<c::Storage<'ctx>> {
        let storage = self.storage.get().within(ctx)?;
        let expressed = self.expressed.get().within(ctx)?;
        let storage = storage.downcast().ok_or_else(|| {
            PyValueError::new_err(format!("storage type must be integral, not {storage}"))
        })?;
        Ok(c::Storage {
            flags: self.flags,
            storage,
            expressed: float(expressed)?,
            min: self.min,
            max: self.max,
        })
    }

    /// Makes a type from the parameters by `make`; fails with the errors that MLIR reported.
    pub(super) fn make<K>(
        &self,
        given: Option<Bound<'_, Context>>,
        make: impl for<'ctx> FnOnce(
            c::Storage<'ctx>,
            Loaded<'ctx, c::Quant>,
        ) -> Option<mondo_ir::Type<'ctx, K>>,
    ) -> PyResult<Py<PyAny>> {
        Context::enter(self.storage.py(), &self.context(given)?, |ctx| {
            let quant = ctx.with_dialect();
            let storage = self.within(ctx)?;
            ctx.wrap(checked(ctx, "Invalid type", || make(storage, quant))?)
        })
    }
}

/// Casts the expressed type to a floating-point type.
pub(super) fn float(expressed: mondo_ir::Type<'_>) -> PyResult<mondo_ir::types::FloatType<'_>> {
    expressed.downcast().ok_or_else(|| {
        PyValueError::new_err(format!(
            "expressed type must be floating point, not {expressed}"
        ))
    })
}

/// Fails for an infinite number and for NaN, which MLIR's parser cannot read back.
pub(super) fn require_finite(number: f64) -> PyResult<()> {
    if number.is_finite() {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "{number} is not a finite number"
    )))
}
