//! The digests of the archives that the library and the extension were linked from, for the report and the SBOM.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::progress::Sink;
use mondo_core::taken_digest::TakenDigest;
use mondo_link::collect::Collected;
use mondo_link::compile::{self, Compiled};
use mondo_link::link::map::SizeMap;
use mondo_package::wheel::sbom::ArchiveFile;
use mondo_toolchain::compiler_path;

use crate::report::{ArchiveOrigin, LinkedArchive};

/// The archives whose code is in the library or in its extension, sorted by origin and name: LLVM's, those of the
/// compiler and the C library, and those that mondo compiled. `extension` is the extension's staticlib. An archive that
/// the compiler cannot find is missing from the list; a note says so.
pub(super) fn linked_archives(
    collected: &Collected,
    compiled: &Compiled,
    extension: &Utf8Path,
    sizes: &SizeMap,
    request: compile::Request<'_>,
) -> Result<Vec<LinkedArchive>> {
    let mut named: BTreeSet<&str> = sizes
        .archives
        .iter()
        .map(|row| row.name.as_str())
        .filter(|name| name.ends_with(".a"))
        .collect();
    let by_need = collected.by_need.iter().chain(&collected.native);
    let by_need = by_need.filter(|archive| {
        let name = archive.path.file_name();
        name.is_some_and(|name| named.contains(name))
    });
    let mut paths: Vec<&Utf8Path> = collected
        .whole
        .iter()
        .chain(by_need)
        .map(|archive| archive.path.as_path())
        .chain([compiled.bundle.as_path(), extension])
        .chain(compiled.tools.as_deref())
        .collect();
    // The compiler driver adds the other archives of the link map by itself. It also links these two to the extension,
    // whose link has no map.
    named.extend(OF_THE_EXTENSION);
    let known: BTreeSet<&str> = paths.iter().filter_map(|path| path.file_name()).collect();
    let added = named.into_iter().filter(|name| !known.contains(name));
    let added = of_the_compiler(&request.linker.cxx, added, request.sink)?;
    paths.extend(added.iter().map(Utf8PathBuf::as_path));

    // Later builds take the digests of unchanged archives from this file.
    let memo = request.work.join("archive-digests.json");
    let digests = TakenDigest::of_all(&paths, &memo)?;
    let of_llvm = |path: &Utf8Path| {
        let mut folders = request.toolchain.library_dirs.iter();
        path.starts_with(&request.toolchain.prefix)
            || folders.any(|folder| path.starts_with(folder))
    };
    let mut archives: Vec<LinkedArchive> = paths
        .into_iter()
        .zip(digests)
        .map(|(path, sha256)| LinkedArchive {
            file: path.file_name().unwrap_or_default().to_owned(),
            sha256,
            origin: match path {
                path if added.iter().any(|added| added == path) => ArchiveOrigin::Compiler,
                path if of_llvm(path) => ArchiveOrigin::Llvm,
                _ => ArchiveOrigin::Compiled,
            },
        })
        .collect();
    archives.sort();
    archives.dedup();
    Ok(archives)
}

/// The archives that the compiler driver links to the extension.
const OF_THE_EXTENSION: [&str; 2] = ["libgcc.a", "libgcc_eh.a"];

/// The paths of the compiler's archives of these names.
fn of_the_compiler<'a>(
    cxx: &str,
    names: impl Iterator<Item = &'a str>,
    sink: &dyn Sink,
) -> Result<Vec<Utf8PathBuf>> {
    let mut paths = Vec::new();
    for name in names {
        match compiler_path(cxx, name)? {
            Some(path) => paths.push(path),
            None => sink.note(&format!(
                "the report and the SBOM lack `{name}`, which was linked: `{cxx} -print-file-name={name}` does not find it"
            )),
        }
    }
    Ok(paths)
}

/// The archives that the SBOM lists. The digests of those that come with LLVM and with the compiler belong to packages. The SBOM
/// has no digests of the others, so that a wheel is the same wherever it is built: the staticlibs are compiled by each build,
/// and `libc_nonshared.a` belongs to the host's glibc. The report has all digests.
pub(super) fn in_the_sbom(archives: &[LinkedArchive]) -> Vec<ArchiveFile> {
    let file = |archive: &LinkedArchive| {
        let is_packaged =
            archive.origin != ArchiveOrigin::Compiled && archive.file != "libc_nonshared.a";
        ArchiveFile {
            file: archive.file.clone(),
            sha256: is_packaged.then(|| archive.sha256.clone()),
        }
    };
    archives.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use mondo_core::progress::Recorded;

    use super::*;

    #[test]
    fn an_archive_that_the_compiler_does_not_find_is_named() {
        let notes = Recorded::default();
        let names = ["libgcc.a", "libnowhere.a"].into_iter();
        let found = of_the_compiler("g++", names, &notes).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("libgcc.a") && found[0].is_file());
        assert_eq!(
            notes.into_lines(),
            [
                "the report and the SBOM lack `libnowhere.a`, which was linked: `g++ -print-file-name=libnowhere.a` does \
                 not find it"
            ]
        );
    }

    #[test]
    fn the_sbom_has_all_archives_and_the_digests_of_packaged_ones() {
        let archive = |origin, file: &str| LinkedArchive {
            origin,
            file: file.to_owned(),
            sha256: "ab".repeat(32),
        };
        let all = [
            archive(ArchiveOrigin::Llvm, "libMLIRIR.a"),
            archive(ArchiveOrigin::Compiler, "libc_nonshared.a"),
            archive(ArchiveOrigin::Compiler, "libstdc++.a"),
            archive(ArchiveOrigin::Compiled, "libmondo_py.a"),
        ];
        let listed = in_the_sbom(&all);
        let files: Vec<(&str, bool)> = listed
            .iter()
            .map(|one| (one.file.as_str(), one.sha256.is_some()))
            .collect();
        assert_eq!(
            files,
            [
                ("libMLIRIR.a", true),
                ("libc_nonshared.a", false),
                ("libstdc++.a", true),
                ("libmondo_py.a", false),
            ]
        );
    }
}
