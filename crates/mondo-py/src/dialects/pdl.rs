//! `_mlirDialectsPDL`: the types of the `pdl` dialect.

use mondo_ir::dialects::pdl as c;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use crate::ir::derived_class::{self, enter, type_kind, with_type};
use crate::ir::types::Type;
use crate::ownership::context::{Context, require_same};
use crate::ownership::wrapper::Wrapper;

/// Any type of this dialect.
#[pyclass(frozen, subclass, extends = Type)]
struct PDLType;

type_kind!(PDLType: c::AnyPdl);

/// The class of a type without parameters.
macro_rules! plain {
    ($(#[$doc:meta])* $class:ident: $of:path, $type_id:path, $name:path, $get:path) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass, extends = Type)]
        struct $class;

        type_kind!($class: $of, type_id: $type_id, name: $name);

        #[pymethods]
        impl $class {
            /// The type.
            #[staticmethod]
            #[pyo3(signature = (context = None))]
            fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
                enter(py, context, |ctx| ctx.wrap($get(ctx.with_dialect())))
            }
        }
    };
}

plain!(
    /// A handle to an attribute.
    AttributeType: c::AttributeKind,
    c::mlirPDLAttributeTypeGetTypeID,
    c::mlirPDLAttributeTypeGetName,
    c::mlirPDLAttributeTypeGet
);
plain!(
    /// A handle to an operation.
    OperationType: c::OperationKind,
    c::mlirPDLOperationTypeGetTypeID,
    c::mlirPDLOperationTypeGetName,
    c::mlirPDLOperationTypeGet
);
plain!(
    /// A handle to a type.
    TypeType: c::TypeOfTypes,
    c::mlirPDLTypeTypeGetTypeID,
    c::mlirPDLTypeTypeGetName,
    c::mlirPDLTypeTypeGet
);
plain!(
    /// A handle to a value.
    ValueType: c::ValueKind,
    c::mlirPDLValueTypeGetTypeID,
    c::mlirPDLValueTypeGetName,
    c::mlirPDLValueTypeGet
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
        let of = element_type.get().context_of(py)?;
        if let Some(context) = context {
            require_same(&context.unbind(), &of, "element type")?;
        }
        Context::enter(py, &of, |ctx| {
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
