//! Operations that are kept across exclusive calls, guarded while the program runs.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, OnceLock};

use mondo_sys::{
    MlirOperation, mondoOperationGetObserver, mondoOperationSetObserver, mondoSetDeathCallback,
};

use crate::brand::Brand;
use crate::error::{Error, ErrorKind, Result};
use crate::handle::Op;
use crate::scope::{Ir, State};

/// The operation, or null after its death. The runtime's observer of the operation is a reference to it.
#[derive(Debug)]
struct Slot(AtomicPtr<c_void>);

/// An operation that may die while this exists.
///
/// The operation's destruction, whoever causes it, clears this: `get` returns none, and never a handle
/// that dangles.
///
/// ```
/// # use mondo_ir::{Context, Module, PassManager};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f() { %0 = arith.constant 1 : i32 return }";
///     let module = Module::parse(ctx, text).unwrap();
///     let function = ir.retain(module.body(ir).first().unwrap()).unwrap();
///     let block = module.body(ir).first().unwrap().region(0).unwrap().first().unwrap();
///     let constant = ir.retain(block.first().unwrap()).unwrap();
///     let mut passes = PassManager::parse(ctx, "builtin.module(canonicalize)").unwrap();
///     passes.run(ir, module.owner()).unwrap();
///     assert!(constant.get(ir).is_none());
///     assert_eq!(function.get(ir).unwrap().name(), "func.func");
/// });
/// ```
#[derive(Debug, Clone)]
pub struct Retained<'ctx> {
    slot: Arc<Slot>,
    state: &'ctx State,
    brand: Brand<'ctx>,
}

/// # Safety
///
/// The observer is one that `retain` has set, and it is told of its operation's death once.
unsafe extern "C" fn died(observer: *mut c_void) {
    // SAFETY: `retain` made the observer from a reference, which ends with the operation.
    let slot = unsafe { Arc::from_raw(observer.cast_const().cast::<Slot>()) };
    slot.0.store(ptr::null_mut(), Ordering::Release);
}

/// Returns true if the deaths of this process come here.
fn observes() -> bool {
    static OURS: OnceLock<bool> = OnceLock::new();
    // SAFETY: the callback may be called in any thread, and touches nothing of MLIR's.
    *OURS.get_or_init(|| unsafe { mondoSetDeathCallback(Some(died)) })
}

impl<'ctx> Ir<'ctx> {
    /// Keeps an operation across exclusive calls.
    ///
    /// # Errors
    /// `ErrorKind::Unsupported` if other code of the process observes the deaths of operations.
    pub fn retain(&self, op: Op<'_, 'ctx>) -> Result<Retained<'ctx>> {
        if !observes() {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "other code of this process observes the deaths of operations",
            ));
        }
        // SAFETY: the operation is live. An observer that it has is ours, as only we set any; another
        // reference to it is taken while the operation, and so the observer's own reference, lives.
        let slot = unsafe {
            let observer = mondoOperationGetObserver(op.raw());
            if observer.is_null() {
                let slot = Arc::new(Slot(AtomicPtr::new(op.raw().ptr)));
                let observer = Arc::into_raw(Arc::clone(&slot));
                mondoOperationSetObserver(op.raw(), observer.cast_mut().cast());
                slot
            } else {
                let observer = observer.cast_const().cast::<Slot>();
                Arc::increment_strong_count(observer);
                Arc::from_raw(observer)
            }
        };
        Ok(Retained {
            slot,
            state: self.state,
            brand: self.brand,
        })
    }
}

impl<'ctx> Retained<'ctx> {
    /// The operation, if it lives.
    pub fn get<'call>(&self, _ir: &'call Ir<'ctx>) -> Option<Op<'call, 'ctx>> {
        let raw = MlirOperation {
            ptr: self.slot.0.load(Ordering::Acquire),
        };
        // SAFETY: `died` sets the slot to null when the operation is destroyed, so that any other address
        // is that of a live operation; the borrow of the token keeps it so.
        unsafe { Op::from_raw(raw, self.state) }
    }
}
