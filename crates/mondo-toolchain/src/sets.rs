//! The set of packages for a request: that of the lock, or what a suite that moves has.

use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::progress::Sink;

use crate::host::Host;
use crate::installation::Toolchain;
use crate::lock::{Choice, Lock, MovingSet, PackageSet};
use crate::moving;
use crate::provision::provision;
use crate::request::Request;

/// The set for this request: that of the lock, or what a suite that moves has now.
pub(super) fn wanted_set(request: &Request, host: &Host, sink: &dyn Sink) -> Result<PackageSet> {
    set_of(request, &|row, base| {
        moving::set(row, base, request, host, sink)
    })
}

/// The set for this request as far as it is known without the network.
pub(super) fn known_set(request: &Request) -> Result<PackageSet> {
    set_of(request, &|row, base| moving::recorded(row, base, request))
}

fn set_of(
    request: &Request,
    moving: &dyn Fn(&MovingSet, &PackageSet) -> Result<PackageSet>,
) -> Result<PackageSet> {
    let lock = Lock::read(&request.lock)?;
    let architecture = &request.target.architecture;
    let set = match lock.choose(request.major, &request.target) {
        Choice::Pinned(set) => Some(set.clone()),
        Choice::Moving { row, base } => Some(moving(row, base)?),
        Choice::Absent => None,
    };
    let Some(set) = set else {
        let known: Vec<String> = lock
            .sets
            .iter()
            .map(|set| format!("LLVM {} for {}", set.llvm, set.architecture))
            .collect();
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!(
                "the toolchain lock has no LLVM {} packages for {architecture}",
                request.major
            ),
        )
        .at(request.lock.as_str())
        .because("it has only these")
        .details(known)
        .help(
            "run with `--update-lock` on Debian to lock the packages that apt offers,\nor set \
             `--llvm-dir` or MONDO_LLVM_DIR to an installation",
        ));
    };
    if let Some(exact) = &request.exact
        && *exact != set.llvm
    {
        if let Some(moved) = &set.moved {
            return Err(Error::new(
                ErrorKind::Toolchain,
                format!(
                    "the manifest requires LLVM {exact}, but Debian {} has {}",
                    moved.suite, set.llvm
                ),
            )
            .because("the suite moves: it has the newest version only")
            .help(format!(
                "set `version = \"{}\"` in the manifest,\nor set `--llvm-dir` or MONDO_LLVM_DIR to an installation",
                request.major
            )));
        }
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!(
                "the manifest requires LLVM {exact}, but the toolchain lock has {}",
                set.llvm
            ),
        )
        .at(request.lock.as_str())
        .help(
            "change `llvm` in the manifest, run with `--update-lock` if the distribution has \
             that version now,\nor set `--llvm-dir` or MONDO_LLVM_DIR to an installation",
        ));
    }
    let llvm = set.llvm.clone();
    let optional: Vec<String> = set
        .optional
        .iter()
        .map(|package| package.name.clone())
        .collect();
    set.with(&request.packages).map_err(|name| {
        Error::new(
            ErrorKind::Toolchain,
            format!(
                "`llvm.packages` in the manifest names `{name}`, which the toolchain lock lacks"
            ),
        )
        .at(request.lock.as_str())
        .because(format!(
            "the optional packages of LLVM {llvm} for {architecture} are"
        ))
        .details(optional)
        .help("choose one of them, or add the package to `optional` in the lock")
    })
}

/// The toolchain for a request from the cache, which is provisioned first where it is not whole.
pub(super) fn toolchain(request: &Request, host: &Host, sink: &dyn Sink) -> Result<Toolchain> {
    let set = wanted_set(request, host, sink)?;
    if let Some(moved) = &set.moved {
        sink.note(&format!(
            "LLVM {} is what Debian {} had on {}: the suite moves, and a later build may take newer packages",
            set.llvm, moved.suite, moved.date
        ));
    }
    provision(&set, request, host, sink)
}
