//! The wrappers of operations: `Operation` and `OpView`, with their common base.
//!
//! Two Python objects represent an operation. One is its `Operation`, whose address the runtime stores in the
//! operation as its *observer*. The other is its view, of the class that was registered for the operation's
//! name; it refers to the `Operation`. This file has their contents and their lookup; the methods that Python
//! calls are in `ir/operation`.

mod dependent_lookup;
mod dependents;
mod result_of;

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use mondo_ir::nodes::{self, Loose};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::interop::attached_cell::Slot;
use crate::interop::registered_classes;
use crate::ownership::context::{self, Context, Entered};
use crate::ownership::reentrancy;
use crate::ownership::tree::{self, Tree};
use crate::ownership::tree_member::{Member, TreeMember};
use crate::ownership::wrapper::{self, AnyPlace, Disposal, Header, Layout, Wrapper};

use dependents::Dependents;
pub(crate) use dependents::{Key, ModuleKey, RegionKey, ResultKey};
pub(crate) use result_of::{BoundResult, ResultOf};

static OPERATION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static OPVIEW: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The published class `Operation`.
#[inline]
fn operation_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    wrapper::published(py, &OPERATION)
}

/// The published class `OpView`.
#[inline]
fn opview_class<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyType>> {
    wrapper::published(py, &OPVIEW)
}

/// Stores the published classes. The extension is initialised once; if that ever changes, the first classes
/// stay.
pub(crate) fn set_classes(operation: Bound<'_, PyType>, opview: Bound<'_, PyType>) {
    let py = operation.py();
    let _ = OPERATION.set(py, operation.unbind());
    let _ = OPVIEW.set(py, opview.unbind());
}

/// The contents of `_OperationBase` objects.
#[pyclass(frozen, subclass, dict, weakref, name = "_OperationBase")]
pub(crate) struct OperationBase {
    inner: Inner,
}

enum Inner {
    Operation(Observed),
    View(View),
}

/// An `Operation`.
#[repr(C)]
pub(crate) struct Observed {
    pub(crate) member: TreeMember<OperationBase>,
    /// The name, once a getter has looked it up. Not a reference: the context's `Names` has one, and the
    /// context lives while this wrapper is active.
    pub(crate) name: AtomicPtr<ffi::PyObject>,
    /// The address of the view's wrapper; not a reference.
    pub(crate) view: AtomicPtr<ffi::PyObject>,
    /// The place of the first result's wrapper; not a reference. It has a field of its own because most
    /// operations have one result.
    pub(crate) first_result: AnyPlace,
    pub(crate) dependents: Slot<Box<Dependents>>,
}

/// The value of `View::replaced` in a view whose class was never compared with the registered one.
const UNCHECKED: u64 = u64::MAX;

/// A view.
struct View {
    header: Header,
    /// None until `__init__`, and while the object is dormant.
    operation: Slot<Py<OperationBase>>,
    /// The value of `registered_classes::replaced_classes` when the view's class was last compared with the
    /// registered one.
    replaced: AtomicU64,
}

// The runtime stores the address of the first field as the operation's observer.
const _: () = assert!(offset_of!(Observed, member) == 0);

impl Observed {
    fn new(op: nodes::Op<'_>, tree: Option<Py<Tree>>) -> Self {
        Self {
            member: TreeMember::new(op.address().as_ptr(), tree),
            name: AtomicPtr::new(ptr::null_mut()),
            view: AtomicPtr::new(ptr::null_mut()),
            first_result: AnyPlace::empty(),
            dependents: Slot::default(),
        }
    }

    /// The contents of an operation's wrapper, if it has one.
    #[inline]
    pub(crate) fn of<'ctx>(op: nodes::Op<'ctx>) -> Option<&'ctx Self> {
        // SAFETY: the operation is live, by its brand. Its observer, which only `wrap` sets, is the first field of
        // an `Observed` in an object that lives at least as long as the operation.
        unsafe { op.observer().cast::<Self>().as_ref() }
    }
}

impl Member for OperationBase {
    const NOUN: &'static str = "operation";

    unsafe fn check_pass_access(address: NonNull<c_void>) -> PyResult<()> {
        // SAFETY: a live operation is at the address, by this function's contract.
        reentrancy::check_pass_access(unsafe { nodes::Op::at(address) })
    }
}

