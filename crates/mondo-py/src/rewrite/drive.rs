//! The state of a pattern rewrite driver that this thread runs.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use mondo_ir::nodes::Op;
use pyo3::prelude::*;

use crate::ownership::cross_tree_uses;
use crate::ownership::operation::OperationBase;
use crate::ownership::wrapper::{self, Cause};

thread_local! {
    /// The drivers of this thread, the innermost last.
    static DRIVES: RefCell<Vec<Rc<Drive>>> = const { RefCell::new(Vec::new()) };
}

/// A driver that is at work.
pub(super) struct Drive {
    /// The operation that it was started on.
    pub(super) root: *mut c_void,
    /// True if it walks. Then it goes on with what comes next, whatever that is.
    pub(super) is_walk: bool,
    /// The first exception of a pattern.
    raised: Cell<Option<PyErr>>,
    /// The placeholders for results that a function failed to give.
    placeholders: RefCell<Vec<Py<OperationBase>>>,
}

impl Drive {
    /// Starts on `op`.
    pub(super) fn enter(op: Op<'_>, is_walk: bool) -> Rc<Self> {
        let drive = Rc::new(Self {
            root: op.address().as_ptr(),
            is_walk,
            raised: Cell::new(None),
            placeholders: RefCell::default(),
        });
        DRIVES.with_borrow_mut(|drives| drives.push(Rc::clone(&drive)));
        drive
    }

    /// Remembers an operation that nobody wanted.
    pub(super) fn remember(&self, placeholder: Option<Py<OperationBase>>) {
        self.placeholders.borrow_mut().extend(placeholder);
    }

    /// Destroys those of them that nothing uses, after the driver.
    pub(super) fn clean_up(&self, py: Python<'_>) {
        for placeholder in self.placeholders.take() {
            // `read` fails for a placeholder that was destroyed, which needs nothing.
            let _ = placeholder.get().read(py, |op| {
                if !cross_tree_uses::is_used_outside(op) {
                    // SAFETY: `read` has found the operation live, nothing outside uses it, as looked up
                    // above, and no handle of it is used after this.
                    wrapper::because(Cause::Rewrite, || unsafe { op.destroy() });
                }
            });
        }
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

    /// Returns whether a pattern has raised, so that no other one is to be called.
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
