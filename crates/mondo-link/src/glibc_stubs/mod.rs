//! Stub libraries of the minimum glibc: the oldest that a wheel promises to run on (`link.minimum-glibc`).
//!
//! The archives were compiled against the glibc of this system, so a plain link would need that version or a newer
//! one. If the minimum is older, the linker sees stub libraries, which define the symbols and versions of the minimum
//! glibc only. Then the linker binds to what that glibc has, and reports what it lacks. Functions that the archives
//! need and the minimum glibc lacks are in `mondo-runtime/glibc`, as objects that are linked only where something
//! refers to them.

pub mod libc;
mod stubs;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache_entry::{self, Read, State};
use mondo_core::demangle::demangled;
use mondo_core::digest::{self, Sha256};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::glibc::GlibcVersion;
use mondo_core::source::Source;

use self::libc::Libc;
use crate::cpp::{Compiler, Sources, files_in};

/// The stub libraries and objects for a link against a chosen glibc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlibcStubs {
    /// The glibc promised.
    pub glibc: GlibcVersion,
    /// The folder with the stub libraries.
    stubs: Utf8PathBuf,
    /// Objects with what the minimum glibc may lack.
    shims: Vec<Utf8PathBuf>,
    /// For each symbol that the minimum glibc lacks, the release of glibc that introduced it.
    newer: BTreeMap<String, (u32, u32)>,
}

/// Makes the libraries to link against for the manifest's minimum glibc. Returns `None` for a sanitizer, which needs
/// the installed glibc. If the minimum is newer than the installed glibc, the link uses the installed one, which is
/// older than the manifest promises.
pub(crate) fn prepare(
    glibc: Option<GlibcVersion>,
    source: &Source,
    compiler: Compiler<'_>,
    work: &Utf8Path,
) -> Result<Option<GlibcStubs>> {
    let Some(glibc) = glibc else {
        return Ok(None);
    };
    let libc = Libc::installed(&compiler.linker.cxx)?;
    let linked_for = glibc.pair().min(libc.version());
    let work = work.join("glibc-stubs");
    Ok(Some(GlibcStubs {
        glibc,
        stubs: stubs(&libc, linked_for, compiler, &work)?,
        shims: shims(source, compiler, &work.join("shims"), &[])?,
        newer: newer(&libc, linked_for),
    }))
}

impl GlibcStubs {
    /// The linker's arguments, to stand before the libraries that it takes by name.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut args = vec![format!("-L{}", self.stubs), "-Wl,--start-lib".to_owned()];
        args.extend(self.shims.iter().map(ToString::to_string));
        args.push("-Wl,--end-lib".to_owned());
        args
    }

    /// Returns an error if some undefined symbols exist only in a glibc that is newer than the minimum. `undefined`
    /// maps each symbol to the places that refer to it.
    pub(crate) fn unmet(
        &self,
        undefined: &BTreeMap<String, BTreeSet<String>>,
        place: &str,
    ) -> Option<Error> {
        let missing: Vec<_> = undefined
            .iter()
            .filter_map(|(symbol, places)| Some((symbol, places, *self.newer.get(symbol)?)))
            .collect();
        let (_, _, lowest) = *missing.iter().max_by_key(|(_, _, since)| since)?;
        let lines = missing.iter().map(|(symbol, places, since)| {
            let from = places.first().map_or("", String::as_str);
            format!(
                "{} (since glibc {}.{}), referenced by {from}",
                demangled(symbol),
                since.0,
                since.1
            )
        });
        Some(
            Error::new(
                ErrorKind::Link,
                format!("the minimum glibc {} cannot be met", self.glibc),
            )
            .at(place)
            .because("the code uses functions that this glibc lacks and mondo does not provide")
            .details(lines)
            .help(format!(
                "set `link.minimum-glibc = \"{0}.{1}\"`, the lowest that is possible",
                lowest.0, lowest.1
            )),
        )
    }
}

/// The folder of stub libraries, which is made once for each minimum and installed glibc.
fn stubs(
    libc: &Libc,
    glibc: (u32, u32),
    compiler: Compiler<'_>,
    work: &Utf8Path,
) -> Result<Utf8PathBuf> {
    let mut state = Sha256::new();
    for file in &libc.files {
        state.update(digest::of_file(file)?);
    }
    let linker = compiler.linker;
    state.update(format!(
        "{} {} {} {}",
        linker.lld_dir, linker.lld_version, linker.cxx, linker.cxx_version
    ));
    state.update(concat!(include_str!("libc.rs"), include_str!("stubs.rs")));
    let (major, minor) = glibc;
    let name = format!("glibc-{major}.{minor}-{}", digest::short(state.finalize()));
    let dir = work.join(name);
    // The linker script names files of its folder, so the folder is made in place.
    if !matches!(cache_entry::check(&dir, Read::Changed)?, State::Whole(_)) {
        if dir.is_dir() {
            fs_err::remove_dir_all(&dir)?;
        }
        fs_err::create_dir_all(&dir)?;
        stubs::write(libc, glibc, compiler.linker, &dir)?;
        cache_entry::seal(&dir, "")?;
    }
    Ok(dir)
}

/// Compiles `mondo-runtime/glibc` into `work`.
fn shims(
    source: &Source,
    compiler: Compiler<'_>,
    work: &Utf8Path,
    flags: &[&str],
) -> Result<Vec<Utf8PathBuf>> {
    let root = source.newer_glibc();
    let files = files_in(&root)?;
    let flags = ["-fno-exceptions", "-fno-rtti"].iter().chain(flags);
    let set = Sources {
        owner: "mondo's part of a newer glibc".to_owned(),
        files: &files,
        root: (&root, "mondo-glibc"),
        include: Vec::new(),
        system_include: Vec::new(),
        flags: flags.map(ToString::to_string).collect(),
        objects: work.to_owned(),
    };
    Ok(compiler.compile(&[set])?.concat())
}

fn newer(libc: &Libc, glibc: (u32, u32)) -> BTreeMap<String, (u32, u32)> {
    let at_minimum = libc.at(glibc);
    let offered: BTreeSet<&str> = at_minimum
        .values()
        .flat_map(|symbols| symbols.keys().copied())
        .collect();
    let here = libc.at(libc.version());
    here.values()
        .flat_map(|symbols| symbols.keys().copied())
        .filter(|symbol| !offered.contains(symbol))
        .filter_map(|symbol| Some((symbol.to_owned(), libc.since(symbol)?)))
        .collect()
}
