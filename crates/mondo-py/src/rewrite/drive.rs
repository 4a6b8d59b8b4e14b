//! The state of a pattern rewrite driver that this thread runs: the operation that it was started on, and the
//! first exception of a pattern.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use mondo_ir::nodes::Op;
use pyo3::prelude::*;

use crate::ownership::cross_tree_uses;
use crate::ownership::operation::OperationBase;
use crate::ownership::wrapper::{self, Cause};

thread_local! {
    /// The drivers that this thread runs, the innermost one last.
    static DRIVES: RefCell<Vec<Rc<Drive>>> = const { RefCell::new(Vec::new()) };
}

/// The kind of a driver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Greedy,
    /// `walk_and_apply_patterns`, by whose contract a pattern destroys only what it matched, and what is in that. The walk
    /// learns of what a rewriter erases, and not of what Python destroys otherwise.
    Walk,
    Conversion,
}

/// A running driver.
pub(super) struct Drive {
    /// The operation that the driver was started on.
    pub(super) root: *mut c_void,
    /// The topmost operation of the tree that the driver works in. It lives as long as the driver.
    pub(super) tree: *mut c_void,
    pub(super) kind: Kind,
    /// The first exception of a pattern.
    raised: Cell<Option<PyErr>>,
    /// The operations that were made as placeholders for the results of a native function that failed.
    placeholders: RefCell<Vec<Py<OperationBase>>>,
}

impl Drive {
    /// Pushes a driver that starts on `op`.
    pub(super) fn enter(op: Op<'_>, kind: Kind) -> Rc<Self> {
        let drive = Rc::new(Self {
            root: op.address().as_ptr(),
            tree: op.root().address().as_ptr(),
            kind,
            raised: Cell::new(None),
            placeholders: RefCell::default(),
        });
        DRIVES.with_borrow_mut(|drives| drives.push(Rc::clone(&drive)));
        drive
    }

    /// Adds a placeholder, if there is one.
    pub(super) fn remember(&self, placeholder: Option<Py<OperationBase>>) {
        self.placeholders.borrow_mut().extend(placeholder);
    }

    /// Destroys the placeholders that nothing uses, after the driver has ended.
    pub(super) fn clean_up(&self, py: Python<'_>) {
        for placeholder in self.placeholders.take() {
            // `read` fails for a placeholder that was destroyed already.
            let _ = placeholder.get().read(py, |op| {
                if !cross_tree_uses::is_used_outside(op) {
                    // SAFETY: `read` has found the operation live, `is_used_outside` that nothing uses it,
                    // and no handle of it is used after this.
                    wrapper::because(Cause::Rewrite, || unsafe { op.destroy() });
                }
            });
        }
    }

    /// Pops the driver. Returns the first exception of a pattern.
    pub(super) fn leave(&self) -> Option<PyErr> {
        let ended = DRIVES.with_borrow_mut(Vec::pop);
        drop(ended);
        self.raised.take()
    }

    /// The innermost driver of this thread; None if another extension runs the driver.
    pub(super) fn current() -> Option<Rc<Self>> {
        DRIVES.with_borrow(|drives| drives.last().map(Rc::clone))
    }

    /// Returns whether a pattern has raised. Then no further pattern is called.
    pub(super) fn has_raised(&self) -> bool {
        let raised = self.raised.take();
        let result = raised.is_some();
        self.raised.set(raised);
        result
    }

    /// Stores a pattern's exception, if it is the first one.
    pub(super) fn raise(&self, error: PyErr) {
        let raised = self.raised.take();
        self.raised.set(Some(raised.unwrap_or(error)));
    }
}
