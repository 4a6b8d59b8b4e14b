//! Operations, blocks and block arguments: what may die at any time, by anybody's hand.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PyType};

use super::retained;
use super::tie::{DEAD, HELD, PARKED, Tie};
use super::tied::Tied;

/// By what something died.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Cause {
    /// Nothing of ours: a pass, a rewrite, another extension.
    Mlir = 0,
    /// `erase()` and its like, on it or on what it was in.
    Erased = 1,
    /// Nobody had a reference to any part of its tree.
    Dropped = 2,
    /// A pass pipeline that a `PassManager` ran.
    Pipeline = 3,
    /// A pattern rewriter.
    Rewrite = 4,
    /// Nothing: somebody said so (`_set_invalid`).
    Marked = 5,
    /// A script of the transform dialect, or the merging of two.
    Transform = 6,
}

impl Cause {
    fn of(number: u8) -> Self {
        match number {
            1 => Self::Erased,
            2 => Self::Dropped,
            3 => Self::Pipeline,
            4 => Self::Rewrite,
            5 => Self::Marked,
            6 => Self::Transform,
            _ => Self::Mlir,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Mlir => "was destroyed by MLIR (a pass, a rewrite or another extension)",
            Self::Erased => "was erased, or what it was in",
            Self::Dropped => "was freed with its tree, which nobody referred to any more",
            Self::Pipeline => "was destroyed by a pass pipeline",
            Self::Rewrite => "was destroyed by a pattern rewrite",
            Self::Marked => "was marked so",
            Self::Transform => "was destroyed by a transform script",
        }
    }
}

thread_local! {
    /// What this thread is doing.
    static DOING: Cell<Cause> = const { Cell::new(Cause::Mlir) };
}

/// Does `work`; what dies meanwhile dies of `cause`.
pub(crate) fn because<T>(cause: Cause, work: impl FnOnce() -> T) -> T {
    let before = DOING.replace(cause);
    let result = work();
    DOING.set(before);
    result
}

/// What an object of a mortal class has first of all; MLIR's side knows its address.
pub(crate) struct Mortal {
    /// What it stands for; null once that has died.
    raw: AtomicPtr<c_void>,
    pub(super) tie: Tie,
    /// What a tree knows of its root, which begins with a pointer that is set to null together with
    /// `raw`. Null if there is none.
    also: AtomicPtr<AtomicPtr<c_void>>,
    /// Frees the object once it is parked for ever.
    free: unsafe fn(*mut ffi::PyObject),
}

impl Mortal {
    pub(crate) fn new<T: Tied>(raw: *mut c_void) -> Self {
        Self {
            raw: AtomicPtr::new(raw),
            tie: Tie::new(),
            also: AtomicPtr::new(ptr::null_mut()),
            // SAFETY: `on_death` passes a parked object of `T`.
            free: |object| unsafe { T::layout().free::<T>(object) },
        }
    }

    pub(crate) fn tie(&self) -> &Tie {
        &self.tie
    }

