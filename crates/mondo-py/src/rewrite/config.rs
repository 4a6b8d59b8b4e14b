//! The class `GreedyRewriteConfig`: the options of the greedy pattern rewrite driver.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_ir::objects::GreedyConfig;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::enums;
use crate::ir::arguments::Int;
use crate::ir::error::needs_llvm;

/// The options of the greedy driver.
#[pyclass(frozen, subclass)]
#[derive(Default)]
pub(super) struct GreedyRewriteConfig {
    options: Mutex<GreedyConfig>,
}

impl GreedyRewriteConfig {
    fn options(&self) -> MutexGuard<'_, GreedyConfig> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy of the options.
    pub(super) fn copy(&self) -> GreedyConfig {
        self.options().clone()
    }
}

#[pymethods]
impl GreedyRewriteConfig {
    /// The defaults.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self::default()
    }

    fn __init__(&self) {}

    /// The greatest number of passes over all operations; -1: as many as needed.
    #[getter]
    fn get_max_iterations(&self) -> i64 {
        self.options().max_iterations()
    }

    #[setter]
    fn set_max_iterations(&self, value: Int<i64>) {
        self.options().set_max_iterations(value.0);
    }

    /// The greatest number of rewrites in each pass; -1: any number.
    #[getter]
    fn get_max_num_rewrites(&self) -> i64 {
        self.options().max_num_rewrites()
    }

    #[setter]
    fn set_max_num_rewrites(&self, value: Int<i64>) {
        self.options().set_max_num_rewrites(value.0);
    }

    /// True if operations come before those in their regions.
    #[getter]
    fn get_use_top_down_traversal(&self) -> bool {
        self.options().use_top_down_traversal()
    }

    #[setter]
    fn set_use_top_down_traversal(&self, value: bool) {
        self.options().set_use_top_down_traversal(value);
    }

    /// True if operations are folded.
    #[getter]
    fn get_enable_folding(&self) -> bool {
        self.options().enable_folding()
    }

    #[setter]
    fn set_enable_folding(&self, value: bool) -> PyResult<()> {
        self.options().set_enable_folding(value);
        if self.get_enable_folding() != value {
            return Err(needs_llvm(22, "rewriting without folding"));
        }
        Ok(())
    }

    /// The operations that patterns are applied to.
    #[getter]
    fn get_strictness(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        enums::greedy_strictness(py, self.options().strictness())
    }

    #[setter]
    fn set_strictness(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = enums::greedy_strictness_value(value)?;
        self.options().set_strictness(value);
        Ok(())
    }

    /// The level to which regions are simplified.
    #[getter]
    fn get_region_simplification_level(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        enums::region_level(py, self.options().region_level())
    }

    #[setter]
    fn set_region_simplification_level(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = enums::region_level_value(value)?;
        self.options().set_region_level(value);
        Ok(())
    }

    /// True if equal constants become one.
    #[getter]
    fn get_enable_constant_cse(&self) -> bool {
        self.options().enable_constant_cse()
    }

    #[setter]
    fn set_enable_constant_cse(&self, value: bool) -> PyResult<()> {
        self.options().set_enable_constant_cse(value);
        if self.get_enable_constant_cse() != value {
            return Err(needs_llvm(22, "rewriting that keeps equal constants apart"));
        }
        Ok(())
    }
}
