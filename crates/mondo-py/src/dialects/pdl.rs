//! `_mlirDialectsPDL`: the types of the `pdl` dialect.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::making::{context_with, load};
use crate::ir::derived_class::{self, type_in, type_kind};
use crate::ir::types::{self, Type};
use crate::ownership::context::{Context, require_same};
use crate::ownership::wrapper::Wrapper;

/// Any type of this dialect.
#[pyclass(frozen, subclass, extends = Type)]
struct PDLType;

type_kind!(PDLType, mlirTypeIsAPDLType, None, None);

/// The class of a type without parameters.
macro_rules! plain {
    ($(#[$doc:meta])* $class:ident, $is:path, $type_id:path, $name:path, $get:path) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass, extends = Type)]
        struct $class;

        type_kind!($class, $is, Some($type_id), Some($name));

        #[pymethods]
        impl $class {
            /// The type.
            #[staticmethod]
            #[pyo3(signature = (context = None))]
            fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
                let (context, raw) = context_with(py, context, mlirGetDialectHandle__pdl__)?;
                // SAFETY: the context is live, and the dialect is loaded.
                unsafe { types::wrap(py, &context, $get(raw)) }
            }
        }
    };
}

plain!(
    /// A handle to an attribute.
    AttributeType,
    mlirTypeIsAPDLAttributeType,
    mlirPDLAttributeTypeGetTypeID,
    mlirPDLAttributeTypeGetName,
    mlirPDLAttributeTypeGet
);
plain!(
    /// A handle to an operation.
    OperationType,
    mlirTypeIsAPDLOperationType,
    mlirPDLOperationTypeGetTypeID,
    mlirPDLOperationTypeGetName,
    mlirPDLOperationTypeGet
);
plain!(
    /// A handle to a type.
    TypeType,
    mlirTypeIsAPDLTypeType,
    mlirPDLTypeTypeGetTypeID,
    mlirPDLTypeTypeGetName,
    mlirPDLTypeTypeGet
);
plain!(
    /// A handle to a value.
    ValueType,
    mlirTypeIsAPDLValueType,
    mlirPDLValueTypeGetTypeID,
    mlirPDLValueTypeGetName,
    mlirPDLValueTypeGet
);

/// A handle to several of what another type is a handle to.
#[pyclass(frozen, subclass, extends = Type)]
struct RangeType;

type_kind!(
    RangeType,
    mlirTypeIsAPDLRangeType,
    Some(mlirPDLRangeTypeGetTypeID),
    Some(mlirPDLRangeTypeGetName)
);

#[pymethods]
impl RangeType {
    /// The type of ranges of `element_type`, in its context.
    #[staticmethod]
    #[pyo3(signature = (element_type, context = None))]
    fn get(
        py: Python<'_>,
        element_type: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let element = element_type.get().get(py)?;
        let of = element_type.get().context_of(py)?;
        if let Some(context) = context {
            require_same(&context.unbind(), &of, "element type")?;
        }
        load(py, &of, mlirGetDialectHandle__pdl__)?;
        // SAFETY: the type is live.
        let fits = unsafe { mlirTypeIsAPDLType(element) && !mlirTypeIsAPDLRangeType(element) };
        if !fits {
            return Err(PyValueError::new_err(format!(
                "expected element of pdl.range to be one of [!pdl.attribute, !pdl.operation, \
                 !pdl.type, !pdl.value], but got {}",
                element_type.get().__str__(py)?
            )));
        }
        // SAFETY: MLIR has ranges of these types.
        unsafe { types::wrap(py, &of, mlirPDLRangeTypeGet(element)) }
    }

    /// The type of the range's elements.
    #[getter]
    fn element_type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live range type.
        unsafe { types::wrap(slf.py(), &context, mlirPDLRangeTypeGetElementType(raw)) }
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    derived_class::publish::<PDLType>(module, parent)?;
    derived_class::publish::<AttributeType>(module, parent)?;
    derived_class::publish::<OperationType>(module, parent)?;
    derived_class::publish::<RangeType>(module, parent)?;
    derived_class::publish::<TypeType>(module, parent)?;
    derived_class::publish::<ValueType>(module, parent)?;
    Ok(())
}
