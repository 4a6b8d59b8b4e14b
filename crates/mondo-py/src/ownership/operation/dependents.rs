//! The dependents of an operation: the wrappers of its module, results and regions.

use std::ptr;

use pyo3::ffi;

/// The addresses of the wrappers that depend on an operation, except that of its first result. They are no
/// references, and only attached threads use them.
#[derive(Default)]
pub(crate) struct Dependents {
    pub(crate) module: Object,
    pub(crate) results: Vec<Object>,
    pub(crate) regions: Vec<Object>,
}

/// The address of a wrapper, or null.
#[derive(Clone, Copy)]
pub(crate) struct Object(pub(crate) *mut ffi::PyObject);

impl Default for Object {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

// SAFETY: an address may be sent to any thread. It is dereferenced only by attached threads, and the wrapper
// removes it before it is freed.
unsafe impl Send for Object {}

/// The identifier of one dependent of an operation.
#[derive(Clone, Copy)]
pub(crate) enum Dependent {
    Module,
    Result(isize),
    Region(isize),
}

impl Dependents {
    #[inline]
    pub(super) fn slot(&mut self, which: Dependent) -> &mut Object {
        let (list, index) = match which {
            Dependent::Module => return &mut self.module,
            Dependent::Result(index) => (&mut self.results, index.unsigned_abs()),
            Dependent::Region(index) => (&mut self.regions, index.unsigned_abs()),
        };
        if list.len() <= index {
            list.resize(index + 1, Object::default());
        }
        &mut list[index]
    }
}
