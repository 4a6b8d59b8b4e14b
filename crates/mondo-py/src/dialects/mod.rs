//! What the extension has for single dialects: a file each, behind a cargo feature that is on where
//! the bundle has the dialect, so that no other bundle's extension needs its part of the C API.
//!
//! Python sees a module each, by upstream's name of it, in the package that `_mlir` is in. It gets its
//! contents when it is first imported.

#[cfg(feature = "dialect-amdgpu")]
mod amdgpu;
#[cfg(feature = "dialect-gpu")]
mod gpu;
#[cfg(feature = "dialect-irdl")]
mod irdl;
#[cfg(feature = "dialect-linalg")]
mod linalg;
#[cfg(feature = "dialect-llvm")]
mod llvm;
#[cfg(feature = "dialects")]
mod making;
#[cfg(feature = "dialect-nvgpu")]
mod nvgpu;
#[cfg(feature = "dialect-pdl")]
mod pdl;
#[cfg(feature = "dialect-quant")]
mod quant;
#[cfg(feature = "dialect-smt")]
mod smt;
#[cfg(feature = "dialect-sparse_tensor")]
mod sparse_tensor;
#[cfg(feature = "dialect-transform")]
mod transform;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Puts everything into a module.
type Fill = fn(&Bound<'_, PyModule>) -> PyResult<()>;

/// The modules of this bundle's dialects, by the names that the catalogue has for them.
const MODULES: &[(&str, Fill)] = &[
    #[cfg(feature = "dialect-amdgpu")]
    ("_mlirDialectsAMDGPU", amdgpu::fill),
    #[cfg(feature = "dialect-async")]
    ("_mlirAsyncPasses", has_passes),
    #[cfg(feature = "dialect-gpu")]
    ("_mlirDialectsGPU", gpu::fill),
    #[cfg(feature = "dialect-gpu")]
    ("_mlirGPUPasses", has_passes),
    #[cfg(feature = "dialect-irdl")]
    ("_mlirDialectsIRDL", irdl::fill),
    #[cfg(feature = "dialect-llvm")]
    ("_mlirDialectsLLVM", llvm::fill),
    #[cfg(feature = "dialect-linalg")]
    ("_mlirDialectsLinalg", linalg::fill),
    #[cfg(feature = "dialect-linalg")]
    ("_mlirLinalgPasses", has_passes),
    #[cfg(feature = "dialect-nvgpu")]
    ("_mlirDialectsNVGPU", nvgpu::fill),
    #[cfg(feature = "dialect-pdl")]
    ("_mlirDialectsPDL", pdl::fill),
    #[cfg(feature = "dialect-quant")]
    ("_mlirDialectsQuant", quant::fill),
    #[cfg(feature = "dialect-smt")]
    ("_mlirDialectsSMT", smt::fill),
    #[cfg(feature = "dialect-sparse_tensor")]
    ("_mlirDialectsSparseTensor", sparse_tensor::fill),
    #[cfg(feature = "dialect-sparse_tensor")]
    ("_mlirSparseTensorPasses", has_passes),
    #[cfg(feature = "dialect-transform")]
    ("_mlirDialectsTransform", transform::fill),
    #[cfg(feature = "dialect-transform")]
    ("_mlirTransformInterpreter", transform::fill_interpreter),
];

/// Passes are known from the start in a bundle that has them; upstream's modules for them are for
/// importing, and have nothing in them.
#[cfg(any(
    feature = "dialect-async",
    feature = "dialect-gpu",
    feature = "dialect-linalg",
    feature = "dialect-sparse_tensor"
))]
fn has_passes(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}

/// Gives a module what it consists of. The package has a file for each, which calls this.
#[pyfunction]
fn _fill_native_module(py: Python<'_>, name: &str) -> PyResult<()> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let Some((_, fill)) = MODULES.iter().find(|(module, _)| *module == last) else {
        return Err(PyImportError::new_err(format!(
            "{name} is not a part of this bundle's extension"
        )));
    };
    let modules = py.import("sys")?.getattr("modules")?;
    let module = modules.get_item(name)?;
    fill(module.cast()?)
}

/// Puts the function that fills the modules into `_mlir`.
pub(crate) fn install(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_fill_native_module, module)?)
}
