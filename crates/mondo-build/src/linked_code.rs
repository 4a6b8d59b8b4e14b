//! Code in a bundle or a kit that comes from no package of the toolchain: the compiler's static libraries, and Rust
//! crates.

use mondo_core::error::Result;
use mondo_link::compile::Packages;
use mondo_package::wheel::sbom::{self, Crate, Native};
use mondo_toolchain::{Linker, Toolchain};

/// Linked code that is part of no package: the compiler's own static libraries, and LLVM itself
/// where it is not the distribution's.
pub(crate) fn native_libraries(toolchain: &Toolchain, linker: &Linker) -> Vec<Native> {
    let compiler = linker.cxx_version.split_whitespace().last();
    // Those of the locked compiler are in packages.
    let names: &[&str] = match linker.locked {
        Some(_) => &[],
        None => &["libstdc++", "libgcc"],
    };
    let mut native: Vec<Native> = names
        .iter()
        .map(|&name| Native {
            name: name.into(),
            version: compiler.map(str::to_owned),
            license: Some("GPL-3.0-or-later WITH GCC-exception-3.1".into()),
            ..Native::default()
        })
        .collect();
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
