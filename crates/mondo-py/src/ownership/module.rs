//! The wrapper of a module.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mondo_ir::nodes::{Loose, Op};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::interop::two_phase::uninitialised;
use crate::ownership::context::{Context, Entered};
use crate::ownership::operation::{self, Key, ModuleKey, OperationBase};
use crate::ownership::wrapper::{self, Disposal, Header, Layout, Wrapper};

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A module, the owner of all the operations in it.
#[pyclass(frozen, subclass, dict, weakref)]
pub(crate) struct Module {
    header: Header,
    /// None while the object is dormant.
    operation: Mutex<Option<Py<OperationBase>>>,
    /// The context that counts the wrapper among its live modules; None while the wrapper is dormant.
    counted: Mutex<Option<Py<Context>>>,
}

impl Key for ModuleKey {
    type Object = Module;
}

impl Wrapper for Module {
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
        let operation = self
            .lock_operation()
            .take()
            .map(|operation| operation.into_bound(py));
        let counted = locked(&self.counted)
            .take()
            .map(|context| context.into_bound(py));
        if let Some(context) = &counted {
            context.get().count_live_modules(false);
        }
        match &operation {
            Some(op) => {
                op.get().dispose_dependent(py, ModuleKey, self, then);
            }
            None => then(Disposal::Free),
        }
    }
}

impl Module {
    fn blank() -> Self {
        Self {
            header: Header::new(),
            operation: Mutex::default(),
            counted: Mutex::default(),
        }
    }

    /// The implementation of `__traverse__`.
    pub(crate) fn show(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If a mutex is locked, its reference is not visited; the collector then frees less, never too much.
        if let Ok(operation) = self.operation.try_lock() {
            visit.call(&*operation)?;
        }
        self.counted
            .try_lock()
            .map_or(Ok(()), |counted| visit.call(&*counted))
    }

    fn lock_operation(&self) -> MutexGuard<'_, Option<Py<OperationBase>>> {
        locked(&self.operation)
    }

    /// Binds the wrapper, which is becoming active, to `operation`.
    fn set_operation(&self, py: Python<'_>, operation: &Py<OperationBase>) {
        *self.lock_operation() = Some(operation.clone_ref(py));
        if let Ok(context) = operation.get().context_of(py) {
            context.get().count_live_modules(true);
            *locked(&self.counted) = Some(context);
        }
    }

    /// The module's operation.
    pub(crate) fn operation_of(&self, py: Python<'_>) -> PyResult<Py<OperationBase>> {
        let operation = self.lock_operation().as_ref().map(|op| op.clone_ref(py));
        operation.ok_or_else(uninitialised)
    }

    /// The address by which the C API knows the module.
    pub(crate) fn address(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        // In the C API, a module has the address of its operation.
        self.operation_of(py)?.get().get(py)
    }
}

/// The module of an `Operation`, which is a `builtin.module`.
pub(crate) fn of(py: Python<'_>, operation: Py<OperationBase>) -> PyResult<Py<Module>> {
    operation.get().get(py)?;
    let wake = |module: &Module| module.set_operation(py, &operation);
    if let Some(known) = operation.get().fetch_dependent(py, ModuleKey, wake) {
        return known;
    }
    let module = Module::blank();
    module.set_operation(py, &operation);
    let module = wrapper::create_plain(py, module)?;
    operation.get().put_dependent(py, ModuleKey, &module);
    Ok(module)
}

/// The wrapper of a module that nothing owns yet; a new tree takes ownership.
pub(crate) fn adopt<'ctx>(ctx: Entered<'_, 'ctx>, op: Loose<Op<'ctx>>) -> PyResult<Py<Module>> {
    // The tree is not open: a module is isolated from above, and so uses no values of other trees.
    of(ctx.py(), operation::adopt(ctx, op, false)?)
}
