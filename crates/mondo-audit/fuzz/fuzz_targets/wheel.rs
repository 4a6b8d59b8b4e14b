//! Wheels as zip files.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mondo_audit_fuzz::{alone, mutate, promises};

fuzz_target!(init: alone(), |data: &[u8]| {
    promises::wheel("acme-1.0-cp310-abi3-manylinux_2_17_x86_64.whl", data);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::zip(data, size, max_size, seed)
});
