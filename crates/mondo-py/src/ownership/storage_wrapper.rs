//! The wrappers of types and attributes. MLIR uniques them in their context and keeps them as long as it
//! lives, so that the storage pointer identifies them.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use mondo_ir::{Sort, TypeKey};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::interop::attached_cell::Slot;
use crate::interop::casters::{self, Caster, Test};
use crate::interop::two_phase::{initialised, uninitialised};
use crate::ownership::context::{self, Context, Entered};
use crate::ownership::storage_table::Table;
use crate::ownership::uniqued_ref::UniquedRef;
use crate::ownership::wrapper::{self, Disposal, Header, Wrapper};

/// The contents of a wrapper of a type or an attribute.
pub(crate) struct StorageContents {
    /// The storage pointer; null before `__init__`. It never changes afterwards.
    raw: AtomicPtr<c_void>,
    /// None while the wrapper is dormant, and before `__init__`.
    context: Slot<Py<Context>>,
    header: Header,
    /// True if the context's table has this wrapper. Casts may make other wrappers of the same type or
    /// attribute, which compare equal to it.
    canonical: AtomicBool,
}

// SAFETY: MLIR's storage objects are immutable and live as long as their context, which the reference in
// `context` keeps alive while the wrapper is active. The address is not used while it is dormant.
unsafe impl Send for StorageContents {}
// SAFETY: MLIR's storage objects are immutable. The fields that change are atomic, or a `Slot`, which is
// `Sync` itself.
unsafe impl Sync for StorageContents {}

/// `Type` and `Attribute`.
pub(crate) trait StorageClass: Wrapper {
    /// The noun in error messages: `type`, `attribute`.
    const WHAT: &'static str;
    /// The names that the constructor's parameter may be given by.
    const SOURCES: &'static [&'static str];

    /// The marker type of mondo-ir for the handles that the class wraps: `Type<'ctx>` or `Attribute<'ctx>`.
    type Sort: for<'ctx> Sort<Of<'ctx>: Copy>;

    fn make(contents: StorageContents) -> Self;
    fn contents(&self) -> &StorageContents;
    fn table(context: &Context) -> &Table;
    /// The `TypeID` by which casters are found.
    fn type_id(thing: <Self::Sort as Sort>::Of<'_>) -> TypeKey;
    /// The dialect whose Python module may register a caster.
    fn dialect_of(thing: <Self::Sort as Sort>::Of<'_>) -> String;
    /// The caster of a type or attribute that was defined at run time.
    fn dynamic_caster(py: Python<'_>, thing: <Self::Sort as Sort>::Of<'_>) -> Option<Caster>;
    /// Returns whether a type or attribute nests deeper than MLIR can follow.
    fn is_too_deep<'ctx>(ctx: Entered<'_, 'ctx>, thing: <Self::Sort as Sort>::Of<'ctx>) -> bool;
    /// Returns whether a type or attribute passes the test of a native class.
    fn passes(thing: <Self::Sort as Sort>::Of<'_>, test: Test) -> bool;
}

/// The handle for a storage pointer.
///
/// # Safety
///
/// `raw` is not null, and is the storage pointer of a type or attribute of the sort `T::Sort`, in the context
/// of `'ctx`.
#[inline]
unsafe fn thing<'ctx, T: StorageClass>(raw: *const c_void) -> <T::Sort as Sort>::Of<'ctx> {
    // SAFETY: `raw` is a storage pointer of the sort `T::Sort`, in the context of `'ctx`, by this function's
    // contract.
    unsafe { T::Sort::at(NonNull::new_unchecked(raw.cast_mut())) }
}

/// Runs `look` with the handle of a wrapper, in whatever context it is.
#[inline]
pub(crate) fn read<T: StorageClass, R>(
    object: &T,
    py: Python<'_>,
    look: impl for<'ctx> FnOnce(<T::Sort as Sort>::Of<'ctx>) -> R,
) -> PyResult<R> {
    let raw = object.contents().get(py)?;
    // SAFETY: a wrapper's storage pointer is of its class's sort. The wrapper keeps the context alive, and
    // `look` is generic in the lifetime, so that the handle does not leave it.
    Ok(look(unsafe { thing::<T>(raw) }))
}

