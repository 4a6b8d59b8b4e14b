//! The memory limit for crafted images in a wheel. Deflate makes a thousand bytes of one, so an image of a few kilobytes
//! can have millions of symbols, commands, nodes or members. Reading takes memory in proportion to the wheel's size on
//! disk, besides the buffers for its largest image.

#[path = "../../fuzz/src/memory.rs"]
pub mod memory;
mod tables;

use std::io::Write as _;
use std::time::{Duration, Instant};

use mondo_audit::{Audit, Policy, RuleId, audit_wheel, report};

const NAME: &str = "acme-1-py3-none-any.whl";

/// The unpacked size of an image: a larger one makes a small wheel a zip bomb.
const UNPACKED: usize = 60 << 20;

/// Bytes of memory for each byte of a wheel with one image, and of a wheel with many small ones.
const TIMES: usize = 96;
const TIMES_IMAGES: usize = 8;

/// Memory for any wheel, and for the findings about as many images as are read.
const BASE: usize = 2 << 20;
const BASE_IMAGES: usize = 32 << 20;

/// Far more than an audit of these files takes on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);

/// Files of a wheel, by name.
type Files = Vec<(String, Vec<u8>)>;

fn wheel(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_level(Some(9));
    for (name, bytes) in files {
        writer.start_file(name.as_str(), options).expect("an entry");
        writer.write_all(bytes).expect("memory");
    }
    writer
        .start_file("acme-1.dist-info/RECORD", options)
        .expect("an entry");
    writer.finish().expect("memory").into_inner()
}

