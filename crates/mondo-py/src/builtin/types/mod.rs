//! The classes of MLIR's builtin types.

mod composite;
mod float;
mod integer;
mod memref;
mod scalar;
mod shaped;
mod tensor;
mod vector;

use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use crate::ir::derived_class::publish;

/// Publishes the classes in `ir`; `parent` is the published class `Type`.
pub(crate) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    integer::install(ir, parent)?;
    float::install(ir, parent)?;
    scalar::install(ir, parent)?;
    let shaped = publish::<shaped::ShapedType>(ir, parent)?;
    publish::<vector::VectorType>(ir, &shaped)?;
    publish::<tensor::RankedTensorType>(ir, &shaped)?;
    publish::<tensor::UnrankedTensorType>(ir, &shaped)?;
    publish::<memref::MemRefType>(ir, &shaped)?;
    publish::<memref::UnrankedMemRefType>(ir, &shaped)?;
    composite::install(ir, parent)
}
