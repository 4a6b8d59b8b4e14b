//! Wheels: a correct one gives no finding, and each kind of defect gives its own.

use std::io::Write as _;

use crate::linked;
use mondo_audit::{
    Audit, Input, Policy, ReadError, RuleId, Severity, Wheel, audit_all, audit_wheel,
};
use sha2::{Digest as _, Sha256};

pub(crate) const NAME: &str = "acme-1.0-py3-none-any.whl";
pub(crate) const WHEEL: &str = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
pub(crate) const METADATA: &str = "Metadata-Version: 2.4\nName: acme\nVersion: 1.0\n";

/// Zips files as they are.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, contents) in files {
        writer
            .start_file(*name, zip::write::SimpleFileOptions::default())
            .expect("a new entry");
        writer.write_all(contents).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// The right line of `RECORD` about a file; base64 is done bit by bit, unlike in the rule.
pub(crate) fn record_line(name: &str, contents: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digest = Sha256::digest(contents);
    let bits: Vec<u8> = digest
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let hash: String = bits
        .chunks(6)
        .map(|six| {
            (0..6).fold(0, |value, at| {
                value << 1 | usize::from(*six.get(at).unwrap_or(&0))
            })
        })
        .map(|index| char::from(ALPHABET[index]))
        .collect();
    format!("{name},sha256={hash},{}\n", contents.len())
}

/// A wheel with these files, METADATA if it is not among them, WHEEL, and a RECORD that is right
/// about them all.
pub(crate) fn wheel_of(files: &[(&str, &[u8])], wheel: &str) -> Vec<u8> {
    let mut files = files.to_vec();
    let metadata = "acme-1.0.dist-info/METADATA";
    if !files.iter().any(|(name, _)| *name == metadata) {
        files.push((metadata, METADATA.as_bytes()));
    }
    files.push(("acme-1.0.dist-info/WHEEL", wheel.as_bytes()));
    let mut record: String = files
        .iter()
        .map(|(name, contents)| record_line(name, contents))
        .collect();
    record.push_str("acme-1.0.dist-info/RECORD,,\n");
    files.push(("acme-1.0.dist-info/RECORD", record.as_bytes()));
    zip(&files)
}

pub(crate) fn good() -> Vec<u8> {
    wheel_of(
        &[("acme/__init__.py", b"x = 1\n"), ("acme/data.json", b"{}")],
        WHEEL,
    )
}

/// The findings in short: rule, image, details with their notes.
fn short(audit: &Audit) -> Vec<String> {
    audit
        .findings
        .iter()
        .map(|finding| {
            let details: Vec<String> = finding
                .details
                .iter()
                .map(|detail| format!("{} ({})", detail.name, detail.note))
                .collect();
            format!(
                "{} {}: {}",
                finding.rule.name(),
                finding.what,
                details.join("; ")
            )
        })
        .collect()
}

pub(crate) fn audited(name: &str, bytes: &[u8]) -> Vec<String> {
    short(&audit_wheel(name, bytes, &Policy::default()).expect("a readable wheel"))
}

