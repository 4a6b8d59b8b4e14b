//! Interrupts: the early end of pass pipelines and rewrites when a signal arrives.

use std::ffi::c_void;

use mondo_sys::{mondoInterruptsBegin, mondoInterruptsEnd};

use crate::callback::caught;
use crate::uniquer::Uniquer;

/// # Safety
///
/// `data` is an `F`.
unsafe extern "C" fn asked<F: Fn(bool) -> bool + Sync>(
    is_starter: bool,
    data: *mut c_void,
) -> bool {
    // SAFETY: `interruptible` gives its own closure, which lives until the questions end.
    let ask = unsafe { &*data.cast::<F>() };
    caught(|| ask(is_starter)).unwrap_or(false)
}

/// Runs `work`, a pipeline or (with `patterns`) a rewrite in the context. When a signal arrives, `ask` is
/// called, with true in the thread that runs `work` if that `is_main`; it says whether `work` is to end at the
/// next safe point. Returns beside the result whether it was told to.
pub fn interruptible<R, F: Fn(bool) -> bool + Sync>(
    ctx: Uniquer<'_>,
    is_main: bool,
    patterns: bool,
    ask: &F,
    work: impl FnOnce() -> R,
) -> (R, bool) {
    let data = std::ptr::from_ref(ask).cast_mut().cast();
    // SAFETY: the context is live, and so is the closure until the end, with which the questions end.
    let begun =
        unsafe { mondoInterruptsBegin(ctx.raw(), is_main, patterns, Some(asked::<F>), data) };
    let result = work();
    // SAFETY: it began above, in this thread, and has not ended.
    let ended = !begun.is_null() && unsafe { mondoInterruptsEnd(begun) };
    (result, ended)
}
