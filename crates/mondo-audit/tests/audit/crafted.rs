//! Crafted files that could make a reader take much more time or memory than their size justifies: each is refused
//! quickly, or takes time in proportion to its size.

use std::time::{Duration, Instant};

use mondo_audit::{
    Input, Policy, ReadError, RuleId, archive, audit, audit_wheel, read_image, report,
};

use crate::wheel::{NAME, WHEEL, audited, wheel_of};

/// A segment: type, flags, offset, size.
pub(crate) type Segment = (u32, u32, usize, usize);

/// A section: type, name, offset, size, link, size of an entry. Its address is its offset.
pub(crate) type Place = (u32, u32, usize, usize, u32, usize);

/// A library for x86-64 of these parts, which come after its header.
pub(crate) fn elf(body: &[u8], segments: &[Segment], sections: &[Place]) -> Vec<u8> {
    let half = |number: usize| u16::try_from(number).expect("small").to_le_bytes();
    let word = |number: usize| (number as u64).to_le_bytes();
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec();
    let segments_at = 64 + body.len();
    let sections_at = segments_at + segments.len() * 56;
    file.extend(word(0));
    file.extend(word(segments_at));
    file.extend(word(if sections.is_empty() { 0 } else { sections_at }));
    file.extend([0; 4]);
    for number in [
        64,
        56,
        segments.len(),
        64,
        sections.len(),
        usize::from(sections.len() > 1),
    ] {
        file.extend(half(number));
    }
    file.extend(body);
    for &(kind, flags, offset, size) in segments {
        file.extend(kind.to_le_bytes());
        file.extend(flags.to_le_bytes());
        for number in [offset, offset, offset, size, size, 4] {
            file.extend(word(number));
        }
    }
    for &(kind, name, offset, size, link, entry) in sections {
        file.extend(name.to_le_bytes());
        file.extend(kind.to_le_bytes());
        for number in [2, offset, offset, size] {
            file.extend(word(number));
        }
        file.extend(link.to_le_bytes());
        file.extend([0; 4]);
        file.extend(word(1));
        file.extend(word(entry));
    }
    file
}

/// Reads a file that must be refused, within a time that a quadratic algorithm would exceed.
fn refused(name: &str, bytes: &[u8]) -> String {
    let start = Instant::now();
    let error = read_image(name, bytes).expect_err("crafted").to_string();
    assert!(start.elapsed() < Duration::from_secs(20), "{error}");
    error
}

