//! Damaged and crafted files of each format. The audit must return findings or a typed error, with bounded work.

use std::time::{Duration, Instant};

use mondo_audit::{Input, Policy, ReadError, audit, parts, read_image};
use proptest::prelude::*;

use super::{macho, pe};
use crate::hostile::damaged_from;

/// Every file that the tests damage, with a suitable name.
fn originals() -> Vec<(&'static str, Vec<u8>)> {
    let (macho, pe) = (&*macho::FIXTURES, &*pe::FIXTURES);
    vec![
        ("libacme.dylib", macho.library.clone()),
        ("libacme.dylib", macho.library_arm64.clone()),
        ("_acme.so", macho.extension.clone()),
        (
            "libacme.dylib",
            macho::universal(&[&macho.library, &macho.library_arm64]),
        ),
        ("acme.dll", pe.library.clone()),
        ("acme.dll", pe.library_32.clone()),
        ("_acme.pyd", pe.extension.clone()),
        ("kernel32.lib", pe.import_library.clone()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_never_panic((which, damage) in (any::<prop::sample::Index>(), damaged_from())) {
        let originals = originals();
        let (name, original) = which.get(&originals);
        let bytes = damage.apply(original);
        let input = Input { name, bytes: &bytes };
        if let Err(ReadError::Malformed { place, .. }) = audit(&[input], &Policy::default()) {
            prop_assert!(!place.is_empty());
        }
    }
}

#[test]
fn every_truncation_of_the_headers_is_an_error_with_a_place() {
    for (name, original) in originals() {
        let end = original.len().min(2000);
        for length in (8..end).step_by(7) {
            let bytes = &original[..length];
            match parts(name, bytes) {
                Ok(found) => {
                    for part in found {
                        let result = read_image(&part.name, part.bytes);
                        // An import library's first members may be whole.
                        assert!(
                            result.is_err() || name.ends_with(".lib"),
                            "{name} cut at {length}"
                        );
                    }
                }
                Err(error) => assert!(error.to_string().contains("offset"), "{error}"),
            }
        }
    }
}

/// Overwrites four bytes, least significant first.
fn put32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn get32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn refused(name: &str, bytes: &[u8]) -> String {
    let start = Instant::now();
    let error = read_image(name, bytes).expect_err("crafted").to_string();
    assert!(start.elapsed() < Duration::from_secs(20), "{error}");
    assert!(error.contains("offset"), "{error}");
    error
}

/// Offsets of the load commands of a 64-bit image, with their numbers.
fn commands(bytes: &[u8]) -> Vec<(u32, usize)> {
    let mut at = 32;
    (0..get32(bytes, 16))
        .map(|_| {
            let found = (get32(bytes, at), at);
            at += get32(bytes, at + 4) as usize;
            found
        })
        .collect()
}

fn command(bytes: &[u8], number: u32) -> usize {
    let found = commands(bytes)
        .into_iter()
        .find(|(found, _)| *found == number);
    found.expect("the command").1
}

#[test]
fn crafted_load_commands_are_refused() {
    let original = &macho::FIXTURES.library;
    let symtab = command(original, 2);
    // More symbols than the file has bytes; a symbol table beyond the end.
    for (field, value) in [(12, u32::MAX), (8, u32::MAX - 8), (16, u32::MAX)] {
        let mut bytes = original.clone();
        put32(&mut bytes, symtab + field, value);
        refused("x.dylib", &bytes);
    }
    // A command of no size, or of one beyond all of them.
    for size in [0, 4, u32::MAX] {
        let mut bytes = original.clone();
        put32(&mut bytes, symtab + 4, size);
        refused("x.dylib", &bytes);
    }
    // As many commands as the field holds.
    let mut bytes = original.clone();
    put32(&mut bytes, 16, u32::MAX);
    refused("x.dylib", &bytes);
}

#[test]
fn an_exports_trie_that_is_a_circle_is_refused() {
    let mut bytes = macho::FIXTURES.library.clone();
    // LC_DYLD_INFO_ONLY, whose trie's offset is its eleventh word, or LC_DYLD_EXPORTS_TRIE.
    let info = commands(&bytes)
        .into_iter()
        .find_map(|(number, at)| match number {
            0x8000_0022 => Some(at + 40),
            0x8000_0033 => Some(at + 8),
            _ => None,
        });
    let trie = get32(&bytes, info.expect("exports")) as usize;
    bytes[trie..trie + 5].copy_from_slice(&[0, 1, b'a', 0, 0]);
    let error = refused("x.dylib", &bytes);
    assert!(error.contains("two edges lead to one node"), "{error}");
}

#[test]
fn many_symbols_that_share_one_long_name_are_refused() {
    // 200 000 symbols share one name of a megabyte: without a limit the names would take 200 GB.
    let symbols = 200_000_u32;
    let name = 1_000_000_u32;
    let mut bytes = vec![0xcf, 0xfa, 0xed, 0xfe];
    for word in [0x0100_0007, 3, 6, 1, 24, 0x80, 0] {
        bytes.extend(u32::to_le_bytes(word));
    }
    let table = 32 + 24;
    let strings = table + symbols * 16;
    for word in [2, 24, table, symbols, strings, name + 2] {
        bytes.extend(word.to_le_bytes());
    }
    for _ in 0..symbols {
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend([0x0f, 1, 0, 0]);
        bytes.extend(0_u64.to_le_bytes());
    }
    bytes.push(0);
    bytes.resize(bytes.len() + name as usize, b'a');
    bytes.push(0);
    let error = refused("x.dylib", &bytes);
    assert!(error.contains("longer than the file"), "{error}");
}

#[test]
fn universal_files_that_lie_are_refused() {
    let library = &macho::FIXTURES.library;
    let both = macho::universal(&[library, &macho::FIXTURES.library_arm64]);
    let mut shared = both.clone();
    shared[36..40].copy_from_slice(&both[16..20]);
    let error = parts("x.dylib", &shared)
        .expect_err("shared bytes")
        .to_string();
    assert!(error.contains("share bytes"), "{error}");
    let mut long = both.clone();
    long[20..24].copy_from_slice(&[0xff; 4]);
    let error = parts("x.dylib", &long).expect_err("too long").to_string();
    assert!(error.contains("beyond the end"), "{error}");
    let mut none = both;
    none[7] = 0;
    assert!(parts("x.dylib", &none).is_err());
}

/// Offsets of the optional header's directories and of the sections.
fn pe_tables(bytes: &[u8]) -> (usize, usize) {
    let headers = get32(bytes, 0x3c) as usize;
    let optional = headers + 24;
    let size = usize::from(u16::from_le_bytes([
        bytes[headers + 20],
        bytes[headers + 21],
    ]));
    (optional + 112, optional + size)
}

#[test]
fn crafted_tables_of_pe_are_refused() {
    let original = &pe::FIXTURES.library;
    let (directories, sections) = pe_tables(original);
    // Exports, imports, debug directory and delayed imports in no section.
    for directory in [0, 1, 6, 13] {
        let mut bytes = original.clone();
        put32(&mut bytes, directories + directory * 8, 0x7fff_0000);
        let error = read_image("x.dll", &bytes)
            .expect_err("nowhere")
            .to_string();
        assert!(!error.is_empty());
    }
    // A section that reaches beyond the file.
    let mut bytes = original.clone();
    put32(&mut bytes, sections + 16, u32::MAX);
    put32(&mut bytes, sections + 8, u32::MAX);
    refused("x.dll", &bytes);
    // Certificates beyond the end.
    let mut bytes = original.clone();
    put32(&mut bytes, directories + 4 * 8, 0x7fff_0000);
    put32(&mut bytes, directories + 4 * 8 + 4, 64);
    refused("x.dll", &bytes);
}
