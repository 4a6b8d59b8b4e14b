//! The provenance of a bundle's binaries: packages, libraries, crates, and the folders of
//! this machine that nothing shipped may name.

use mondo_core::error::Result;
use mondo_core::source::Source;
use mondo_link::compile::{Packages, Staticlibs};
use mondo_package::wheel::sbom::{self, Crate, Native};
use mondo_plan::plan::Plan;
use mondo_toolchain::{Linker, Package, Toolchain};

use super::options::Options;
use crate::kit;

/// The packages whose code is in the wheel: the `-dev` ones hold the archives and headers, the others
/// are programs that run while building, and what those load.
pub(super) fn linked_packages(toolchain: &Toolchain) -> Vec<Package> {
    let linked = |package: &&Package| package.name.ends_with("-dev");
    toolchain.packages.iter().filter(linked).cloned().collect()
}

/// Linked code that is part of no package: the compiler's own static libraries, and LLVM itself
/// where it is not the distribution's.
pub(crate) fn native_libraries(toolchain: &Toolchain, linker: &Linker) -> Vec<Native> {
    let compiler = linker.cxx_version.split_whitespace().last();
    let mut native: Vec<Native> = ["libstdc++", "libgcc"]
        .map(|name| Native {
            name: name.into(),
            version: compiler.map(str::to_owned),
            license: Some("GPL-3.0-or-later WITH GCC-exception-3.1".into()),
            ..Native::default()
        })
        .into();
    if toolchain.packages.is_empty() {
        native.push(Native {
            name: "llvm".into(),
            version: Some(toolchain.version.clone()),
            license: Some("Apache-2.0 WITH LLVM-exception".into()),
            ..Native::default()
        });
    }
    native
}

/// The Rust crates whose code is in the staticlibs.
pub(super) fn rust_crates(staticlibs: &Staticlibs) -> Result<Vec<Crate>> {
    match staticlibs {
        Staticlibs::Cargo(packages) => compiled_crates(packages),
        Staticlibs::Kit(kit) => kit::crates(kit),
    }
}

/// The Rust crates of packages that were compiled, as Cargo tells.
pub(crate) fn compiled_crates(packages: &Packages) -> Result<Vec<Crate>> {
    let mut all = Vec::new();
    for package in packages.iter() {
        all.extend(sbom::rust_crates(&package.manifest, &[package.name])?);
    }
    all.sort();
    all.dedup();
    Ok(all)
}

/// Folders of this machine whose names must not be in anything that ships.
pub(super) fn build_paths(
    options: &Options,
    plan: &Plan,
    source: &Source,
    toolchain: &Toolchain,
) -> Vec<String> {
    let mut paths: Vec<String> = [
        options.work_dir.as_path(),
        options.out_dir.as_path(),
        source.root(),
        toolchain.prefix.as_path(),
    ]
    .into_iter()
    .chain(plan.crates.iter().map(|one| one.folder.as_path()))
    .filter_map(|path| path.canonicalize_utf8().ok())
    .map(Into::into)
    .collect();
    paths.extend(
        ["HOME", "CARGO_HOME", "RUSTUP_HOME"]
            .iter()
            .filter_map(|key| std::env::var(key).ok()),
    );
    // A system install's prefix, or `/root` as a home, is caught by the audit's own patterns; names
    // as short as `/` would match anything.
    paths.retain(|path| path.len() > 4 && !path.starts_with("/usr/"));
    paths.sort();
    paths.dedup();
    paths
}
