//! Knowing that nothing changed: a digest of everything a bundle is made from, kept beside the
//! report of the run that it belongs to.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest::hash_tree;
use mondo_core::digest::{self, Sha256};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_link::compile::{self, Digests, Keys};
use mondo_link::patch;
use mondo_package::ods;
use mondo_plan::plan::Plan;
use serde::{Deserialize, Serialize};

use crate::report::{Report, WheelReport};

/// The record of a finished bundle.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Stamp {
    /// The digest of its inputs that are known before anything is compiled.
    inputs: String,
    /// The files that compilers and generators read, as they said themselves, with their digests.
    read: BTreeMap<Utf8PathBuf, String>,
    /// The report of the run.
    report: Report,
}

/// Digests the inputs of a bundle: plan, sources, archives, compilers and this program itself.
pub(crate) fn inputs(compile: compile::Request<'_>, keys: &Keys, extra: &str) -> Result<String> {
    let plan = compile.plan;
    let mut state = Sha256::new();
    contents_into(&mut state, compile, keys)?;
    // The other fields are digested with the contents.
    let Plan {
        identity,
        wheels,
        extension_features,
        wheel,
        metadata,
        excluded,
        headers_without_functions,
        pass_groups,
        version_follows_llvm,
        ..
    } = plan;
    state.update(to_json(&(identity, wheels, extension_features, wheel))?);
    state.update(to_json(&(
        metadata,
        headers_without_functions,
        pass_groups,
        version_follows_llvm,
    ))?);
    state.update(format!("{excluded:?}"));
    state.update(keys.extension());
    state.update(to_json(compile.linker)?);
    state.update(extra);
    let source = compile.source;
    let own = [source.python(), source.license()];
    let named = metadata.license_files.iter().chain(&metadata.readme);
    for path in own.iter().chain(named).chain(&plan.python.sources) {
        hash_tree(path, path, &mut state)?;
    }
    digest::program_into(&mut state)?;
    Ok(digest::hex(state.finalize()))
}

/// Digests what decides the library's contents but for its label: sizes by archive follow from it.
pub(crate) fn contents(compile: compile::Request<'_>, keys: &Keys) -> Result<String> {
    let mut state = Sha256::new();
    contents_into(&mut state, compile, keys)?;
    let mut text = digest::hex(state.finalize());
    text.truncate(16);
    Ok(text)
}

fn contents_into(state: &mut Sha256, compile: compile::Request<'_>, keys: &Keys) -> Result<()> {
    let (plan, toolchain) = (compile.plan, compile.toolchain);
    // Without `..`, so that a new field does not compile before somebody says where it belongs.
    let Plan {
        llvm,
        dialects,
        crates,
        translations,
        archives,
        headers,
        excluded_headers,
        excluded_functions,
        registration,
        llvm_targets,
        excluded_targets,
        excluded_entry_points,
        unreachable_functions,
        null_functions,
        callback_archives,
        execution_engine,
        python,
        link,
        // These do not change the library; [`inputs`] has them.
        identity: _,
        wheels: _,
        extension_features: _,
        wheel: _,
        metadata: _,
        excluded: _,
        headers_without_functions: _,
        pass_groups: _,
        // Their functions are in `registration`.
        runtime_libraries: _,
        version_follows_llvm: _,
    } = plan;
    state.update(to_json(&(llvm, dialects, crates, translations))?);
    state.update(to_json(&(
        archives,
        headers,
        excluded_headers,
        excluded_functions,
    ))?);
    state.update(to_json(&(
        registration,
        llvm_targets,
        excluded_targets,
        excluded_entry_points,
    ))?);
    state.update(to_json(&(
        unreachable_functions,
        null_functions,
        callback_archives,
    ))?);
    state.update(to_json(&(execution_engine, python, link))?);
    state.update(patch::fingerprint());
    state.update(to_json(toolchain)?);
    state.update(keys.library());
    for one in crates {
        one.digest_into(state)?;
    }
    archives_into(state, &toolchain.prefix.join("lib"))?;
    ods::digest_into(state, plan, &toolchain.prefix)
}

/// Names, sizes and times of the archives: someone may rebuild their own LLVM in place.
fn archives_into(state: &mut Sha256, lib: &Utf8Path) -> Result<()> {
    let mut lines = Vec::new();
    for entry in lib
        .read_dir_utf8()
        .map_err(|error| Error::from(error).at(lib))?
    {
        let entry = entry?;
        if entry.file_name().ends_with(".a") {
            let metadata = entry.metadata()?;
            lines.push(format!(
                "{} {} {:?}",
                entry.file_name(),
                metadata.len(),
                metadata.modified()?
            ));
        }
    }
    lines.sort();
    for line in lines {
        state.update(line);
    }
    Ok(())
}

fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::new(ErrorKind::Plan, "the plan cannot be written").caused_by(error))
}

impl Stamp {
    /// The report of the last run, if it was made from `inputs` and its wheels are still there whole.
    #[must_use]
    pub(crate) fn fresh(
        path: &Utf8Path,
        inputs: &str,
        digests: &Digests,
        out_dir: &Utf8Path,
    ) -> Option<Report> {
        let stamp: Self = serde_json::from_str(&fs_err::read_to_string(path).ok()?).ok()?;
        let whole = |wheel: &WheelReport| {
            let path = out_dir.join(&wheel.file);
            if path.is_dir() {
                return Some(digest::of_tree(&path).ok()? == wheel.sha256);
            }
            Some(
                fs_err::metadata(&path).ok()?.len() == wheel.bytes
                    && digest::of_file(&path).ok()? == wheel.sha256,
            )
        };
        let fresh = stamp.inputs == inputs
            && digests.same(&stamp.read)
            && stamp
                .report
                .wheels()
                .all(|wheel| whole(wheel) == Some(true));
        fresh.then_some(stamp.report)
    }

    /// Records a finished run.
    pub(crate) fn write(
        path: &Utf8PathBuf,
        inputs: String,
        read: BTreeMap<Utf8PathBuf, String>,
        report: &Report,
    ) -> Result<()> {
        let stamp = Self {
            inputs,
            read,
            report: report.clone(),
        };
        replace(path, to_json(&stamp)?.as_bytes())
    }
}
