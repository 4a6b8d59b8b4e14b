//! The arguments of a new block: their types and locations.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::current;
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// Types and locations of a new block's arguments, checked.
pub(crate) struct Arguments {
    types: Vec<MlirType>,
    locations: Vec<MlirLocation>,
}

impl Arguments {
    /// Without locations, the current one is everybody's.
    pub(crate) fn of(
        py: Python<'_>,
        context: &Py<Context>,
        types: &Bound<'_, PyAny>,
        locations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let types: Vec<Bound<'_, Type>> = types
            .try_iter()?
            .map(|item| Ok(item?.cast_into::<Type>()?))
            .collect::<PyResult<_>>()?;
        let locations = locations
            .map(|locations| {
                locations
                    .try_iter()?
                    .map(|item| Ok(item?.cast_into::<Location>()?))
                    .collect::<PyResult<Vec<_>>>()
            })
            .transpose()?;
        Self::new(py, context, &types, locations.as_deref())
    }

    /// The same from lists. Without locations, the current one is everybody's, or none.
    pub(crate) fn new(
        py: Python<'_>,
        context: &Py<Context>,
        types: &[Bound<'_, Type>],
        locations: Option<&[Bound<'_, Location>]>,
    ) -> PyResult<Self> {
        let types = types
            .iter()
            .map(|item| item.get().get_in(py, context))
            .collect::<PyResult<Vec<_>>>()?;
        let locations = match locations {
            Some(locations) => locations
                .iter()
                .map(|item| item.get().get_in(py, context))
                .collect::<PyResult<Vec<_>>>()?,
            None if types.is_empty() => Vec::new(),
            None => {
                let location = current::resolve_location(py, None)?;
                vec![location.get().get_in(py, context)?; types.len()]
            }
        };
        if types.len() != locations.len() {
            return Err(PyValueError::new_err(format!(
                "Expected {} locations, got: {}",
                types.len(),
                locations.len()
            )));
        }
        Ok(Self { types, locations })
    }

    /// A block that belongs to the caller.
    pub(crate) fn block(&self) -> MlirBlock {
        // SAFETY: everything is live, and both arrays have as many elements as is said.
        unsafe {
            mlirBlockCreate(
                self.types.len() as isize,
                self.types.as_ptr(),
                self.locations.as_ptr(),
            )
        }
    }
}
