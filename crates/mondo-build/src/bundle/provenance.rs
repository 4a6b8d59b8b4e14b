//! The provenance of a bundle's binaries: packages, libraries, crates, and the folders of
//! this machine that nothing shipped may name.

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_core::source::Source;
use mondo_link::compile::Staticlibs;
use mondo_package::wheel::sbom::Crate;
use mondo_plan::plan::Plan;
use mondo_project::Prepared;
use mondo_toolchain::{Linker, Package, Toolchain, is_of_compiler};

use super::options::Options;
use crate::kit;
use crate::linked_code::compiled_crates;

/// The packages whose code is in the wheel. These are the `-dev` packages, with archives and headers; the others have
/// programs of the build, and the libraries that these load.
pub(super) fn linked_packages(toolchain: &Toolchain, linker: &Linker) -> Vec<Package> {
    let linked = |package: &&Package| {
        let used = linker.locked.is_some() || !is_of_compiler(package);
        package.name.ends_with("-dev") && used
    };
    let supplement = toolchain.supplement.iter().flat_map(|locked| {
        // LLVM itself is not the supplement's.
        let used = |package: &&Package| match package.name.as_str() {
            "zlib1g-dev" | "libzstd-dev" => {
                (locked.library_dirs.iter()).any(|dir| toolchain.library_dirs.contains(dir))
            }
            _ => is_of_compiler(package),
        };
        locked.packages.iter().filter(used)
    });
    let packages = toolchain.packages.iter().chain(supplement);
    packages.filter(linked).cloned().collect()
}

/// The Rust crates whose code is in the staticlibs.
pub(super) fn rust_crates(staticlibs: &Staticlibs) -> Result<Vec<Crate>> {
    match staticlibs {
        Staticlibs::Cargo(packages) => compiled_crates(packages),
        Staticlibs::Kit(kit) => kit::crates(kit),
    }
}

/// Folders of this machine whose names must not be in anything that ships.
pub(super) fn build_paths(
    options: &Options,
    plan: &Plan,
    source: &Source,
    toolchain: &Toolchain,
    projects: &[Prepared],
) -> Vec<String> {
    let mut paths: Vec<String> = [
        options.work_dir.as_path(),
        options.out_dir.as_path(),
        source.root(),
        toolchain.prefix.as_path(),
    ]
    .into_iter()
    .chain(plan.crates.iter().map(|one| one.folder.as_path()))
    .chain(
        projects
            .iter()
            .flat_map(|project| &project.roots)
            .map(Utf8PathBuf::as_path),
    )
    .filter_map(|path| path.canonicalize_utf8().ok())
    .map(Into::into)
    .collect();
    paths.extend(
        ["HOME", "CARGO_HOME", "RUSTUP_HOME"]
            .iter()
            .filter_map(|key| std::env::var(key).ok()),
    );
    // Paths below `/usr/`, and `/root` as a home folder, are covered by the audit's own patterns. A name as short as
    // `/` would match everything.
    paths.retain(|path| path.len() > 4 && !path.starts_with("/usr/"));
    paths.sort();
    paths.dedup();
    paths
}
