//! ELF images of either word size and either byte order, linked for machines on which the tests cannot run.

use mondo_audit::{Arch, Facts, Format, ImageKind, Input, Load, bindings, read_image};
use object::{Architecture, BinaryFormat, Endianness};

use super::{Bench, function, local_data, object};
use crate::linked;

#[test]
fn libraries_of_all_word_sizes_and_byte_orders_are_read() {
    let big = Endianness::Big;
    let little = Endianness::Little;
    for (architecture, endian, emulation, arch, bits) in [
        (Architecture::S390x, big, "elf64_s390", Arch::S390x, 64),
        (Architecture::PowerPc, big, "elf32ppc", Arch::PowerPc, 32),
        (Architecture::I386, little, "elf_i386", Arch::X86, 32),
        (
            Architecture::Aarch64,
            little,
            "aarch64elf",
            Arch::Aarch64,
            64,
        ),
        (Architecture::Arm, little, "armelf", Arch::Arm, 32),
        (
            Architecture::Riscv64,
            little,
            "elf64lriscv",
            Arch::Riscv64,
            64,
        ),
    ] {
        let bench = Bench::new();
        let defs = [function("acme_answer"), local_data("secret")];
        let bytes = object(
            BinaryFormat::Elf,
            architecture,
            endian,
            &defs,
            &["acme_far"],
        );
        let facts = read_image("a.o", &bytes).expect("a readable object");
        assert_eq!(facts.kind, ImageKind::Object);
        assert_eq!(facts.exports[0].name, "acme_answer");
        assert_eq!(facts.imports[0].name, "acme_far");

        bench.put("a.o", &bytes);
        bench.put("a.map", "ACME_1 { global: acme_*; local: *; };");
        bench.link(
            "ld.lld",
            &[
                "-shared",
                "-m",
                emulation,
                "a.o",
                "-soname",
                "libacme.so.1",
                "-rpath",
                "$ORIGIN",
                "--version-script=a.map",
                "-z",
                "now",
                "-Bsymbolic",
                "--build-id",
                "-o",
                "libacme.so",
            ],
        );
        let bytes = bench.get("libacme.so");
        let facts = read_image("libacme.so", &bytes).expect("a readable library");
        assert_eq!(
            (
                facts.format,
                facts.kind,
                facts.arch,
                facts.bits,
                facts.big_endian
            ),
            (
                Format::Elf,
                ImageKind::SharedLibrary,
                arch,
                bits,
                endian == big
            ),
            "{architecture:?}"
        );
        assert_eq!(facts.soname, Some("libacme.so.1"));
        assert_eq!(facts.runpath, ["$ORIGIN"]);
        assert!(facts.bind_now && facts.symbolic && facts.build_id.is_some());
        assert_eq!(facts.exports[0].name, "acme_answer");
        assert_eq!(facts.exports[0].version, Some("ACME_1"));
        assert_eq!(facts.imports[0].name, "acme_far");
        assert!(facts.symbols.iter().any(|symbol| symbol.name == b"secret"));
        let other = goblin::elf::Elf::parse(&bytes).expect("readable");
        assert_eq!(other.little_endian, endian == little);
        assert_eq!(facts.symbols.len() + 1, other.syms.len());
        assert_all_of_it_is_seen_without_section_headers(&bytes, bits, endian);
    }
}

/// As `sstrip` leaves a library: the loader, which goes by the program headers, sees no difference.
fn assert_all_of_it_is_seen_without_section_headers(bytes: &[u8], bits: u8, endian: Endianness) {
    let whole = read_image("libacme.so", bytes).expect("readable");
    let (place, count) = if bits == 64 {
        (0x28..0x30, 0x3c)
    } else {
        (0x20..0x24, 0x30)
    };
    let mut bare = bytes.to_vec();
    bare[place].fill(0);
    bare[count..count + 4].fill(0);
    let facts = read_image("libacme.so", &bare).expect("readable");
    let exports = |facts: &Facts<'_>| -> Vec<String> {
        let all = facts.exports.iter();
        all.map(|export| format!("{}@{:?} {:#x}", export.name, export.version, export.address))
            .collect()
    };
    assert_eq!(exports(&facts), exports(&whole), "{endian:?}");
    assert_eq!(
        format!("{:?}", facts.imports),
        format!("{:?}", whole.imports)
    );
    assert_eq!(facts.version_nodes, whole.version_nodes);
    assert_eq!((facts.needed, facts.soname), (whole.needed, whole.soname));
    assert_eq!(facts.build_id, whole.build_id);
    assert!(facts.stripped && facts.symbols.is_empty());
    assert!(
        facts
            .unseen
            .iter()
            .any(|what| what.contains("no section headers")),
        "{:?}",
        facts.unseen
    );
    assert!(
        facts
            .sections
            .iter()
            .all(|section| section.name.starts_with("PT_LOAD"))
    );
}

