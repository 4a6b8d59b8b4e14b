//! Observed nodes: the link between an operation, block or block argument and its wrapper, by which the death
//! hook tells the wrapper of the destruction; and the dead list.

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

/// The cause of a node's destruction, which the text of `InvalidatedError` names.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Cause {
    /// Code that did not call [`because`], such as another extension.
    Mlir = 0,
    /// `erase()` or a similar method, of the node or of one that contained it.
    Erased = 1,
    /// The last reference to the node's tree was dropped.
    Dropped = 2,
    /// A pass pipeline that a `PassManager` ran.
    Pipeline = 3,
    /// A pattern rewriter.
    Rewrite = 4,
    /// The node is alive, and a call of `_set_invalid` marked it.
    Marked = 5,
    /// The transform interpreter applied or merged scripts of the transform dialect.
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
            Self::Dropped => "was freed with its tree, to which nothing referred any longer",
            Self::Pipeline => "was destroyed by a pass pipeline",
            Self::Rewrite => "was destroyed by a pattern rewrite",
            Self::Marked => "was marked so",
            Self::Transform => "was destroyed by a transform script",
        }
    }
}

thread_local! {
    /// The cause of the nodes that this thread destroys now.
    static DOING: Cell<Cause> = const { Cell::new(Cause::Mlir) };
}

/// Runs `work`. Nodes that this thread destroys meanwhile get the cause `cause`.
pub(crate) fn because<T>(cause: Cause, work: impl FnOnce() -> T) -> T {
    let before = DOING.replace(cause);
    let result = work();
    DOING.set(before);
    result
}

/// The first field of the wrapper of an operation, a block, or a block argument. The runtime stores its
/// address as the node's observer.
pub(crate) struct ObservedNode {
    /// The node's address; null once the node was destroyed.
    raw: AtomicPtr<c_void>,
    pub(super) header: Header,
    /// The node's `Root`, if the node is one; null otherwise. A `Root` begins with a pointer that is set to
    /// null together with `raw`.
    also: AtomicPtr<AtomicPtr<c_void>>,
    /// Frees the wrapper, if the node was destroyed while the wrapper was dormant.
    free: unsafe fn(*mut ffi::PyObject),
}

impl ObservedNode {
    pub(crate) fn new<T: Wrapper>(raw: *mut c_void) -> Self {
        Self {
            raw: AtomicPtr::new(raw),
            header: Header::new(),
            also: AtomicPtr::new(ptr::null_mut()),
            // SAFETY: `free_dead_list` passes the object of this node, which is one of `T` and was dormant:
            // without references, and with contents that have none.
            free: |object| unsafe { T::layout().free::<T>(object) },
        }
    }

    pub(crate) fn header(&self) -> &Header {
        &self.header
    }

