//! Invariants that hold for all inputs. Each fuzz target checks some of them, and not only that nothing panics.

use mondo_audit::{
    Audit, Baseline, Input, Load, Policy, ReadError, audit, audit_wheel, bindings, parts, report,
};

use crate::memory;

/// Limits of the memory that a reader may take in addition to its input: a record of about two bytes can become facts
/// of a hundred bytes, and vectors double as they grow.
const TIMES: usize = 96;
const BASE: usize = 1 << 20;

fn within(given: usize, peak: usize) {
    let most = given * TIMES + BASE;
    assert!(peak <= most, "{peak} bytes at once for an input of {given}");
}

/// Checks a file with one or several images: either it can be read, and its names can be bound, or the error names a
/// place.
pub fn image(name: &str, bytes: &[u8]) {
    let (read, peak) = memory::peak(|| read(name, bytes));
    within(bytes.len(), peak);
    if let Err(error) = read {
        refused(&error);
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<(), ReadError> {
    for part in parts(name, bytes)? {
        let facts = mondo_audit::read_image(&part.name, part.bytes)?;
        for export in &facts.exports {
            assert!(export.name.len() <= bytes.len());
        }
        for offset in [0, part.bytes.len() as u64 / 2, u64::MAX] {
            let _ = facts.section_at(offset);
        }
        let load = Load {
            image: name.to_owned(),
            global: true,
        };
        let _ = bindings(&[Input { name, bytes }], &[load]);
    }
    Ok(())
}

/// Checks that an error has a description and a place.
pub fn refused(error: &ReadError) {
    if let ReadError::Malformed { what, place, .. } = error {
        assert!(!what.is_empty() && !place.is_empty(), "{error}");
    }
    printable(&error.to_string());
}

/// Runs the rules over a set of two copies of one image, so that the rules about sets have work to do.
pub fn rules(name: &str, bytes: &[u8]) {
    let policy = Policy {
        minimum_glibc: Some((2, 17)),
        minimum_macos: Some((10, 9)),
        minimum_windows: Some((6, 1)),
        abi3: Some((3, 10)),
        build_paths: vec!["/srv/acme".to_owned()],
        ..Policy::default()
    };
    let other = format!("other/{name}");
    let inputs = [
        Input { name, bytes },
        Input {
            name: &other,
            bytes,
        },
    ];
    let (audited, peak) = memory::peak(|| audit(&inputs, &policy));
    within(4 * bytes.len(), peak);
    match audited {
        Ok(found) => {
            reports(&found);
            if one_of(bytes, 4) {
                let backwards = audit(&[inputs[1], inputs[0]], &policy);
                let again = backwards.map(|audit| audit.findings);
                assert_eq!(
                    again.as_ref(),
                    Ok(&found.findings),
                    "the order does not matter"
                );
            }
        }
        Err(error) => refused(&error),
    }
}

/// Selects one of `many` inputs for the slow checks. The choice depends on the input alone.
fn one_of(bytes: &[u8], many: usize) -> bool {
    bytes.iter().fold(0, |sum: usize, &byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    }) % many
        == 0
}

/// Checks that each form of report can be made and is well formed.
pub fn reports(audit: &Audit) {
    let text = report::text(audit);
    printable(&text);
    if !one_of(text.as_bytes(), 8) {
        return;
    }
    serde_json::to_string(audit).expect("an audit is JSON");
    let sarif =
        serde_json::to_string(&report::sarif(std::slice::from_ref(audit))).expect("a log is JSON");
    let log: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let baseline = Baseline::of(std::slice::from_ref(audit));
    let read = Baseline::parse("b", &baseline.text()).expect("its own text");
    assert_eq!(read, baseline);
    let mut known = [audit.clone()];
    baseline.apply(&mut known);
    let left = known[0]
        .worst()
        .filter(|worst| *worst != mondo_audit::Severity::Info);
    assert_eq!(left, None, "what a baseline knows is not found again");
}

/// Checks that a report contains no control characters, which a terminal would obey.
fn printable(text: &str) {
    let control = text.chars().find(|&char| char.is_control() && char != '\n');
    assert_eq!(control, None, "a control character in a report");
}

/// Audits a wheel whose unpacked size is small.
pub fn wheel(name: &str, bytes: &[u8]) {
    const MOST: u64 = 1 << 18;
    let policy = Policy {
        max_unpacked_size: MOST,
        ..Policy::default()
    };
    let (audited, peak) = memory::peak(|| audit_wheel(name, bytes, &policy));
    within(bytes.len() + (1 << 18), peak);
    match audited {
        Ok(audit) => reports(&audit),
        Err(error) => refused(&error),
    }
}
