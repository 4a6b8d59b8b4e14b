//! The choice of packages from a suite's list: LLVM's own, the libraries that their programs load, and the C and C++
//! runtime that they were compiled with.

use std::collections::{BTreeMap, BTreeSet};

use mondo_core::error::{Error, ErrorKind, Result};

use crate::installation::{development_packages, follows, runtime_packages};
use crate::lock::{LockedPackage, MovingSet, upstream_version};
use crate::package_paragraphs::Offer;

/// LLVM's packages with the libraries of their programs, and the C and C++ runtime; each sorted by name.
///
/// # Errors
/// `ErrorKind::Toolchain` where the suite lacks one, or has parts of two versions of LLVM.
pub(super) fn packages(
    offers: &[Offer],
    major: u32,
    suite: &str,
) -> Result<(Vec<LockedPackage>, Vec<LockedPackage>)> {
    // Of two versions the list has the newer one last.
    let by_name: BTreeMap<&str, &Offer> = offers
        .iter()
        .map(|offer| (offer.name.as_str(), offer))
        .collect();
    let wanted = development_packages(major);
    let gcc = gcc(&by_name, major).ok_or_else(|| lacking(suite, &[format!("clang-{major}")]))?;
    let runtime = runtime_packages(gcc);
    let missing: Vec<String> = wanted
        .iter()
        .chain(&runtime)
        .filter(|name| !by_name.contains_key(name.as_str()))
        .cloned()
        .collect();
    if !missing.is_empty() {
        return Err(lacking(suite, &missing));
    }
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = wanted.iter().map(String::as_str).collect();
    while let Some(name) = next.pop() {
        // A name that is not in the list is of a virtual package, which another one provides.
        let Some(offer) = by_name.get(name).filter(|_| !found.contains(name)) else {
            continue;
        };
        found.insert(name);
        next.extend(
            offer
                .depends
                .iter()
                .filter(|depended| follows(&offer.name, depended, &runtime))
                .map(String::as_str),
        );
    }
    let locked = |name: &str| {
        by_name
            .get(name)
            .map(|offer| LockedPackage::from((*offer).clone()))
    };
    let mut runtime: Vec<LockedPackage> = runtime.iter().filter_map(|name| locked(name)).collect();
    runtime.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((found.into_iter().filter_map(locked).collect(), runtime))
}

/// The version of GCC whose C++ library this LLVM's Clang uses.
fn gcc(by_name: &BTreeMap<&str, &Offer>, major: u32) -> Option<u32> {
    let clang = by_name.get(format!("clang-{major}").as_str())?;
    clang.depends.iter().find_map(|name| {
        name.strip_prefix("libstdc++-")?
            .strip_suffix("-dev")?
            .parse()
            .ok()
    })
}

/// LLVM's version, which all its packages must share.
pub(super) fn version(packages: &[LockedPackage], row: &MovingSet) -> Result<String> {
    let wanted = development_packages(row.llvm);
    let of_llvm = packages.iter().filter(|package| {
        wanted.contains(&package.name) && package.path.contains("/llvm-toolchain-")
    });
    let versions: BTreeSet<&str> = of_llvm.map(|package| package.version.as_str()).collect();
    match Vec::from_iter(versions)[..] {
        [version] => Ok(upstream_version(version).to_owned()),
        ref versions => Err(Error::new(
            ErrorKind::Toolchain,
            format!(
                "Debian {} has parts of several LLVM {}",
                row.suite, row.llvm
            ),
        )
        .details(versions.iter().copied())
        .help("try again in a few hours: the suite gets a new version package by package")),
    }
}

fn lacking(suite: &str, packages: &[String]) -> Error {
    Error::new(
        ErrorKind::Toolchain,
        format!("Debian {suite} lacks packages of this LLVM"),
    )
    .details(packages)
    .help("set `--llvm-dir` or MONDO_LLVM_DIR to an installation")
}