#[test]
fn versions_and_bindings_are_seen_without_section_headers() {
    let case = linked::link(&linked::fixtures().join("minimum_versions"));
    let bytes = fs_err::read(&case.images[0]).expect("the image");
    let mut bare = bytes.clone();
    bare[0x28..0x30].fill(0);
    bare[0x3c..0x40].fill(0);
    let needs = |bytes: &[u8]| {
        format!(
            "{:?}",
            read_image("x.so", bytes).expect("readable").version_needs
        )
    };
    assert!(needs(&bytes).contains("GLIBC_2"), "{}", needs(&bytes));
    assert_eq!(needs(&bare), needs(&bytes));
    let load = Load {
        image: "x.so".to_owned(),
        global: false,
    };
    let bound = |bytes: &[u8]| {
        let input = Input {
            name: "x.so",
            bytes,
        };
        bindings(&[input], std::slice::from_ref(&load)).expect("readable")
    };
    assert!(!bound(&bytes).is_empty());
    assert_eq!(bound(&bare), bound(&bytes));
    // Without a number of symbols, the reader must report the part as unread, and not count it as clean.
    let mut unknown = bare;
    let number = |bytes: &[u8], at: usize| {
        let number = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        usize::try_from(number).expect("small")
    };
    let dynamic = (0..usize::from(unknown[0x38]))
        .map(|index| 64 + index * 56)
        .find(|&at| unknown[at] == 2)
        .expect("a dynamic segment");
    let start = number(&unknown, dynamic + 8);
    for at in (start..start + number(&unknown, dynamic + 32)).step_by(16) {
        if [4, 0x6fff_fef5].contains(&number(&unknown, at)) {
            unknown[at..at + 8].copy_from_slice(&0x6000_0fff_u64.to_le_bytes());
        }
    }
    let facts = read_image("x.so", &unknown).expect("readable");
    assert!(facts.exports.is_empty());
    assert!(
        facts
            .unseen
            .iter()
            .any(|what| what.contains("no hash table")),
        "{:?}",
        facts.unseen
    );
}

#[test]
fn what_is_packed_or_of_an_unknown_type_is_reported() {
    let case = linked::link(&linked::fixtures().join("clean"));
    let bytes = fs_err::read(&case.images[0]).expect("the image");
    let unseen = |bytes: &[u8]| read_image("x.so", bytes).expect("readable").unseen;
    assert_eq!(unseen(&bytes), [""; 0]);
    let headers = u64::from_le_bytes(bytes[0x28..0x30].try_into().expect("8 bytes"));
    let headers = usize::try_from(headers).expect("small");
    let mut unknown = bytes.clone();
    // The first section after none, whatever it is: a note, which no table needs.
    unknown[headers + 64 + 4..headers + 64 + 8].copy_from_slice(&0x6123_4567_u32.to_le_bytes());
    let found = unseen(&unknown);
    assert!(
        found.len() == 1 && found[0].ends_with("of the unknown type 0x61234567"),
        "{found:?}"
    );
    // The segment of code, with nothing of it in the file.
    let mut empty = bytes;
    let count = usize::from(empty[0x38]);
    let code = (0..count)
        .map(|index| 64 + index * 56)
        .find(|&at| empty[at] == 1 && empty[at + 4] & 1 != 0)
        .expect("a segment of code");
    empty[code + 32..code + 40].fill(0);
    let found = unseen(&empty);
    assert!(
        found
            .iter()
            .any(|what| what.contains("written when it is loaded")),
        "{found:?}"
    );
}
