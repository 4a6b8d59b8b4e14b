//! The dialect modules that are linked into this bundle's extension. The build writes a table of their
//! addresses, which mondo-ir reads.

use pyo3::prelude::*;
use pyo3::types::PyModule;

/// A function that adds a dialect's classes and functions to a module.
pub(crate) type Fill = fn(&Bound<'_, PyModule>) -> PyResult<()>;

/// A feature of mondo-py: the names of dialect modules, as in the catalogue's key `native`, and the functions
/// that fill them.
#[repr(transparent)]
pub(crate) struct Feature(pub(crate) &'static [(&'static str, Fill)]);

/// The modules of this bundle with the functions that fill them. A module that two features fill occurs
/// twice.
pub(crate) fn modules() -> impl Iterator<Item = &'static (&'static str, Fill)> {
    mondo_ir::bundle::features().iter().flat_map(|address| {
        // SAFETY: the build writes into the table the addresses of the symbols that begin with
        // `mondo_feature_`, and all of these are statics of this type.
        let feature: &'static Feature = unsafe { &*address.cast::<Feature>() };
        feature.0
    })
}
