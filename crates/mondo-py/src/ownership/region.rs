//! The wrapper of a region.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::nodes::{self, Loose};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::ownership::context::{Context, Entered, require_same};
use crate::ownership::operation::{self, Key, OperationBase, RegionKey};
use crate::ownership::tree::{Root, Tree};
use crate::ownership::wrapper::{self, Disposal, Header, Layout, Wrapper};

/// A region: the operation that has it and its position there, or one that has no operation yet.
#[pyclass(frozen, subclass, dict, weakref)]
pub(crate) struct Region {
    header: Header,
    /// None while the wrapper is dormant, and after a region without an operation was destroyed.
    owner: Mutex<Option<Owner>>,
    index: AtomicIsize,
}

enum Owner {
    Operation(Py<OperationBase>),
    /// A region without an operation, which is a root of the tree.
    Free(Py<Tree>, Arc<Root>),
}

impl Owner {
    fn share(&self, py: Python<'_>) -> Self {
        match self {
            Self::Operation(op) => Self::Operation(op.clone_ref(py)),
            Self::Free(tree, root) => Self::Free(tree.clone_ref(py), Arc::clone(root)),
        }
    }
}

/// The root of a region without an operation, and the address of its wrapper, which is no reference.
struct FreeRegion {
    root: Arc<Root>,
    object: usize,
}

/// Regions without an operation, by address.
static FREE: Mutex<Option<HashMap<usize, FreeRegion>>> = Mutex::new(None);

fn free() -> MutexGuard<'static, Option<HashMap<usize, FreeRegion>>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The root of a region without an operation; None for another region.
pub(crate) fn root_of(region: nodes::Region<'_>) -> Option<Arc<Root>> {
    let free = free();
    Some(Arc::clone(
        &free
            .as_ref()?
            .get(&(region.address().as_ptr() as usize))?
            .root,
    ))
}

/// Removes a region from `FREE`, because it was destroyed or became an operation's. Returns the address of
/// its wrapper, or null.
pub(crate) fn forget(region: *mut std::ffi::c_void) -> *mut ffi::PyObject {
    let known = free()
        .as_mut()
        .and_then(|free| free.remove(&(region as usize)));
    known.map_or(ptr::null_mut(), |known| known.object as *mut ffi::PyObject)
}

impl Key for RegionKey {
    type Object = Region;
}

impl Wrapper for Region {
    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank())
    }

    fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
        let owner = self.lock_owner().take();
        match &owner {
            Some(Owner::Operation(op)) => {
                let key = RegionKey(self.index.load(Ordering::Relaxed));
                op.get().dispose_dependent(py, key, self, then);
            }
            Some(Owner::Free(tree, root)) if !root.raw().is_null() => {
                then(Disposal::Dormant(tree.get().retained()));
            }
            _ => then(Disposal::Free),
        }
        match owner {
            Some(Owner::Operation(op)) => op.drop_ref(py),
            Some(Owner::Free(tree, _)) => tree.drop_ref(py),
            None => {}
        }
    }
}

/// The wrapper of an `Operation`'s region, at an index that the caller has checked.
pub(crate) fn of(py: Python<'_>, op: &Py<OperationBase>, index: isize) -> PyResult<Py<Region>> {
    op.get().get(py)?;
    let wake = |object: &Region| *object.lock_owner() = Some(Owner::Operation(op.clone_ref(py)));
    if let Some(known) = op.get().fetch_dependent(py, RegionKey(index), wake) {
        return known;
    }
    let region = Region::new(index, Some(Owner::Operation(op.clone_ref(py))));
    let region = wrapper::create_plain(py, region)?;
    op.get().put_dependent(py, RegionKey(index), &region);
    Ok(region)
}

/// The wrapper of a region of `tree`.
pub(crate) fn wrap(
    py: Python<'_>,
    tree: &Py<Tree>,
    region: nodes::Region<'_>,
) -> PyResult<Py<Region>> {
    if let (Some(op), Some(number)) = (region.parent(), region.number()) {
        let op = operation::wrap(py, tree, op)?;
        return of(py, &op, number as isize);
    }
    let known = free()
        .as_ref()
        .and_then(|free| free.get(&(region.address().as_ptr() as usize)))
        .map(|known| (known.object, Arc::clone(&known.root)));
    let Some((object, root)) = known else {
        return Err(PyRuntimeError::new_err(
            "the region belongs to no operation, and was not made by this package",
        ));
    };
    let wake = |object: &Region| {
        *object.lock_owner() = Some(Owner::Free(tree.clone_ref(py), root));
    };
    // SAFETY: the address is from `FREE`, which has the wrapper of each region that it lists, and `forget`
    // removes the entry when the region is destroyed.
    unsafe { wrapper::fetch::<Region>(py, object as *mut ffi::PyObject, wake) }
        .ok_or_else(wrapper::being_freed)
}

/// Creates a region without an operation; a new tree takes ownership.
pub(crate) fn create(py: Python<'_>, context: &Py<Context>) -> PyResult<Py<Region>> {
    let (tree, root) = Context::enter(py, context, |ctx| {
        let region = nodes::Region::create().ok_or_else(gone)?;
        Tree::adopt(ctx, region, true)
    })?;
    let address = root.raw() as usize;
    let region = Region::new(0, Some(Owner::Free(tree, Arc::clone(&root))));
    let region = wrapper::create_plain(py, region)?;
    let object = region.get().header.object() as usize;
    free()
        .get_or_insert_default()
        .insert(address, FreeRegion { root, object });
    Ok(region)
}

