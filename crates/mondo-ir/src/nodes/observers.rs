//! Observers: a pointer that the runtime keeps for an operation, a block or an argument of a block, and hands to
//! one function of the program when that node is destroyed.

use std::ffi::c_void;

use mondo_sys::{
    mondoBlockArgumentGetObserver, mondoBlockArgumentSetObserver, mondoBlockGetObserver,
    mondoBlockSetObserver, mondoHooksWork, mondoOperationGetObserver,
    mondoOperationGetParentObserver, mondoOperationSetObserver, mondoSetDeathCallback,
};

use super::{Block, BlockArgument, Op};

/// Returns true if the library sees nodes being made and destroyed.
pub fn hooks_work() -> bool {
    // SAFETY: `mondoHooksWork` has no precondition.
    unsafe { mondoHooksWork() }
}

/// Has the observers of destroyed nodes handed to a function. Returns `false` if other code of the process has
/// them already.
///
/// # Safety
///
/// The function stays valid as long as the process, and may be called in any thread with each pointer that was given
/// to `observe`.
pub unsafe fn on_death(callback: unsafe extern "C" fn(*mut c_void)) -> bool {
    // SAFETY: the caller vouches for the function.
    unsafe { mondoSetDeathCallback(Some(callback)) }
}

/// A handle of nodes that may have an observer.
///
/// # Safety
///
/// `observer` returns what `observe` was given last for the same node, or null.
pub unsafe trait Observable: Copy {
    /// The observer, or null if it has none.
    fn observer(self) -> *mut c_void;

    /// Sets the observer, or takes it away by null.
    ///
    /// # Safety
    ///
    /// `on_death` was true for the caller, whose function may be called with the pointer until it is replaced.
    unsafe fn observe(self, observer: *mut c_void);
}

/// Has the trait call the handle's own methods.
macro_rules! observable {
    ($($name:ident)+) => {
        // SAFETY: the runtime keeps one observer for each node, in the node.
        $(unsafe impl Observable for $name<'_> {
            #[inline]
            fn observer(self) -> *mut c_void {
                Self::observer(self)
            }

            #[inline]
            unsafe fn observe(self, observer: *mut c_void) {
                // SAFETY: the contracts are the same.
                unsafe { Self::observe(self, observer) };
            }
        })+
    };
}

observable! { Op Block BlockArgument }

impl Op<'_> {
    /// The observer, or null if it has none.
    #[inline]
    pub fn observer(self) -> *mut c_void {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`).
        unsafe { mondoOperationGetObserver(self.raw()) }
    }

    /// The observer of the enclosing operation, or null if there is no such operation or it has no observer.
    #[inline]
    pub fn parent_observer(self) -> *mut c_void {
        // SAFETY: a node's operation is live while its brand can be used (`Op::from_raw`), and so is the
        // one around it.
        unsafe { mondoOperationGetParentObserver(self.raw()) }
    }

    /// Sets the observer, or takes it away by null.
    ///
    /// # Safety
    ///
    /// `on_death` was true for the caller, whose function may be called with the pointer until it is replaced.
    #[inline]
    pub unsafe fn observe(self, observer: *mut c_void) {
        // SAFETY: the operation is live, by its brand; that the callback may be called with the pointer is
        // this function's contract.
        unsafe { mondoOperationSetObserver(self.raw(), observer) };
    }
}

impl Block<'_> {
    /// The observer, or null if it has none.
    #[inline]
    pub fn observer(self) -> *mut c_void {
        // SAFETY: a node's block is live while its brand can be used (`Block::from_raw`).
        unsafe { mondoBlockGetObserver(self.raw()) }
    }

    /// Sets the observer, or takes it away by null.
    ///
    /// # Safety
    ///
    /// As for an operation's.
    #[inline]
    pub unsafe fn observe(self, observer: *mut c_void) {
        // SAFETY: the block is live, by its brand; that the callback may be called with the pointer is this
        // function's contract.
        unsafe { mondoBlockSetObserver(self.raw(), observer) };
    }
}

impl BlockArgument<'_> {
    /// The observer, or null if it has none.
    #[inline]
    pub fn observer(self) -> *mut c_void {
        // SAFETY: the value is live, by its brand, and an argument, by its kind.
        unsafe { mondoBlockArgumentGetObserver(self.raw()) }
    }

    /// Sets the observer, or takes it away by null.
    ///
    /// # Safety
    ///
    /// As for an operation's.
    #[inline]
    pub unsafe fn observe(self, observer: *mut c_void) {
        // SAFETY: the value is live, by its brand, and an argument, by its kind; that the callback may be
        // called with the pointer is this function's contract.
        unsafe { mondoBlockArgumentSetObserver(self.raw(), observer) };
    }
}