/// The handle of a wrapper, in the context that was entered; fails for a wrapper of another context.
#[inline]
pub(crate) fn within<'ctx, T: StorageClass>(
    object: &T,
    ctx: Entered<'_, 'ctx>,
) -> PyResult<<T::Sort as Sort>::Of<'ctx>> {
    let raw = object.contents().get_in(ctx.py(), ctx.object(), T::WHAT)?;
    // SAFETY: a wrapper's storage pointer is of its class's sort, and `get_in` has checked that its context
    // is that of `ctx`.
    Ok(unsafe { thing::<T>(raw) })
}

/// Casts the handle of a wrapper by `cast`, and keeps the result with its context.
#[inline]
pub(crate) fn uniqued<T: StorageClass, S: Sort>(
    object: &T,
    py: Python<'_>,
    cast: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, <T::Sort as Sort>::Of<'ctx>) -> Option<S::Of<'ctx>>,
) -> PyResult<Option<UniquedRef<S>>> {
    let raw = object.contents().get(py)?;
    let context = object.contents().context(py)?;
    // SAFETY: `get` has checked the access, and no Python code has run since. A wrapper's storage pointer is
    // of its class's sort and in the wrapper's context.
    unsafe {
        Entered::checked(py, &context, |ctx| {
            Ok(cast(ctx, thing::<T>(raw)).map(|thing| UniquedRef::of(ctx, thing)))
        })
    }
}

/// The `repr` that a wrapper of the base class would have: `Type(i32)`.
fn plain_repr<T: StorageClass>(thing: <T::Sort as Sort>::Of<'_>) -> String {
    format!("{}({})", T::NAME, T::Sort::to_text(thing))
}

impl StorageContents {
    fn new(raw: *const c_void, context: Option<Py<Context>>, canonical: bool) -> Self {
        Self {
            raw: AtomicPtr::new(raw.cast_mut()),
            context: Slot::new(context),
            header: Header::new(),
            canonical: AtomicBool::new(canonical),
        }
    }

    pub(crate) fn blank() -> Self {
        Self::new(std::ptr::null(), None, false)
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The context, which an active wrapper has.
    #[inline]
    pub(crate) fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.context
            .get(py)
            .map(Bound::unbind)
            .ok_or_else(uninitialised)
    }

    #[cold]
    fn check_access(&self, py: Python<'_>) -> PyResult<()> {
        self.context(py)?.get().check_access(py)
    }

    /// The storage pointer, by which wrappers are compared; null before `__init__`.
    #[inline]
    pub(crate) fn address(&self) -> *const c_void {
        self.raw.load(Ordering::Acquire)
    }

    /// Returns whether two wrappers represent the same type or attribute.
    #[inline]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let address = self.address();
        address == other.address() && (!address.is_null() || std::ptr::eq(self, other))
    }

    /// The storage pointer, for a call into the C API.
    #[inline]
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<*const c_void> {
        if context::any_is_running() {
            self.check_access(py)?;
        }
        let raw = self.address();
        if raw.is_null() || !self.header.is_active() {
            return Err(uninitialised());
        }
        Ok(raw)
    }

    /// The storage pointer; fails if the wrapper is not of `context`.
    #[inline]
    pub(crate) fn get_in(
        &self,
        py: Python<'_>,
        context: &Py<Context>,
        what: &str,
    ) -> PyResult<*const c_void> {
        let same = |mine: &mut Option<Py<Context>>| {
            mine.as_ref()
                .is_none_or(|context_held| context_held.is(context))
        };
        if !self.context.with(py, same) {
            return Err(context::of_another(what));
        }
        self.get(py)
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.context
            .look(|context| visit.call(context))
            .unwrap_or(Ok(()))
    }

    /// [`Wrapper::dispose`] of both classes.
    pub(crate) fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
        let held = self.context.put(py, None);
        match &held {
            Some(context) if self.canonical.load(Ordering::Relaxed) => {
                then(Disposal::Dormant(context.get().retained()));
            }
            _ => then(Disposal::Free),
        }
    }
}

