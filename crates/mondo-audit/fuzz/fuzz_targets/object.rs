//! Objects of every format: COFF, ELF, Mach-O, and members of import libraries.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mondo_audit_fuzz::{mutate, targets};

fuzz_target!(init: targets::alone(), |data: &[u8]| targets::object(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::image(data, size, max_size, seed)
});
