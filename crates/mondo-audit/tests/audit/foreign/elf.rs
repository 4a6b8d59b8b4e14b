//! ELF of either word size and either byte order, linked for machines that few have.

use mondo_audit::{Arch, Format, ImageKind, read_image};
use object::{Architecture, BinaryFormat, Endianness};

use super::{Bench, function, local_data, object};

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
    }
}
