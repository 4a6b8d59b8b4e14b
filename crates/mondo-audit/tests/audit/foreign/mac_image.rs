//! Mach-O images of 32 and 64 bits in either byte order, as Macs with PowerPC had them. No linker of
//! today makes these, so that their bytes are put together here; `goblin` is the second reader.

use super::finding_lines;
use mondo_audit::{Arch, Binding, Format, ImageKind, Input, Policy, audit, read_image};

/// Numbers in the order and of the size of one machine.
struct Bytes {
    bytes: Vec<u8>,
    big: bool,
    wide: bool,
}

impl Bytes {
    fn word(&mut self, number: u32) {
        let mut bytes = number.to_le_bytes();
        if self.big {
            bytes.reverse();
        }
        self.bytes.extend(bytes);
    }

    /// A number of the size of an address.
    fn address(&mut self, number: u32) {
        let halves = if self.big { [0, number] } else { [number, 0] };
        if self.wide {
            halves.into_iter().for_each(|half| self.word(half));
        } else {
            self.word(number);
        }
    }

    fn name(&mut self, name: &str, size: usize) {
        let end = self.bytes.len() + size;
        self.bytes.extend(name.bytes());
        self.bytes.resize(end, 0);
    }

    /// A load command that names a library, with its version numbers.
    fn library(&mut self, command: u32, name: &str) {
        for number in [command, 24 + 32, 24, 0, 0, 0] {
            self.word(number);
        }
        self.name(name, 32);
    }
}

const CODE: u32 = 8;
const STRINGS: &str = "\0_acme_answer\0_malloc\0secret\0";

/// A library with one function, a local one and one that it takes from its system.
fn library(cpu: u32, big: bool, wide: bool) -> Vec<u8> {
    let mut out = Bytes {
        bytes: Vec::new(),
        big,
        wide,
    };
    let (header, segment, section, entry): (u32, u32, u32, u32) = if wide {
        (32, 72, 80, 16)
    } else {
        (28, 56, 68, 12)
    };
    let commands = segment + section + 2 * 56 + 24;
    let code = header + commands;
    let symbols = code + CODE;
    let strings = symbols + 3 * entry;
    let size = strings + u32::try_from(STRINGS.len()).expect("short");

    // A library of the two-level namespace.
    for number in [0xfeed_face + u32::from(wide), cpu, 0, 6, 4, commands, 0x80] {
        out.word(number);
    }
    if wide {
        out.word(0);
    }
    out.word(if wide { 0x19 } else { 1 });
    out.word(segment + section);
    out.name("__TEXT", 16);
    for number in [0x1000, 0x1000, 0, size] {
        out.address(number);
    }
    for number in [7, 5, 1, 0] {
        out.word(number);
    }
    out.name("__text", 16);
    out.name("__TEXT", 16);
    out.address(0x1000 + code);
    out.address(CODE);
    for number in [code, 2, 0, 0, 0x8000_0400, 0, 0] {
        out.word(number);
    }
    if wide {
        out.word(0);
    }
    out.library(0xd, "/usr/local/libacme.1.dylib");
    out.library(0xc, "/usr/lib/libSystem.B.dylib");
    for number in [2, 24, symbols, 3, strings, size - strings] {
        out.word(number);
    }
    assert_eq!(out.bytes.len(), usize::try_from(code).expect("small"));
    out.bytes.extend([0x60; CODE as usize]);
    // Name, kind, section, description, address. The first library is the one that is needed.
    for (name, kind, section, description, address) in [
        (1, 0x0f, 1, 0, 0x1000 + code),
        (14, 0x01, 0, 0x0100_u16, 0),
        (22, 0x0e, 1, 0, 0x1000 + code + 4),
    ] {
        out.word(name);
        out.bytes.extend([kind, section]);
        let mut bytes = description.to_le_bytes();
        if big {
            bytes.reverse();
        }
        out.bytes.extend(bytes);
        out.address(address);
    }
    out.bytes.extend(STRINGS.bytes());
    out.bytes
}

#[test]
fn images_of_all_word_sizes_and_byte_orders_are_read() {
    for (cpu, arch, big, wide) in [
        (7, Arch::X86, false, false),
        (18, Arch::PowerPc, true, false),
        (0x0100_0007, Arch::X86_64, false, true),
        (0x0100_0012, Arch::PowerPc64, true, true),
    ] {
        let bytes = library(cpu, big, wide);
        let facts = read_image("libacme.1.dylib", &bytes).expect("readable");
        assert_eq!(
            (facts.format, facts.kind, facts.arch, facts.bits),
            (
                Format::MachO,
                ImageKind::SharedLibrary,
                arch,
                if wide { 64 } else { 32 }
            )
        );
        assert_eq!(facts.big_endian, big);
        assert_eq!(facts.soname, Some("/usr/local/libacme.1.dylib"));
        assert_eq!(facts.needed, ["/usr/lib/libSystem.B.dylib"]);
        let exports: Vec<(&str, Binding, u64)> = facts
            .exports
            .iter()
            .map(|export| (&*export.name, export.binding, export.address))
            .collect();
        let code = if wide { 32 + 288 } else { 28 + 260 };
        assert_eq!(
            exports,
            [("acme_answer", Binding::Global, code)],
            "{arch:?}"
        );
        assert_eq!(facts.imports[0].name, "malloc");
        assert_eq!(facts.imports[0].library, Some("/usr/lib/libSystem.B.dylib"));
        assert!(facts.symbols.iter().any(|symbol| symbol.name == b"secret"));
        assert_eq!(facts.sections[0].name, "__text");
        assert_eq!(facts.unseen, [""; 0]);

        let other = goblin::mach::MachO::parse(&bytes, 0).expect("readable");
        assert_eq!((other.is_64, other.little_endian), (wide, !big));
        assert_eq!(other.name, facts.soname);
        let input = Input {
            name: "libacme.1.dylib",
            bytes: &bytes,
        };
        let audit = audit(&[input], &Policy::default()).expect("readable");
        let silent = "info minimum-versions libacme.1.dylib: does not say which macOS it needs: no \
                      LC_BUILD_VERSION, no LC_VERSION_MIN";
        assert!(
            finding_lines(&audit).contains(&silent.to_owned()),
            "{:#?}",
            finding_lines(&audit)
        );
    }
}

#[test]
fn what_upx_has_packed_is_reported() {
    let mut bytes = library(0x0100_0007, false, true);
    let code = 32 + 288;
    bytes[code..code + 8].copy_from_slice(b"\0\0\0\0UPX!");
    let facts = read_image("libacme.1.dylib", &bytes).expect("readable");
    assert!(
        facts
            .unseen
            .iter()
            .any(|what| what.contains("packed by UPX")),
        "{:?}",
        facts.unseen
    );
}
