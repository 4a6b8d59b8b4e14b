//! Wheels as zip files.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mondo_audit_fuzz::{mutate, targets};

fuzz_target!(init: targets::alone(), |data: &[u8]| targets::wheel(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::zip(data, size, max_size, seed)
});
