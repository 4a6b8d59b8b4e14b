//! `_mlirDialectsTransform`: the types of the `transform` dialect. `_mlirTransformInterpreter`: the
//! interpreter of its scripts.

pub(super) use crate::passes::transform_interpreter::fill as fill_interpreter;
use mondo_ir::dialects::transform as c;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use crate::dialects::plain_type::plain_type;
use crate::ir::derived_class::{self, checked, enter, read_type, type_kind, with_type};
use crate::ir::types::Type;
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

plain_type!(
    /// A handle to operations.
    AnyOpType: c::AnyOp,
    get: c::mlirTransformAnyOpTypeGet,
    type_id: c::mlirTransformAnyOpTypeGetTypeID,
    name: c::mlirTransformAnyOpTypeGetName
);
plain_type!(
    /// A parameter of any type.
    AnyParamType: c::AnyParam,
    get: c::mlirTransformAnyParamTypeGet,
    type_id: c::mlirTransformAnyParamTypeGetTypeID,
    name: c::mlirTransformAnyParamTypeGetName
);
plain_type!(
    /// A handle to values.
    AnyValueType: c::AnyValue,
    get: c::mlirTransformAnyValueTypeGet,
    type_id: c::mlirTransformAnyValueTypeGetTypeID,
    name: c::mlirTransformAnyValueTypeGetName
);

/// A handle to operations of one name.
// The module is set because `pdl` has a class of the same name: the package finds a class's signatures by its
// module and name.
#[pyclass(frozen, subclass, extends = Type, module = "_mlirDialectsTransform")]
struct OperationType;

type_kind!(
    OperationType: c::OperationKind,
    type_id: c::mlirTransformOperationTypeGetTypeID,
    name: c::mlirTransformOperationTypeGetName
);

#[pymethods]
impl OperationType {
    /// The type for operations of this name.
    #[staticmethod]
    #[pyo3(signature = (operation_name, context = None))]
    fn get(
        py: Python<'_>,
        operation_name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            let transform = ctx.with_dialect();
            ctx.wrap(c::mlirTransformOperationTypeGet(
                transform,
                operation_name.into(),
            ))
        })
    }

    /// The name of the operations.
    #[getter]
    fn operation_name(slf: &Bound<'_, Self>) -> PyResult<String> {
        read_type(slf, |ty| {
            c::mlirTransformOperationTypeGetOperationName(ty).to_text()
        })
    }
}

/// A parameter of one type.
#[pyclass(frozen, subclass, extends = Type)]
struct ParamType;

type_kind!(
    ParamType: c::Param,
    type_id: c::mlirTransformParamTypeGetTypeID,
    name: c::mlirTransformParamTypeGetName
);

#[pymethods]
impl ParamType {
    /// The type for parameters of `type`, in the context of that; another one cannot be given.
    #[staticmethod]
    #[pyo3(signature = (r#type, context = None))]
    fn get(
        py: Python<'_>,
        r#type: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = match context {
            Some(context) => context.unbind(),
            None => r#type.get().context_of(py)?,
        };
        Context::enter(py, &context, |ctx| {
            let ty = r#type.get().within(ctx)?;
            let transform = ctx.with_dialect::<c::Transform>();
            ctx.wrap(checked(ctx, "Invalid type", || transform.param(ty))?)
        })
    }

    /// The type of the parameters.
    #[getter]
    fn r#type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, ty| {
            ctx.wrap(c::mlirTransformParamTypeGetType(ty))
        })
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    derived_class::publish::<AnyOpType>(module, parent)?;
    derived_class::publish::<AnyParamType>(module, parent)?;
    derived_class::publish::<AnyValueType>(module, parent)?;
    derived_class::publish::<OperationType>(module, parent)?;
    derived_class::publish::<ParamType>(module, parent)?;
    Ok(())
}
