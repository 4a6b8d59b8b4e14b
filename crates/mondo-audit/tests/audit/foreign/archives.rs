//! Static archives in each form: what they hold is read as one.

use mondo_audit::{Arch, Format, ImageKind, Input, Policy, ReadError, archive, audit, read_image};
use object::{Architecture, BinaryFormat, Endianness};

use super::{Bench, Def, finding_lines, function, object};

fn elf(defs: &[Def], lacks: &[&str]) -> Vec<u8> {
    let little = Endianness::Little;
    object(BinaryFormat::Elf, Architecture::X86_64, little, defs, lacks)
}

fn bench() -> Bench {
    let bench = Bench::new();
    let first = elf(&[function("acme_first")], &["acme_second", "acme_far"]);
    bench.put("a_member_with_quite_a_long_name.o", first);
    bench.put("b.o", elf(&[function("acme_second")], &["acme_far"]));
    bench
}

const MEMBERS: [&str; 2] = ["a_member_with_quite_a_long_name.o", "b.o"];

fn assert_facts(bytes: &[u8], format: Format) {
    let facts = read_image("x.a", bytes).expect("readable");
    assert_eq!(
        (facts.kind, facts.format, facts.arch),
        (ImageKind::Archive, format, Arch::X86_64)
    );
    let exports: Vec<&str> = facts.exports.iter().map(|export| &*export.name).collect();
    let imports: Vec<&str> = facts.imports.iter().map(|import| import.name).collect();
    assert_eq!(exports, ["acme_first", "acme_second"]);
    assert_eq!(imports, ["acme_far"], "what no member defines");
    let members: Vec<&str> = facts.sections.iter().map(|section| section.name).collect();
    assert_eq!(members, MEMBERS);
}

#[test]
fn gnu_archives_are_read_as_one() {
    let bench = bench();
    bench.run("ar", &["rcsD", "x.a", MEMBERS[0], MEMBERS[1]]);
    assert_facts(&bench.get("x.a"), Format::Elf);
}

/// An archive as BSD's and Apple's `ar` write it: long names stand before the contents, the index is
/// a member like others.
fn bsd_archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = b"!<arch>\n".to_vec();
    let index = ("__.SYMDEF SORTED", &[0_u8; 8][..]);
    for (name, bytes) in std::iter::once(&index).chain(members) {
        let name_size = (name.len() + 1).next_multiple_of(8);
        let size = name_size + bytes.len();
        let header = format!(
            "#1/{name_size:<13}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n",
            0, 0, 0, 644
        );
        assert_eq!(header.len(), 60);
        file.extend_from_slice(header.as_bytes());
        let start = file.len();
        file.extend_from_slice(name.as_bytes());
        file.resize(start + name_size, 0);
        file.extend_from_slice(bytes);
        if file.len() % 2 == 1 {
            file.push(b'\n');
        }
    }
    file
}

#[test]
fn bsd_archives_are_read_as_one() {
    let compile = |defs: &[Def], lacks: &[&str]| {
        let little = Endianness::Little;
        object(
            BinaryFormat::MachO,
            Architecture::X86_64,
            little,
            defs,
            lacks,
        )
    };
    let first = compile(&[function("acme_first")], &["acme_second", "acme_far"]);
    let second = compile(&[function("acme_second")], &["acme_far"]);
    let bytes = bsd_archive(&[(MEMBERS[0], &first), (MEMBERS[1], &second)]);
    assert_facts(&bytes, Format::MachO);
}

#[test]
fn thin_archives_give_the_paths_of_their_members() {
    let bench = bench();
    bench.run("ar", &["rcsTD", "x.a", MEMBERS[0], MEMBERS[1]]);
    let bytes = bench.get("x.a");
    assert_eq!(
        archive::thin_members("x.a", &bytes),
        Ok(Some(MEMBERS.to_vec()))
    );
    assert!(matches!(
        read_image("x.a", &bytes),
        Err(ReadError::ThinArchive { .. })
    ));
    assert_eq!(archive::thin_members("x.a", b"!<arch>\n"), Ok(None));
}

#[test]
fn what_cannot_be_read_is_reported() {
    let bench = bench();
    bench.put("c.o", b"BC\xc0\xde rest");
    let little = Endianness::Little;
    let other = object(
        BinaryFormat::Elf,
        Architecture::I386,
        little,
        &[function("x")],
        &[],
    );
    bench.put("d.o", other);
    bench.run("ar", &["rcsD", "x.a", MEMBERS[0], "c.o", "d.o"]);
    let bytes = bench.get("x.a");
    let input = Input {
        name: "x.a",
        bytes: &bytes,
    };
    let audit = audit(&[input], &Policy::default()).expect("readable");
    assert_eq!(
        finding_lines(&audit),
        ["info format x.a: some parts of it could not be read"]
    );
    let details: Vec<&str> = audit.findings[0]
        .details
        .iter()
        .map(|detail| detail.name.as_str())
        .collect();
    assert_eq!(
        details,
        [
            "member c.o: it is LLVM bitcode, made for link-time optimization",
            "member d.o: it is for another machine than the first member"
        ]
    );
}

#[test]
fn a_broken_member_is_named_with_its_place() {
    let bench = bench();
    let mut broken = bench.get("b.o");
    // The header puts the section headers far beyond the end.
    broken[0x28..0x30].copy_from_slice(&0x00ff_ffff_u64.to_le_bytes());
    bench.put("b.o", broken);
    bench.run("ar", &["rcSD", "x.a", MEMBERS[0], MEMBERS[1]]);
    let bytes = bench.get("x.a");
    let error = read_image("x.a", &bytes).expect_err("broken").to_string();
    assert!(
        error.contains("section headers, offset 16777215"),
        "{error}"
    );
    assert!(
        error.contains("of member b.o, which starts at offset"),
        "{error}"
    );
}
