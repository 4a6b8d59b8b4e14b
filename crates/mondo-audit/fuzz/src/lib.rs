//! What the fuzz targets share: how inputs are changed, and what must hold whatever they are.

pub mod memory;
pub mod mutate;
pub mod promises;
pub mod zip;

/// Makes the thread that libFuzzer calls the only one that works: a run depends on its input alone,
/// and nothing is spent on waking others. To be called before the first input.
pub fn alone() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .expect("nobody has used rayon yet");
}