impl Wrapper for OperationBase {
    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn header(&self) -> &Header {
        match &self.inner {
            Inner::Operation(observed) => observed.member.node.header(),
            Inner::View(view) => &view.header,
        }
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank(UNCHECKED))
    }

    fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
        match &self.inner {
            Inner::Operation(observed) => {
                observed.name.store(ptr::null_mut(), Ordering::Relaxed);
                observed.member.dispose(py, then);
            }
            Inner::View(view) => {
                let operation = view.operation.put(py, None);
                let Some(observed) = operation.as_ref().and_then(|op| op.get().observed()) else {
                    return then(Disposal::Free);
                };
                let canonical = observed.view.load(Ordering::Relaxed) == view.header.object();
                match observed.member.tree.get(py) {
                    Some(tree) if canonical && !observed.member.node.raw().is_null() => {
                        then(Disposal::Dormant(tree.get().retained()));
                    }
                    _ => {
                        if canonical {
                            observed.view.store(ptr::null_mut(), Ordering::Relaxed);
                        }
                        then(Disposal::Free);
                    }
                }
            }
        }
    }

    fn construct<'py>(
        cls: &Bound<'py, PyType>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = (args, kwargs);
        if !cls.is_subclass(opview_class(cls.py())?)? {
            return Err(PyTypeError::new_err(format!(
                "{}: no constructor defined",
                cls.name()?
            )));
        }
        // `__init__` binds the view to an operation, for whose name another class may be registered.
        Ok(wrapper::create(cls, Self::blank(UNCHECKED))?
            .into_bound(cls.py())
            .into_any())
    }
}

impl OperationBase {
    fn blank(replaced: u64) -> Self {
        Self {
            inner: Inner::View(View {
                header: Header::new(),
                operation: Slot::default(),
                replaced: AtomicU64::new(replaced),
            }),
        }
    }

    #[inline]
    pub(crate) fn observed(&self) -> Option<&Observed> {
        match &self.inner {
            Inner::Operation(observed) => Some(observed),
            Inner::View(_) => None,
        }
    }

    /// The contents of the `Operation`, for a fast path: None if the operation was destroyed, or if a
    /// pipeline runs on any context.
    #[inline]
    pub(crate) fn quick(&self) -> Option<&Observed> {
        let observed = match &self.inner {
            Inner::Operation(observed) => observed,
            Inner::View(view) => view.operation.look(|operation| {
                operation.as_ref().and_then(|operation| {
                    // SAFETY: an active view has a reference to its `Operation`, and the view is active, because
                    // the caller of a getter has a reference to it.
                    unsafe { wrapper::contents::<Self>(operation.as_ptr()) }.observed()
                })
            })??,
        };
        let usable = !observed.member.node.raw().is_null() && !context::any_is_running();
        usable.then_some(observed)
    }

    /// A new reference to the view, if it is active and its class is up to date; else null.
    pub(crate) fn quick_view(&self) -> *mut ffi::PyObject {
        let Some(observed) = self.quick() else {
            return ptr::null_mut();
        };
        let view = observed.view.load(Ordering::Relaxed);
        // SAFETY: the slot `view` of a live operation has the object of its view, or null.
        unsafe {
            if view.is_null() || !wrapper::contents::<Self>(view).is_current() {
                return ptr::null_mut();
            }
            wrapper::share_active::<Self>(view)
        }
    }

    /// Returns whether no class was registered since this view's class was compared with the registered one.
    #[inline]
    fn is_current(&self) -> bool {
        match &self.inner {
            Inner::Operation(_) => true,
            Inner::View(view) => {
                view.replaced.load(Ordering::Relaxed) == registered_classes::replaced_classes()
            }
        }
    }

    /// Returns whether this view is of the class that is registered now for the name of `operation`.
    fn is_up_to_date(&self, this: &Bound<'_, Self>, operation: &Self) -> PyResult<bool> {
        let Inner::View(view) = &self.inner else {
            return Ok(true);
        };
        let replaced = registered_classes::replaced_classes();
        if view.replaced.swap(replaced, Ordering::Relaxed) == replaced {
            return Ok(true);
        }
        Ok(this.get_type().is(&operation.view_class(this.py())?))
    }

