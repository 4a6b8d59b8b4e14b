//! Trees: the owners of operations, blocks, and regions.
//!
//! A [`Tree`] owns nodes without a parent (a module, a clone, a detached operation, a new block or region)
//! and keeps its context alive. It destroys them when the last reference to it goes. An active wrapper of an
//! operation or a block has a reference to its tree; wrappers of values, regions and views have one to their
//! operation or block. The garbage collector visits each of these references.
//!
//! If a tree ends while operations of another tree use its values (because something was detached or cloned),
//! the other tree takes over the roots that are still used. Memory safety does not depend on trees: the
//! operation hooks of the mondo library report each destruction of an operation or block ([`wrapper`]).
//!
//! Locks: the roots are behind a mutex that is never held while Python code can run.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::nodes::{self, Loose};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::ownership::context::{Context, Entered};
use crate::ownership::wrapper::{self, ObservedNode, RetainedObjects};

/// An operation, block, or region without a parent, and its tree. The tree and the wrapper of the node share
/// it.
#[repr(C)]
pub(crate) struct Root {
    /// The node's address; null once the node was destroyed or has got a parent. First, because [`set_root`]
    /// passes the root as a pointer to this field.
    raw: AtomicPtr<c_void>,
    kind: RootKind,
    /// The address of the tree's Python object, not a reference; null once the tree has ended.
    pub(super) tree: AtomicPtr<ffi::PyObject>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RootKind {
    Operation,
    Block,
    Region,
}

/// An operation, a block or a region.
#[derive(Clone, Copy)]
pub(crate) enum Node<'ctx> {
    Operation(nodes::Op<'ctx>),
    Block(nodes::Block<'ctx>),
    Region(nodes::Region<'ctx>),
}

impl Node<'_> {
    pub(super) fn address(self) -> *mut c_void {
        match self {
            Self::Operation(op) => op.address(),
            Self::Block(block) => block.address(),
            Self::Region(region) => region.address(),
        }
        .as_ptr()
    }

    fn kind(self) -> RootKind {
        match self {
            Self::Operation(_) => RootKind::Operation,
            Self::Block(_) => RootKind::Block,
            Self::Region(_) => RootKind::Region,
        }
    }
}

/// A node that a tree can own.
pub(crate) trait Rootable<'ctx>: Copy {
    fn node(self) -> Node<'ctx>;
}

impl<'ctx> Rootable<'ctx> for nodes::Op<'ctx> {
    fn node(self) -> Node<'ctx> {
        Node::Operation(self)
    }
}

impl<'ctx> Rootable<'ctx> for nodes::Block<'ctx> {
    fn node(self) -> Node<'ctx> {
        Node::Block(self)
    }
}

impl<'ctx> Rootable<'ctx> for nodes::Region<'ctx> {
    fn node(self) -> Node<'ctx> {
        Node::Region(self)
    }
}

const _: () = assert!(offset_of!(Root, raw) == 0);

impl Root {
    /// Marks the root as one that was destroyed or has got a parent.
    pub(crate) fn forget(&self) {
        self.raw.store(ptr::null_mut(), Ordering::Release);
    }

    /// Runs `look` with the node; returns None if the node was destroyed or has got a parent.
    pub(super) fn look<R>(&self, look: impl for<'ctx> FnOnce(Node<'ctx>) -> R) -> Option<R> {
        let at = NonNull::new(self.raw())?;
        // SAFETY: `Tree::adopt` made the root from a node of that kind. When the node is destroyed, the
        // pointer becomes null: the death hook sets it for operations and blocks, and `destruction` and
        // `region` call `forget` for regions.
        let node = unsafe {
            match self.kind {
                RootKind::Operation => Node::Operation(nodes::Op::at(at)),
                RootKind::Block => Node::Block(nodes::Block::at(at)),
                RootKind::Region => Node::Region(nodes::Region::at(at)),
            }
        };
        Some(look(node))
    }

    /// The node's address; null once the node was destroyed or has got a parent.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw.load(Ordering::Acquire)
    }

    /// The root's tree, if the tree has not ended.
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Tree>> {
        let object = self.tree.load(Ordering::Acquire);
        // SAFETY: `Tree::drop` sets the pointer to null before the object's memory is freed. Between the last
        // reference and that, the reference count is 0, which is checked.
        unsafe {
            (!object.is_null() && ffi::Py_REFCNT(object) > 0)
                .then(|| wrapper::borrowed(py, object).into_bound(py))
        }
    }
}

