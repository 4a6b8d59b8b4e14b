//! `VectorType`.

use mondo_ir::declarations as c;
use mondo_ir::types::{self, Vector};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::shaped::ShapedType;
use crate::ir::arguments::{Ints, each};
use crate::ir::derived_class::{Site, checked, read_type, type_kind};
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// A vector, of which dimensions may be scalable.
#[pyclass(frozen, subclass, extends = ShapedType)]
pub(super) struct VectorType;

type_kind!(
    VectorType: Vector,
    type_id: c::mlirVectorTypeGetTypeID,
    name: c::mlirVectorTypeGetName
);

/// A flag for each dimension whether it is scalable; None if the caller gave neither argument.
fn scalable_flags(
    rank: usize,
    scalable: Option<&Bound<'_, PyAny>>,
    scalable_dims: Option<&Ints>,
) -> PyResult<Option<Vec<bool>>> {
    match (scalable, scalable_dims) {
        (Some(_), Some(_)) => Err(PyValueError::new_err(
            "'scalable' and 'scalable_dims' kwargs are mutually exclusive.",
        )),
        (Some(scalable), None) => {
            let mut flags = Vec::new();
            each(scalable, |flag| {
                flags.push(flag.extract()?);
                Ok(())
            })?;
            if flags.len() != rank {
                return Err(PyValueError::new_err(
                    "Expected len(scalable) == len(shape).",
                ));
            }
            Ok(Some(flags))
        }
        (None, Some(dims)) => {
            let mut flags = vec![false; rank];
            for &dim in dims.as_slice() {
                let flag = usize::try_from(dim)
                    .ok()
                    .and_then(|dim| flags.get_mut(dim))
                    .ok_or_else(|| {
                        PyValueError::new_err("Scalable dimension index out of bounds.")
                    })?;
                *flag = true;
            }
            Ok(Some(flags))
        }
        (None, None) => Ok(None),
    }
}

fn make(
    py: Python<'_>,
    site: &Site,
    shape: &Ints,
    element_type: &Bound<'_, Type>,
    flags: Option<Vec<bool>>,
) -> PyResult<Py<PyAny>> {
    site.enter(py, |ctx, location| {
        let element = element_type.get().within(ctx)?;
        let ty = checked(ctx, "Invalid type", || {
            types::VectorType::checked(location, shape.as_slice(), flags.as_deref(), element)
        })?;
        ctx.wrap(ty)
    })
}

#[pymethods]
impl VectorType {
    /// The vector type of a shape; raises `MLIRError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (shape, element_type, *, scalable = None, scalable_dims = None, loc = None))]
    fn get(
        py: Python<'_>,
        shape: Ints,
        element_type: &Bound<'_, Type>,
        scalable: Option<&Bound<'_, PyAny>>,
        scalable_dims: Option<Ints>,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Py<PyAny>> {
        let flags = scalable_flags(shape.as_slice().len(), scalable, scalable_dims.as_ref())?;
        make(py, &Site::at(py, loc)?, &shape, element_type, flags)
    }

    /// As `get`, without a location for the errors.
    #[staticmethod]
    #[pyo3(
        signature = (shape, element_type, *, scalable = None, scalable_dims = None, context = None)
    )]
    fn get_unchecked(
        py: Python<'_>,
        shape: Ints,
        element_type: &Bound<'_, Type>,
        scalable: Option<&Bound<'_, PyAny>>,
        scalable_dims: Option<Ints>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let flags = scalable_flags(shape.as_slice().len(), scalable, scalable_dims.as_ref())?;
        make(
            py,
            &Site::unknown(py, context)?,
            &shape,
            element_type,
            flags,
        )
    }

    /// True if any dimension is scalable.
    #[getter]
    fn scalable(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirVectorTypeIsScalable(ty))
    }

    /// For each dimension whether it is scalable.
    #[getter]
    fn scalable_dims(slf: &Bound<'_, Self>) -> PyResult<Vec<bool>> {
        read_type(slf, |ty| ty.scalable_dimensions())
    }
}
