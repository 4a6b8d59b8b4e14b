//! The texts of a wheel: the input is METADATA, WHEEL, RECORD, an SBOM and the wheel's name, with a
//! byte between them that no text has.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mondo_audit_fuzz::{alone, promises, zip};

fuzz_target!(init: alone(), |data: &[u8]| {
    let mut texts = data.split(|&byte| byte == 0xff);
    let mut next = || texts.next().unwrap_or_default();
    let wheel = zip::stored(&[
        ("acme/__init__.py", b"x = 1\n"),
        ("acme-1.0.dist-info/METADATA", next()),
        ("acme-1.0.dist-info/WHEEL", next()),
        ("acme-1.0.dist-info/RECORD", next()),
        ("acme-1.0.dist-info/sboms/acme.json", next()),
    ]);
    let name = std::str::from_utf8(next()).ok().filter(|name| !name.is_empty());
    promises::wheel(name.unwrap_or("acme-1.0-py3-none-any.whl"), &wheel);
});