    /// Calls `work` with the contents of the `Operation`: its own, or those that the view refers to.
    #[inline]
    pub(crate) fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Observed) -> PyResult<T>,
    ) -> PyResult<T> {
        match &self.inner {
            Inner::Operation(observed) => work(observed),
            Inner::View(view) => {
                let operation = view.operation.get(py);
                match operation.as_ref().and_then(|op| op.get().observed()) {
                    Some(observed) => work(observed),
                    None => Err(unbound()),
                }
            }
        }
    }

    /// The operation's address. The operation stays live at least until other Python code runs.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        self.with(py, |observed| observed.member.get(py))
    }

    /// The tree that the operation is in.
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        self.with(py, |observed| observed.member.tree(py))
    }

    /// The operation's address and the tree that the operation is in.
    pub(crate) fn look<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(NonNull<c_void>, Bound<'py, Tree>)> {
        self.with(py, |observed| {
            Ok((observed.member.get(py)?, observed.member.tree(py)?))
        })
    }

    /// The operation's context.
    pub(crate) fn context_of(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        Ok(self.tree(py)?.get().context().clone_ref(py))
    }

    /// Marks the wrappers as invalid, although the operation lives. The next access makes new ones.
    pub(crate) fn mark_invalid(&self, py: Python<'_>) -> PyResult<()> {
        if self.with(py, |observed| Ok(observed.member.node.raw().is_null()))? {
            return Ok(());
        }
        self.enter(py, |at, op| {
            self.with(py, |observed| {
                let root = tree::root(&observed.member.node);
                tree::set_root(&observed.member.node, None);
                // SAFETY: the operation is live, by its brand.
                unsafe { op.observe(ptr::null_mut()) };
                observed.member.node.mark();
                if root.is_some() {
                    // The root of a tree has to have a wrapper, in whose node `owner::root_of` finds the
                    // tree.
                    let fresh = wrap(py, at.tree(), op)?;
                    if let Some(observed) = fresh.get().observed() {
                        tree::set_root(&observed.member.node, root);
                    }
                }
                Ok(())
            })
        })
    }

    /// Returns whether the operation lives.
    pub(crate) fn is_alive(&self, py: Python<'_>) -> bool {
        match &self.inner {
            Inner::Operation(observed) => !observed.member.node.raw().is_null(),
            Inner::View(view) => view
                .operation
                .get(py)
                .is_some_and(|op| op.get().is_alive(py)),
        }
    }
}

/// The `Operation` of a view; an `Operation` is returned unchanged.
#[inline]
pub(crate) fn operation_of(object: &Bound<'_, OperationBase>) -> PyResult<Py<OperationBase>> {
    match &object.get().inner {
        Inner::Operation(_) => Ok(object.clone().unbind()),
        Inner::View(view) => view
            .operation
            .get(object.py())
            .map(Bound::unbind)
            .ok_or_else(unbound),
    }
}

#[cold]
#[inline(never)]
fn unbound() -> PyErr {
    PyRuntimeError::new_err("the view has no operation: its __init__ was not called, or failed")
}

/// The `Operation` for `op`, which is in `tree`.
pub(crate) fn wrap(
    py: Python<'_>,
    tree: &Py<Tree>,
    op: nodes::Op<'_>,
) -> PyResult<Py<OperationBase>> {
    let Some(known) = Observed::of(op) else {
        let class = operation_class(py)?;
        let inner = Inner::Operation(Observed::new(op, Some(tree.clone_ref(py))));
        let object = wrapper::create(class, OperationBase { inner })?;
        if let Some(observed) = object.get().observed() {
            // SAFETY: the operation is live, by its brand. The object, which is the observer, stays in
            // memory, perhaps dormant, until the death hook has reported the operation's end.
            unsafe { op.observe(observed.member.node.observer()) };
        }
        return Ok(object);
    };
    let wake = |object: &OperationBase| {
        if let Some(observed) = object.observed() {
            observed.member.wake(py, tree);
        }
    };
    // SAFETY: the operation is live, by its brand, and its observer is in the object that `wrap` made for
    // it.
    unsafe { wrapper::fetch::<OperationBase>(py, known.member.node.header().object(), wake) }
        .ok_or_else(wrapper::being_freed)
}

