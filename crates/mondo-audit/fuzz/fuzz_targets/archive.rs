//! Static archives, thin ones too.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use mondo_audit::archive;
use mondo_audit_fuzz::{alone, mutate, promises};

fuzz_target!(init: alone(), |data: &[u8]| {
    for member in archive::members("x.a", data).unwrap_or_default() {
        let start = usize::try_from(member.offset).expect("inside");
        assert_eq!(data.get(start..start + member.bytes.len()), Some(member.bytes));
    }
    let _ = archive::thin_members("x.a", data);
    promises::image("x.a", data);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::image(data, size, max_size, seed)
});
