//! Images whose tables claim a million entries, all of zeros. Each unpacks to less than the 64 MiB from which on a wheel
//! counts as a zip bomb.

/// Entries of the large tables.
const MANY: usize = 2_500_000;

/// The images, each with its attack and its name.
pub(crate) fn images() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    vec![
        ("local symbols", "a.so", elf(3, MANY, 0)),
        ("sections", "a.so", elf_sections(60_000)),
        ("symbols of a Mach-O object", "a.dylib", macho(MANY)),
        ("needed libraries", "a.dylib", macho_commands(MANY)),
        (
            "a universal file of objects",
            "a.dylib",
            universal(32, MANY / 32),
        ),
        ("symbols of a COFF object", "a.obj", coff(MANY)),
    ]
}

/// A small ELF object, which defines so many symbols.
pub(crate) fn object(symbols: usize) -> Vec<u8> {
    elf(1, symbols, 0x10)
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