/// Checks the regions for a new operation of `context`: each has to be without an operation, and none may
/// occur twice. Returns their addresses.
pub(crate) fn check_free(
    py: Python<'_>,
    regions: &[Bound<'_, Region>],
    context: &Py<Context>,
) -> PyResult<Vec<NonNull<c_void>>> {
    let mut found: Vec<NonNull<c_void>> = Vec::with_capacity(regions.len());
    for region in regions {
        let Owner::Free(tree, _) = region.get().owner_ref(py)? else {
            return Err(PyValueError::new_err(
                "the region belongs to an operation already",
            ));
        };
        require_same(context, tree.get().context(), "region")?;
        let raw = region.get().get(py)?;
        if found.contains(&raw) {
            return Err(PyValueError::new_err("the region is given twice"));
        }
        found.push(raw);
    }
    Ok(found)
}

/// Takes the regions for a new operation of a context, which [`check_free`] has to accept. The caller ends
/// with [`bind_all`] or, if there is no new operation, [`lost`].
pub(crate) fn take_free<'ctx>(
    ctx: Entered<'_, 'ctx>,
    regions: &[Bound<'_, Region>],
) -> PyResult<Vec<Loose<nodes::Region<'ctx>>>> {
    let found = check_free(ctx.py(), regions, ctx.object())?;
    let loose = found.into_iter().map(|address| {
        // SAFETY: `check_free` has found each region live, of the context and without an operation, and no
        // Python code has run since.
        unsafe { Loose::new(nodes::Region::at(address)) }
    });
    Ok(loose.collect())
}

/// Rebinds the wrappers of regions that a new operation has taken over, in this order.
pub(crate) fn bind_all(
    py: Python<'_>,
    regions: &[Bound<'_, Region>],
    operation: &Py<OperationBase>,
) {
    for (index, region) in (0..).zip(regions) {
        let object = region.get();
        let before = object
            .lock_owner()
            .replace(Owner::Operation(operation.clone_ref(py)));
        object.index.store(index, Ordering::Relaxed);
        operation
            .get()
            .put_dependent(py, RegionKey(index), region.as_unbound());
        if let Some(Owner::Free(tree, root)) = before {
            forget(root.raw());
            tree.get().release(&root);
        }
    }
}

/// Invalidates the wrappers of regions that were destroyed, because the operation that took them over could
/// not be created.
pub(crate) fn lost(regions: &[Bound<'_, Region>]) {
    for region in regions {
        let before = region.get().lock_owner().take();
        if let Some(Owner::Free(tree, root)) = before {
            forget(root.raw());
            tree.get().release(&root);
        }
    }
}

/// The exception for a region that was destroyed.
#[cold]
#[inline(never)]
fn gone() -> PyErr {
    PyRuntimeError::new_err("the region has been invalidated: it was destroyed")
}

impl Region {
    fn blank() -> Self {
        Self::new(0, None)
    }

    fn new(index: isize, owner: Option<Owner>) -> Self {
        Self {
            header: Header::new(),
            owner: Mutex::new(owner),
            index: AtomicIsize::new(index),
        }
    }

    fn lock_owner(&self) -> MutexGuard<'_, Option<Owner>> {
        self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn owner_ref(&self, py: Python<'_>) -> PyResult<Owner> {
        let owner = self.lock_owner().as_ref().map(|owner| owner.share(py));
        owner.ok_or_else(gone)
    }

    /// The region's address. The region stays live at least until other Python code runs.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        match self.owner_ref(py)? {
            Owner::Operation(op) => {
                let index = self.index.load(Ordering::Relaxed).unsigned_abs();
                let address = |op: nodes::Op<'_>| op.region(index).map(|region| region.address());
                op.get()
                    .read(py, address)?
                    .ok_or_else(|| PyValueError::new_err("the region has been removed"))
            }
            Owner::Free(tree, root) => {
                tree.get().context().get().check_access(py)?;
                NonNull::new(root.raw()).ok_or_else(gone)
            }
        }
    }

    /// The tree that the region is in.
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        match self.owner_ref(py)? {
            Owner::Operation(op) => op.get().tree(py),
            Owner::Free(tree, _) => Ok(tree.into_bound(py)),
        }
    }

    /// The implementation of `__traverse__`.
    pub(crate) fn show(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If the mutex is locked, its reference is not visited; the collector then frees less, never too
        // much.
        self.owner.try_lock().map_or(Ok(()), |owner| match &*owner {
            Some(Owner::Operation(op)) => visit.call(op),
            Some(Owner::Free(tree, _)) => visit.call(tree),
            None => Ok(()),
        })
    }

    /// The operation that has the region; None for a region without an operation.
    pub(crate) fn operation(&self, py: Python<'_>) -> PyResult<Option<Py<OperationBase>>> {
        self.get(py)?;
        match self.owner_ref(py)? {
            Owner::Operation(op) => Ok(Some(op)),
            Owner::Free(..) => Ok(None),
        }
    }
}
