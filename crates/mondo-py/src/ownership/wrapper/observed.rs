//! Observed nodes: operations, blocks and block arguments, which any code may destroy at any time.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use mondo_ir::bundle;
use mondo_ir::nodes::{self, Observable};
use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PyType};

use super::class_trait::Wrapper;
use super::header::{DEAD, DORMANT, Header, RETAINED};
use super::retained;

/// The cause by which a node was destroyed.
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
    /// The cause of what this thread destroys now.
    static DOING: Cell<Cause> = const { Cell::new(Cause::Mlir) };
}

/// Does `work`; nodes that are destroyed meanwhile have the cause `cause`.
pub(crate) fn because<T>(cause: Cause, work: impl FnOnce() -> T) -> T {
    let before = DOING.replace(cause);
    let result = work();
    DOING.set(before);
    result
}

/// The first field of the wrapper of an operation, a block, or a block argument; MLIR's side knows
/// its address.
pub(crate) struct ObservedNode {
    /// The node of MLIR's; null once that has been destroyed.
    raw: AtomicPtr<c_void>,
    pub(super) header: Header,
    /// The root of the node in its tree, which begins with a pointer that is set to null together
    /// with `raw`. Null if there is none.
    also: AtomicPtr<AtomicPtr<c_void>>,
    /// Frees the object once its node was destroyed while it was dormant.
    free: unsafe fn(*mut ffi::PyObject),
}

impl ObservedNode {
    pub(crate) fn new<T: Wrapper>(raw: *mut c_void) -> Self {
        Self {
            raw: AtomicPtr::new(raw),
            header: Header::new(),
            also: AtomicPtr::new(ptr::null_mut()),
            // SAFETY: `on_death` passes a dormant object of `T`.
            free: |object| unsafe { T::layout().free::<T>(object) },
        }
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The node of MLIR's, or null.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw.load(Ordering::Acquire)
    }

    /// Marks the node as destroyed. MLIR's side must not know the wrapper any more.
    pub(crate) fn mark(&self) {
        self.header
            .cause
            .store(Cause::Marked as u8, Ordering::Relaxed);
        self.header.leave_place();
        self.raw.store(ptr::null_mut(), Ordering::Release);
    }

    /// The other pointer that is to become null when the node is destroyed, or null.
    pub(crate) fn also(&self) -> *const AtomicPtr<c_void> {
        self.also.load(Ordering::Acquire)
    }

    /// Sets another pointer that is to become null when the node is destroyed. Returns the one that
    /// was there.
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

