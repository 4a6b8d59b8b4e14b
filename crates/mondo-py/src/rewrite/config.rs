//! `GreedyRewriteConfig`: the options of the greedy driver.

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::enums;
use crate::ir::error::needs_llvm;

/// The options of the greedy driver.
#[pyclass(frozen, subclass)]
pub(super) struct GreedyRewriteConfig {
    raw: MlirGreedyRewriteDriverConfig,
}

// SAFETY: a configuration is numbers, which are read and written with the interpreter attached.
unsafe impl Send for GreedyRewriteConfig {}
// SAFETY: as above.
unsafe impl Sync for GreedyRewriteConfig {}

impl Drop for GreedyRewriteConfig {
    fn drop(&mut self) {
        // SAFETY: this object owns the configuration.
        unsafe { mlirGreedyRewriteDriverConfigDestroy(self.raw) };
    }
}

impl GreedyRewriteConfig {
    pub(super) fn raw(&self) -> MlirGreedyRewriteDriverConfig {
        self.raw
    }

    pub(super) fn defaults() -> Self {
        // SAFETY: there is no precondition.
        let raw = unsafe { mlirGreedyRewriteDriverConfigCreate() };
        Self { raw }
    }

    pub(super) fn copy(&self) -> Self {
        let copy = Self::defaults();
        // SAFETY: both are live.
        unsafe {
            let (from, to) = (self.raw, copy.raw);
            mlirGreedyRewriteDriverConfigSetMaxIterations(
                to,
                mlirGreedyRewriteDriverConfigGetMaxIterations(from),
            );
            mlirGreedyRewriteDriverConfigSetMaxNumRewrites(
                to,
                mlirGreedyRewriteDriverConfigGetMaxNumRewrites(from),
            );
            mlirGreedyRewriteDriverConfigSetUseTopDownTraversal(
                to,
                mlirGreedyRewriteDriverConfigGetUseTopDownTraversal(from),
            );
            mlirGreedyRewriteDriverConfigEnableFolding(
                to,
                mlirGreedyRewriteDriverConfigIsFoldingEnabled(from),
            );
            mlirGreedyRewriteDriverConfigSetStrictness(
                to,
                mlirGreedyRewriteDriverConfigGetStrictness(from),
            );
            mlirGreedyRewriteDriverConfigSetRegionSimplificationLevel(
                to,
                mlirGreedyRewriteDriverConfigGetRegionSimplificationLevel(from),
            );
            mlirGreedyRewriteDriverConfigEnableConstantCSE(
                to,
                mlirGreedyRewriteDriverConfigIsConstantCSEEnabled(from),
            );
        }
        copy
    }
}

#[pymethods]
impl GreedyRewriteConfig {
    /// The defaults.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self::defaults()
    }

    fn __init__(&self) {}

    /// The greatest number of passes over all operations; -1: as many as needed.
    #[getter]
    fn get_max_iterations(&self) -> i64 {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigGetMaxIterations(self.raw) }
    }

    #[setter]
    fn set_max_iterations(&self, value: i64) {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigSetMaxIterations(self.raw, value) };
    }

    /// The greatest number of rewrites in each pass; -1: any number.
    #[getter]
    fn get_max_num_rewrites(&self) -> i64 {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigGetMaxNumRewrites(self.raw) }
    }

    #[setter]
    fn set_max_num_rewrites(&self, value: i64) {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigSetMaxNumRewrites(self.raw, value) };
    }

    /// True if operations come before those in their regions.
    #[getter]
    fn get_use_top_down_traversal(&self) -> bool {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigGetUseTopDownTraversal(self.raw) }
    }

    #[setter]
    fn set_use_top_down_traversal(&self, value: bool) {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigSetUseTopDownTraversal(self.raw, value) };
    }

    /// True if operations are folded.
    #[getter]
    fn get_enable_folding(&self) -> bool {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigIsFoldingEnabled(self.raw) }
    }

    #[setter]
    fn set_enable_folding(&self, value: bool) -> PyResult<()> {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigEnableFolding(self.raw, value) };
        if self.get_enable_folding() != value {
            return Err(needs_llvm(22, "rewriting without folding"));
        }
        Ok(())
    }

    /// The operations that patterns are applied to.
    #[getter]
    fn get_strictness(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        // SAFETY: the configuration is live.
        enums::greedy_strictness(py, unsafe {
            mlirGreedyRewriteDriverConfigGetStrictness(self.raw)
        })
    }

    #[setter]
    fn set_strictness(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = enums::greedy_strictness_value(value)?;
        // SAFETY: the configuration is live, and the value is one of the enumeration.
        unsafe { mlirGreedyRewriteDriverConfigSetStrictness(self.raw, value) };
        Ok(())
    }

    /// The level to which regions are simplified.
    #[getter]
    fn get_region_simplification_level(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        // SAFETY: the configuration is live.
        enums::region_level(py, unsafe {
            mlirGreedyRewriteDriverConfigGetRegionSimplificationLevel(self.raw)
        })
    }

    #[setter]
    fn set_region_simplification_level(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = enums::region_level_value(value)?;
        // SAFETY: the configuration is live, and the value is one of the enumeration.
        unsafe { mlirGreedyRewriteDriverConfigSetRegionSimplificationLevel(self.raw, value) };
        Ok(())
    }

    /// True if equal constants become one.
    #[getter]
    fn get_enable_constant_cse(&self) -> bool {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigIsConstantCSEEnabled(self.raw) }
    }

    #[setter]
    fn set_enable_constant_cse(&self, value: bool) -> PyResult<()> {
        // SAFETY: the configuration is live.
        unsafe { mlirGreedyRewriteDriverConfigEnableConstantCSE(self.raw, value) };
        if self.get_enable_constant_cse() != value {
            return Err(needs_llvm(22, "rewriting that keeps equal constants apart"));
        }
        Ok(())
    }
}
