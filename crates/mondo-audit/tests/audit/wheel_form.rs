//! Wheels that break the rules about their form, each for one reason.

use std::io::Write as _;

use crate::wheel::{METADATA, NAME, WHEEL, audited, good, places, wheel_of, zip};
use mondo_audit::{Policy, RuleId, Severity, audit_wheel};
use zip::write::SimpleFileOptions;

/// Findings in a good wheel with this METADATA.
fn with_metadata(text: &str) -> Vec<String> {
    audited(
        NAME,
        &wheel_of(&[("acme-1.0.dist-info/METADATA", text.as_bytes())], WHEEL),
    )
}

#[test]
fn metadata_is_what_its_version_says() {
    let text = "Metadata-Version: 2.1\nName: acme\nName: acme\nVersion: 1.0\nColour: red\nnonsense\n\
                Requires-Python: >3 or so\nDynamic: Name\nDynamic: Summary\n\
                Description-Content-Type: text/html; charset=UTF-8\n\nLicense-File: in the body\n";
    insta::assert_debug_snapshot!(with_metadata(text), @r#"
        [
            "metadata has 4 errors in METADATA: Dynamic (Name cannot be); Name (given more than once); Requires-Python (no version specifier: >3 or so); nonsense (not a field)",
            "metadata has 3 doubtful fields in METADATA: Colour (not a field of core metadata); Description-Content-Type (text/html is none that indexes show); Dynamic (came with version 2.2, not 2.1)",
        ]
        "#);
    insta::assert_debug_snapshot!(with_metadata("Metadata-Version: 3.0\nName: a b\n"), @r#"
        [
            "metadata has 3 errors in METADATA: Metadata-Version (not a version up to 2.5); Name (a b is not a name); Version (missing)",
        ]
        "#);
    let names = format!(
        "{METADATA}Requires-Dist: numpy >>3\nProvides-Extra: a b\nImport-Name: 9 x\n\
         Requires-Dist: numpy>=1; extra == 'a'\n"
    );
    let found = with_metadata(&names.replace("Metadata-Version: 2.4", "Metadata-Version: 2.5"));
    insta::assert_debug_snapshot!(found, @r#"
        [
            "metadata has 3 errors in METADATA: Import-Name (9 x is not a module); Provides-Extra (a b is not a name); Requires-Dist (no requirement: numpy >>3: `>>3` is not a list of versions)",
        ]
        "#);
    let none: [&str; 0] = [];
    let whole = "Metadata-Version: 2.5\nName: Acme\nVersion: 1.0.0\nRequires-Python: >=3.10\n\
                 Import-Name: acme\nDescription: long\n  and longer\n";
    assert_eq!(with_metadata(whole), none);
    let found = audited(NAME, &zip(&[("acme-1.0.dist-info/RECORD", b"")]));
    assert!(
        found
            .iter()
            .any(|line| line.starts_with("metadata has no acme-1.0.dist-info/METADATA")),
        "{found:?}"
    );
}

#[test]
fn metadata_agrees_with_the_name_of_the_file() {
    let other = METADATA.replace("acme", "emca").replace("1.0", "1.1");
    insta::assert_debug_snapshot!(with_metadata(&other), @r#"
        [
            "metadata has 4 errors in METADATA: Name (emca is not acme-1.0.dist-info's); Name (emca is not the file's); Version (1.1 is not acme-1.0.dist-info's); Version (1.1 is not the file's)",
        ]
        "#);
    insta::assert_debug_snapshot!(audited("Acme-1.0-py3-none-any.whl", &good()), @r#"
        [
            "metadata has 1 doubtful field in METADATA: Acme (the file's name would be acme-…)",
        ]
        "#);
}

#[test]
fn licences_are_spdx_expressions_with_their_files() {
    let licence = "License-Expression: Apache-2.0 AND Whatever\nLicense: text\n\
                   Classifier: License :: OSI Approved\nLicense-File: LICENSE\n\
                   License-File: ../LICENSE\n";
    insta::assert_debug_snapshot!(with_metadata(&format!("{METADATA}{licence}")), @r#"
        [
            "metadata has 4 errors in METADATA: ../LICENSE (a License-File that leaves its folder); LICENSE (a License-File that is not in licenses/); License (given beside License-Expression); License-Expression (Apache-2.0 AND Whatever is not an SPDX expression: unknown term)",
            "metadata has 1 doubtful field in METADATA: License :: OSI Approved (given beside License-Expression)",
        ]
        "#);
    let metadata =
        format!("{METADATA}License-Expression: MIT OR LicenseRef-Own\nLicense-File: a/L\n");
    let bytes = wheel_of(
        &[
            ("acme-1.0.dist-info/METADATA", metadata.as_bytes()),
            ("acme-1.0.dist-info/licenses/a/L", b"do as you like"),
        ],
        WHEEL,
    );
    assert_eq!(audited(NAME, &bytes), [""; 0]);
}

#[test]
fn the_wheel_file_can_be_understood() {
    let wheel = "Wheel-Version: 2.0\nRoot-Is-Purelib: yes\nRoot-Is-Purelib: true\nBuild: 3\nTag: py3-none-any\n";
    insta::assert_debug_snapshot!(audited(NAME, &wheel_of(&[], wheel)), @r#"
        [
            "wheel-file its WHEEL file is wrong: Build (3, but none in the file's name); Root-Is-Purelib (given more than once); Root-Is-Purelib (yes is neither true nor false); Wheel-Version (2.0 is not 1.0)",
        ]
        "#);
    let built = "acme-1.0-3-py3-none-any.whl";
    let wheel = WHEEL.to_owned() + "Build: 3\n";
    assert_eq!(audited(built, &wheel_of(&[], &wheel)), [""; 0]);
}

#[test]
fn names_are_for_every_system() {
    let files: [(&str, &[u8]); 5] = [
        ("pkg/aux.py", b""),
        ("pkg/x", b""),
        ("pkg/X/y.py", b""),
        ("pkg/a\nb", b""),
        ("pkg/dot.", b""),
    ];
    let found = audited(NAME, &wheel_of(&files, WHEEL));
    let names: Vec<&String> = found
        .iter()
        .filter(|line| line.starts_with("names"))
        .collect();
    insta::assert_debug_snapshot!(names, @r#"
        [
            "names has 4 entries unsafe to unpack: pkg/a\\u{a}b (contains a control character); pkg/aux.py (a device of Windows); pkg/dot. (ends in a dot or space, which Windows leaves out, or has a `:`, which names a stream); pkg/x (a file and a folder)",
        ]
        "#);
}

/// Changes one byte of the first entry's local header and of its central record.
fn patched(local: Option<(usize, u8)>, central: Option<(usize, u8)>) -> Vec<u8> {
    let mut bytes = good();
    let record = places(&bytes, b"PK\x01\x02")[0];
    for (start, change) in [(0, local), (record, central)] {
        if let Some((at, byte)) = change {
            bytes[start + at] = byte;
        }
    }
    bytes
}

#[test]
fn the_zip_file_is_plain() {
    let bzip2 = patched(Some((8, 12)), Some((10, 12)));
    let streamed = patched(Some((6, 8)), Some((8, 8)));
    let disagreeing = patched(Some((14, 0)), None);
    insta::assert_debug_snapshot!(
        [bzip2, streamed, disagreeing].iter().flat_map(|bytes| audited(NAME, bytes)).collect::<Vec<_>>(),
        @r#"
        [
            "zip has 1 thing that indexes refuse: acme/__init__.py (compressed with method 12, not stored or deflated)",
            "zip has 1 thing that indexes refuse: acme/__init__.py (its sizes follow it, in a data descriptor)",
            "zip has 1 thing that indexes refuse: acme/__init__.py (its local header states another size, sum or method)",
        ]
        "#);

    // A comment of one byte after the first record.
    let mut commented = good();
    let second = places(&commented, b"PK\x01\x02")[1];
    let first = places(&commented, b"PK\x01\x02")[0];
    commented.insert(second, b'!');
    commented[first + 32] = 1;
    let end = places(&commented, b"PK\x05\x06")[0];
    commented[end + 12] += 1;
    // Four bytes before everything.
    let mut prefixed = good();
    for record in places(&prefixed, b"PK\x01\x02") {
        let field: [u8; 4] = prefixed[record + 42..record + 46]
            .try_into()
            .expect("4 bytes");
        let moved = u32::from_le_bytes(field) + 4;
        prefixed[record + 42..record + 46].copy_from_slice(&moved.to_le_bytes());
    }
    let end = places(&prefixed, b"PK\x05\x06")[0];
    let field: [u8; 4] = prefixed[end + 16..end + 20].try_into().expect("4 bytes");
    let moved = u32::from_le_bytes(field) + 4;
    prefixed[end + 16..end + 20].copy_from_slice(&moved.to_le_bytes());
    prefixed.splice(0..0, *b"junk");
    insta::assert_debug_snapshot!(
        [commented, prefixed].iter().flat_map(|bytes| audited(NAME, bytes)).collect::<Vec<_>>(),
        @r#"
        [
            "zip has 1 thing that indexes refuse: acme/__init__.py (has a comment)",
            "zip has 1 thing that indexes refuse: bytes of no entry ()",
        ]
        "#);
}

/// An entry with an unknown compression method is not unpacked, so its stated size counts.
#[test]
fn a_zip_bomb_is_called_one() {
    let bombs = |size: u32| {
        let mut bytes = patched(Some((8, 12)), Some((10, 12)));
        let record = places(&bytes, b"PK\x01\x02")[0];
        bytes[record + 24..record + 28].copy_from_slice(&size.to_le_bytes());
        let found = audited(NAME, &bytes);
        found.into_iter().find(|line| line.contains("zip bomb"))
    };
    let found = bombs(64 << 20).expect("a finding");
    assert!(found.starts_with("zip unpacks to "), "{found}");
    assert!(
        found.contains("acme/__init__.py (67108864 bytes, not looked into)"),
        "{found}"
    );
    // With the other entries it takes a little less.
    assert_eq!(bombs((64 << 20) - 1000), None);
}

#[test]
fn modes_are_those_of_files() {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, mode) in [
        ("fine", 0o644),
        ("fine.sh", 0o755),
        ("none", 0),
        ("open", 0o666),
        ("owned", 0o4755),
        ("secret", 0o600),
    ] {
        let options = SimpleFileOptions::default().unix_permissions(mode);
        writer.start_file(name, options).expect("a new entry");
        writer.write_all(b"").expect("memory");
    }
    let mut bytes = writer.finish().expect("memory").into_inner();
    // The first one becomes a named pipe, the fifth one runs as its owner.
    let records = places(&bytes, b"PK\x01\x02");
    bytes[records[0] + 41] = 0x11;
    bytes[records[4] + 41] = 0x89;
    let audit = audit_wheel(NAME, &bytes, &Policy::default()).expect("readable");
    let found: Vec<(Severity, &str, &str)> = audit
        .findings
        .iter()
        .filter(|finding| finding.rule == RuleId::Modes)
        .flat_map(|finding| {
            let details = finding.details.iter();
            details.map(|one| (finding.severity, one.name.as_str(), one.note.as_str()))
        })
        .collect();
    insta::assert_debug_snapshot!(found, @r#"
        [
            (
                Error,
                "fine",
                "0644: a folder, device, pipe or socket",
            ),
            (
                Error,
                "owned",
                "4755: set-user-ID, set-group-ID or sticky",
            ),
            (
                Warning,
                "open",
                "0666: everyone can write to it",
            ),
            (
                Warning,
                "secret",
                "0600: not everyone can read it",
            ),
        ]
        "#);
}

/// CRC-32 bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let bits = bytes
        .iter()
        .flat_map(|&byte| (0..8).map(move |bit| u32::from(byte >> bit & 1)));
    bits.fold(u32::MAX, |sum, bit| {
        (sum >> 1) ^ (0xedb8_8320 * ((sum ^ bit) & 1))
    })
}

#[test]
fn a_file_is_in_a_wheel_once() {
    let (large, other) = (vec![7; 5000], vec![8; 5000]);
    // Two files that differ by the polynomial of CRC-32 have the same sum.
    let mut alike = other.clone();
    for (byte, bits) in alike[100..].iter_mut().zip([0x41, 0x06, 0x71, 0xdb, 0x01]) {
        *byte ^= bits;
    }
    assert_eq!(crc32(&alike), crc32(&other));
    let files: [(&str, &[u8]); 6] = [
        ("acme/lib.so.1", &large),
        ("acme/lib.so", &large),
        ("acme/other", &other),
        ("acme/alike", &alike),
        ("acme/a.txt", b"small"),
        ("acme/b.txt", b"small"),
    ];
    let found = audited(NAME, &wheel_of(&files, WHEEL));
    let twice: Vec<&String> = found
        .iter()
        .filter(|line| line.starts_with("duplicates"))
        .collect();
    insta::assert_debug_snapshot!(twice, @r#"
        [
            "duplicates has 1 file a second time, 5000 bytes: acme/lib.so.1 (5000 bytes, the same as acme/lib.so)",
        ]
        "#);
}

#[test]
fn the_description_stands_at_the_end() {
    let found = audited(
        NAME,
        &wheel_of(
            &[
                ("acme/a.py", b""),
                ("acme-1.0.dist-info/METADATA", METADATA.as_bytes()),
                ("acme/b.py", b""),
            ],
            WHEEL,
        ),
    );
    insta::assert_debug_snapshot!(found, @r#"
        [
            "order has 1 entry after its first .dist-info file: acme/b.py ()",
        ]
        "#);
}

#[test]
fn bundled_libraries_are_listed() {
    let sboms = [
        (r#"{"bomFormat": "CycloneDX", "specVersion": "1.6"}"#, 0),
        (r#"{"spdxVersion": "SPDX-2.3"}"#, 0),
        (
            r#"{"@context": "https://spdx.example/3.0.1/context.jsonld"}"#,
            0,
        ),
        (r#"{"bomFormat": "CycloneDX"}"#, 1),
        ("{", 1),
    ];
    for (sbom, broken) in sboms {
        let bytes = wheel_of(
            &[
                ("acme.libs/libx-1a2b.txt", b""),
                ("acme-1.0.dist-info/sboms/x.json", sbom.as_bytes()),
            ],
            WHEEL,
        );
        let found = audited(NAME, &bytes);
        assert_eq!(found.len(), broken, "{sbom}: {found:?}");
        assert!(
            found
                .iter()
                .all(|line| line.starts_with("sbom has 1 broken SBOM: "))
        );
    }
    let found = audited(NAME, &wheel_of(&[("acme.libs/libx-1a2b.txt", b"")], WHEEL));
    assert_eq!(
        found,
        ["sbom bundles 1 library and has no SBOM: acme.libs/libx-1a2b.txt ()"]
    );
    let xml = [("acme-1.0.dist-info/sboms/x.xml", b"<bom/>".as_slice())];
    let found = audited(NAME, &wheel_of(&xml, WHEEL));
    assert!(
        found[0].starts_with("sbom not checked: 1 SBOM is not JSON"),
        "{found:?}"
    );
}
