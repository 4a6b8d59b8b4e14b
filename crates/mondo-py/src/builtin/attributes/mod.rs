//! The classes of MLIR's builtin attributes.

mod array_elements;
mod containers;
mod dense_array;
mod elements;
mod elements_source;
mod export;
mod resource;
mod simple;
mod text;

use mondo_ir::declarations as c;
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use crate::interop::casters;
use crate::ir::derived_class::{self, Kind};

/// Publishes the classes in `ir`; `parent` is the published class `Attribute`.
pub(crate) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    simple::install(ir, parent)?;
    text::install(ir, parent)?;
    containers::install(ir, parent)?;
    dense_array::install(ir, parent)?;
    install_elements(ir, parent)?;
    resource::install(ir, parent)
}

/// Publishes the classes of dense elements, which share their `TypeID`.
fn install_elements<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    let dense = export::publish(ir, parent)?;
    derived_class::set_up::<elements::DenseElementsAttr>(&dense)?;
    let floats = derived_class::publish::<elements::DenseFPElementsAttr>(ir, &dense)?;
    let integers = derived_class::publish::<elements::DenseIntElementsAttr>(ir, &dense)?;
    let type_id = c::mlirDenseIntOrFPElementsAttrGetTypeID().key();
    casters::add_choice(
        ir.py(),
        type_id,
        vec![
            (elements::DenseFPElementsAttr::TEST, floats.unbind()),
            (elements::DenseIntElementsAttr::TEST, integers.unbind()),
            (elements::DenseElementsAttr::TEST, dense.unbind()),
        ],
    );
    Ok(())
}