/// The wrapper of a type or attribute, of the class that its caster chooses.
pub(crate) fn wrap<'ctx, T: StorageClass>(
    ctx: Entered<'_, 'ctx>,
    thing: <T::Sort as Sort>::Of<'ctx>,
) -> PyResult<Py<PyAny>> {
    let (py, context) = (ctx.py(), ctx.object());
    let raw = T::Sort::address(thing).as_ptr().cast_const();
    let key = raw as usize;
    let look = || T::table(context.get()).find(py, key);
    let mut caster = None;
    let mut known = look();
    if known.is_none() {
        if T::is_too_deep(ctx, thing) {
            return Err(context::too_deep(T::WHAT));
        }
        caster = casters::find(py, T::type_id(thing), || T::dialect_of(thing))?
            .or_else(|| T::dynamic_caster(py, thing));
        // `find` may have imported the dialect's module, whose code may have made the wrapper.
        known = look();
    }
    if let Some(object) = known {
        let wake = |wrapper: &T| drop(wrapper.contents().context.put(py, Some(context.bind(py))));
        // SAFETY: `T::table` has wrappers of `T` alone, which remove their entries when they are freed, and
        // `ctx` keeps the context of `raw` alive.
        let object = unsafe { wrapper::fetch::<T>(py, object as *mut ffi::PyObject, wake) };
        return object.map(Py::into_any).ok_or_else(wrapper::being_freed);
    }
    let fresh = |canonical| {
        T::make(StorageContents::new(
            raw,
            Some(context.clone_ref(py)),
            canonical,
        ))
    };
    let object = match caster {
        Some(Caster::Class(class)) => wrapper::create(class.bind(py), fresh(true))?,
        None => wrapper::create_plain(py, fresh(true))?,
        Some(Caster::Choice(classes)) => {
            match classes.iter().find(|(test, _)| T::passes(thing, *test)) {
                Some((_, class)) => wrapper::create(class.bind(py), fresh(true))?,
                None => wrapper::create_plain(py, fresh(true))?,
            }
        }
        Some(Caster::Call(call)) => {
            let plain = wrapper::create_plain(py, fresh(false))?;
            let cast = call.bind(py).call1((plain,))?;
            // The caster may have made the wrapper of the same type or attribute.
            if look().is_some() {
                return Ok(cast.unbind());
            }
            match cast.cast::<T>() {
                Ok(wrapper) if wrapper.get().contents().address() == raw => {
                    wrapper
                        .get()
                        .contents()
                        .canonical
                        .store(true, Ordering::Relaxed);
                    wrapper.clone().unbind()
                }
                // The caster returned some other object, which is not cached, so that the caster is called
                // for each access.
                _ => return Ok(cast.unbind()),
            }
        }
    };
    let address = object.get().header().object() as usize;
    T::table(context.get()).insert(py, key, address);
    Ok(object.into_any())
}

/// Removes the wrappers of types or attributes with this `TypeID` from the tables of all contexts, because
/// another caster was registered for them. Active wrappers stay usable, and compare equal to new ones.
pub(crate) fn forget<T: StorageClass>(py: Python<'_>, type_id: TypeKey) {
    for context in Context::all(py) {
        let table = T::table(context.get());
        let is_meant = |key: usize| {
            // SAFETY: the keys of a table are storage pointers of the sort `T::Sort`, which live as long as
            // the context that has the table.
            T::type_id(unsafe { thing::<T>(key as *const c_void) }) == type_id
        };
        for key in table.keys(py, is_meant) {
            // SAFETY: the key is from this context's own table, whose keys are storage pointers of the sort
            // `T::Sort`, which live as long as the context.
            let known = Context::enter(py, &context, |ctx| unsafe {
                wrap::<T>(ctx, thing::<T>(key as *const c_void))
            });
            table.remove(py, key);
            // A wrapper that is not in the table has to be freed with its last reference instead of becoming
            // dormant.
            if let Ok(known) = &known
                && let Ok(known) = known.bind(py).cast::<T>()
            {
                let contents = known.get().contents();
                contents.canonical.store(false, Ordering::Relaxed);
            }
        }
    }
}

