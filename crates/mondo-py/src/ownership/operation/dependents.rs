//! The objects that belong to an operation: its module, results and regions.

use std::ptr;

use pyo3::ffi;

/// The objects that belong to an operation, but for its first result: not references. Only the
/// interpreter's thread uses them.
#[derive(Default)]
pub(crate) struct Others {
    pub(crate) module: Object,
    pub(crate) results: Vec<Object>,
    pub(crate) regions: Vec<Object>,
}

/// The address of a tied object, or null.
#[derive(Clone, Copy)]
pub(crate) struct Object(pub(crate) *mut ffi::PyObject);

impl Default for Object {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

// SAFETY: the addresses are used only with the interpreter attached.
unsafe impl Send for Object {}

/// Which of an operation's other objects is meant.
#[derive(Clone, Copy)]
pub(crate) enum Other {
    Module,
    Result(isize),
    Region(isize),
}

impl Others {
    #[inline]
    pub(super) fn slot(&mut self, which: Other) -> &mut Object {
        let (list, index) = match which {
            Other::Module => return &mut self.module,
            Other::Result(index) => (&mut self.results, index.unsigned_abs()),
            Other::Region(index) => (&mut self.regions, index.unsigned_abs()),
        };
        if list.len() <= index {
            list.resize(index + 1, Object::default());
        }
        &mut list[index]
    }
}
