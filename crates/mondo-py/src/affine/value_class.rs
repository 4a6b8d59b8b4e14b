//! The part of `AffineExpr`, `AffineMap`, and `IntegerSet` that is the same: values that are unique
//! in their context, and live as long as it.

/// Defines the methods that all three classes have, and those that are given. `plain` stands for a
/// class without derived ones, whose object is made of `raw` and `context` alone.
macro_rules! affine_methods {
    (
        plain $class:ident($raw:ident), $noun:literal,
        get: $get:ident,
        dump: $dump:ident,
        context: $context:ident,
        dims: $dims:ident,
        inputs: $inputs:ident,
        symbols: $symbols:ident,
        { $($more:item)* }
    ) => {
        crate::affine::value_class::affine_methods! {
            $class($raw), $noun,
            get: $get,
            dump: $dump,
            {
                /// The number of dimensions.
                #[getter]
                fn n_dims(&self, py: Python<'_>) -> PyResult<isize> {
                    // SAFETY: the value is live.
                    Ok(unsafe { $dims(self.$get(py)?) })
                }

                /// The number of dimensions and symbols together.
                #[getter]
                fn n_inputs(&self, py: Python<'_>) -> PyResult<isize> {
                    // SAFETY: the value is live.
                    Ok(unsafe { $inputs(self.$get(py)?) })
                }

                /// The number of symbols.
                #[getter]
                fn n_symbols(&self, py: Python<'_>) -> PyResult<isize> {
                    // SAFETY: the value is live.
                    Ok(unsafe { $symbols(self.$get(py)?) })
                }

                #[doc = concat!("The object for the `", stringify!($raw), "` in a capsule.")]
                #[staticmethod]
                #[pyo3(name = "_CAPICreate")]
                fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
                    let raw = $raw {
                        ptr: capsule::unwrap(capsule, concat!("ir.", stringify!($class)))?,
                    };
                    // SAFETY: whoever made the capsule put a live value into it, which knows its
                    // context.
                    let context = unsafe { Context::of(capsule.py(), $context(raw))? };
                    Ok(Self { raw, context })
                }

                $($more)*
            }
        }
    };
    (
        $class:ident($raw:ident), $noun:literal,
        get: $get:ident,
        dump: $dump:ident,
        $(init: $initialise:ident,)?
        { $($more:item)* }
    ) => {
        #[pymethods]
        impl $class {
            $(
                // Not among `more`: PyO3's code for it takes names of the macro's context.
                fn __init__(slf: &Bound<'_, Self>, expr: &Bound<'_, Self>) -> PyResult<()> {
                    $initialise(slf, expr)
                }
            )?

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.show(&visit)
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other
                    .cast::<Self>()
                    .is_ok_and(|other| other.get().address() == self.address())
            }

            fn __hash__(&self) -> usize {
                self.address() as usize >> 4
            }

            fn __str__(&self, py: Python<'_>) -> PyResult<String> {
                self.text(py)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                Ok(format!("{}({})", stringify!($class), self.text(py)?))
            }

            /// The context that it is unique in.
            #[getter]
            fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
                Ok(self.home()?.clone_ref(py))
            }

            #[doc = concat!("Prints the ", $noun, " to standard error.")]
            fn dump(&self, py: Python<'_>) -> PyResult<()> {
                // SAFETY: the value is live.
                unsafe { $dump(self.$get(py)?) };
                Ok(())
            }

            #[doc = concat!("A capsule with the `", stringify!($raw),
                "`, for extensions that use the C API.")]
            #[getter(_CAPIPtr)]
            fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                capsule::wrap(py, concat!("ir.", stringify!($class)), self.$get(py)?.ptr)
            }

            $($more)*
        }
    };
}
pub(crate) use affine_methods;

/// Defines the struct of a class without derived ones.
macro_rules! affine_value {
    ($(#[$doc:meta])* $class:ident($raw:ident), $noun:literal, print: $print:ident) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass)]
        pub(crate) struct $class {
            raw: $raw,
            context: Py<Context>,
        }

        // SAFETY: the values are immutable, and the context outlives them.
        unsafe impl Send for $class {}
        // SAFETY: as above.
        unsafe impl Sync for $class {}

        impl $class {
            /// # Safety
            ///
            /// `raw` is of `context`, and not null.
            pub(crate) unsafe fn new(context: Py<Context>, raw: $raw) -> Self {
                Self { raw, context }
            }

            #[doc = concat!("The ", $noun, ", for a call into the C API.")]
            pub(crate) fn handle(&self, py: Python<'_>) -> PyResult<$raw> {
                self.context.get().get(py)?;
                Ok(self.raw)
            }

            fn home(&self) -> PyResult<&Py<Context>> {
                Ok(&self.context)
            }

            /// The address by which it is compared.
            fn address(&self) -> *const std::ffi::c_void {
                self.raw.ptr
            }

            fn show(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
                visit.call(&self.context)
            }

            /// The context that it lives in.
            pub(crate) fn context_of(&self, py: Python<'_>) -> Py<Context> {
                self.context.clone_ref(py)
            }

            fn text(&self, py: Python<'_>) -> PyResult<String> {
                let raw = self.handle(py)?;
                // SAFETY: the value is live; the last two arguments belong together.
                Ok(collect(|callback, data| unsafe { $print(raw, callback, data) }))
            }
        }
    };
}
pub(crate) use affine_value;