    /// What it stands for, or null.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw.load(Ordering::Acquire)
    }

    /// Counts as dead from now on. MLIR's side must not know it any more.
    pub(crate) fn mark(&self) {
        self.tie.cause.store(Cause::Marked as u8, Ordering::Relaxed);
        self.raw.store(ptr::null_mut(), Ordering::Release);
    }

    /// The other pointer that is to become null when this dies, or null.
    pub(crate) fn also(&self) -> *const AtomicPtr<c_void> {
        self.also.load(Ordering::Acquire)
    }

    /// Another pointer that is to become null when this dies. Returns the one that was there.
    ///
    /// # Safety
    ///
    /// `also` is null, or stays valid until it is replaced or this is dropped.
    pub(crate) unsafe fn set_also(
        &self,
        also: *const AtomicPtr<c_void>,
    ) -> *const AtomicPtr<c_void> {
        self.also.swap(also.cast_mut(), Ordering::AcqRel)
    }

    /// What MLIR's side knows it by.
    pub(crate) fn observer(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// The object behind an observer.
    ///
    /// # Safety
    ///
    /// `observer` is what `observer()` returned, of something that lives.
    pub(crate) unsafe fn object(observer: *mut c_void) -> *mut ffi::PyObject {
        // SAFETY: what lives and has an observer has its object, parked or not.
        unsafe { (*observer.cast::<Self>()).tie.object() }
    }

    /// The exception for whoever asks for something that has died.
    #[cold]
    #[inline(never)]
    pub(crate) fn gone(&self, py: Python<'_>, what: &str) -> PyErr {
        let cause = Cause::of(self.tie.cause.load(Ordering::Relaxed)).text();
        let message = format!("the {what} has been invalidated: it {cause}");
        match INVALIDATED.get(py) {
            Some(class) => PyErr::from_type(class.bind(py).clone(), message),
            None => PyRuntimeError::new_err(message),
        }
    }

    /// What MLIR's side calls when something dies, in any thread, with or without the interpreter.
    unsafe extern "C" fn on_death(observer: *mut c_void) {
        // SAFETY: an observer is set by the one who made the object, and lives until this call.
        let mortal = unsafe { &*observer.cast::<Self>() };
        mortal.tie.cause.store(DOING.get() as u8, Ordering::Relaxed);
        mortal.raw.store(ptr::null_mut(), Ordering::Release);
        let also = mortal.also.load(Ordering::Acquire);
        if !also.is_null() {
            // SAFETY: `set_also` takes a pointer that stays valid until it is replaced.
            unsafe { (*also).store(ptr::null_mut(), Ordering::Release) };
        }
        let object = mortal.tie.object();
        // From here on another thread may free the object, unless it is parked.
        match mortal.tie.state.swap(DEAD, Ordering::AcqRel) {
            PARKED => mortal.dig(),
            HELD => note_held(object),
            _ => {}
        }
    }

    /// Puts a parked object, which nobody but MLIR's side knew, among those to be freed.
    fn dig(&self) {
        let mut first = GRAVES.load(Ordering::Relaxed);
        loop {
            // Nobody looks at the pointer any more.
            self.raw.store(first.cast(), Ordering::Relaxed);
            let me = ptr::from_ref(self).cast_mut();
            match GRAVES.compare_exchange_weak(first, me, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

/// Parked objects whose operation, block or argument has died: the first of a list that goes on in
/// `raw`. Threads add to it one at a time, and who frees takes all of it.
static GRAVES: AtomicPtr<Mortal> = AtomicPtr::new(ptr::null_mut());

/// Objects that died while a keep held them, by address; those that the keep has let go by itself since
/// then are among them.
static HELD_DEAD: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static SOME_HELD_DEAD: AtomicBool = AtomicBool::new(false);

/// Remembers to let go of an object that a keep holds: this moment is not one for Python code.
pub(super) fn note_held(object: *mut ffi::PyObject) {
    let mut dead = HELD_DEAD.lock().unwrap_or_else(PoisonError::into_inner);
    dead.push(object as usize);
    SOME_HELD_DEAD.store(true, Ordering::Release);
}

/// Whether [`bury`] has anything to do.
#[inline]
pub(super) fn some_are_dead() -> bool {
    !GRAVES.load(Ordering::Relaxed).is_null() || SOME_HELD_DEAD.load(Ordering::Acquire)
}

/// Frees what has died while nobody referred to it. Python code runs here, where that had attributes
/// of its own: not to be called by one who has a pointer into MLIR's objects.
pub(crate) fn bury(py: Python<'_>) {
    drain(py);
    if !SOME_HELD_DEAD.load(Ordering::Acquire) {
        return;
    }
    let dead = {
        let mut dead = HELD_DEAD.lock().unwrap_or_else(PoisonError::into_inner);
        SOME_HELD_DEAD.store(false, Ordering::Release);
        std::mem::take(&mut *dead)
    };
    for object in dead {
        drop(retained::take_dead(object));
    }
    drain(py);
}

/// Frees what has died while it was parked. No Python code runs.
#[inline]
pub(super) fn drain(_py: Python<'_>) {
    if !GRAVES.load(Ordering::Relaxed).is_null() {
        empty_graves();
    }
}

#[inline(never)]
fn empty_graves() {
    while !GRAVES.load(Ordering::Relaxed).is_null() {
        let mut grave = GRAVES.swap(ptr::null_mut(), Ordering::Acquire);
        // SAFETY: what is in the list is whole until it is freed, and then nothing has its address.
        unsafe {
            let mut next = after(grave);
            while !grave.is_null() {
                // Asked for one ahead: its memory arrives while this one is freed.
                let following = after(next);
                let (free, object) = ((*grave).free, (*grave).tie.object());
                free(object);
                grave = next;
                next = following;
            }
        }
    }
}

/// What comes after `grave`, if that is not null.
///
/// # Safety
///
/// `grave` is in a list of graves, or null.
unsafe fn after(grave: *mut Mortal) -> *mut Mortal {
    if grave.is_null() {
        return grave;
    }
    // SAFETY: the caller vouches for it.
    unsafe { (*grave).raw.load(Ordering::Relaxed).cast() }
}

static INVALIDATED: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Listens to deaths, and puts the exception class for them into `ir`. Fails if the hooks of the mondo
/// library do not see operations come and go.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    // SAFETY: there is no precondition.
    if !unsafe { mondoHooksWork() } {
        return Err(PyImportError::new_err(
            "the mondo library does not see operations being made and destroyed: the package is \
             damaged or was put together by hand; install it again",
        ));
    }
    // SAFETY: the callback stays valid as long as the extension.
    if !unsafe { mondoSetDeathCallback(Some(Mortal::on_death)) } {
        let library = mondo_sys::links::library().unwrap_or_else(|| "the mondo library".into());
        return Err(PyImportError::new_err(format!(
            "{library} is used by another copy of this package in this process: two packages with \
             one label cannot be loaded together; make one of them under a label of its own \
             (`label` under `[package]` of its manifest, or `cargo xtask bundle --label`)",
        )));
    }
    let bases = (
        py.get_type::<PyRuntimeError>(),
        py.get_type::<pyo3::exceptions::PyReferenceError>(),
    );
    let members = pyo3::types::PyDict::new(py);
    members.set_item("__module__", ir.name()?)?;
    members.set_item(
        "__doc__",
        "What is raised when something is used that has died: an operation, block or block argument \
         that was erased, and everything that belongs to it.",
    )?;
    let class = py
        .get_type::<PyType>()
        .call1(("InvalidatedError", bases, members))?
        .cast_into::<PyType>()?;
    ir.setattr("InvalidatedError", &class)?;
    // The extension is initialised once; should that ever change, the first class stays.
    let _ = INVALIDATED.set(py, class.unbind());
    Ok(())
}
