//! `_mlirDialectsQuant`: the types of the `quant` dialect.

mod any;
mod quantized;
mod storage;
#[cfg(not(llvm_before = "22"))]
mod sub_channel;
mod uniform;

use mondo_ir::dialects::quant::mlirQuantizedTypeGetSignedFlag;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::ir::derived_class;
use crate::ir::types::Type;
use crate::ownership::wrapper::Wrapper;
use quantized::QuantizedType;

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    let base = derived_class::publish::<QuantizedType>(module, parent)?;
    base.setattr("FLAG_SIGNED", mlirQuantizedTypeGetSignedFlag())?;
    derived_class::publish::<any::AnyQuantizedType>(module, &base)?;
    derived_class::publish::<uniform::UniformQuantizedType>(module, &base)?;
    derived_class::publish::<uniform::UniformQuantizedPerAxisType>(module, &base)?;
    #[cfg(not(llvm_before = "22"))]
    derived_class::publish::<sub_channel::UniformQuantizedSubChannelType>(module, &base)?;
    derived_class::publish::<any::CalibratedQuantizedType>(module, &base)?;
    Ok(())
}
