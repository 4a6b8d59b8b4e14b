//! Images whose tables claim a million entries, all of zeros. Each unpacks to less than the 64 MiB from which on a wheel
//! counts as a zip bomb.

/// Entries of the large tables.
const MANY: usize = 2_500_000;

/// Files of a wheel, by name.
type Files = Vec<(String, Vec<u8>)>;

/// The wheels, each with its attack.
pub(crate) fn cases() -> Vec<(&'static str, Files)> {
    let one = |name: &str, bytes: Vec<u8>| vec![(name.to_owned(), bytes)];
    let small = elf(1, 1600, 0x10);
    let small = (0..1000).map(|number| (format!("acme/{number}.o"), small.clone()));
    vec![
        ("ELF symbols", one("acme/a.so", elf(3, MANY, 0))),
        ("ELF sections", one("acme/a.so", elf_sections(60_000))),
        ("small ELF objects", small.collect()),
        ("Mach-O symbols", one("acme/a.dylib", macho(MANY))),
        ("Mach-O commands", one("acme/a.dylib", macho_commands(MANY))),
        (
            "Mach-O universal",
            one("acme/a.dylib", universal(32, MANY / 32)),
        ),
        ("COFF symbols", one("acme/a.obj", coff(MANY))),
        ("PE ordinals", one("acme/a.dll", pe(MANY))),
        ("archive members", one("acme/a.a", archive(MANY / 4, &[]))),
        (
            "archive of objects",
            one("acme/a.a", archive(8000, &elf(1, 250, 0x10))),
        ),
    ]
}

/// Little-endian fields of 1, 2, 4 or 8 bytes.
fn fields(fields: &[(u64, usize)]) -> Vec<u8> {
    let bytes = fields.iter();
    bytes
        .flat_map(|(value, size)| value.to_le_bytes()[..*size].to_vec())
        .collect()
}

fn elf_header(kind: u64, sections_at: usize, sections: usize, names: u64) -> Vec<u8> {
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    file.extend(fields(&[
        (kind, 2),
        (62, 2),
        (1, 4),
        (0, 8),
        (0, 8),
        (sections_at as u64, 8),
        (0, 4),
        (64, 2),
        (56, 2),
        (0, 2),
        (64, 2),
        (sections as u64, 2),
        (names, 2),
    ]));
    file
}

fn elf_section(kind: u64, start: usize, size: usize, link: u64, entry: u64) -> Vec<u8> {
    let (start, size) = (start as u64, size as u64);
    fields(&[
        (0, 4),
        (kind, 4),
        (0, 8),
        (0, 8),
        (start, 8),
        (size, 8),
        (link, 4),
        (0, 4),
        (1, 8),
        (entry, 8),
    ])
}

/// An image with a symbol table; `info` is the binding and type of its symbols, which are absolute.
fn elf(kind: u64, symbols: usize, info: u64) -> Vec<u8> {
    let table = 24 * symbols;
    let mut file = elf_header(kind, 64 + table + 8, 3, 2);
    let symbol = fields(&[(0, 4), (info, 1), (0, 1), (0xfff1, 2), (0, 8), (0, 8)]);
    file.extend(symbol.repeat(symbols));
    file.extend([0; 8]);
    file.extend(elf_section(0, 0, 0, 0, 0));
    file.extend(elf_section(2, 64, table, 2, 24));
    file.extend(elf_section(3, 64 + table, 8, 0, 0));
    file
}

fn elf_sections(sections: usize) -> Vec<u8> {
    let mut file = elf_header(3, 72, sections, 1);
    file.extend([0; 8]);
    file.extend(elf_section(0, 0, 0, 0, 0));
    file.extend(elf_section(3, 64, 8, 0, 0));
    file.extend(elf_section(1, 0, 0, 0, 0).repeat(sections - 2));
    file
}

fn macho_header(kind: u64, commands: usize, size: usize) -> Vec<u8> {
    let (commands, size) = (commands as u64, size as u64);
    fields(&[
        (0xfeed_facf, 4),
        (0x0100_0007, 4),
        (3, 4),
        (kind, 4),
        (commands, 4),
        (size, 4),
        (0, 4),
        (0, 4),
    ])
}

