//! Policy files (TOML) and baselines (JSON).

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use mondo_audit::{Audit, Baseline, Policy, PolicyFile, audit_wheel};
use mondo_audit_fuzz::{alone, promises, zip};

/// Something that a policy can be applied to.
static AUDIT: LazyLock<Audit> = LazyLock::new(|| {
    let wheel = zip::stored(&[
        ("a/../b", b"/home/ann/x"),
        ("acme-1.0.dist-info/RECORD", b""),
    ]);
    audit_wheel("acme-1.0-py3-none-any.whl", &wheel, &Policy::default()).expect("readable")
});

fuzz_target!(init: alone(), |data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match PolicyFile::parse("p.toml", text) {
        Ok(policy) => {
            let mut audit = AUDIT.clone();
            let used = policy.apply(&mut audit);
            assert!(used.iter().all(|&at| at < policy.allows.len()));
            assert!(policy.unused(&used).count() + used.len() == policy.allows.len());
            promises::reports(&audit);
        }
        Err(error) => assert!(error.line >= 1 && error.column >= 1, "{error}"),
    }
    if let Ok(baseline) = Baseline::parse("b.json", text) {
        let mut audits = [AUDIT.clone()];
        baseline.apply(&mut audits);
        assert_eq!(Baseline::parse("b.json", &baseline.text()).as_ref(), Ok(&baseline));
    }
});
