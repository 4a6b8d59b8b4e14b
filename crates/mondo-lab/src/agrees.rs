//! `cargo lab agrees`: compares the audit's facts about the images of a wheel with what binutils say.

mod elf;
mod seen;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{Facts, Wheel, is_image, read_image};
use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result, collect};
use rayon::prelude::*;

use seen::{Seen, ours};

/// The maximum size of a wheel's unpacked contents, in bytes.
const LARGEST: u64 = 8 << 30;

/// The number of names of a difference that an error lists.
const SHOWN: usize = 10;

/// A program of binutils, its arguments, and the parser of its output.
type Reader = (&'static str, &'static [&'static str], fn(&str) -> Seen);

const READERS: [Reader; 3] = [
    (
        "readelf",
        &["--wide", "--dyn-syms", "--dynamic", "--version-info"],
        elf::readelf,
    ),
    ("nm", &["--dynamic", "--format=bsd"], elf::nm),
    ("objdump", &["--private-headers"], elf::objdump),
];

/// Compares each image of a wheel.
///
/// # Errors
///
/// If there is any difference, or the wheel cannot be read.
pub(crate) fn run(path: &Utf8Path) -> Result<()> {
    let bytes = collect::map(path)?;
    let name = path.file_name().unwrap_or_default();
    let wheel = Wheel::read(name, &bytes, LARGEST).map_err(unreadable)?;
    let differences: Vec<Vec<String>> = wheel
        .entries
        .par_iter()
        .map(|entry| {
            let contents = wheel.contents(entry).map_err(unreadable)?;
            if is_image(&entry.name, &contents) {
                differences(&entry.name, &contents)
            } else {
                Ok(Vec::new())
            }
        })
        .collect::<Result<_>>()?;
    let differences = differences.concat();
    if differences.is_empty() {
        return Ok(());
    }
    Err(
        Error::new(ErrorKind::Check, "binutils and the audit disagree")
            .at(path)
            .details(differences),
    )
}

/// The differences between the audit and each reader over one image.
fn differences(name: &str, bytes: &[u8]) -> Result<Vec<String>> {
    let scratch = tempfile::tempdir()?;
    let file = Utf8PathBuf::try_from(scratch.path().join("image"))
        .map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
    fs_err::write(&file, bytes)?;
    let facts = read_image(name, bytes).map_err(unreadable)?;
    compare(&facts, &file)
}

/// Compares `facts` with what each reader says about `file`.
fn compare(facts: &Facts<'_>, file: &Utf8Path) -> Result<Vec<String>> {
    let ours = ours(facts);
    let mut lines = Vec::new();
    for (reader, arguments, parse) in READERS {
        let output = Tool::new(reader, "read an image")
            .installed_by("apt-get install binutils")
            .fails_as(ErrorKind::Check)
            .env("LC_ALL", "C")
            .args(arguments)
            .arg(file)
            .output()?;
        let theirs = parse(&output.stdout);
        lines.extend(
            ours.differences(&theirs, SHOWN)
                .map(|difference| format!("`{}`, {difference}, by {reader}", facts.name)),
        );
    }
    Ok(lines)
}

/// The error for a file that mondo-audit cannot read.
fn unreadable(error: mondo_audit::ReadError) -> Error {
    Error::new(ErrorKind::Audit, "a file cannot be read").because(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "
        int old(void) { return 1; } __asm__(\".symver old, acme@ACME_1\");
        int new(void) { return 2; } __asm__(\".symver new, acme@@ACME_2\");
        int shared __attribute__((weak)) = 3;
        __asm__(\".globl only; .type only, @gnu_unique_object; .data; only: .long 4; .size only, 4; .text\");
        extern int elsewhere(int) __attribute__((weak));
        __attribute__((visibility(\"protected\"))) int kept(void) { return elsewhere(5); }";

    const PROGRAM: &str = "#include <stdio.h>
        int main(void) { return fputs(\"\", stdout); }";

    const SHARED: &[&str] = &[
        "-shared",
        "-fPIC",
        "-Wl,--version-script=map,-soname,libacme.so.1,-rpath,$ORIGIN:/opt/x,--build-id",
    ];

    /// Links an image from this source. Returns its folder and its bytes.
    fn link(source: &str, flags: &[&str]) -> (tempfile::TempDir, Vec<u8>) {
        let temp = tempfile::tempdir().expect("a folder");
        let dir = Utf8PathBuf::from_path_buf(temp.path().to_owned()).expect("UTF-8");
        fs_err::write(dir.join("a.c"), source).expect("the source");
        let versions = "ACME_1 { global: acme; local: kept_local; }; ACME_2 { global: *; } ACME_1;";
        fs_err::write(dir.join("map"), versions).expect("a version script");
        Tool::new("gcc", "link an image")
            .cwd(&dir)
            .args(["a.c", "-o", "image"])
            .args(flags)
            .output()
            .expect("a compiler");
        let bytes = fs_err::read(dir.join("image")).expect("the image");
        (temp, bytes)
    }

    #[test]
    fn versions_unique_data_and_search_paths_are_as_binutils_see_them() {
        let (_temp, bytes) = link(LIBRARY, SHARED);
        assert_eq!(differences("image", &bytes).expect("readable"), [""; 0]);
    }

    #[test]
    fn a_program_s_copy_of_a_library_s_data_is_no_default_version() {
        let (_temp, bytes) = link(PROGRAM, &["-no-pie"]);
        assert_eq!(differences("image", &bytes).expect("readable"), [""; 0]);
    }

    #[test]
    fn a_difference_is_found() {
        let (_library, bytes) = link(LIBRARY, SHARED);
        let (program, _) = link(PROGRAM, &["-no-pie"]);
        let program = Utf8PathBuf::from_path_buf(program.path().join("image")).expect("UTF-8");
        let facts = read_image("image", &bytes).expect("readable");
        let lines = compare(&facts, &program).expect("readable");
        let exports: Vec<&String> = lines
            .iter()
            .filter(|line| line.contains("exports"))
            .collect();
        assert_eq!(exports.len(), 2, "{lines:?}");
        assert!(exports[0].contains("only mondo-audit has"), "{lines:?}");
    }
}