/// An object with undefined symbols.
fn macho(symbols: usize) -> Vec<u8> {
    let mut file = macho_header(1, 1, 24);
    let strings = 56 + 16 * symbols;
    file.extend(fields(&[
        (2, 4),
        (24, 4),
        (56, 4),
        (symbols as u64, 4),
        (strings as u64, 4),
        (8, 4),
    ]));
    file.extend(fields(&[(0, 4), (1, 1), (0, 3), (0, 8)]).repeat(symbols));
    file.extend([0; 8]);
    file
}

/// A library that asks for a library again and again.
fn macho_commands(commands: usize) -> Vec<u8> {
    let commands = commands / 2;
    let mut file = macho_header(6, commands, 32 * commands);
    let command = fields(&[(12, 4), (32, 4), (24, 4), (0, 4), (0, 4), (0, 4), (0x61, 8)]);
    file.extend(command.repeat(commands));
    file
}

/// A universal file of objects.
fn universal(images: usize, symbols: usize) -> Vec<u8> {
    let mut file = vec![0xca, 0xfe, 0xba, 0xbe];
    file.extend((images as u32).to_be_bytes());
    let image = macho(symbols);
    let size = image.len() as u32;
    for number in 0..images as u32 {
        for field in [0x0100_0007, 3, 4096 + number * size, size, 0] {
            file.extend(u32::to_be_bytes(field));
        }
    }
    file.resize(4096, 0);
    file.extend(image.repeat(images));
    file
}

/// An object with undefined symbols.
fn coff(symbols: usize) -> Vec<u8> {
    let mut file = fields(&[
        (0x8664, 2),
        (0, 2),
        (0, 4),
        (20, 4),
        (symbols as u64, 4),
        (0, 2),
        (0, 2),
    ]);
    let name = fields(&[(0x61, 8)]);
    let symbol = [name, fields(&[(0, 4), (0, 2), (0, 2), (2, 1), (0, 1)])].concat();
    file.extend(symbol.repeat(symbols));
    file.extend(4_u32.to_le_bytes());
    file
}

/// A library that imports the same number again and again.
fn pe(imports: usize) -> Vec<u8> {
    let (start, address) = (0x400, 0x1000_u64);
    let size = 0x60 + 8 * imports + 16;
    let mut file = b"MZ".to_vec();
    file.resize(0x3c, 0);
    file.extend(0x40_u32.to_le_bytes());
    file.extend(b"PE\0\0");
    // The file header: a DLL with one section.
    file.extend(fields(&[
        (0x8664, 2),
        (1, 2),
        (0, 4),
        (0, 4),
        (0, 4),
        (240, 2),
        (0x2022, 2),
    ]));
    let optional = file.len();
    file.extend(fields(&[
        (0x20b, 2),
        (0, 2),
        (0, 4),
        (0, 4),
        (0, 4),
        (0, 4),
        (0, 4),
    ]));
    file.extend(fields(&[(0x1_8000_0000, 8), (0x1000, 4), (0x200, 4)]));
    // Versions, sizes, characteristics, stack and heap, and the number of directories.
    file.resize(optional + 108, 0);
    file.extend(fields(&[(16, 4), (0, 8), (address, 4), (40, 4)]));
    file.resize(optional + 240, 0);
    file.extend(b".rdata\0\0");
    file.extend(fields(&[
        (size as u64, 4),
        (address, 4),
        (size as u64, 4),
        (start as u64, 4),
        (0, 4),
        (0, 4),
        (0, 4),
        (0x4000_0040, 4),
    ]));
    file.resize(start, 0);
    // The import descriptor, an empty one, the library's name, and the numbers.
    let numbers = address + 0x60;
    file.extend(fields(&[
        (numbers, 4),
        (0, 8),
        (address + 0x40, 4),
        (numbers, 4),
    ]));
    file.resize(start + 0x40, 0);
    file.extend(b"a.dll");
    file.resize(start + 0x60, 0);
    file.extend((1_u64 << 63 | 1).to_le_bytes().repeat(imports));
    file.extend([0; 16]);
    file
}

fn archive(members: usize, contents: &[u8]) -> Vec<u8> {
    let mut member = format!(
        "{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
        "a/",
        0,
        0,
        0,
        644,
        contents.len()
    )
    .into_bytes();
    member.extend(contents);
    let mut file = b"!<arch>\n".to_vec();
    file.extend(member.repeat(members));
    file
}