/// Audits a wheel and writes every report, within the limits.
fn audited(case: &str, largest: usize, bytes: &[u8], (times, base): (usize, usize)) -> Audit {
    let start = Instant::now();
    let (audit, peak) = memory::peak(|| {
        let audit = audit_wheel(NAME, bytes, &Policy::default()).expect("readable");
        let _ = report::text(&audit);
        serde_json::to_string(&audit).expect("an audit is JSON");
        let _ = report::sarif(std::slice::from_ref(&audit));
        audit
    });
    let taken = start.elapsed();
    let size = bytes.len();
    println!("{case}: {size} bytes, {peak} bytes of memory, {taken:?}");
    let most = largest + times * size + base;
    assert!(peak <= most, "{case}: {peak} bytes of memory for {size}");
    assert!(taken < LONGEST, "{case}: {taken:?}");
    audit
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// An ELF library with a table of symbols of this section type, whose names are all `name`. Every symbol is defined and
/// global.
fn elf(kind: u32, name: &str) -> Vec<u8> {
    let strings = format!("\0{name}\0");
    let (segments, sections, dynamic) = (64, 64 + 2 * 56, 64 + 2 * 56 + 3 * 64);
    let strings_at = dynamic + 4 * 16;
    let symbols_at = (strings_at + strings.len()).next_multiple_of(8);
    let count = (UNPACKED - symbols_at) / 24 - 1;
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec();
    let long = |file: &mut Vec<u8>, values: &[usize]| {
        for &value in values {
            file.extend((value as u64).to_le_bytes());
        }
    };
    long(&mut file, &[0, segments, sections]);
    file.extend([0, 0, 0, 0, 64, 0, 56, 0, 2, 0, 64, 0, 3, 0, 1, 0]);
    for (kind, at, size) in [(1, 0, UNPACKED), (2, dynamic, 4 * 16)] {
        file.extend(words(&[kind, 4]));
        long(&mut file, &[at, at, at, size, size, 8]);
    }
    for (kind, at, size, link, entry) in [
        (0, 0, 0, 0, 0),
        (3, strings_at, strings.len(), 0, 0),
        (kind, symbols_at, (count + 1) * 24, 1, 24),
    ] {
        file.extend(words(&[0, kind]));
        long(&mut file, &[2, at, at, size]);
        file.extend(words(&[link, 1]));
        long(&mut file, &[8, entry]);
    }
    let table = if kind == 11 { symbols_at } else { 0 };
    let entries = [[5, strings_at], [10, strings.len()], [6, table], [0, 0]];
    let kept = entries
        .iter()
        .filter(|entry| entry[0] != 6 || entry[1] != 0);
    kept.for_each(|entry| long(&mut file, entry));
    file.resize(strings_at, 0);
    file.extend(strings.as_bytes());
    file.resize(symbols_at + 24, 0);
    for _ in 0..count {
        file.extend([1, 0, 0, 0, 0x11, 0, 1, 0]);
        file.extend([8, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]);
    }
    file.resize(UNPACKED, 0);
    file
}

/// A Mach-O library for arm64 of these load commands, which are repeated, and the bytes after them.
fn macho(command: &[u8], times: usize, rest: &[u8]) -> Vec<u8> {
    let count = u32::try_from(times).expect("small");
    let size = u32::try_from(command.len() * times).expect("small");
    let mut file = words(&[0xfeed_facf, 0x0100_000c, 0, 6, count, size, 0x80, 0]);
    file.extend(command.repeat(times));
    file.extend(rest);
    file
}

/// A library whose trie of exports is a chain of branches with `width` leaves each, all with names of one letter.
fn macho_trie() -> Vec<u8> {
    // A leaf: two bytes of data, flags and address; no children.
    let leaves = 200_u32;
    let mut trie: Vec<u8> = Vec::new();
    // The offsets of nodes are written with four bytes, so that every node's place is known.
    let number = |value: usize| {
        [
            (value & 0x7f) as u8 | 0x80,
            ((value >> 7) & 0x7f) as u8 | 0x80,
            ((value >> 14) & 0x7f) as u8 | 0x80,
            ((value >> 21) & 0x7f) as u8,
        ]
    };
    let edge = 6;
    let branch = 2 + (leaves as usize + 1) * edge;
    let leaf = 4;
    let step = branch + leaves as usize * leaf;
    let steps = (8 << 20) / step;
    for at in 0..steps {
        let start = at * step;
        trie.extend([0, (leaves + 1) as u8]);
        for one in 0..leaves as usize {
            trie.extend([b'a', 0]);
            trie.extend(number(start + branch + one * leaf));
        }
        trie.extend([b'b', 0]);
        trie.extend(number(start + step));
        trie.extend([2, 0, 8, 0].repeat(leaves as usize));
    }
    trie.extend([0, 0]);
    let size = u32::try_from(trie.len()).expect("small");
    macho(&words(&[0x8000_0033, 16, 48, size]), 1, &trie)
}

/// A PE library for x86-64 with one section, at whose start these bytes are. `directory` has an address in it.
fn pe(directory: usize, body: &[u8]) -> Vec<u8> {
    let mut file = b"MZ".to_vec();
    file.resize(0x3c, 0);
    file.extend(words(&[0x40]));
    file.extend(b"PE\0\0\x64\x86\x01\0");
    file.extend([0; 12]);
    file.extend([240, 0, 0x22, 0x20, 0x0b, 2]);
    file.resize(0x58 + 240, 0);
    let optional = 0x58;
    file[optional + 108] = 16;
    let entry = optional + 112 + directory * 8;
    file[entry..entry + 4].copy_from_slice(&0x1000_u32.to_le_bytes());
    let size = u32::try_from(body.len()).expect("small");
    file[entry + 4..entry + 8].copy_from_slice(&size.to_le_bytes());
    file.extend(b".rdata\0\0");
    file.extend(words(&[size, 0x1000, size, 512, 0, 0, 0, 0x4000_0040]));
    file.resize(512, 0);
    file.extend(body);
    file
}

/// Imports of one library by number.
fn pe_imports() -> Vec<u8> {
    let mut body = words(&[0x1000 + 64, 0, 0, 0x1000 + 48, 0x1000 + 64]);
    body.resize(48, 0);
    body.extend(b"a.dll\0");
    body.resize(64, 0);
    let count = (UNPACKED - body.len()) / 8 - 1;
    body.extend([1, 0, 0, 0, 0, 0, 0, 0x80].repeat(count));
    body.extend([0; 8]);
    pe(1, &body)
}

/// Exports that all have the same name and address.
fn pe_exports() -> Vec<u8> {
    let count = (UNPACKED - 64) / 6;
    let number = u32::try_from(count).expect("small");
    let (names, ordinals) = (0x1000 + 64, 0x1000 + 64 + 4 * number);
    let address = 0x1000 + 48;
    let mut body = words(&[0, 0, 0, address, 1, 1, number, address + 8, names, ordinals]);
    body.resize(48, 0);
    body.extend(b"a\0\0\0\0\0\0\0\x30\x10\0\0\0\0\0\0");
    body.extend(words(&[address]).repeat(count));
    body.extend([0, 0].repeat(count));
    pe(0, &body)
}

fn member(name: &str, bytes: &[u8]) -> Vec<u8> {
    let size = bytes.len();
    let mut member =
        format!("{name:<16}0           0     0     644     {size:<10}`\n").into_bytes();
    member.extend(bytes);
    member.resize(member.len().next_multiple_of(2), 0);
    member
}

fn archive(members: &[u8], times: usize) -> Vec<u8> {
    let mut file = b"!<arch>\n".to_vec();
    file.extend(members.repeat(times));
    file
}

/// A universal file of as many slices as are allowed, each a library of the most load commands.
fn universal() -> Vec<u8> {
    let slices = 32_usize;
    let size = UNPACKED / slices - 64;
    let image = macho(&words(&[0x8000_00ff, 8]), (size - 32) / 8, &[]);
    let word = |value: usize| u32::try_from(value).expect("small").to_be_bytes();
    let mut file = vec![0xca, 0xfe, 0xba, 0xbe];
    file.extend(word(slices));
    let start = 4096;
    for at in 0..slices {
        for value in [0x0100_000c, at, start + at * image.len(), image.len(), 0] {
            file.extend(word(value));
        }
    }
    file.resize(start, 0);
    file.extend(image.repeat(slices));
    file
}

/// Of one test, because the allocator counts for the whole process.
#[test]
fn crafted_images_take_memory_in_proportion_to_the_wheel() {
    // The memory that threads and tables take once does not count.
    audit_wheel(NAME, &wheel(&[]), &Policy::default()).expect("readable");

    let object = [
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0\x3e\0\x01\0\0\0".as_slice(),
        &[0; 40],
    ]
    .concat();
    let long_name = "a".repeat(4 << 20);
    let commands = UNPACKED / 8 - 4;
    let rpath = [words(&[0x8000_001c, 16, 12]), b"/a\0\0".to_vec()].concat();
    let mut images: Vec<(&str, &str, Vec<u8>)> = vec![
        ("symbols", "a.so", elf(2, "a")),
        ("statics", "a.so", elf(2, "_ZL11FirstTarget")),
        ("dynamic symbols", "a.so", elf(11, "a")),
        ("long names", "a.so", elf(11, &long_name)),
        (
            "unknown load commands",
            "a.dylib",
            macho(&words(&[0x8000_00ff, 8]), commands, &[]),
        ),
        (
            "search paths",
            "a.dylib",
            macho(&rpath, UNPACKED / 16 - 2, &[]),
        ),
        ("a trie", "a.dylib", macho_trie()),
        ("imports by number", "a.dll", pe_imports()),
        ("exports of a DLL", "a.dll", pe_exports()),
        (
            "members",
            "a.a",
            archive(&member("a.o/", &object), UNPACKED / 124),
        ),
        (
            "empty members",
            "a.a",
            archive(&member("a.o/", &[]), UNPACKED / 60),
        ),
        (
            "a member with a long name",
            "a.a",
            archive(&member(&format!("#1/{}", 4 << 20), &[b'a'; 4 << 20]), 14),
        ),
        ("a universal file", "a.dylib", universal()),
        (
            "members with symbols",
            "a.a",
            archive(&member("a/", &tables::object(250)), 8000),
        ),
    ];
    images.extend(tables::images());
    let one = |(case, name, image)| (case, vec![(format!("acme/{name}"), image)]);
    let mut cases: Vec<(&str, Files)> = images.into_iter().map(one).collect();
    let small = tables::object(1600);
    let small = (0..1000).map(|number| (format!("acme/{number}.o"), small.clone()));
    cases.push(("small objects", small.collect()));
    let mut unlimited = Vec::new();
    for (case, files) in cases {
        let largest = files.iter().map(|(_, image)| image.len()).max();
        let bytes = wheel(&files);
        let audit = audited(case, largest.unwrap_or_default(), &bytes, (TIMES, BASE));
        // An input that is refused for another reason would prove nothing.
        let limited = |what: &str| {
            ["honestly", "longer than the file"]
                .iter()
                .any(|words| what.contains(words))
        };
        let mut findings = audit.findings.iter();
        if !findings.any(|one| one.rule == RuleId::Format && limited(&one.what)) {
            unlimited.push(case);
        }
    }
    assert!(
        unlimited.is_empty(),
        "read without limit, or refused for another reason: {unlimited:?}"
    );

    // Each image has facts and findings, so their number is limited too.
    let tiny = elf_header();
    let files: Files = (0..40_000)
        .map(|number| (format!("{number}.so"), tiny.clone()))
        .collect();
    let bytes = wheel(&files);
    let audit = audited(
        "many images",
        tiny.len(),
        &bytes,
        (TIMES_IMAGES, BASE_IMAGES),
    );
    let mut findings = audit.findings.iter();
    assert!(findings.any(|finding| finding.rule == RuleId::Format
        && finding.what.contains("not audited: a wheel has at most")));
}

/// The smallest library: a header and a segment.
fn elf_header() -> Vec<u8> {
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec();
    for value in [0_u64, 64, 0] {
        file.extend(value.to_le_bytes());
    }
    file.extend([0, 0, 0, 0, 64, 0, 56, 0, 1, 0, 64, 0, 0, 0, 0, 0]);
    file.extend(words(&[1, 4]));
    file.resize(120, 0);
    file
}
