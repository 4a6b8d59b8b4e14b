//! The classes of dialects' types without parameters, as a macro.

/// Defines such a class from its kind in mondo-ir and the function that makes the type; the remaining
/// arguments are those of `type_kind!`.
macro_rules! plain_type {
    ($(#[$doc:meta])* $class:ident: $kind:path, get: $get:path, $($known:tt)+) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass, extends = Type)]
        struct $class;

        type_kind!($class: $kind, $($known)+);

        #[pymethods]
        impl $class {
            /// The type, in the context that is given or in the current one.
            #[staticmethod]
            #[pyo3(signature = (context = None))]
            fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
                enter(py, context, |ctx| ctx.wrap($get(ctx.with_dialect())))
            }
        }
    };
}
pub(super) use plain_type;