    /// The node's address, or null once the node was destroyed.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw.load(Ordering::Acquire)
    }

    /// Marks the node as destroyed. The node must not have this observer any more.
    pub(crate) fn mark(&self) {
        self.header
            .cause
            .store(Cause::Marked as u8, Ordering::Relaxed);
        self.header.leave_place();
        self.raw.store(ptr::null_mut(), Ordering::Release);
    }

    /// The second pointer that is set to null when the node is destroyed; null if there is none.
    pub(crate) fn also(&self) -> *const AtomicPtr<c_void> {
        self.also.load(Ordering::Acquire)
    }

    /// Sets the second pointer that is set to null when the node is destroyed. Returns the previous one.
    ///
    /// # Safety
    ///
    /// `also` is null, or stays valid until the next call replaces it or this node is dropped.
    pub(crate) unsafe fn set_also(
        &self,
        also: *const AtomicPtr<c_void>,
    ) -> *const AtomicPtr<c_void> {
        self.also.swap(also.cast_mut(), Ordering::AcqRel)
    }

    /// The address that the runtime stores as the node's observer.
    pub(crate) fn observer(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// The Python object of an observer.
    ///
    /// # Safety
    ///
    /// `observer` is the observer of a live node, and `observer()` returned it.
    pub(crate) unsafe fn object(observer: *mut c_void) -> *mut ffi::PyObject {
        // SAFETY: by this function's contract, a live node has this observer, and the wrapper of a live node
        // is not freed.
        unsafe { (*observer.cast::<Self>()).header.object() }
    }

    /// The Python object of a node, if it has one.
    #[inline]
    pub(crate) fn object_of(node: impl Observable) -> Option<*mut ffi::PyObject> {
        let observer = node.observer();
        // SAFETY: the node is live, by its brand, and observers are set only to what `observer()` of this type
        // returned.
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

    /// The death hook: the runtime calls it when a node is destroyed, in any thread, attached to the
    /// interpreter or not.
    unsafe extern "C" fn on_death(observer: *mut c_void) {
        // SAFETY: the observer is part of the node's wrapper, which `observe` was called with, and the
        // wrapper of a live node is not freed.
        let node = unsafe { &*observer.cast::<Self>() };
        node.header
            .cause
            .store(DOING.get() as u8, Ordering::Relaxed);
        node.header.leave_place();
        node.raw.store(ptr::null_mut(), Ordering::Release);
        let also = node.also.load(Ordering::Acquire);
        if !also.is_null() {
            // SAFETY: by the contract of `set_also`, the pointer is valid until it is replaced.
            unsafe { (*also).store(ptr::null_mut(), Ordering::Release) };
        }
        let object = node.header.object();
        // From here on another thread may free the object, unless it was dormant.
        match node.header.state.swap(DEAD, Ordering::AcqRel) {
            DORMANT => node.push_dead(),
            RETAINED => note_retained_dead(object),
            _ => {}
        }
    }

    /// Puts a dormant object on the dead list. Only the node, which is being destroyed, had its address.
    fn push_dead(&self) {
        let mut first = DEAD_LIST.load(Ordering::Relaxed);
        loop {
            // The object is dormant and its node destroyed, so that nothing else reads `raw`; it links the
            // list now.
            self.raw.store(first.cast(), Ordering::Relaxed);
            let me = ptr::from_ref(self).cast_mut();
            match DEAD_LIST.compare_exchange_weak(first, me, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

/// The dead list: dormant objects whose operation, block or argument was destroyed, linked through `raw`. Any
/// thread pushes onto it; an attached thread takes the whole list and frees it.
static DEAD_LIST: AtomicPtr<ObservedNode> = AtomicPtr::new(ptr::null_mut());

/// Retained objects whose nodes were destroyed, by address. An object that its table has dropped since
/// then may still be listed.
static RETAINED_DEAD: Mutex<Vec<usize>> = Mutex::new(Vec::new());
static SOME_RETAINED_DEAD: AtomicBool = AtomicBool::new(false);

/// Notes that a retained object is to be dropped, which [`reclaim`] does later: the drop may run Python code,
/// and the death hook must not.
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

/// Frees the wrappers that were dormant or retained when their nodes were destroyed. Dropping the attributes
/// of retained ones may run Python code, so that the caller must not have a pointer into MLIR's objects.
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

/// Frees the objects of the dead list, which runs no Python code.
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
        // SAFETY: the swap has made this thread the only owner of the list. Each object is initialised until
        // it is freed here, and `after` is called before that.
        unsafe {
            let mut next = after(dead);
            while !dead.is_null() {
                // Read one node ahead, so that the cache line arrives while `dead` is freed.
                let following = after(next);
                let (free, object) = ((*dead).free, (*dead).header.object());
                free(object);
                dead = next;
                next = following;
            }
        }
    }
}

/// The node after `dead` in the dead list; null if `dead` is null or the last one.
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

/// Registers the death hook, and adds `InvalidatedError` to `ir`. Fails if the operation hooks of the mondo
/// library do not report that operations are created and destroyed.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    if !nodes::hooks_work() {
        return Err(PyImportError::new_err(
            "the mondo library does not see operations being made and destroyed: the package is \
             damaged or was put together by hand; install it again",
        ));
    }
    // SAFETY: the callback is a function of this extension, which Python never unloads, and it has the
    // signature and the thread safety that `on_death` asks for.
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
