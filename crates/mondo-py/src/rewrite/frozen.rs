//! The class `FrozenRewritePatternSet`: patterns in the form in which drivers apply them.

use std::sync::{Arc, Weak};

use mondo_ir::objects::FrozenPatterns;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::callback::Callbacks;
use crate::interop::capsule;
use crate::interop::exchanged::Exchanged;
use crate::ownership::context::Context;

use super::native_call::Native;

/// The class name in the capsules of frozen sets.
const CAPSULE: &str = "rewrite.FrozenRewritePatternSet";

/// A frozen set of MLIR, with the Python objects that it needs. Several `FrozenRewritePatternSet`s may share
/// it.
struct Frozen {
    /// The first field, so that it is dropped first: it has pointers to what the other fields own.
    patterns: FrozenPatterns,
    callbacks: Callbacks,
    /// The native functions of PDL patterns, for the garbage collector.
    functions: Vec<Arc<Native>>,
    context: Option<Py<Context>>,
    /// True if the patterns are of a `RewritePatternSet`.
    is_of_functions: bool,
}

impl Drop for Frozen {
    fn drop(&mut self) {
        SETS.remove(self.patterns.address());
    }
}

/// The owners of the frozen sets that Python objects of this package have.
static SETS: Exchanged<Weak<Frozen>> = Exchanged::new();

/// Patterns that are ready to be applied.
#[pyclass(frozen, subclass)]
pub(super) struct FrozenRewritePatternSet {
    shared: Arc<Frozen>,
}

impl FrozenRewritePatternSet {
    pub(super) fn own(
        patterns: FrozenPatterns,
        callbacks: Callbacks,
        functions: Vec<Arc<Native>>,
        context: Option<Py<Context>>,
        is_of_functions: bool,
    ) -> Self {
        let address = patterns.address();
        let shared = Arc::new(Frozen {
            patterns,
            callbacks,
            functions,
            context,
            is_of_functions,
        });
        SETS.enter(address, Arc::downgrade(&shared));
        Self { shared }
    }

    /// Fails if the patterns are for conversions, which no other driver can apply.
    pub(super) fn refuse_conversions(&self) -> PyResult<()> {
        if !self.patterns().are_for_conversions() {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "patterns that were added with add_conversion can only be applied by apply_partial_conversion and \
             apply_full_conversion",
        ))
    }

    /// Fails unless the patterns are of a `RewritePatternSet`. MLIR does not take back all that others do.
    pub(super) fn refuse_others(&self) -> PyResult<()> {
        if self.shared.is_of_functions {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "a conversion takes patterns of a RewritePatternSet, not those of a PDLModule or of another extension",
        ))
    }

    pub(super) fn patterns(&self) -> &FrozenPatterns {
        &self.shared.patterns
    }

    /// The context of the patterns; None for a set of another extension.
    pub(super) fn context(&self) -> Option<&Py<Context>> {
        self.shared.context.as_ref()
    }
}

#[pymethods]
impl FrozenRewritePatternSet {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // The garbage collector must not visit references twice, so that none are visited if several objects
        // share them.
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
        self.refuse_conversions()?;
        capsule::wrap(py, CAPSULE, self.patterns().address())
    }

    /// Takes over the `MlirFrozenRewritePatternSet` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, CAPSULE)?;
        Ok(match SETS.owner(ptr) {
            Some(shared) => Self { shared },
            None => Self::own(
                // SAFETY: by the protocol of capsules, the code that made this one put a live set into it,
                // gives up its ownership, and keeps alive what the patterns use.
                unsafe { FrozenPatterns::adopt(ptr) },
                Callbacks::default(),
                Vec::new(),
                None,
                false,
            ),
        })
    }
}
