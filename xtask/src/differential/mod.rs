//! `cargo xtask differential`: the audit's facts against what other tools print, over every library of
//! the wheels in docs/audit/wheels.toml. Each difference needs its explanation in
//! docs/audit/differences.toml; docs/audit/differential.md has the tables and the explanations.

mod document;
mod elf;
mod explained;
mod others;
mod readers;
mod seen;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::{Facts, Wheel, is_image, parts, read_image};
use mondo_build::source::Source;
use mondo_build::{Error, ErrorKind, Result, collect, toolchain};
use rayon::prelude::*;

use crate::commands::DEFAULT_LLVM;
use crate::survey;
use crate::test::Context;
use readers::Readers;
use seen::{Aspect, ours};

/// The most that a wheel of the list may unpack to.
const LARGEST: u64 = 8 << 30;

/// What one reader says otherwise than mondo-audit of one aspect of one image.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Difference {
    image: String,
    reader: &'static str,
    aspect: Aspect,
    only_ours: Vec<String>,
    only_theirs: Vec<String>,
}

/// A wheel, compared.
#[derive(Debug, Default)]
struct Compared {
    title: String,
    images: usize,
    /// By reader: how many names were compared.
    names: std::collections::BTreeMap<&'static str, usize>,
    differences: Vec<Difference>,
}

/// Compares the listed wheels and writes the document.
pub(crate) fn run(context: &Context<'_>) -> Result<()> {
    let lock = Source::locate()?.root().join("manifests/readers.lock");
    let request = toolchain::Request::from_environment(DEFAULT_LLVM, lock)?;
    let readers = Readers {
        toolchain: &context.toolchain,
        llvm: Some(toolchain::readers(
            &request,
            &context.toolchain,
            context.sink,
        )?),
    };
    let mut all = Vec::new();
    for (wanted, path) in survey::fetch(context)? {
        let title = wanted.title();
        context.sink.note(&format!("comparing {title}"));
        all.push(wheel(&title, &path, &readers)?);
    }
    document::write(context, &all)
}

/// Compares every image of a wheel.
fn wheel(title: &str, path: &Utf8Path, readers: &Readers<'_>) -> Result<Compared> {
    let bytes = collect::map(path)?;
    let name = path.file_name().unwrap_or_default();
    let wheel = Wheel::read(name, &bytes, LARGEST).map_err(unreadable)?;
    let entries: Vec<_> = wheel
        .entries
        .iter()
        .filter(|entry| is_image(&entry.name, &entry.bytes))
        .collect();
    let each: Vec<Compared> = entries
        .par_iter()
        .map(|entry| file(&entry.name, &entry.bytes, readers))
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
    sum.differences.sort();
    Ok(sum)
}

/// Compares a file: the image that it is, or each of those in a universal file.
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

fn unreadable(error: mondo_audit::ReadError) -> Error {
    Error::new(ErrorKind::Audit, "a file cannot be read").because(error.to_string())
}
