//! The memory limit of an audit: it takes less than the size of the largest image in addition to that image itself,
//! for any number of images.

#![expect(
    clippy::disallowed_types,
    reason = "the image is linked by the system's compiler"
)]

#[path = "../fuzz/src/memory.rs"]
pub mod memory;

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

use memory::peak;
use mondo_audit::{Input, Policy, RuleId, audit, audit_wheel};

/// As many symbols for its size as libraries of C++ have: one in a thousand bytes, twice.
const MANY: usize = 30_000;

/// A library of 32 MB.
fn library(symbols: usize) -> Vec<u8> {
    let mut source = String::from(".section .rodata\n.fill 32000000, 1, 0x41\n.text\n");
    for number in 0..symbols {
        // Writing to a String cannot fail.
        let _ = writeln!(
            source,
            ".globl _ZN4acme6detail9something{number:05}Ev\n.type _ZN4acme6detail9something{number:05}Ev, \
             @function\n_ZN4acme6detail9something{number:05}Ev: ret\n"
        );
    }
    let dir = tempfile::tempdir().expect("a folder");
    fs_err::write(dir.path().join("a.s"), source).expect("the source");
    let status = Command::new("gcc")
        .current_dir(dir.path())
        .args([
            "-shared",
            "-nostdlib",
            "-Wl,-soname,liba.so",
            "a.s",
            "-o",
            "liba.so",
        ])
        .status()
        .expect("a compiler");
    assert!(status.success());
    fs_err::read(dir.path().join("liba.so")).expect("the library")
}

/// Incompressible bytes: without any, a wheel of these libraries would be a zip bomb.
fn noise() -> Vec<u8> {
    let mut state = 1_u64;
    let bytes = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    });
    bytes.take(3 << 20).collect()
}

fn wheel(libraries: &[&[u8]], noise: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let named = libraries.iter().enumerate();
    let mut files: Vec<(String, &[u8])> = named
        .map(|(number, &library)| (format!("acme/lib{number}.so"), library))
        .collect();
    files.push(("acme-1.dist-info/RECORD".to_owned(), b""));
    files.push(("acme/noise".to_owned(), noise));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(name, options).expect("an entry");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

#[test]
fn an_audit_takes_less_than_twice_its_largest_image() {
    let policy = Policy::default();
    let name = "acme-1-py3-none-any.whl";
    let library = library(MANY);
    // The memory that threads and tables take once does not count.
    audit_wheel(name, &wheel(&[&[]], &[]), &policy).expect("readable");

    let input = Input {
        name: "liba.so",
        bytes: &library,
    };
    let (found, taken) = peak(|| audit(&[input], &policy).expect("readable"));
    assert!(!found.findings.is_empty());
    assert!(
        taken < library.len(),
        "{taken} for an image of {}",
        library.len()
    );

    let few = self::library(10);
    let mut others = vec![few; 3];
    for (number, other) in others.iter_mut().enumerate() {
        other.push(b'0' + number as u8);
    }
    let mut all = vec![library.as_slice()];
    all.extend(others.iter().map(Vec::as_slice));
    for images in [&all[..1], &all] {
        let packed = wheel(images, &noise());
        let (audit, taken) = peak(|| audit_wheel(name, &packed, &policy).expect("readable"));
        let found = audit.images.len();
        assert_eq!(found, images.len());
        let most = 2 * library.len();
        assert!(
            taken < most,
            "{taken} for {found} images, the largest of {}",
            library.len()
        );
    }

    let bomb = wheel(&[&vec![0; 200 << 20]], &[]);
    let (audit, taken) = peak(|| audit_wheel(name, &bomb, &policy).expect("readable"));
    let mut findings = audit.findings.iter();
    assert!(findings.any(|finding| finding.rule == RuleId::Zip));
    assert!(taken < 1 << 20, "{taken} for a bomb of {}", bomb.len());
}