    /// The address that MLIR's side has of it.
    pub(crate) fn observer(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// The object behind an observer.
    ///
    /// # Safety
    ///
    /// `observer` is what `observer()` returned, of something that lives.
    pub(crate) unsafe fn object(observer: *mut c_void) -> *mut ffi::PyObject {
        // SAFETY: the node lives and has this observer, by this function's contract, so that its object,
        // dormant or not, is in memory.
        unsafe { (*observer.cast::<Self>()).header.object() }
    }

    /// The object of a node, if it has one.
    #[inline]
    pub(crate) fn object_of(node: impl Observable) -> Option<*mut ffi::PyObject> {
        let observer = node.observer();
        // SAFETY: the node is live, by its brand, and only this package sets observers.
        (!observer.is_null()).then(|| unsafe { Self::object(observer) })
    }

    /// The exception for an access to a node that was destroyed.
    #[cold]
    #[inline(never)]
    pub(crate) fn gone(&self, py: Python<'_>, what: &str) -> PyErr {
        let cause = Cause::of(self.header.cause.load(Ordering::Relaxed)).text();
        let message = format!("the {what} has been invalidated: it {cause}");
        match INVALIDATED.get(py) {
            Some(class) => PyErr::from_type(class.bind(py).clone(), message),
            None => PyRuntimeError::new_err(message),
        }
    }

    /// The function that MLIR's side calls when a node is destroyed, in any thread, with or without
    /// the interpreter.
    unsafe extern "C" fn on_death(observer: *mut c_void) {
        // SAFETY: the observer is the one that `observe` was given with the node's object, which stays in
        // memory until this call.
        let node = unsafe { &*observer.cast::<Self>() };
        node.header
            .cause
            .store(DOING.get() as u8, Ordering::Relaxed);
        node.header.leave_place();
        node.raw.store(ptr::null_mut(), Ordering::Release);
        let also = node.also.load(Ordering::Acquire);
        if !also.is_null() {
            // SAFETY: `set_also` takes a pointer that stays valid until it is replaced.
            unsafe { (*also).store(ptr::null_mut(), Ordering::Release) };
        }
        let object = node.header.object();
        // From here on another thread may free the object, unless it is dormant.
        match node.header.state.swap(DEAD, Ordering::AcqRel) {
            DORMANT => node.push_dead(),
            RETAINED => note_retained_dead(object),
            _ => {}
        }
    }

    /// Puts a dormant object, which nobody but MLIR's side knew, on the dead list.
    fn push_dead(&self) {
        let mut first = DEAD_LIST.load(Ordering::Relaxed);
        loop {
            // Nobody looks at the pointer any more.
            self.raw.store(first.cast(), Ordering::Relaxed);
            let me = ptr::from_ref(self).cast_mut();
            match DEAD_LIST.compare_exchange_weak(first, me, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

/// The dead list: dormant objects whose operation, block or argument was destroyed. It goes on in
/// `raw`. Threads add to it one at a time, and the thread that frees takes all of it.
static DEAD_LIST: AtomicPtr<ObservedNode> = AtomicPtr::new(ptr::null_mut());

/// Retained objects whose nodes were destroyed, by address. An object that its table has dropped since
/// then may still be listed.
static RETAINED_DEAD: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static SOME_RETAINED_DEAD: AtomicBool = AtomicBool::new(false);

/// Remembers to drop a retained object: no Python code may run at this moment.
pub(super) fn note_retained_dead(object: *mut ffi::PyObject) {
    let mut dead = RETAINED_DEAD.lock().unwrap_or_else(PoisonError::into_inner);
    dead.push(object as usize);
    SOME_RETAINED_DEAD.store(true, Ordering::Release);
}

/// Returns whether [`reclaim`] has anything to do.
#[inline]
pub(super) fn some_are_dead() -> bool {
    !DEAD_LIST.load(Ordering::Relaxed).is_null() || SOME_RETAINED_DEAD.load(Ordering::Acquire)
}

/// Reclaims objects whose nodes were destroyed while nobody referred to them. Python code runs here,
/// if they had attributes of their own: a caller with a pointer into MLIR's objects must not call it.
pub(crate) fn reclaim(py: Python<'_>) {
    free_dead(py);
    if !SOME_RETAINED_DEAD.load(Ordering::Acquire) {
        return;
    }
    let dead = {
        let mut dead = RETAINED_DEAD.lock().unwrap_or_else(PoisonError::into_inner);
        SOME_RETAINED_DEAD.store(false, Ordering::Release);
        std::mem::take(&mut *dead)
    };
    for object in dead {
        drop(retained::take_dead(object));
    }
    free_dead(py);
}

/// Frees the dead list. No Python code runs.
#[inline]
pub(super) fn free_dead(_py: Python<'_>) {
    if !DEAD_LIST.load(Ordering::Relaxed).is_null() {
        free_dead_list();
    }
}

#[inline(never)]
fn free_dead_list() {
    while !DEAD_LIST.load(Ordering::Relaxed).is_null() {
        let mut dead = DEAD_LIST.swap(ptr::null_mut(), Ordering::Acquire);
        // SAFETY: each object of the list is whole until it is freed, and then nothing has its
        // address.
        unsafe {
            let mut next = after(dead);
            while !dead.is_null() {
                // Asked for one ahead: its memory arrives while this one is freed.
                let following = after(next);
                let (free, object) = ((*dead).free, (*dead).header.object());
                free(object);
                dead = next;
                next = following;
            }
        }
    }
}

/// The node after `dead` in the dead list, if that is not null.
///
/// # Safety
///
/// `dead` is in the dead list, or null.
unsafe fn after(dead: *mut ObservedNode) -> *mut ObservedNode {
    if dead.is_null() {
        return dead;
    }
    // SAFETY: `dead` is in the dead list, by this function's contract, whose members are not freed before
    // they leave it.
    unsafe { (*dead).raw.load(Ordering::Relaxed).cast() }
}

static INVALIDATED: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Listens to deaths, and puts the exception class for them into `ir`. Fails if the hooks of the
/// mondo library do not see operations come and go.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    if !nodes::hooks_work() {
        return Err(PyImportError::new_err(
            "the mondo library does not see operations being made and destroyed: the package is \
             damaged or was put together by hand; install it again",
        ));
    }
    // SAFETY: the callback stays valid as long as the extension.
    if !unsafe { nodes::on_death(ObservedNode::on_death) } {
        let library = bundle::library().unwrap_or_else(|| "the mondo library".into());
        return Err(PyImportError::new_err(format!(
            "{library} is used by another copy of this package in this process: two packages with \
             one label cannot be loaded together; make one of them under a label of its own \
             (`label` under `[package]` of its manifest, or `mondo bundle --label`)",
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
        "The exception for the use of something that has died: an operation, block or block argument \
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
