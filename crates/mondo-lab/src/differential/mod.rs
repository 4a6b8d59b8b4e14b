//! `cargo lab differential`: compares the audit's facts with the output of other tools, for each library of
//! the wheels in data/wheels.toml. Each difference needs an explanation in data/differences.toml;
//! docs/measurements/audit-differential.md has the tables and the explanations.

mod compared;
mod document;
mod dump_parsers;
mod elf;
mod explained;
mod loads;
mod peers;
mod readers;
mod seen;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{Facts, Wheel, is_image, parts, read_image};
use mondo_build::source::Source;
use mondo_build::{Error, ErrorKind, Result, collect, toolchain};
use rayon::prelude::*;

use crate::survey;
use compared::{Compared, Difference, LARGEST, unreadable};
use mondo::DEFAULT_LLVM;
use mondo_testbed::Context;
use peers::Peers;
use readers::Readers;
use seen::ours;

/// Compares the listed wheels and writes the document.
pub(crate) fn run(context: &Context<'_>) -> Result<()> {
    let lock = Source::locate()?.root().join("manifests/readers.lock");
    let request = toolchain::Request::from_environment(DEFAULT_LLVM, lock)?;
    let folder = toolchain::readers(&request, &context.toolchain, context.sink)?;
    let readers = Readers {
        llvm: Some((folder, &context.toolchain)),
    };
    let peers = Peers::new(context)?;
    let wheels = survey::fetch(context)?;
    let compared = wheels.par_iter().map(|(wanted, path)| {
        let title = wanted.title();
        let mut compared = wheel(&title, path, &readers)?;
        peers.compare(path, &mut compared)?;
        compared.differences.sort();
        context.sink.note(&format!("compared {title}"));
        Ok(compared)
    });
    let mut all: Vec<Compared> = compared.collect::<Result<_>>()?;
    context.sink.note("loading some of them");
    let wheel_of = |name: &str| {
        let mut found = wheels.iter().filter(|(wanted, _)| wanted.name() == name);
        let linux = |path: &Utf8Path| path.as_str().contains("manylinux");
        let found = found.find(|(_, path)| linux(path));
        found.map(|(_, path)| path.clone())
    };
    let scratch = context.scratch();
    all.extend(loads::compare(&peers.auditwheel, &scratch, &wheel_of)?);
    document::write(context, &all)
}

/// Compares the audit's facts of a wheel with binutils.
///
/// # Errors
///
/// If there is any difference.
pub(crate) fn agrees(path: &Utf8Path) -> Result<()> {
    let compared = wheel("", path, &Readers { llvm: None })?;
    if compared.differences.is_empty() {
        return Ok(());
    }
    let lines = compared.differences.iter().map(document::line);
    Err(
        Error::new(ErrorKind::Check, "binutils and the audit disagree")
            .at(path)
            .details(lines),
    )
}

/// Compares each image of a wheel.
fn wheel(title: &str, path: &Utf8Path, readers: &Readers<'_>) -> Result<Compared> {
    let bytes = collect::map(path)?;
    let name = path.file_name().unwrap_or_default();
    let wheel = Wheel::read(name, &bytes, LARGEST).map_err(unreadable)?;
    let entries = wheel.entries.par_iter();
    let each: Vec<Compared> = entries
        .map(|entry| {
            let contents = wheel.contents(entry).map_err(unreadable)?;
            if is_image(&entry.name, &contents) {
                file(&entry.name, &contents, readers)
            } else {
                Ok(Compared::default())
            }
        })
        .collect::<Result<_>>()?;
    let mut sum = Compared {
        title: title.to_owned(),
        ..Compared::default()
    };
    for one in each {
        sum.images += one.images;
        for (reader, count) in one.names {
            *sum.names.entry(reader).or_default() += count;
        }
        sum.differences.extend(one.differences);
    }
    Ok(sum)
}

/// Compares a file: an image, or each image in a universal file.
fn file(name: &str, bytes: &[u8], readers: &Readers<'_>) -> Result<Compared> {
    let scratch = tempfile::tempdir()?;
    let place = Utf8PathBuf::try_from(scratch.path().join("image"))
        .map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
    let mut compared = Compared::default();
    for part in parts(name, bytes).map_err(unreadable)? {
        let facts = read_image(&part.name, part.bytes).map_err(unreadable)?;
        fs_err::write(&place, part.bytes)?;
        compared.images += 1;
        one(&facts, &place, readers, &mut compared)?;
    }
    Ok(compared)
}

fn one(
    facts: &Facts<'_>,
    place: &Utf8Path,
    readers: &Readers<'_>,
    compared: &mut Compared,
) -> Result<()> {
    let own = ours(facts);
    for (reader, theirs) in readers.ask(facts, place)? {
        for (aspect, names) in theirs.aspects() {
            let own = own.names(aspect);
            *compared.names.entry(reader).or_default() += names.union(&own).count();
            if own != *names {
                compared.differences.push(Difference {
                    image: facts.name.to_owned(),
                    reader,
                    aspect,
                    only_ours: own.difference(names).cloned().collect(),
                    only_theirs: names.difference(&own).cloned().collect(),
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use mondo_build::exec::Tool;

    use super::seen::Aspect;
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

    fn compared(source: &str, flags: &[&str]) -> Compared {
        let (_temp, bytes) = link(source, flags);
        file("image", &bytes, &Readers { llvm: None }).expect("readable")
    }

    #[test]
    fn versions_unique_data_and_search_paths_are_as_binutils_see_them() {
        let library = compared(LIBRARY, SHARED);
        assert_eq!(library.differences, []);
        assert_eq!(
            library.names.keys().copied().collect::<Vec<_>>(),
            ["nm", "objdump", "readelf"]
        );
        assert!(library.names["readelf"] > 10, "{:?}", library.names);
    }

    #[test]
    fn a_program_s_copy_of_a_library_s_data_is_no_default_version() {
        assert_eq!(compared(PROGRAM, &["-no-pie"]).differences, []);
    }

    #[test]
    fn a_difference_is_found() {
        let (_temp, bytes) = link(LIBRARY, SHARED);
        let (_other, program) = link(PROGRAM, &["-no-pie"]);
        let temp = tempfile::tempdir().expect("a folder");
        let place = Utf8PathBuf::from_path_buf(temp.path().join("image")).expect("UTF-8");
        fs_err::write(&place, &program).expect("the image");
        let facts = read_image("image", &bytes).expect("readable");
        let mut compared = Compared::default();
        one(&facts, &place, &Readers { llvm: None }, &mut compared).expect("readable");
        let found = compared.differences.iter();
        let exports = found.filter(|one| one.aspect == Aspect::Exports);
        let lines: Vec<String> = exports.map(document::line).collect();
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].contains("only mondo-audit has"), "{lines:?}");
    }
}
