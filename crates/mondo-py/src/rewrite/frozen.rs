//! `FrozenRewritePatternSet`: patterns that drivers apply.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use mondo_sys::*;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::callback::Callbacks;
use crate::interop::capsule;
use crate::ownership::context::Context;

use super::native_call::Native;

/// The capsules of frozen sets.
const CAPSULE: &str = "rewrite.FrozenRewritePatternSet";

/// Makes `set` ready to be applied, and frees what is left of it.
///
/// # Safety
///
/// `set` is live, and the caller owns it.
pub(super) unsafe fn freeze(set: MlirRewritePatternSet) -> MlirFrozenRewritePatternSet {
    // SAFETY: freezing moves the patterns out of the set, which stays to be destroyed.
    unsafe {
        let frozen = mlirFreezeRewritePattern(set);
        mlirRewritePatternSetDestroy(set);
        frozen
    }
}

/// The state that the objects of one frozen set share.
struct Frozen {
    raw: MlirFrozenRewritePatternSet,
    callbacks: Callbacks,
    /// Callables that MLIR has a bare pointer to.
    functions: Vec<Arc<Native>>,
    context: Option<Py<Context>>,
}

// SAFETY: a frozen set is not changed any more, and ends with its last owner.
unsafe impl Send for Frozen {}
// SAFETY: as above.
unsafe impl Sync for Frozen {}

impl Drop for Frozen {
    fn drop(&mut self) {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.as_mut() {
            known.remove(&(self.raw.ptr as usize));
        }
        drop(known);
        // SAFETY: this is the last owner of the set, whose context and functions it still holds.
        unsafe { mlirFrozenRewritePatternSetDestroy(self.raw) };
    }
}

/// The frozen sets that objects of ours own, by address: a capsule may come back.
static KNOWN: Mutex<Option<HashMap<usize, Weak<Frozen>>>> = Mutex::new(None);

/// Patterns that are ready to be applied.
#[pyclass(frozen, subclass)]
pub(super) struct FrozenRewritePatternSet {
    shared: Arc<Frozen>,
}

impl FrozenRewritePatternSet {
    pub(super) fn own(
        raw: MlirFrozenRewritePatternSet,
        callbacks: Callbacks,
        functions: Vec<Arc<Native>>,
        context: Option<Py<Context>>,
    ) -> Self {
        let shared = Arc::new(Frozen {
            raw,
            callbacks,
            functions,
            context,
        });
        KNOWN
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert_default()
            .insert(raw.ptr as usize, Arc::downgrade(&shared));
        Self { shared }
    }

    pub(super) fn raw(&self) -> MlirFrozenRewritePatternSet {
        self.shared.raw
    }

    /// The context of its patterns, if that is known.
    pub(super) fn context(&self) -> Option<&Py<Context>> {
        self.shared.context.as_ref()
    }
}

#[pymethods]
impl FrozenRewritePatternSet {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // References that two objects share would be counted twice.
        if Arc::strong_count(&self.shared) > 1 {
            return Ok(());
        }
        visit.call(&self.shared.context)?;
        for function in &self.shared.functions {
            function.callback().traverse(&visit)?;
        }
        self.shared.callbacks.traverse(&visit)
    }

    fn __clear__(&self) {
        for function in &self.shared.functions {
            function.callback().clear();
        }
        self.shared.callbacks.clear();
    }

    /// A capsule with the `MlirFrozenRewritePatternSet`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, CAPSULE, self.raw().ptr)
    }

    /// Takes over the `MlirFrozenRewritePatternSet` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, CAPSULE)?;
        let known = KNOWN
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert_default()
            .get(&(ptr as usize))
            .and_then(Weak::upgrade);
        Ok(match known {
            Some(shared) => Self { shared },
            None => Self::own(
                MlirFrozenRewritePatternSet { ptr },
                Callbacks::default(),
                Vec::new(),
                None,
            ),
        })
    }
}
