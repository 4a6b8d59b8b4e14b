//! What the extension has for single dialects: a file each, behind a cargo feature that is on where
//! the bundle has the dialect, so that no other bundle's extension needs its part of the C API.
//!
//! Python sees a module each, by upstream's name of it, in the package that `_mlir` is in. It gets its
//! contents when it is first imported.

#[cfg(feature = "dialect-llvm")]
mod llvm;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Puts everything into a module.
type Fill = fn(&Bound<'_, PyModule>) -> PyResult<()>;

/// The modules of this bundle's dialects, by the names that the catalogue has for them.
const MODULES: &[(&str, Fill)] = &[
    #[cfg(feature = "dialect-llvm")]
    ("_mlirDialectsLLVM", llvm::fill),
];

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