/// The root that a node represents, if it is one.
pub(crate) fn root(node: &ObservedNode) -> Option<Arc<Root>> {
    let root = node.also().cast::<Root>();
    // SAFETY: `set_root` stored the pointer from `Arc::into_raw`, and owns that reference until another call
    // of it, which an attached thread makes, as it does this one.
    (!root.is_null()).then(|| unsafe {
        Arc::increment_strong_count(root);
        Arc::from_raw(root)
    })
}

/// Sets the root that a node represents. The wrapper's `drop` sets it to None.
pub(crate) fn set_root(node: &ObservedNode, root: Option<Arc<Root>>) {
    let new = root.map_or(ptr::null(), Arc::into_raw);
    // SAFETY: the root begins with its field `raw`, as asserted above. The reference from `into_raw` keeps
    // the root alive until a later call replaces it and drops the reference.
    let old = unsafe { node.set_also(new.cast()) };
    if !old.is_null() {
        // SAFETY: the pointer came from `Arc::into_raw` in an earlier call, and `set_also` has removed it, so
        // that its reference is dropped once.
        drop(unsafe { Arc::from_raw(old.cast::<Root>()) });
    }
}

/// Operations, blocks and regions without a parent that live and die together.
#[pyclass(frozen, name = "_Tree")]
pub(crate) struct Tree {
    roots: Mutex<Vec<Arc<Root>>>,
    /// The unreferenced wrappers of the tree that have Python attributes of their own.
    retained: RetainedObjects,
    /// True if operations of the tree may use values of other trees, or operations of other trees may use
    /// values of this one.
    open: AtomicBool,
    // The last field, so that it is dropped after `Drop::drop` has destroyed the roots, which need the
    // context.
    context: Py<Context>,
}

impl Tree {
    fn new(py: Python<'_>, context: &Py<Context>, open: bool) -> PyResult<Py<Self>> {
        if open {
            context.get().count_open_trees(true);
        }
        let tree = Self {
            roots: Mutex::default(),
            retained: RetainedObjects::default(),
            open: AtomicBool::new(open),
            context: context.clone_ref(py),
        };
        wrapper::uncollected(py, || Py::new(py, tree))
    }

    /// Creates a tree that owns a node without a parent. `open` says whether operations in it may use values
    /// of other trees.
    pub(crate) fn adopt<'ctx, T: Rootable<'ctx>>(
        ctx: Entered<'_, 'ctx>,
        node: Loose<T>,
        open: bool,
    ) -> PyResult<(Py<Self>, Arc<Root>)> {
        let (py, context, node) = (ctx.py(), ctx.object(), node.node().node());
        let tree = Self::new(py, context, open)?;
        let root = Arc::new(Root {
            kind: node.kind(),
            raw: AtomicPtr::new(node.address()),
            tree: AtomicPtr::new(tree.as_ptr()),
        });
        tree.get().roots().push(Arc::clone(&root));
        Ok((tree, root))
    }

    /// A tree for IR that other code owns. It keeps the context alive and destroys nothing.
    pub(crate) fn borrowed<'py>(
        py: Python<'py>,
        context: &Py<Context>,
    ) -> PyResult<Bound<'py, Self>> {
        Ok(Self::new(py, context, false)?.into_bound(py))
    }

    pub(super) fn roots(&self) -> MutexGuard<'_, Vec<Arc<Root>>> {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The context of everything in the tree.
    pub(crate) fn context(&self) -> &Py<Context> {
        &self.context
    }

    /// The tree's unreferenced wrappers that have Python attributes of their own.
    pub(crate) fn retained(&self) -> &RetainedObjects {
        &self.retained
    }

    /// Gives up the ownership of a root that has got a parent.
    pub(crate) fn release(&self, root: &Arc<Root>) {
        root.forget();
        let mut roots = self.roots();
        roots.retain(|one| !Arc::ptr_eq(one, root));
        let empty = roots.is_empty();
        drop(roots);
        if empty {
            self.close();
        }
    }

    /// Marks the tree as open: it may use values of other trees, or other trees may use values of it.
    pub(crate) fn open(&self) {
        if !self.open.swap(true, Ordering::AcqRel) {
            self.context.get().count_open_trees(true);
        }
    }

    pub(super) fn close(&self) {
        if self.open.swap(false, Ordering::AcqRel) {
            self.context.get().count_open_trees(false);
        }
    }
}

#[pymethods]
impl Tree {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)?;
        self.retained.traverse(&visit)
    }

    fn __clear__(&self) {
        self.retained.close();
    }
}
