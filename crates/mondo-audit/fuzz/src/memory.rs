//! Peak memory of a computation, by an allocator that counts.
//!
//! libFuzzer's own limit is for the memory of the whole process. A reader that takes a hundred times the size of its
//! input is found only by this measurement.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn grown(by: usize) {
    let now = NOW.fetch_add(by, Relaxed) + by;
    MOST.fetch_max(now, Relaxed);
}

// SAFETY: every call is passed on to the system's allocator as it is; counting takes no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`, which is the same there.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: `at` came from the system's allocator by this layout, because all of them do.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // `realloc` may allocate the new block before it frees the old one, so both count.
        grown(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as in `dealloc`; the caller answers for `size`.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Runs `work`. Returns its result and the peak of the memory that it allocated, in bytes.
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let done = work();
    (done, MOST.load(Relaxed).saturating_sub(before))
}