/// The argument of the constructor of `cls`: the type or attribute to cast from.
fn source<'py, T: StorageClass>(
    cls: &Bound<'py, PyType>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, T>> {
    let name = || cls.name();
    let given = match (args.len(), kwargs.filter(|kwargs| !kwargs.is_empty())) {
        (1, None) => args.get_item(0)?,
        (0, Some(kwargs)) if kwargs.len() == 1 => {
            let (key, value) = (kwargs.keys().get_item(0)?, kwargs.values().get_item(0)?);
            let key: String = key.extract()?;
            if !T::SOURCES.contains(&key.as_str()) {
                return Err(PyTypeError::new_err(format!(
                    "{}() got an unexpected keyword argument '{key}'",
                    name()?
                )));
            }
            value
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "__init__(): incompatible function arguments: {}() takes one argument, the {} to cast \
                 from",
                name()?,
                T::WHAT
            )));
        }
    };
    match given.cast_into::<T>() {
        Ok(given) => Ok(given),
        Err(error) => Err(PyTypeError::new_err(format!(
            "__init__(): incompatible function arguments: {}() takes a {}, not {}",
            name()?,
            T::WHAT,
            error.into_inner().get_type()
        ))),
    }
}

/// The storage pointer of `from`; fails if an object of `cls` cannot represent it.
fn accepted<T: StorageClass>(
    cls: &Bound<'_, PyType>,
    from: &Bound<'_, T>,
) -> PyResult<*const c_void> {
    let tests = casters::tests_of(cls);
    read(from.get(), cls.py(), |thing| {
        if tests.into_iter().all(|test| T::passes(thing, test)) {
            return Ok(T::Sort::address(thing).as_ptr().cast_const());
        }
        Err(PyValueError::new_err(format!(
            "Cannot cast {} to {} (from {})",
            T::WHAT,
            cls.name()?,
            plain_repr::<T>(thing),
        )))
    })?
}

/// The implementation of `cls.__new__(cls, cast_from)`. It makes an empty object, for `__init__`; but if
/// `cast_from` is of exactly `cls` and in its context's table, it is returned itself.
pub(crate) fn construct<'py, T: StorageClass>(
    cls: &Bound<'py, PyType>,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let named = kwargs.filter(|kwargs| !kwargs.is_empty());
    if args.len() + named.map_or(0, PyDictMethods::len) == 1 && !wrapper::has_own_init::<T>(cls) {
        let given = match named {
            None => args.get_item(0)?,
            Some(kwargs) => kwargs.values().get_item(0)?,
        };
        if given.get_type().is(cls)
            && let Ok(from) = given.cast::<T>()
            && from.get().contents().canonical.load(Ordering::Relaxed)
        {
            return Ok(given);
        }
    }
    let empty = T::make(StorageContents::blank());
    Ok(wrapper::create(cls, empty)?.into_bound(cls.py()).into_any())
}

/// The implementation of `this.__init__(cast_from)`, which sets the contents of an empty object.
pub(crate) fn initialise<T: StorageClass>(
    this: &Bound<'_, T>,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let (py, cls) = (this.py(), this.as_any().get_type());
    let from = source::<T>(&cls, args, kwargs)?;
    let (mine, theirs) = (this.get().contents(), from.get().contents());
    if !mine.address().is_null() {
        return if mine.is_same(theirs) {
            Ok(())
        } else {
            Err(initialised())
        };
    }
    let raw = accepted(&cls, &from)?;
    let context = theirs.context(py)?;
    drop(mine.context.put(py, Some(context.bind(py))));
    mine.raw.store(raw.cast_mut(), Ordering::Release);
    Ok(())
}
