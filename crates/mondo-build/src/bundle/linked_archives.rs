//! The digests of the archives that the library and the extension were linked from, for the report and the SBOM.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::taken_digest::TakenDigest;
use mondo_link::collect::Collected;
use mondo_link::compile::Compiled;
use mondo_link::link::map::SizeMap;
use mondo_package::wheel::sbom::ArchiveDigest;
use mondo_toolchain::{Linker, Toolchain, compiler_path};

use crate::report::{ArchiveOrigin, LinkedArchive};

/// The archives whose code is in the library or in its extension, sorted by origin and name: LLVM's, those of the
/// compiler and the C library, and those that mondo compiled. `extension` is the extension's staticlib. `memo` keeps
/// the digests for later builds.
pub(super) fn linked_archives(
    collected: &Collected,
    compiled: &Compiled,
    extension: &Utf8Path,
    sizes: &SizeMap,
    toolchain: &Toolchain,
    linker: &Linker,
    memo: &Utf8Path,
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
    let added = named.iter().filter(|name| !known.contains(*name));
    let added: Vec<Option<Utf8PathBuf>> = added
        .map(|name| compiler_path(&linker.cxx, name))
        .collect::<Result<_>>()?;
    let added: Vec<Utf8PathBuf> = added.into_iter().flatten().collect();
    paths.extend(added.iter().map(Utf8PathBuf::as_path));

    let digests = TakenDigest::of_all(&paths, memo)?;
    let of_llvm = |path: &Utf8Path| {
        let mut folders = toolchain.library_dirs.iter();
        path.starts_with(&toolchain.prefix) || folders.any(|folder| path.starts_with(folder))
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

/// The archives that the SBOM lists: those that come with LLVM and with the compiler. The others are compiled by each
/// build, and the SBOM has their crates and projects. `libc_nonshared.a` is not in the list: a wheel is the same on
/// hosts with another glibc, whose archives differ.
pub(super) fn installed(archives: &[LinkedArchive]) -> Vec<ArchiveDigest> {
    let installed = archives.iter().filter(|archive| {
        archive.origin != ArchiveOrigin::Compiled && archive.file != "libc_nonshared.a"
    });
    installed
        .map(|archive| ArchiveDigest {
            file: archive.file.clone(),
            sha256: archive.sha256.clone(),
        })
        .collect()
}

/// The file of earlier digests in the work folder.
pub(super) fn memo(work: &Utf8Path) -> Utf8PathBuf {
    work.join("archive-digests.json")
}
