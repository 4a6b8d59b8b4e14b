//! The stamp, by which a run knows that nothing has changed: a digest of all inputs of a bundle. It is kept with the
//! report of the run that made the bundle.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest::hash_tree;
use mondo_core::digest::{self, Sha256};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_link::compile::{self, Digests, Keys};
use mondo_link::extension;
use mondo_link::patch;
use mondo_link::variables;
use mondo_package::ods;
use mondo_plan::plan::Plan;
use mondo_project::Prepared;
use serde::{Deserialize, Serialize};

use crate::report::{Report, WheelReport};

/// The fingerprint of the pipeline's sources, which the build script computes. It is the same for all programs that
/// are built from the same sources, so that each accepts a bundle that another one made as up to date.
pub(crate) const PIPELINE: &str = env!("MONDO_PIPELINE");

/// The record of a finished bundle.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Stamp {
    /// The digest of its inputs that are known before anything is compiled.
    inputs: String,
    /// The files that compilers and generators reported to have read, with their digests.
    read: BTreeMap<Utf8PathBuf, String>,
    /// The report of the run.
    report: Report,
}

/// Two digests of a bundle's inputs.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    /// Of all inputs: plan, sources, archives, compilers and the pipeline itself.
    pub(crate) all: String,
    /// Of everything that decides the library's contents except its label. The results of links are cached under it.
    pub(crate) contents: String,
}

/// Digests the inputs of a bundle. `python` is the interpreter that its extensions are for. `projects` are inputs
/// besides their code and Python, because the wheel has their names, versions and licences.
pub(crate) fn inputs(
    compile: compile::Request<'_>,
    keys: &Keys,
    python: &OsStr,
    projects: &[Prepared],
) -> Result<Inputs> {
    let plan = compile.plan;
    let mut state = Sha256::new();
    contents_into(&mut state, compile, keys)?;
    let mut contents = digest::hex(state.clone().finalize());
    contents.truncate(16);
    // The plan's other fields are in the digest of the contents.
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
    state.update(std::env::var("SOURCE_DATE_EPOCH").unwrap_or_default());
    state.update(extension::fingerprint(plan, python)?);
    let origins: Vec<_> = projects.iter().map(|project| &project.origin).collect();
    state.update(format!("{origins:?}"));
    let source = compile.source;
    let folders = [source.python(), source.extension_headers()];
    let named = metadata.license_files.iter().chain(&metadata.readme);
    for path in folders.iter().chain(named).chain(&plan.python.sources) {
        hash_tree(path, path, &mut state)?;
    }
    state.update(PIPELINE);
    Ok(Inputs {
        all: digest::hex(state.finalize()),
        contents,
    })
}

fn contents_into(state: &mut Sha256, compile: compile::Request<'_>, keys: &Keys) -> Result<()> {
    let (plan, toolchain) = (compile.plan, compile.toolchain);
    // The pattern has no `..`, so that a new field of the plan is a compile error until somebody decides if it
    // belongs to this digest.
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
        tools,
        tool_translations,
        execution_engine,
        python,
        link,
        // These fields do not change the library; the digest of [`inputs`] covers them.
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
    // The names of tools' commands contain the label, so they are not part of this digest.
    let tools = tools.iter();
    let tools = tools.map(|tool| (&tool.name, &tool.archive));
    state.update(to_json(&(tools.collect::<Vec<_>>(), tool_translations))?);
    state.update(to_json(&(execution_engine, python, link))?);
    state.update(patch::fingerprint(llvm.major));
    state.update(to_json(toolchain)?);
    state.update(keys.library());
    state.update(variables::of_compilers());
    for one in crates {
        one.digest_into(state)?;
    }
    archives_into(state, &toolchain.prefix.join("lib"))?;
    ods::digest_into(state, plan, &toolchain.prefix)
}