/// The view of an operation in `tree`, as the class that is registered for its name.
pub(crate) fn view(py: Python<'_>, tree: &Py<Tree>, op: nodes::Op<'_>) -> PyResult<Py<PyAny>> {
    // The common case: the view is active, and so are the wrappers that it refers to.
    if let Some(observed) = Observed::of(op).filter(|_| !context::any_is_running()) {
        let known = observed.view.load(Ordering::Relaxed);
        // SAFETY: the slot `view` of a live operation has the object of its view, or null.
        let view = unsafe { wrapper::fetch_active::<OperationBase>(py, known) };
        if let Some(view) = view.filter(|object| object.get().is_current()) {
            return Ok(view.into_any());
        }
    }
    // As a `Bound`, it is dropped without asking PyO3 whether the thread is attached.
    let op = wrap(py, tree, op)?.into_bound(py);
    view_of(py, op.as_unbound())
}

/// The view of an `Operation`.
pub(crate) fn view_of(py: Python<'_>, operation: &Py<OperationBase>) -> PyResult<Py<PyAny>> {
    let Some(observed) = operation.get().observed() else {
        // `operation` is a view already.
        return Ok(operation.clone_ref(py).into_any());
    };
    observed.member.get(py)?;
    let known = observed.view.load(Ordering::Relaxed);
    if !known.is_null() {
        let wake = |object: &OperationBase| {
            if let Inner::View(view) = &object.inner {
                drop(view.operation.put(py, Some(operation.bind(py))));
            }
        };
        // SAFETY: `get` has found the operation live, and its slot `view` has the object of its view.
        let view = unsafe { wrapper::fetch::<OperationBase>(py, known, wake) };
        let view = view.ok_or_else(wrapper::being_freed)?;
        if view.get().is_up_to_date(view.bind(py), operation.get())? {
            return Ok(view.into_any());
        }
        // Another class was registered for the name since. The old view stays usable, but is not found here
        // any more.
        observed.view.store(ptr::null_mut(), Ordering::Relaxed);
    }
    let class = operation.get().view_class(py)?;
    let view = wrapper::create(
        &class,
        OperationBase::blank(registered_classes::replaced_classes()),
    )?;
    bind(py, view.get(), operation);
    Ok(view.into_any())
}

impl OperationBase {
    /// The class for views of the operation.
    fn view_class<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyType>> {
        let tree = self.tree(py)?;
        let names = tree.get().context().get().names();
        // The lookup may import the dialect's module, which runs Python code; the operation's handle is not
        // used after that.
        let class = self.read(py, |op| names.class(py, op))??;
        match class {
            Some(class) => Ok(class),
            None => opview_class(py).cloned(),
        }
    }
}

/// Binds a blank view to `operation`. [`view`] finds the first one that was bound.
#[inline]
pub(crate) fn bind(py: Python<'_>, view: &OperationBase, operation: &Py<OperationBase>) {
    let (Inner::View(view), Some(observed)) = (&view.inner, operation.get().observed()) else {
        return;
    };
    let before = view.operation.put(py, Some(operation.bind(py)));
    if let Some(old) = before
        .as_ref()
        .and_then(|previous| previous.get().observed())
    {
        // `__init__` was called a second time: the operation that the view was bound to before has no view
        // now.
        let _ = old.view.compare_exchange(
            view.header.object(),
            ptr::null_mut(),
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
    }
    if observed.view.load(Ordering::Relaxed).is_null() && !observed.member.node.raw().is_null() {
        observed.view.store(view.header.object(), Ordering::Relaxed);
    }
}

/// The wrapper of an operation without a parent; a new tree takes ownership. `open` says whether the
/// operation may use values of other trees.
pub(crate) fn adopt<'ctx>(
    ctx: Entered<'_, 'ctx>,
    op: Loose<nodes::Op<'ctx>>,
    open: bool,
) -> PyResult<Py<OperationBase>> {
    let (py, node) = (ctx.py(), op.node());
    let (tree, root) = Tree::adopt(ctx, op, open)?;
    let object = wrap(py, &tree, node)?;
    if let Some(observed) = object.get().observed() {
        observed.member.become_root(py, &tree, root);
    }
    Ok(object)
}

impl OperationBase {
    /// `__traverse__` of the class.
    pub(crate) fn show(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.inner {
            Inner::Operation(observed) => observed.member.traverse(visit),
            Inner::View(view) => view
                .operation
                .look(|operation| visit.call(operation))
                .unwrap_or(Ok(())),
        }
    }
}
