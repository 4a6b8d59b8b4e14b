//! A driver that this thread runs.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use mondo_sys::MlirOperation;
use pyo3::prelude::*;

thread_local! {
    /// The drivers of this thread, the innermost last.
    static DRIVES: RefCell<Vec<Rc<Drive>>> = const { RefCell::new(Vec::new()) };
}

/// A driver that is at work.
pub(super) struct Drive {
    /// The operation that it was started on.
    pub(super) root: *mut c_void,
    /// Whether it walks. Then it goes on with what comes next, whatever that is.
    pub(super) is_walk: bool,
    /// The first exception of a pattern.
    raised: Cell<Option<PyErr>>,
}

impl Drive {
    /// Starts on `op`.
    pub(super) fn enter(op: MlirOperation, is_walk: bool) -> Rc<Self> {
        let drive = Rc::new(Self {
            root: op.ptr,
            is_walk,
            raised: Cell::new(None),
        });
        DRIVES.with_borrow_mut(|drives| drives.push(Rc::clone(&drive)));
        drive
    }

    /// Ends. Returns what a pattern raised.
    pub(super) fn leave(&self) -> Option<PyErr> {
        let ended = DRIVES.with_borrow_mut(Vec::pop);
        drop(ended);
        self.raised.take()
    }

    /// The innermost driver of this thread; none if somebody else's code runs one.
    pub(super) fn current() -> Option<Rc<Self>> {
        DRIVES.with_borrow(|drives| drives.last().map(Rc::clone))
    }

    /// Whether a pattern has raised, so that no other one is to be called.
    pub(super) fn has_raised(&self) -> bool {
        let raised = self.raised.take();
        let result = raised.is_some();
        self.raised.set(raised);
        result
    }

    /// Remembers what a pattern raised.
    pub(super) fn raise(&self, error: PyErr) {
        let raised = self.raised.take();
        self.raised.set(Some(raised.unwrap_or(error)));
    }
}
