//! The classes of dialects' types without parameters.

/// Declares one: its kind in mondo-ir, the function that makes the type, and what `type_kind!` is told.
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