#[test]
fn a_chain_of_versions_that_leads_through_the_same_bytes_again_is_refused() {
    const STRINGS: usize = 64;
    const SYMBOLS: usize = 88;
    const NUMBERS: usize = SYMBOLS + 48;
    const DYNAMIC: usize = NUMBERS + 8;
    const NEEDS: usize = DYNAMIC + 32;
    const RECORDS: usize = 60_000;
    let mut body = b"\0a".to_vec();
    body.resize(DYNAMIC - STRINGS, 0);
    for number in [6, SYMBOLS as u64, 0, 0] {
        body.extend(number.to_le_bytes());
    }
    for _ in 0..RECORDS / 2 {
        // Each library asks for as many versions as it can count, all of which are the same record.
        body.extend([1, 0, 0xff, 0xff]);
        for number in [1_u32, 16, 32] {
            body.extend(number.to_le_bytes());
        }
        body.extend([0; 6]);
        body.extend([2, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    }
    let bytes = elf(
        &body,
        &[(2, 4, DYNAMIC, 32)],
        &[
            (0, 0, 0, 0, 0, 0),
            (3, 0, STRINGS, SYMBOLS - STRINGS, 0, 0),
            (11, 0, SYMBOLS, 48, 1, 24),
            (0x6fff_ffff, 0, NUMBERS, 4, 2, 2),
            (0x6fff_fffe, 0, NEEDS, RECORDS * 16, 1, 0),
        ],
    );
    let error = refused("x.so", &bytes);
    assert!(error.contains("more records than the table"), "{error}");
}

#[test]
fn segments_of_notes_that_share_their_bytes_are_refused() {
    let body = vec![0; 12 * 80_000];
    let bytes = elf(&body, &vec![(4, 4, 64, body.len()); 10_000], &[]);
    let error = refused("x.so", &bytes);
    assert!(error.contains("more notes than"), "{error}");
}

#[test]
fn sections_that_share_one_long_name_are_refused() {
    let mut body = vec![b'a'; 1 << 20];
    body.push(0);
    let mut sections = vec![(1, 0, 64, 8, 0, 0); 30_000];
    sections[1] = (3, 0, 64, body.len(), 0, 0);
    let error = refused("x.so", &elf(&body, &[], &sections));
    assert!(error.contains("longer than the file"), "{error}");
}

#[test]
fn members_that_share_one_long_name_are_refused() {
    let header = |name: &str, size: usize| format!("{name:<16}{:<32}{size:<10}`\n", 0);
    for magic in ["!<arch>\n", "!<thin>\n"] {
        let mut file = magic.as_bytes().to_vec();
        file.extend(header("//", 1 << 20).as_bytes());
        file.extend(vec![b'a'; (1 << 20) - 2]);
        file.extend(b"/\n");
        for _ in 0..30_000 {
            file.extend(header("/0", 0).as_bytes());
        }
        let start = Instant::now();
        let error = match archive::thin_members("x.a", &file) {
            Ok(Some(_)) => panic!("read"),
            Ok(None) => archive::members("x.a", &file).expect_err("crafted"),
            Err(error) => error,
        };
        assert!(start.elapsed() < Duration::from_secs(20), "{error}");
        assert!(
            error.to_string().contains("longer than the file"),
            "{error}"
        );
    }
}

#[test]
fn sizes_of_debug_information_add_up_to_no_more_than_a_number_holds() {
    let names = b"\0.debug_info\0";
    let sections = [
        (0, 0, 0, 0, 0, 0),
        (3, 0, 64, names.len(), 0, 0),
        (7, 1, 64, usize::MAX, 0, 0),
        (7, 1, 64, usize::MAX, 0, 0),
    ];
    let bytes = elf(names, &[], &sections);
    let facts = read_image("x.so", &bytes).expect("readable");
    assert_eq!(facts.debug_info, u64::MAX);
}

#[test]
fn more_images_than_any_process_loads_are_not_set_against_each_other() {
    let bytes = elf(&[], &[], &[]);
    let names: Vec<String> = (0..5000).map(|number| format!("{number:04}.so")).collect();
    let input = |name| Input {
        name,
        bytes: &bytes,
    };
    let inputs: Vec<Input<'_>> = names.iter().map(|name| input(name)).collect();
    let start = Instant::now();
    let audit = audit(&inputs, &Policy::default()).expect("readable");
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(
        audit
            .findings
            .iter()
            .any(|finding| finding.image == "0000.so"
                && finding
                    .what
                    .starts_with("not compared with each other: 5000 images")),
        "it is reported"
    );
}

#[test]
fn what_makes_a_wheel_a_bomb_is_not_unpacked() {
    let zeros = vec![0; 64 << 20];
    let bytes = wheel_of(&[("acme/libacme.so", &zeros), ("acme/a.txt", b"x")], WHEEL);
    let found = audited(NAME, &bytes);
    let has = |start: &str| found.iter().any(|line| line.starts_with(start));
    assert!(has("zip unpacks to "), "{found:#?}");
    assert!(
        found
            .iter()
            .any(|line| line.contains("67108864 bytes, not looked into")),
        "{found:#?}"
    );
    assert!(
        has("format not audited: its name is that of a library or program"),
        "{found:#?}"
    );
}

#[test]
fn names_cannot_give_commands_to_a_terminal() {
    let name = "acme/\u{1b}[2J\npassed: 0 errors\u{202e}.so";
    let bytes = wheel_of(&[(name, b"\x7fELF\x02\x01\x01")], WHEEL);
    let audit = audit_wheel(NAME, &bytes, &Policy::default()).expect("readable");
    assert!(
        audit
            .findings
            .iter()
            .any(|finding| finding.rule == RuleId::Format)
    );
    let text = report::text(&audit);
    assert!(
        text.contains(r"acme/\u{1b}[2J\u{a}passed: 0 errors\u{202e}.so"),
        "{text}"
    );
    let acts = |char: char| char.is_control() && char != '\n' || char == '\u{202e}';
    assert!(!text.contains(acts), "{text:?}");
    let mut broken = b"!<arch>\n".to_vec();
    broken.extend(format!("{:<16}{:<32}{:<10}`\n", "\u{1b}[2J/", 0, 99).as_bytes());
    let error = archive::members("x.a", &broken).expect_err("cut short");
    assert!(matches!(error, ReadError::Malformed { .. }));
    assert!(!error.to_string().contains(char::is_control), "{error}");
}
