//! The digests of the archives that the library was linked from, for the report and the SBOM.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::taken_digest::TakenDigest;
use mondo_link::collect::Collected;
use mondo_link::link::map::SizeMap;
use mondo_package::wheel::sbom::ArchiveDigest;
use mondo_toolchain::Toolchain;

use crate::report::{ArchiveOrigin, LinkedArchive};

/// The archives whose code is in the library, LLVM's first, sorted by name. `memo` keeps their digests for later builds.
pub(super) fn linked_archives(
    collected: &Collected,
    bundle: &Utf8Path,
    sizes: &SizeMap,
    toolchain: &Toolchain,
    memo: &Utf8Path,
) -> Result<Vec<LinkedArchive>> {
    let named: BTreeSet<&str> = sizes.archives.iter().map(|row| row.name.as_str()).collect();
    let taken = collected.by_need.iter().chain(&collected.native);
    let taken = taken.filter(|archive| {
        let name = archive.path.file_name();
        name.is_some_and(|name| named.contains(name))
    });
    let paths: Vec<&Utf8Path> = collected
        .whole
        .iter()
        .chain(taken)
        .map(|archive| archive.path.as_path())
        .chain([bundle])
        .collect();
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
            origin: match of_llvm(path) {
                true => ArchiveOrigin::Llvm,
                false => ArchiveOrigin::Compiled,
            },
        })
        .collect();
    archives.sort();
    archives.dedup();
    Ok(archives)
}

/// Those of LLVM's packages, which the SBOM lists. The others are compiled by each build, and their components are the
/// crates and projects.
pub(super) fn of_llvm(archives: &[LinkedArchive]) -> Vec<ArchiveDigest> {
    let of_llvm = archives
        .iter()
        .filter(|archive| archive.origin == ArchiveOrigin::Llvm);
    of_llvm
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
