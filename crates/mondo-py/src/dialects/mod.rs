//! The native parts of the dialects' Python modules: a file for each dialect or translation.
//!
//! Each is a Python module with upstream's name (`_mlirDialectsGPU`) in the package of `_mlir`, whose
//! contents are added when it is first imported.
//!
//! All files are compiled once, and the link of a bundle chooses among them: the build writes a table of the
//! bundle's features (`mondo-link/src/compile/features.rs`), and the linker removes code that the table does
//! not reach, so that no extension needs functions of a dialect that its library lacks. Therefore nothing
//! else may refer to the code of a feature.

#[cfg(not(llvm_before = "22"))]
mod amdgpu;
mod extensible;
mod gpu;
mod irdl;
mod linalg;
mod llvm;
mod nvgpu;
mod pdl;
mod plain_type;
mod quant;
#[cfg(not(llvm_before = "22"))]
mod smt;
mod sparse_tensor;
mod transform;
mod translation;
mod type_publication;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::interop::features::{Feature, modules};

/// Defines the features as symbols, whose names the build derives from the names in the catalogue:
/// `dialect-gpu` is `mondo_feature_dialect_gpu`.
macro_rules! features {
    ($($(#[$condition:meta])* $symbol:ident: $($module:literal => $fill:path),+;)+) => {
        $(
            $(#[$condition])*
            // SAFETY: no other symbol has this name: the prefix `mondo_feature_` is used in this macro only,
            // and the compiler refuses two statics of one name.
            #[unsafe(no_mangle)]
            static $symbol: Feature = Feature(&[$(($module, $fill)),+]);
        )+
    };
}

features! {
    #[cfg(not(llvm_before = "22"))]
    mondo_feature_dialect_amdgpu: "_mlirDialectsAMDGPU" => amdgpu::fill;
    mondo_feature_dialect_async: "_mlirAsyncPasses" => has_passes;
    mondo_feature_dialect_gpu:
        "_mlirDialectsGPU" => gpu::fill,
        "_mlirGPUPasses" => has_passes;
    mondo_feature_dialect_irdl:
        "_mlirDialectsIRDL" => irdl::fill,
        "_mlirDialectsIRDL" => extensible::fill,
        "ir" => extensible::fill_ir;
    mondo_feature_dialect_linalg:
        "_mlirDialectsLinalg" => linalg::fill,
        "_mlirLinalgPasses" => has_passes;
    mondo_feature_dialect_llvm: "_mlirDialectsLLVM" => llvm::fill;
    mondo_feature_dialect_nvgpu: "_mlirDialectsNVGPU" => nvgpu::fill;
    mondo_feature_dialect_pdl: "_mlirDialectsPDL" => pdl::fill;
    mondo_feature_dialect_quant: "_mlirDialectsQuant" => quant::fill;
    #[cfg(not(llvm_before = "22"))]
    mondo_feature_dialect_smt: "_mlirDialectsSMT" => smt::fill;
    mondo_feature_dialect_sparse_tensor:
        "_mlirDialectsSparseTensor" => sparse_tensor::fill,
        "_mlirSparseTensorPasses" => has_passes;
    mondo_feature_dialect_transform:
        "_mlirDialectsTransform" => transform::fill,
        "_mlirTransformInterpreter" => transform::fill_interpreter;
    mondo_feature_translation_llvm_ir: "_mlirDialectsLLVM" => llvm::fill_translation;
    #[cfg(not(llvm_before = "22"))]
    mondo_feature_translation_smt_lib: "_mlirDialectsSMT" => smt::fill_translation;
}

/// The contents of upstream's modules that register passes when they are imported. They are empty, because a
/// bundle that has passes registers them itself.
fn has_passes(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}

/// Gives a module its contents. The package has a file for each, which calls this.
#[pyfunction]
fn _fill_native_module(py: Python<'_>, name: &str) -> PyResult<()> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut fills = modules()
        .filter(|(module, _)| *module == last)
        .map(|(_, fill)| fill)
        .peekable();
    if fills.peek().is_none() {
        return Err(PyImportError::new_err(format!(
            "{name} is not a part of this bundle's extension"
        )));
    }
    let modules = py.import("sys")?.getattr("modules")?;
    let module = modules.get_item(name)?;
    fills.try_for_each(|fill| fill(module.cast()?))
}

/// Adds `_fill_native_module` to `_mlir`, and to `ir` what belongs to dialects of the bundle.
pub(crate) fn install(module: &Bound<'_, PyModule>, ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let mut fills = modules().filter(|(name, _)| *name == "ir");
    fills.try_for_each(|(_, fill)| fill(ir))?;
    module.add_function(wrap_pyfunction!(_fill_native_module, module)?)
}
