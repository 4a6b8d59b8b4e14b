//! The common part of `AffineExpr`, `AffineMap`, and `IntegerSet`, as macros. MLIR uniques all three in their
//! context, and keeps them as long as it lives.

/// Defines the methods that all three classes have, and the given ones. `plain` is for a class without native
/// subclasses, which has no `__init__` and only one field.
macro_rules! affine_methods {
    (
        plain $class:ident, $raw:literal, $noun:literal,
        dims: $dims:ident,
        inputs: $inputs:ident,
        symbols: $symbols:ident,
        { $($more:item)* }
    ) => {
        crate::affine::value_class::affine_methods! {
            $class, $raw, $noun,
            {
                /// The number of dimensions.
                #[getter]
                fn n_dims(&self, py: Python<'_>) -> PyResult<isize> {
                    self.uniqued.read(py, |uniqued| c::$dims(uniqued))
                }

                /// The number of dimensions and symbols together.
                #[getter]
                fn n_inputs(&self, py: Python<'_>) -> PyResult<isize> {
                    self.uniqued.read(py, |uniqued| c::$inputs(uniqued))
                }

                /// The number of symbols.
                #[getter]
                fn n_symbols(&self, py: Python<'_>) -> PyResult<isize> {
                    self.uniqued.read(py, |uniqued| c::$symbols(uniqued))
                }

                #[doc = concat!("The object for the `", $raw, "` in a capsule.")]
                #[staticmethod]
                #[pyo3(name = "_CAPICreate")]
                fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
                    let uniqued = UniquedRef::from_capsule(capsule, concat!("ir.", stringify!($class)))?;
                    Ok(Self { uniqued })
                }

                $($more)*
            }
        }
    };
    (
        $class:ident, $raw:literal, $noun:literal,
        $(init: $initialise:ident,)?
        { $($more:item)* }
    ) => {
        #[pymethods]
        impl $class {
            $(
                // `__init__` is defined here and not in `more`, because PyO3's expansion of it uses
                // identifiers with the hygiene of this macro.
                fn __init__(slf: &Bound<'_, Self>, expr: &Bound<'_, Self>) -> PyResult<()> {
                    $initialise(slf, expr)
                }
            )?

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.known().map_or(Ok(()), |uniqued| uniqued.traverse(&visit))
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
                self.uniqued()?.to_text(py)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                Ok(format!("{}({})", stringify!($class), self.uniqued()?.to_text(py)?))
            }

            /// The context that it is unique in.
            #[getter]
            fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
                Ok(self.uniqued()?.context().clone_ref(py))
            }

            #[doc = concat!("Prints the ", $noun, " to standard error.")]
            fn dump(&self, py: Python<'_>) -> PyResult<()> {
                crate::interop::standard_error::write(py, &self.uniqued()?.to_text(py)?);
                Ok(())
            }

            #[doc = concat!("A capsule with the `", $raw,
                "`, for extensions that use the C API.")]
            #[getter(_CAPIPtr)]
            fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.uniqued()?.to_capsule(py, concat!("ir.", stringify!($class)))
            }

            $($more)*
        }
    };
}
pub(crate) use affine_methods;

/// Defines the struct of a class without native subclasses.
macro_rules! affine_value {
    ($(#[$doc:meta])* $class:ident, $noun:literal) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass)]
        pub(crate) struct $class {
            uniqued: UniquedRef<mondo_ir::$class<'static>>,
        }

        impl $class {
            #[doc = concat!("The object for the ", $noun, ".")]
            pub(crate) fn of<'ctx>(
                ctx: Entered<'_, 'ctx>,
                value: mondo_ir::$class<'ctx>,
            ) -> Self {
                Self {
                    uniqued: UniquedRef::of(ctx, value),
                }
            }

            #[doc = concat!("The ", $noun, ", in its context.")]
            pub(crate) fn within<'ctx>(
                &self,
                ctx: Entered<'_, 'ctx>,
            ) -> PyResult<mondo_ir::$class<'ctx>> {
                self.uniqued.within(ctx, $noun)
            }

            /// The object's context.
            pub(crate) fn context_of(&self, py: Python<'_>) -> Py<Context> {
                self.uniqued.context().clone_ref(py)
            }

            fn uniqued(&self) -> PyResult<&UniquedRef<mondo_ir::$class<'static>>> {
                Ok(&self.uniqued)
            }

            fn known(&self) -> Option<&UniquedRef<mondo_ir::$class<'static>>> {
                Some(&self.uniqued)
            }

            /// The address, by which objects are compared.
            fn address(&self) -> *const std::ffi::c_void {
                self.uniqued.address().as_ptr()
            }
        }

        impl<'ctx> Wrap<'ctx> for mondo_ir::$class<'ctx> {
            fn wrap(self, ctx: Entered<'_, 'ctx>) -> PyResult<Py<PyAny>> {
                Ok(Py::new(ctx.py(), $class::of(ctx, self))?.into_any())
            }
        }
    };
}
pub(crate) use affine_value;
