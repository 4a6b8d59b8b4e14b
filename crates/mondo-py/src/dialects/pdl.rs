//! `_mlirDialectsPDL`: the types of the `pdl` dialect.

use mondo_ir::dialects::pdl as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::plain_type::plain_type;
use crate::ir::derived_class::{self, enter, type_kind, with_type};
use crate::ir::types::Type;
use crate::ownership::context::{Context, require_same};
use crate::ownership::wrapper::Wrapper;

/// Any type of this dialect.
#[pyclass(frozen, subclass, extends = Type)]
struct PDLType;

type_kind!(PDLType: c::AnyPdl);

plain_type!(
    /// A handle to an attribute.
    AttributeType: c::AttributeKind,
    get: c::mlirPDLAttributeTypeGet,
    type_id: c::mlirPDLAttributeTypeGetTypeID,
    name: c::mlirPDLAttributeTypeGetName
);
plain_type!(
    /// A handle to an operation.
    OperationType: c::OperationKind,
    get: c::mlirPDLOperationTypeGet,
    type_id: c::mlirPDLOperationTypeGetTypeID,
    name: c::mlirPDLOperationTypeGetName
);
plain_type!(
    /// A handle to a type.
    TypeType: c::TypeOfTypes,
    get: c::mlirPDLTypeTypeGet,
    type_id: c::mlirPDLTypeTypeGetTypeID,
    name: c::mlirPDLTypeTypeGetName
);
plain_type!(
    /// A handle to a value.
    ValueType: c::ValueKind,
    get: c::mlirPDLValueTypeGet,
    type_id: c::mlirPDLValueTypeGetTypeID,
    name: c::mlirPDLValueTypeGetName
);

/// A handle to several of what another type is a handle to.
#[pyclass(frozen, subclass, extends = Type)]
struct RangeType;

type_kind!(
    RangeType: c::Range,
    type_id: c::mlirPDLRangeTypeGetTypeID,
    name: c::mlirPDLRangeTypeGetName
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
        let element_context = element_type.get().context_of(py)?;
        if let Some(context) = context {
            require_same(&context.unbind(), &element_context, "element type")?;
        }
        Context::enter(py, &element_context, |ctx| {
            let element = element_type.get().within(ctx)?;
            let element = element.downcast().ok_or_else(|| {
                PyValueError::new_err(format!(
                    "expected element of pdl.range to be one of [!pdl.attribute, !pdl.operation, \
                     !pdl.type, !pdl.value], but got {element}"
                ))
            })?;
            ctx.wrap(c::mlirPDLRangeTypeGet(element))
        })
    }

    /// The type of the range's elements.
    #[getter]
    fn element_type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, range| {
            ctx.wrap(c::mlirPDLRangeTypeGetElementType(range))
        })
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