/// Adds names, sizes and times of the archives, since users may rebuild their own LLVM in place.
pub(crate) fn archives_into(state: &mut Sha256, lib: &Utf8Path) -> Result<()> {
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
        .map_err(|error| Error::new(ErrorKind::Plan, "cannot write the plan").caused_by(error))
}

impl Stamp {
    /// Returns the report of the last run, if it had the same `inputs` and its wheels are still complete.
    #[must_use]
    pub(crate) fn fresh(
        path: &Utf8Path,
        inputs: &str,
        prefix: &Utf8Path,
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
            && Digests::new(prefix).same(&stamp.read)
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

#[cfg(test)]
#[path = "../build/fingerprint.rs"]
mod fingerprint;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::fingerprint::{CRATES, inputs, of};
    use super::*;

    /// The workspace's folder.
    fn workspace() -> PathBuf {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        crate_folder.join("../..").canonicalize().unwrap()
    }

    fn fingerprint(workspace: &Path) -> u64 {
        let crates = workspace.join("crates");
        of(
            &crates,
            &inputs(&crates, Some(&workspace.join("Cargo.lock"))),
        )
        .unwrap()
    }

    #[test]
    fn another_program_of_the_same_sources_has_the_same_fingerprint() {
        // This test is another program than the build script, and its sources are those of this library.
        assert_eq!(format!("{:016x}", fingerprint(&workspace())), PIPELINE);
    }

    #[test]
    fn the_fingerprint_follows_contents_and_names_and_not_the_place() {
        let dir = tempfile::tempdir().unwrap();
        let one = |name: &str| {
            let workspace = dir.path().join(name);
            for path in CRATES.map(|name| workspace.join("crates").join(name).join("src")) {
                fs_err::create_dir_all(&path).unwrap();
                fs_err::write(path.join("lib.rs"), "").unwrap();
            }
            let catalogue = workspace.join("crates/dialects/upstream");
            fs_err::create_dir_all(&catalogue).unwrap();
            fs_err::write(catalogue.join("dialect.toml"), "").unwrap();
            fs_err::write(workspace.join("Cargo.lock"), "version = 4").unwrap();
            workspace
        };
        let (first, second) = (one("a"), one("z"));
        let before = fingerprint(&first);
        assert_eq!(fingerprint(&second), before);
        let mut seen = BTreeSet::from([before]);
        for (path, content) in [
            ("Cargo.lock", "version = 5"),
            ("crates/mondo-core/src/lib.rs", "//! Other."),
            ("crates/mondo-audit/src/rules/new.rs", ""),
            ("crates/mondo-new/templates/new.in", ""),
            ("crates/dialects/upstream/dialect.toml", "a = 1"),
        ] {
            let path = second.join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(&path, content).unwrap();
            assert!(seen.insert(fingerprint(&second)), "{}", path.display());
        }
        let missing = second.join("crates/mondo-link/src");
        fs_err::remove_dir_all(&missing).unwrap();
        let crates = second.join("crates");
        let error = of(&crates, &inputs(&crates, None)).unwrap_err();
        assert!(error.to_string().contains("mondo-link/src"), "{error}");
    }

    #[test]
    fn the_fingerprint_is_of_every_crate_that_this_one_depends_on() {
        let mut found = BTreeSet::from(["mondo-build".to_owned()]);
        let mut pending = vec!["mondo-build".to_owned()];
        while let Some(name) = pending.pop() {
            let manifest = workspace().join("crates").join(name).join("Cargo.toml");
            let text = fs_err::read_to_string(manifest).unwrap();
            let (_, dependencies) = text.split_once("[dependencies]\n").unwrap();
            let dependencies = dependencies
                .lines()
                .take_while(|line| !line.starts_with('['));
            for line in dependencies {
                let name = line.split(['.', ' ', '=']).next().unwrap();
                if name.starts_with("mondo-") && found.insert(name.to_owned()) {
                    pending.push(name.to_owned());
                }
            }
        }
        assert!(found.iter().eq(CRATES), "{found:?}");
    }
}