/// Replaces bytes of the same length everywhere.
pub(crate) fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    let found: Vec<usize> = places(&bytes, from);
    assert!(!found.is_empty());
    for at in found {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

pub(crate) fn places(bytes: &[u8], needle: &[u8]) -> Vec<usize> {
    (0..bytes.len())
        .filter(|&at| bytes[at..].starts_with(needle))
        .collect()
}

#[test]
fn a_good_wheel_gives_no_finding() {
    assert_eq!(audited(NAME, &good()), [""; 0]);
}

#[test]
fn record_must_be_right_about_every_file() {
    let dist = "acme-1.0.dist-info";
    let record = [
        record_line("a.py", b"other bytes"),
        record_line("b.py", b"1234"),
        record_line("gone.py", b""),
        record_line("acme-1.0.dist-info/METADATA", METADATA.as_bytes()),
        record_line("acme-1.0.dist-info/WHEEL", WHEEL.as_bytes()),
        "c.py,,\n".to_owned(),
        format!("{dist}/RECORD,,\n"),
    ]
    .concat();
    let bytes = zip(&[
        ("a.py", b"short"),
        ("b.py", b"4321"),
        ("c.py", b""),
        ("extra.py", b""),
        ("acme-1.0.dist-info/METADATA", METADATA.as_bytes()),
        ("acme-1.0.dist-info/WHEEL", WHEEL.as_bytes()),
        ("acme-1.0.dist-info/RECORD", record.as_bytes()),
    ]);
    insta::assert_debug_snapshot!(audited(NAME, &bytes), @r#"
    [
        "record RECORD is wrong about 5 files: a.py (another size than listed); b.py (another hash than listed); c.py (listed without a hash); extra.py (in the wheel, but not listed); gone.py (listed, but not in the wheel)",
    ]
    "#);
}

#[test]
fn names_must_be_safe_and_distinct() {
    let bytes = wheel_of(
        &[
            ("../up.py", b""),
            ("/abs.py", b""),
            ("a\\b.py", b""),
            ("pkg/a.py", b""),
            ("pkg/A.py", b""),
        ],
        WHEEL,
    );
    insta::assert_debug_snapshot!(audited(NAME, &bytes), @r#"
    [
        "names has 4 entries unsafe to unpack: ../up.py (contains an empty, `.` or `..` component); /abs.py (absolute); a\\b.py (contains a backslash); pkg/A.py (differs from pkg/a.py in case only)",
    ]
    "#);
}

#[test]
fn an_entry_may_be_listed_only_once() {
    let twice = wheel_of(&[("pkg/a.py", b"1"), ("pkg/b.py", b"1")], WHEEL);
    let found = audited(NAME, &replaced(&twice, b"pkg/b.py", b"pkg/a.py"));
    assert!(
        found
            .iter()
            .any(|line| line.starts_with("names") && line.contains("listed more than once")),
        "{found:?}"
    );
}

#[test]
fn there_is_one_dist_info_folder() {
    let bytes = wheel_of(&[("other-2.dist-info/METADATA", b"")], WHEEL);
    let found = audited(NAME, &bytes);
    assert!(
        found[0].contains("has 2 .dist-info folders instead of one"),
        "{found:?}"
    );
    let found = audited(NAME, &zip(&[("acme.py", b"")]));
    assert!(
        found[0].contains("has 0 .dist-info folders instead of one"),
        "{found:?}"
    );
}

#[test]
fn tags_must_agree_and_hold() {
    let found = audited("acme-1.0-py3-none-manylinux1_x86_64.whl", &good());
    insta::assert_debug_snapshot!(found, @r#"
    [
        "tag the tags of its file name and of its WHEEL file differ: py3-none-any (in WHEEL only); py3-none-manylinux1_x86_64 (in the file name only)",
    ]
    "#);
    let found = audited("acme.whl", &good());
    assert!(
        found
            .iter()
            .any(|line| line.starts_with("tag its file name is not name-version")),
        "{found:?}"
    );
}

#[test]
fn a_platform_tag_must_not_promise_more_than_the_images_keep() {
    let case = linked::link(&linked::fixtures().join("clean"));
    let [library, extension] = case.images.as_slice() else {
        panic!("two images")
    };
    let library = fs_err::read(library).expect("the library");
    let extension = fs_err::read(extension).expect("the extension");
    let tagged = |platform: &str, pure: bool, abi: &str| {
        let tag = format!("{abi}-{platform}");
        let wheel = format!("Wheel-Version: 1.0\nRoot-Is-Purelib: {pure}\nTag: {tag}\n");
        let files: [(&str, &[u8]); 2] =
            [("acme/libacme.so", &library), ("acme/zext.so", &extension)];
        let bytes = wheel_of(&files, &wheel);
        let name = format!("acme-1.0-{tag}.whl");
        short(&audit_wheel(&name, &bytes, &case.policy).expect("readable"))
    };
    let none: [&str; 0] = [];
    assert_eq!(tagged("manylinux_2_17_x86_64", false, "cp310-abi3"), none);
    insta::assert_debug_snapshot!(
        [
            tagged("manylinux_2_5_x86_64", false, "cp310-abi3"),
            tagged("manylinux_2_17_aarch64", true, "cp310-abi3"),
            tagged("any", false, "py3-none"),
            tagged("linux_x86_64", false, "cp310-abi3"),
        ].concat(), @r#"
    [
        "tag its platform tag does not fit its images: manylinux_2_5_x86_64 (promises glibc 2.5, but 2.14 is needed: memcpy in acme/libacme.so)",
        "tag WHEEL says Root-Is-Purelib: true, but acme/zext.so is an extension: ",
        "tag its platform tag does not fit its images: manylinux_2_17_aarch64 (acme/libacme.so is for another machine); manylinux_2_17_aarch64 (acme/zext.so is for another machine)",
        "tag its platform tag does not fit its images: any (for every platform, but it has images)",
        "tag its platform tag says nothing of the glibc it needs: linux_x86_64 ()",
    ]
    "#);
}

#[test]
fn images_that_cannot_be_read_are_named() {
    let mut pe = vec![0; 0x80];
    pe[..2].copy_from_slice(b"MZ");
    pe[0x3c] = 0x40;
    pe[0x40..0x44].copy_from_slice(b"PE\0\0");
    let bytes = wheel_of(
        &[
            ("a.pyd", &pe),
            ("b.dylib", &[0xcf, 0xfa, 0xed, 0xfe, 0, 0, 0, 0]),
            ("c.so", b"INPUT(-lacme)"),
            ("d.so", b"\x7fELF\x02\x01\x01"),
        ],
        WHEEL,
    );
    let audit = audit_wheel(NAME, &bytes, &Policy::default()).expect("readable");
    let named: Vec<&str> = audit
        .findings
        .iter()
        .filter(|finding| finding.rule == RuleId::Format && finding.severity == Severity::Error)
        .map(|finding| finding.image.as_str())
        .collect();
    assert_eq!(named, ["a.pyd", "b.dylib", "c.so", "d.so"]);
}

/// A linker script counts as the image that it names, if that image is in the same folder.
#[test]
fn a_linker_script_stands_for_the_image_beside_it() {
    let case = linked::link(&linked::fixtures().join("clean"));
    let library = fs_err::read(&case.images[0]).expect("the library");
    let bytes = wheel_of(
        &[
            ("acme/libacme.so", &library),
            (
                "acme/libalias.so",
                b"/* why */\n/* and how */ INPUT( libacme.so )\n",
            ),
            ("acme/libelsewhere.so", b"INPUT(../libacme.so)"),
            ("acme/libmore.so", b"INPUT(libacme.so) OUTPUT_ARCH(i386)"),
            ("acme/libopen.so", b"/* INPUT(libacme.so)"),
            ("libacme2.so", b"INPUT(libacme.so)"),
        ],
        WHEEL,
    );
    let audit = audit_wheel(NAME, &bytes, &Policy::default()).expect("readable");
    let named: Vec<&str> = audit
        .findings
        .iter()
        .filter(|finding| finding.rule == RuleId::Format)
        .map(|finding| finding.image.as_str())
        .collect();
    let refused = [
        "acme/libelsewhere.so",
        "acme/libmore.so",
        "acme/libopen.so",
        "libacme2.so",
    ];
    assert_eq!(named, refused);
}

#[test]
fn build_paths_are_found_in_any_file() {
    let policy = Policy {
        build_paths: vec!["/srv/ann/mondo".to_owned()],
        ..Policy::default()
    };
    let bytes = wheel_of(
        &[("acme/config.json", b"{\"root\": \"/srv/ann/mondo/x\"}")],
        WHEEL,
    );
    let audit = audit_wheel(NAME, &bytes, &policy).expect("readable");
    assert_eq!(audit.findings.len(), 1);
    assert_eq!(audit.findings[0].rule, RuleId::BuildPath);
    assert_eq!(audit.findings[0].image, "acme/config.json");
    assert_eq!(audit.findings[0].details[0].offset, Some(10));
}

#[test]
fn a_wheel_that_unpacks_to_too_much_is_refused_before_unpacking() {
    let bytes = wheel_of(&[("zeros", &[0; 100_000])], WHEEL);
    assert!(bytes.len() < 5_000);
    let error = Wheel::read(NAME, &bytes, 50_000).expect_err("over the bound");
    assert!(
        matches!(&error, ReadError::TooLarge { entry, size: 100_000, limit: 50_000, .. } if entry == "zeros"),
        "{error}"
    );
}

#[test]
fn an_entry_that_lies_about_its_size_is_refused() {
    let bytes = wheel_of(&[("zeros", &[0; 100_000])], WHEEL);
    // The sizes are below the limit of a zip bomb: a bomb would not be unpacked at all.
    for stated in [99_999_u32, 60 << 20] {
        let lying = replaced(&bytes, &100_000_u32.to_le_bytes(), &stated.to_le_bytes());
        let error = audit_wheel(NAME, &lying, &Policy::default()).expect_err("a lie");
        assert!(matches!(error, ReadError::Malformed { .. }), "{error}");
    }
}

#[test]
fn entries_may_not_share_bytes() {
    // Both records point at the first entry's data; the names agree, so only the overlap is wrong.
    let bytes = zip(&[("same", b"1"), ("sama", b"1")]);
    let bytes = replaced(&bytes, b"sama", b"same");
    let central = places(&bytes, b"PK\x01\x02");
    let mut overlapping = bytes;
    let offset = central[1] + 42;
    overlapping[offset..offset + 4].copy_from_slice(&0_u32.to_le_bytes());
    let error = Wheel::read(NAME, &overlapping, 1 << 20).expect_err("an overlap");
    assert!(error.to_string().contains("share bytes"), "{error}");
}

#[test]
fn a_library_that_nothing_needs_is_reported() {
    let case = crate::linked::link(&crate::linked::fixtures().join("clean"));
    let library = fs_err::read(&case.images[0]).expect("the image");
    let wheel = wheel_of(
        &[
            ("acme.libs/libacme.so", &library),
            ("acme/libother.so", &library),
        ],
        WHEEL,
    );
    let found = audited(NAME, &wheel);
    for expected in [
        "unneeded no image needs 1 library of a repair tool's folder: acme.libs/libacme.so ()",
        "unneeded no image needs 1 library that its code or another wheel may load: acme/libother.so ()",
    ] {
        assert!(found.contains(&expected.to_owned()), "{found:#?}");
    }
}

#[test]
fn wheels_that_are_given_together_bring_each_others_libraries() {
    let case = linked::link(&linked::fixtures().join("clean"));
    let [library, extension] = case.images.as_slice() else {
        panic!("two images")
    };
    let library = fs_err::read(library).expect("the library");
    let extension = fs_err::read(extension).expect("the extension");
    let extension = wheel_of(&[("acme/zext.so", &extension)], WHEEL);
    let with = |library: &str, bytes: &[u8]| {
        let files: &[(&str, &[u8])] = &[(library, bytes)];
        let others = wheel_of(files, WHEEL);
        let wheels = [
            Input {
                name: "zext-1.0-py3-none-any.whl",
                bytes: &extension,
            },
            Input {
                name: NAME,
                bytes: &others,
            },
        ];
        let audits = audit_all(&wheels, &[], &Policy::default()).expect("readable wheels");
        let needed = |audit: &Audit| {
            let findings = audit.findings.iter();
            let needed = findings.filter(|finding| finding.rule == RuleId::Needed);
            needed.map(|finding| finding.image.clone()).collect()
        };
        audits.iter().map(needed).collect::<Vec<Vec<String>>>()
    };
    let none: Vec<String> = Vec::new();
    let about = |image: &str| vec![image.to_owned()];
    assert_eq!(
        with("acme/libacme.so", &library),
        [none.clone(), none.clone(), none.clone()]
    );
    assert_eq!(
        with("acme/data.bin", b"{}"),
        [about("acme/zext.so"), none.clone(), none]
    );
}
