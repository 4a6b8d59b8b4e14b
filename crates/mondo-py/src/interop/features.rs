//! The parts of the extension, as the pipeline's table has them.

use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Puts everything into a module.
pub(crate) type Fill = fn(&Bound<'_, PyModule>) -> PyResult<()>;

/// A part of the extension: modules by the names that the catalogue has for them, and their contents.
#[repr(transparent)]
pub(crate) struct Feature(pub(crate) &'static [(&'static str, Fill)]);

/// The modules of this bundle with their contents; one that two features fill is there twice.
pub(crate) fn modules() -> impl Iterator<Item = &'static (&'static str, Fill)> {
    mondo_ir::bundle::features().iter().flat_map(|address| {
        // SAFETY: the pipeline's table has the addresses of statics of this type, whose symbols begin with
        // `mondo_feature_`, and no others.
        let feature: &'static Feature = unsafe { &*address.cast::<Feature>() };
        feature.0
    })
}
