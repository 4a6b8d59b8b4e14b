//! The collect phase: which archives the link takes, and that each of them is whole.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::document::suggest;
use mondo_plan::names;
use mondo_plan::plan::{Plan, PlannedTool};
use mondo_toolchain::Toolchain;
use rayon::prelude::*;

use crate::archive::check;
pub use crate::archive::{Archive, definitions};
use crate::compile::Compiled;
use crate::llvm_archives::{archives_in, native};
pub use mondo_core::file::map;

/// The result of the collect phase.
#[derive(Debug)]
pub struct Collected {
    /// Archives of which every member is linked: those of MLIR's C API and of the dialect crates, in
    /// the plan's order.
    pub whole: Vec<Archive>,
    /// Archives of which the linker takes what is needed, sorted by path.
    pub by_need: Vec<Archive>,
    /// The static libraries that LLVM's archives depend on: zstd and zlib.
    pub native: Vec<Archive>,
}

/// Checks that the archives that dialect crates and tools name exist, before anything is compiled.
///
/// # Errors
/// `ErrorKind::Archive` where one is missing.
pub fn check_names(plan: &Plan, toolchain: &Toolchain) -> Result<()> {
    let present = archives_in(&toolchain.prefix.join("lib"))?;
    asked_for_by_tools(plan, &present)?;
    asked_for_by_crates(plan, &present).map(drop)
}

/// Finds and checks every archive that `plan` links.
///
/// # Errors
/// `ErrorKind::Archive` where one is missing or damaged.
pub fn collect(plan: &Plan, toolchain: &Toolchain, compiled: &Compiled) -> Result<Collected> {
    let lib = toolchain.prefix.join("lib");
    let present = archives_in(&lib)?;
    let mut whole = Vec::new();
    let mut missing = Vec::new();
    for name in &plan.archives {
        match present.get(name) {
            Some(path) => whole.push((name.clone(), path.clone())),
            None => missing.push(format!("lib{name}.a{}", nearest_hint(name, present.keys()))),
        }
    }
    if !missing.is_empty() {
        return Err(Error::new(
            ErrorKind::Archive,
            "archives that the bundle links whole are missing",
        )
        .at(lib)
        .details(missing)
        .help("install the MLIR development package of this version, or run `mondo doctor`"));
    }
    let mut asked_for = asked_for_by_crates(plan, &present)?;
    asked_for.extend(asked_for_by_tools(plan, &present)?);
    let mut by_need = present
        .iter()
        .filter(|(name, _)| {
            (is_mlir_or_llvm(name) && !is_c_api(name)) || asked_for.contains(name.as_str())
        })
        .map(|(name, path)| (name.clone(), path.clone()))
        .collect::<Vec<_>>();
    for one in &compiled.crates {
        whole.extend(one.whole.iter().map(|path| (stem(path), path.clone())));
        by_need.extend(one.by_need.iter().map(|path| (stem(path), path.clone())));
    }
    Ok(Collected {
        whole: check_all(&whole)?,
        by_need: check_all(&by_need)?,
        native: check_all(&native(toolchain))?,
    })
}

/// The archives that the dialect crates name. Archives of the C API are not among the result, because the plan lists
/// these.
fn asked_for_by_crates<'a>(
    plan: &'a Plan,
    present: &BTreeMap<String, Utf8PathBuf>,
) -> Result<BTreeSet<&'a str>> {
    let mut asked_for = BTreeSet::new();
    for one in &plan.crates {
        for name in one.archives() {
            let word = name.get_ref().as_str();
            if !present.contains_key(word) {
                return Err(one
                    .error(
                        ErrorKind::Archive,
                        name.span(),
                        format!(
                            "the dialect crate `{}`: `{}` names lib{word}.a, which this LLVM \
                             lacks",
                            one.name.get_ref(),
                            one.archives_key()
                        ),
                    )
                    .help(suggest(word, present.keys().map(String::as_str))));
            }
            if !is_c_api(word) {
                asked_for.insert(word);
            }
        }
    }
    Ok(asked_for)
}

/// The archives with the code of the bundle's tools, except tools that are compiled from LLVM's sources.
fn asked_for_by_tools<'a>(
    plan: &'a Plan,
    present: &BTreeMap<String, Utf8PathBuf>,
) -> Result<BTreeSet<&'a str>> {
    let (there, absent): (Vec<&PlannedTool>, Vec<&PlannedTool>) = plan
        .tools
        .iter()
        .filter(|tool| tool.main.is_none())
        .partition(|tool| present.contains_key(&tool.archive));
    let mut missing = absent
        .iter()
        .filter(|tool| tool.sources.is_empty())
        .map(|tool| format!("`{}`: lib{}.a", tool.name, tool.archive))
        .peekable();
    if missing.peek().is_none() {
        return Ok(there.iter().map(|member| member.archive.as_str()).collect());
    }
    Err(Error::new(
        ErrorKind::Archive,
        "this LLVM lacks the archives of tools in the manifest",
    )
    .at("contents.tools")
    .because("it was built or installed without them")
    .details(missing)
    .help(
        "remove the tools from `contents.tools`, or pass an LLVM that has the archives with \
         `--llvm-dir`",
    ))
}

/// `libMLIRIR.a` is `MLIRIR`.
fn stem(path: &Utf8Path) -> String {
    let name = path.file_stem().unwrap_or_default();
    name.strip_prefix("lib").unwrap_or(name).to_owned()
}

fn is_mlir_or_llvm(name: &str) -> bool {
    name.starts_with("MLIR") || name.starts_with("LLVM")
}

/// True for an archive of the C API. Such an archive is linked whole or not at all: if the linker extracted single
/// members, the library would export only a part of the archive's functions.
fn is_c_api(name: &str) -> bool {
    name.starts_with("MLIRCAPI")
}

fn check_all(archives: &[(String, Utf8PathBuf)]) -> Result<Vec<Archive>> {
    archives
        .par_iter()
        .map(|(name, path)| check(name, path))
        .collect()
}

/// ` (did you mean …?)` where a name is near enough.
pub(crate) fn nearest_hint<'a>(name: &str, known: impl IntoIterator<Item = &'a String>) -> String {
    names::nearest(name, known, 0.85).map_or_else(String::new, |candidate| {
        format!(" (did you mean lib{candidate}.a?)")
    })
}
