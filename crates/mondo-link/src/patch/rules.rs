//! The hooks in an object that no table describes, found by what its functions do. LLVM between two releases, or another
//! compiler, may have other numbers of calls.
//!
//! Each rule covers the whole object, so no call can be missed:
//!
//! - An operation's memory comes from the object's only call of `malloc`, which is in `Operation::create`.
//! - It is released after each call of `~Operation`, so a function has as many calls of `free` as of the destructor. Functions
//!   other than the three that the check at load reaches are refused.
//! - Every call of the sized `operator delete` by a function of `Block` is redirected, except that of `Block::erase`, which
//!   deletes the block. The hook looks for an observer of that address, and passes on all memory, so that vectors that it
//!   sees as well do no harm.
//! - Every call of `~Block` is redirected.

use std::collections::BTreeMap;

use super::expectations::{
    ALLOC, ARGUMENT_DELETE, BLOCK_D1, BLOCK_D2, BLOCK_SECTION, DELETE, FREE, Member, Redirect,
};
use super::relocatable::{Reference, Refusal, references};

/// The start of the name of the section of `Operation::create`. Other overloads have other parameters.
const CREATE: &str =
    ".text._ZN4mlir9Operation6createENS_8LocationENS_13OperationNameENS_9TypeRange";

/// `mlir::Operation::~Operation` under its two names, and the section of both.
const OPERATION_DESTRUCTORS: [&str; 3] = [
    "_ZN4mlir9OperationD1Ev",
    "_ZN4mlir9OperationD2Ev",
    ".text._ZN4mlir9OperationD2Ev",
];

/// The functions that destroy operations and that the check at load reaches.
const DESTROYERS: [&str; 3] = [
    ".text._ZN4mlir9Operation7destroyEv",
    ".text._ZN4mlir9Operation5eraseEv",
    ".text._ZN4llvm12ilist_traitsIN4mlir9OperationEE10deleteNodeEPS2_",
];

const BLOCK_ERASE: &str = ".text._ZN4mlir5Block5eraseEv";

/// The unsized `operator delete`, which compilers use without `-fsized-deallocation`.
const UNSIZED_DELETE: &str = "_ZdlPv";

/// The calls to redirect in one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    section: String,
    from: &'static str,
    to: &'static str,
    count: usize,
}

impl Found {
    pub(super) fn redirect(&self) -> Redirect<'_> {
        Redirect {
            section: &self.section,
            from: self.from,
            to: self.to,
            count: self.count,
        }
    }
}

/// The redirects for `object`, which is the member `like`, whatever its counts.
pub(super) fn redirects(object: &[u8], like: &Member<'_>) -> Result<Vec<Found>, Refusal> {
    let references = references(object)?;
    match like.name {
        "Operation.cpp.o" => of_operation(&references),
        _ => of_block(&references),
    }
}

/// The number of references to `symbol`, by section.
fn by_section<'a>(
    references: &'a [Reference],
    symbol: &'a str,
) -> impl Iterator<Item = (&'a str, usize)> + use<'a> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for reference in references.iter().filter(|at| at.symbol == symbol) {
        *counts.entry(reference.section.as_str()).or_default() += 1;
    }
    counts.into_iter()
}

fn of_operation(references: &[Reference]) -> Result<Vec<Found>, Refusal> {
    let allocations: Vec<(&str, usize)> = by_section(references, "malloc").collect();
    let [(section, 1)] = allocations[..] else {
        return Err(Refusal::Rule(format!(
            "`malloc` is called {} times, but mondo expects one call, in mlir::Operation::create",
            allocations.iter().map(|(_, count)| count).sum::<usize>()
        )));
    };
    if !section.starts_with(CREATE) {
        return Err(Refusal::Rule(format!(
            "{section} calls `malloc`, but mondo expects this in mlir::Operation::create"
        )));
    }
    let mut found = vec![Found {
        section: section.to_owned(),
        from: "malloc",
        to: ALLOC,
        count: 1,
    }];
    let mut destructions: BTreeMap<&str, usize> = BTreeMap::new();
    for destructor in OPERATION_DESTRUCTORS {
        for (section, count) in by_section(references, destructor) {
            *destructions.entry(section).or_default() += count;
        }
    }
    destructions.retain(|section, _| section.starts_with(".text"));
    for (section, count) in destructions {
        if !DESTROYERS.contains(&section) {
            return Err(Refusal::Rule(format!(
                "{section} destroys operations, and mondo's check at load does not reach it"
            )));
        }
        let releases = by_section(references, "free").find(|(name, _)| *name == section);
        let releases = releases.map_or(0, |(_, releases)| releases);
        if releases != count {
            return Err(Refusal::Rule(format!(
                "{section} calls ~Operation {count} times, and `free` {releases} times"
            )));
        }
        found.push(Found {
            section: section.to_owned(),
            from: "free",
            to: FREE,
            count,
        });
    }
    if !found.iter().any(|one| one.section == DESTROYERS[0]) {
        return Err(Refusal::Rule(
            "mlir::Operation::destroy does not call ~Operation".into(),
        ));
    }
    Ok(found)
}

fn of_block(references: &[Reference]) -> Result<Vec<Found>, Refusal> {
    if let Some((section, _)) = by_section(references, UNSIZED_DELETE).next() {
        return Err(Refusal::Rule(format!(
            "{section} calls the unsized `operator delete`: compile LLVM with -fsized-deallocation"
        )));
    }
    let mut found: Vec<Found> = by_section(references, DELETE)
        .filter(|(section, _)| section.starts_with(".text") && *section != BLOCK_ERASE)
        .map(|(section, count)| Found {
            section: section.to_owned(),
            from: DELETE,
            to: ARGUMENT_DELETE,
            count,
        })
        .collect();
    for (from, to) in [
        (BLOCK_D1, BLOCK_D1),
        (BLOCK_D2, BLOCK_D2),
        (BLOCK_SECTION, BLOCK_D1),
    ] {
        let calls = by_section(references, from);
        let calls = calls.filter(|(section, _)| section.starts_with(".text"));
        found.extend(calls.map(|(section, count)| Found {
            section: section.to_owned(),
            from,
            to,
            count,
        }));
    }
    let is_complete = found
        .iter()
        .any(|one| one.section == BLOCK_ERASE && one.to == BLOCK_D1);
    if is_complete {
        return Ok(found);
    }
    Err(Refusal::Rule(
        "mlir::Block::erase does not call ~Block".into(),
    ))
}
