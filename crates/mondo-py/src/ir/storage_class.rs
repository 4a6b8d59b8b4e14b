//! The part of `Type` and `Attribute` that is the same: the wrapper of a storage pointer, and the
//! methods that parse, print, compare, and exchange it.

/// Defines a class whose objects stand for storage pointers. `more` are the methods that only this
/// class has.
macro_rules! storage_class {
    (
        $(#[$doc:meta])*
        $class:ident($raw:ident), $what:literal, $article:literal,
        signature: $signature:literal,
        sources: $sources:expr,
        table: $table:ident,
        print: $print:ident,
        dump: $dump:ident,
        parse: $parse:ident,
        type_id: $type_id:ident,
        dialect: $dialect:ident,
        context: $context:ident,
        more: { $($more:item)* }
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass, dict, weakref)]
        pub(crate) struct $class {
            contents: StorageContents,
        }

        impl Wrapper for $class {
            const SIGNATURE: &'static str = $signature;

            fn layout() -> &'static Layout {
                static LAYOUT: Layout = Layout::new();
                &LAYOUT
            }

            fn header(&self) -> &Header {
                self.contents.header()
            }

            fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
                Py::new(py, Self::make(StorageContents::blank()))
            }

            fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
                self.contents.dispose(py, then);
            }

            fn construct<'py>(
                cls: &Bound<'py, PyType>,
                args: &Bound<'py, PyTuple>,
                kwargs: Option<&Bound<'py, PyDict>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                storage_wrapper::construct::<Self>(cls, args, kwargs)
            }

            fn initialise(
                this: &Bound<'_, Self>,
                args: &Bound<'_, PyTuple>,
                kwargs: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<()> {
                storage_wrapper::initialise(this, args, kwargs)
            }
        }

        impl StorageClass for $class {
            const WHAT: &'static str = $what;
            const SOURCES: &'static [&'static str] = $sources;

            fn make(contents: StorageContents) -> Self {
                Self { contents }
            }

            fn plain_repr(contents: &StorageContents) -> String {
                let raw = $raw {
                    ptr: contents.address(),
                };
                // SAFETY: the callers have just checked the contents; the last two arguments belong
                // together.
                let text = collect(|callback, data| unsafe { $print(raw, callback, data) });
                format!("{}({text})", stringify!($class))
            }

            fn contents(&self) -> &StorageContents {
                &self.contents
            }

            fn table(context: &Context) -> &Table {
                context.$table()
            }

            fn type_id(ptr: *const c_void) -> MlirTypeID {
                // SAFETY: `wrap` passes a live storage pointer of the class.
                unsafe { $type_id($raw { ptr }) }
            }

            fn dialect_of(ptr: *const c_void) -> String {
                // SAFETY: as above; the namespace lives as long as the dialect.
                unsafe { to_string(mlirDialectGetNamespace($dialect($raw { ptr }))) }
            }
        }

        #[doc = concat!("The object for ", $article, " ", $what, ", as the class that fits it best.")]
        ///
        /// # Safety
        ///
        /// `raw` is of `context`, and not null.
        pub(crate) unsafe fn wrap(
            py: Python<'_>,
            context: &Py<Context>,
            raw: $raw,
        ) -> PyResult<Py<PyAny>> {
            storage_wrapper::wrap::<$class>(py, context, raw.ptr)
        }

        impl<'ctx, K> Wrap<'ctx> for mondo_ir::$class<'ctx, K> {
            #[inline]
            fn wrap(self, ctx: Entered<'_, 'ctx>) -> PyResult<Py<PyAny>> {
                storage_wrapper::wrap::<$class>(ctx.py(), ctx.object(), self.raw().ptr)
            }
        }

        impl $class {
            #[doc = concat!("The ", $what, ", for a call into the C API.")]
            pub(crate) fn get(&self, py: Python<'_>) -> PyResult<$raw> {
                self.contents.get(py).map(|ptr| $raw { ptr })
            }

            #[doc = concat!("The ", $what, ", for something that is to be of `context`.")]
            #[inline]
            pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<$raw> {
                let ptr = self.contents.get_in(py, context, $what)?;
                Ok($raw { ptr })
            }

            #[doc = concat!("The ", $what, ", in its context.")]
            #[inline]
            pub(crate) fn within<'ctx>(
                &self,
                ctx: Entered<'_, 'ctx>,
            ) -> PyResult<mondo_ir::$class<'ctx>> {
                let raw = self.get_in(ctx.py(), ctx.object())?;
                // SAFETY: the storage pointer is of the context of the object, which is the brand's.
                unsafe { mondo_ir::$class::from_raw(raw) }.ok_or_else(uninitialised)
            }

            /// Fails unless it is of `context`.
            pub(crate) fn require_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<()> {
                self.get_in(py, context).map(drop)
            }

            #[doc = concat!("Runs `look` with the ", $what, ", whatever its context is.")]
            #[inline]
            pub(crate) fn read<R>(
                &self,
                py: Python<'_>,
                look: impl for<'ctx> FnOnce(mondo_ir::$class<'ctx>) -> R,
            ) -> PyResult<R> {
                let raw = self.get(py)?;
                // SAFETY: this object keeps the context alive, and the brand is the closure's own.
                unsafe { mondo_ir::$class::from_raw(raw) }
                    .map(look)
                    .ok_or_else(uninitialised)
            }

            /// The context that it lives in.
            pub(crate) fn context_of(&self, py: Python<'_>) -> PyResult<Py<Context>> {
                self.contents.context(py)
            }
        }

        #[pymethods]
        impl $class {
            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.contents.traverse(&visit)
            }

            #[doc = concat!("Parses ", $article, " ", $what,
                "'s assembly form; raises `MLIRError` if it cannot be parsed.")]
            #[staticmethod]
            #[pyo3(signature = (asm, context = None))]
            fn parse(
                py: Python<'_>,
                asm: &str,
                context: Option<Bound<'_, Context>>,
            ) -> PyResult<Py<PyAny>> {
                let context = current::resolve_context(py, context)?;
                let raw_context = context.get().get(py)?;
                let asm = Terminated::new(asm);
                let (raw, errors) = ErrorCapture::run(py, &context, || {
                    $crate::ir::bytecode::way_into(raw_context, &asm, "-").map(|_| {
                        // SAFETY: the context is live, and the text is only read.
                        unsafe { $parse(raw_context, asm.get()) }
                    })
                })?;
                let Some(raw) = raw.filter(|raw| !raw.ptr.is_null()) else {
                    return Err(errors.into_error(py, concat!("Unable to parse ", $what)));
                };
                // SAFETY: the parser made it in this context.
                unsafe { wrap(py, &context, raw) }
            }

            #[doc = concat!("The context that the ", $what, " lives in.")]
            #[getter]
            fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
                self.contents.context(py)
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other
                    .cast::<Self>()
                    .is_ok_and(|other| other.get().contents.is_same(&self.contents))
            }

            fn __hash__(&self) -> usize {
                self.contents.address() as usize >> 4
            }

            #[doc = concat!("Prints the ", $what, " to standard error.")]
            fn dump(&self, py: Python<'_>) -> PyResult<()> {
                // SAFETY: the storage pointer is live.
                unsafe { $dump(self.get(py)?) };
                Ok(())
            }

            pub(crate) fn __str__(&self, py: Python<'_>) -> PyResult<String> {
                let raw = self.get(py)?;
                // SAFETY: the storage pointer is live; the last two arguments belong together.
                Ok(collect(|callback, data| unsafe { $print(raw, callback, data) }))
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let text = slf.get().__str__(slf.py())?;
                Ok(format!("{}({text})", slf.get_type().name()?))
            }

            #[doc = concat!("The same ", $what, " as the class that fits it best.")]
            fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                let raw = self.get(py)?;
                // SAFETY: the storage pointer is live and of its context.
                unsafe { wrap(py, &self.contents.context(py)?, raw) }
            }

            #[doc = concat!("The `TypeID` of this kind of ", $what, ".")]
            #[getter]
            fn typeid(&self, py: Python<'_>) -> PyResult<TypeID> {
                // SAFETY: the storage pointer is live.
                Ok(TypeID::new(unsafe { $type_id(self.get(py)?) }))
            }

            #[doc = concat!("A capsule with the `", stringify!($raw),
                "`, for extensions that use the C API.")]
            #[getter(_CAPIPtr)]
            fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                capsule::wrap(py, concat!("ir.", stringify!($class)), self.get(py)?.ptr)
            }

            #[doc = concat!("The object for the `", stringify!($raw), "` in a capsule.")]
            #[staticmethod]
            #[pyo3(name = "_CAPICreate")]
            fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                let py = capsule.py();
                let raw = $raw {
                    ptr: capsule::unwrap(capsule, concat!("ir.", stringify!($class)))?,
                };
                // SAFETY: whoever made the capsule put a live storage pointer into it, which knows
                // its context.
                unsafe {
                    let context = Context::of(py, $context(raw))?;
                    wrap(py, &context, raw)
                }
            }

            $($more)*
        }
    };
}
pub(crate) use storage_class;
