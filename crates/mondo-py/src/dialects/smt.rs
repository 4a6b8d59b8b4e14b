//! `_mlirDialectsSMT`: types of the `smt` dialect, and its text for solvers.

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::making::{cast_like, context_with, type_written};
use crate::ir::arguments::Int;
use crate::ir::derived_class::{self, type_kind};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// The class of a type without parameters.
macro_rules! plain {
    ($(#[$doc:meta])* $class:ident, $is:path, $name:path, $get:path) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass, extends = Type)]
        struct $class;

        type_kind!($class, $is, None, Some($name));

        #[pymethods]
        impl $class {
            /// The type.
            #[staticmethod]
            #[pyo3(signature = (context = None))]
            fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
                let (context, raw) = context_with(py, context, mlirGetDialectHandle__smt__)?;
                // SAFETY: the context is live, and the dialect is loaded.
                unsafe { types::wrap(py, &context, $get(raw)) }
            }
        }
    };
}

plain!(
    /// Truth values.
    BoolType,
    mlirSMTTypeIsABool,
    mlirSMTBoolTypeGetName,
    mlirSMTTypeGetBool
);
plain!(
    /// Integers without bounds.
    IntType,
    mlirSMTTypeIsAInt,
    mlirSMTIntTypeGetName,
    mlirSMTTypeGetInt
);

/// Bit vectors of one width.
#[pyclass(frozen, subclass, extends = Type)]
struct BitVectorType;

type_kind!(
    BitVectorType,
    mlirSMTTypeIsABitVector,
    None,
    Some(mlirSMTBitVectorTypeGetName)
);

#[pymethods]
impl BitVectorType {
    /// The type of bit vectors of this width; raises `MLIRError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (width, context = None))]
    fn get(
        py: Python<'_>,
        width: Int<i32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, _) = context_with(py, context, mlirGetDialectHandle__smt__)?;
        let raw = type_written(py, &context, &format!("!smt.bv<{}>", width.0))?;
        // SAFETY: the type was made in this context.
        unsafe { types::wrap(py, &context, raw) }
    }
}

mod export {
    use mondo_sys::mlirTranslateOperationToSMTLIB;
    use pyo3::exceptions::PyTypeError;
    use pyo3::prelude::*;

    use super::super::making::value_error;
    use crate::interop::string::collect;
    use crate::ir::error::ErrorCapture;
    use crate::ir::error::succeeded;
    use crate::ownership::operation::OperationBase;

    /// The text for solvers of a module or an operation; raises `ValueError` if it has none.
    #[pyfunction]
    #[pyo3(signature = (module, inline_single_use_values = false, indent_let_body = false))]
    pub(super) fn export_smtlib(
        module: &Bound<'_, PyAny>,
        inline_single_use_values: bool,
        indent_let_body: bool,
    ) -> PyResult<String> {
        let py = module.py();
        let owner;
        let operation = if let Ok(operation) = module.cast::<OperationBase>() {
            operation
        } else {
            owner = module
                .getattr("operation")
                .map_err(|_| not_an_operation(module))?;
            owner.cast().map_err(|_| not_an_operation(module))?
        };
        let op = operation.get().get(py)?;
        let context = operation.get().context_of(py)?;
        let mut text = String::new();
        let (done, errors) = ErrorCapture::run(py, &context, || {
            let mut done = None;
            text = collect(|callback, data| {
                // SAFETY: the operation is live; the callback and its data belong together.
                done = Some(unsafe {
                    mlirTranslateOperationToSMTLIB(
                        op,
                        callback,
                        data,
                        inline_single_use_values,
                        indent_let_body,
                    )
                });
            });
            done
        })?;
        if done.is_some_and(succeeded) {
            return Ok(text);
        }
        let cause = errors.into_error(py, "Failed to export smtlib.");
        Err(value_error(py, cause))
    }

    fn not_an_operation(given: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!(
            "expected a Module or an operation, not {}",
            given.get_type()
        ))
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    let class = derived_class::publish::<BoolType>(module, parent)?;
    cast_like(&class, mlirGetDialectHandle__smt__, |context| {
        // SAFETY: the context is live and has the dialect.
        unsafe { mlirTypeGetTypeID(mlirSMTTypeGetBool(context)) }
    })?;
    let class = derived_class::publish::<BitVectorType>(module, parent)?;
    cast_like(&class, mlirGetDialectHandle__smt__, |context| {
        // SAFETY: as above.
        unsafe { mlirTypeGetTypeID(mlirSMTTypeGetBitVector(context, 1)) }
    })?;
    let class = derived_class::publish::<IntType>(module, parent)?;
    cast_like(&class, mlirGetDialectHandle__smt__, |context| {
        // SAFETY: as above.
        unsafe { mlirTypeGetTypeID(mlirSMTTypeGetInt(context)) }
    })?;
    Ok(())
}

/// Adds the translation, for a bundle that has it.
pub(super) fn fill_translation(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr(
        "export_smtlib",
        wrap_pyfunction!(export::export_smtlib, module)?,
    )
}
