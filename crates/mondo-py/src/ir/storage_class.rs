//! The common part of `Type` and `Attribute`, as a macro: the wrapper of a storage pointer, and the methods
//! that parse, print and compare it and exchange it by capsules.

/// Defines a wrapper class of storage pointers. `more` has the methods that only this class has.
macro_rules! storage_class {
    (
        $(#[$doc:meta])*
        $class:ident, $what:literal, $article:literal,
        signature: $signature:literal,
        sources: $sources:expr,
        table: $table:ident,
        too_deep: $is_too_deep:ident,
        test: $test:ident,
        dynamic: $dynamic:path,
        parse: $parse:path,
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

            type Sort = mondo_ir::$class<'static>;

            fn make(contents: StorageContents) -> Self {
                Self { contents }
            }

            fn contents(&self) -> &StorageContents {
                &self.contents
            }

            fn table(context: &Context) -> &Table {
                context.$table()
            }

            fn type_id(thing: mondo_ir::$class<'_>) -> mondo_ir::TypeKey {
                thing.type_id().key()
            }

            fn dialect_of(thing: mondo_ir::$class<'_>) -> String {
                thing.dialect().to_text()
            }

            fn dynamic_caster(py: Python<'_>, thing: mondo_ir::$class<'_>) -> Option<Caster> {
                $dynamic(py, thing)
            }

            fn is_too_deep<'ctx>(
                ctx: Entered<'_, 'ctx>,
                thing: mondo_ir::$class<'ctx>,
            ) -> bool {
                ctx.$is_too_deep(thing)
            }

            fn passes(thing: mondo_ir::$class<'_>, test: Test) -> bool {
                match test {
                    Test::$test(holds) => holds(thing),
                    _ => false,
                }
            }
        }

        impl<'ctx, K> Wrap<'ctx> for mondo_ir::$class<'ctx, K> {
            #[inline]
            fn wrap(self, ctx: Entered<'_, 'ctx>) -> PyResult<Py<PyAny>> {
                storage_wrapper::wrap::<$class>(ctx, self.any())
            }
        }

        impl $class {
            #[doc = concat!("The ", $what, ", in its context.")]
            #[inline]
            pub(crate) fn within<'ctx>(
                &self,
                ctx: Entered<'_, 'ctx>,
            ) -> PyResult<mondo_ir::$class<'ctx>> {
                storage_wrapper::within(self, ctx)
            }

            /// Fails unless the wrapper is of `context`.
            pub(crate) fn require_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<()> {
                self.contents.get_in(py, context, $what).map(drop)
            }

            #[doc = concat!("Runs `look` with the ", $what, ", whatever its context is.")]
            #[inline]
            pub(crate) fn read<R>(
                &self,
                py: Python<'_>,
                look: impl for<'ctx> FnOnce(mondo_ir::$class<'ctx>) -> R,
            ) -> PyResult<R> {
                storage_wrapper::read(self, py, look)
            }

            #[doc = concat!("Runs `look` with the ", $what, " in its context.")]
            pub(crate) fn with<R>(
                &self,
                py: Python<'_>,
                look: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, mondo_ir::$class<'ctx>) -> PyResult<R>,
            ) -> PyResult<R> {
                let context = self.contents.context(py)?;
                Context::enter(py, &context, |ctx| look(ctx, self.within(ctx)?))
            }

            /// The wrapper's context.
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
                let context = context_stack::resolve_context(py, context)?;
                Context::enter(py, &context, |ctx| {
                    let asm = Terminated::new(asm);
                    let (parsed, errors) = ErrorCapture::run(py, ctx.object(), || {
                        $crate::ir::bytecode::way_into(*ctx, &asm, "-")
                            .map(|_| $parse(*ctx, &asm))
                    })?;
                    match parsed.flatten() {
                        Some(parsed) => ctx.wrap(parsed),
                        None => Err(errors.into_error(py, concat!("Unable to parse ", $what))),
                    }
                })
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
                crate::interop::standard_error::write(py, &self.__str__(py)?);
                Ok(())
            }

            pub(crate) fn __str__(&self, py: Python<'_>) -> PyResult<String> {
                self.read(py, |storage| storage.to_text())
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let text = slf.get().__str__(slf.py())?;
                Ok(format!("{}({text})", slf.get_type().name()?))
            }

            #[doc = concat!("The same ", $what, " as the class that fits it best.")]
            fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                self.with(py, |ctx, storage| ctx.wrap(storage))
            }

            #[doc = concat!("The `TypeID` of this kind of ", $what, ".")]
            #[getter]
            fn typeid(&self, py: Python<'_>) -> PyResult<TypeID> {
                self.read(py, |storage| TypeID::new(storage.type_id()))
            }

            #[doc = concat!("A capsule with the `Mlir", stringify!($class),
                "`, for extensions that use the C API.")]
            #[getter(_CAPIPtr)]
            fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                capsule::wrap(py, concat!("ir.", stringify!($class)), self.contents.get(py)?)
            }

            #[doc = concat!("The object for the `Mlir", stringify!($class), "` in a capsule.")]
            #[staticmethod]
            #[pyo3(name = "_CAPICreate")]
            fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                capsules::storage::<Self>(capsule, concat!("ir.", stringify!($class)))
            }

            $($more)*
        }
    };
}
pub(crate) use storage_class;
