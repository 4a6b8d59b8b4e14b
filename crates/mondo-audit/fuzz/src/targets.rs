//! The function of each target: libFuzzer calls it with what it makes up, and a test of mondo-audit
//! with each seed (`tests/fuzz_targets.rs`, which compiles this file without libFuzzer).

use std::sync::LazyLock;

use mondo_audit::{Audit, Baseline, Policy, PolicyFile, archive as archives, audit_wheel};

use crate::{promises, zip};

/// A target's function.
pub type Target = fn(&[u8]);

/// The targets by their names, which are those of the programs and of the folders with seeds.
pub const ALL: &[(&str, Target)] = &[
    ("elf", elf),
    ("macho", macho),
    ("pe", pe),
    ("object", object),
    ("archive", archive),
    ("wheel", wheel),
    ("dist_info", dist_info),
    ("policy", policy),
    ("rules", rules),
];

/// Makes the calling thread the only worker of rayon's pool, so that a run depends on its input alone and no time is
/// spent on waking threads. It must be called before the first input.
pub fn alone() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .expect("nobody has used rayon yet");
}

/// ELF images.
pub fn elf(data: &[u8]) {
    promises::image("x.so", data);
}

/// Mach-O images, thin and universal.
pub fn macho(data: &[u8]) {
    promises::image("x.dylib", data);
}

/// PE images.
pub fn pe(data: &[u8]) {
    promises::image("x.dll", data);
}

/// Objects of every format: COFF, ELF, Mach-O, and members of import libraries.
pub fn object(data: &[u8]) {
    promises::image("x.o", data);
}

/// Static archives, thin ones too.
pub fn archive(data: &[u8]) {
    for member in archives::members("x.a", data).unwrap_or_default() {
        let start = usize::try_from(member.offset).expect("inside");
        assert_eq!(
            data.get(start..start + member.bytes.len()),
            Some(member.bytes)
        );
    }
    let _ = archives::thin_members("x.a", data);
    promises::image("x.a", data);
}

/// Wheels as zip files.
pub fn wheel(data: &[u8]) {
    promises::wheel("acme-1.0-cp310-abi3-manylinux_2_17_x86_64.whl", data);
}

/// The texts of a wheel: METADATA, WHEEL, RECORD, an SBOM and the wheel's name, with a byte between
/// them that no text has.
pub fn dist_info(data: &[u8]) {
    let mut texts = data.split(|&byte| byte == 0xff);
    let mut next = || texts.next().unwrap_or_default();
    let wheel = zip::stored(&[
        ("acme/__init__.py", b"x = 1\n"),
        ("acme-1.0.dist-info/METADATA", next()),
        ("acme-1.0.dist-info/WHEEL", next()),
        ("acme-1.0.dist-info/RECORD", next()),
        ("acme-1.0.dist-info/sboms/acme.json", next()),
    ]);
    let name = std::str::from_utf8(next())
        .ok()
        .filter(|name| !name.is_empty());
    promises::wheel(name.unwrap_or("acme-1.0-py3-none-any.whl"), &wheel);
}

/// An audit with findings, to which policies are applied.
static AUDIT: LazyLock<Audit> = LazyLock::new(|| {
    let wheel = zip::stored(&[
        ("a/../b", b"/home/ann/x"),
        ("acme-1.0.dist-info/RECORD", b""),
    ]);
    audit_wheel("acme-1.0-py3-none-any.whl", &wheel, &Policy::default()).expect("readable")
});

/// Policy files (TOML) and baselines (JSON).
pub fn policy(data: &[u8]) {
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
        assert_eq!(
            Baseline::parse("b.json", &baseline.text()).as_ref(),
            Ok(&baseline)
        );
    }
}

/// The rules over facts of images that lie, and the reports of what they find.
pub fn rules(data: &[u8]) {
    promises::rules("x.so", data);
}
