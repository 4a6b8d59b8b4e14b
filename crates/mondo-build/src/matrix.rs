//! The build matrix of a CI service: labels × manifests × LLVM versions, in the shape that GitHub's
//! `strategy.matrix` takes from `fromJSON`.

use camino::Utf8PathBuf;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::progress::Sink;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::manifest::{self, Overrides};
use serde::Serialize;

use crate::bundle::make_plan;

/// The bundles of a matrix.
#[derive(Debug, Clone, Default)]
pub struct Axes {
    /// Manifests.
    pub manifests: Vec<Utf8PathBuf>,
    /// Labels, each for every manifest, or none for the manifests' own.
    pub labels: Vec<String>,
    /// LLVM major versions. Empty for all in the catalogue.
    pub llvm: Vec<String>,
}

/// The matrix: `{"include": […]}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Matrix {
    /// Its jobs.
    pub include: Vec<Job>,
}

/// One bundle to build: `mondo bundle --manifest M --llvm V`, and `--label L` unless it is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Job {
    /// A name of its own, for the job and its artifact: `acme-mlir-llvm22`.
    pub name: String,
    /// The manifest.
    pub manifest: Utf8PathBuf,
    /// The label, or empty for upstream's name.
    pub label: String,
    /// The LLVM version: a major one, or just the one that the manifest pins.
    pub llvm: String,
}

/// Every combination for which a bundle can be planned. If an LLVM other than the manifest's own lacks something that
/// the manifest names, that combination is excluded, and `sink` gets a note; any other fault of a manifest is an error.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan` for a bundle that cannot be made.
pub fn matrix(axes: &Axes, sink: &dyn Sink) -> Result<Matrix> {
    let catalogue = Catalogue::upstream()?;
    let known: Vec<String> = catalogue.llvm.iter().map(u32::to_string).collect();
    let labels: Vec<Option<&String>> = match axes.labels.as_slice() {
        [] => vec![None],
        labels => labels.iter().map(Some).collect(),
    };
    let mut include: Vec<Job> = Vec::new();
    for path in &axes.manifests {
        let requested = manifest::load(path)?.llvm;
        let versions = match (&requested.exact, axes.llvm.as_slice()) {
            (Some(exact), []) => vec![exact.clone()],
            (None, []) => known.clone(),
            (_, versions) => versions.to_vec(),
        };
        for label in &labels {
            for llvm in &versions {
                let overrides = Overrides {
                    label: label.cloned(),
                    llvm: Some(llvm.clone()),
                    ..Overrides::default()
                };
                let plan = match make_plan(path, &overrides) {
                    Ok(plan) => plan,
                    Err(error)
                        if error.kind() == ErrorKind::Plan
                            && axes.llvm.is_empty()
                            && *llvm != requested.major.to_string() =>
                    {
                        sink.note(&format!(
                            "{path} is skipped for LLVM {llvm}: {}",
                            error.what()
                        ));
                        continue;
                    }
                    Err(error) => return Err(error),
                };
                include.push(Job {
                    name: format!("{}-llvm{llvm}", plan.metadata.distribution),
                    manifest: path.clone(),
                    label: plan.identity.label.unwrap_or_default(),
                    llvm: llvm.clone(),
                });
            }
        }
    }
    Ok(Matrix { include })
}

impl Matrix {
    /// On one line, as a step's output in `$GITHUB_OUTPUT` must be.
    ///
    /// # Errors
    /// `ErrorKind::Io` where it is not JSON, which cannot happen.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string(self).map_err(|error| {
            mondo_core::Error::new(ErrorKind::Io, "the matrix is not JSON").caused_by(error)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mondo_core::progress::Silent;

    fn manifests(texts: &[(&str, &str)]) -> (tempfile::TempDir, Vec<Utf8PathBuf>) {
        let dir = tempfile::tempdir().unwrap();
        let folder = camino::Utf8Path::from_path(dir.path()).unwrap();
        let paths = texts.iter().map(|(name, text)| {
            let path = folder.join(name);
            fs_err::write(&path, text).unwrap();
            path
        });
        let paths = paths.collect();
        (dir, paths)
    }

    fn text(distribution: &str, label: &str, llvm: &str) -> String {
        format!(
            "manifest = 1\n[package]\ndistribution = \"{distribution}\"\n{label}\nlicense = \"MIT\"\n\
             [llvm]\nversion = \"{llvm}\"\n[contents]\ndialects = [\"func\"]\n"
        )
    }

    #[test]
    fn every_combination_is_a_job_with_a_name_of_its_own() {
        let (_guard, manifests) = manifests(&[
            ("a.toml", &text("mondo-mlir", "", "22")),
            ("b.toml", &text("corp-small", "label = \"corp\"", "22.1.8")),
        ]);
        let axes = Axes {
            manifests: manifests.clone(),
            labels: vec!["acme".into(), "corp".into()],
            llvm: vec!["22".into()],
        };
        let matrix = matrix(&axes, &Silent).unwrap();
        let names: Vec<&str> = matrix.include.iter().map(|job| job.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "acme-mlir-llvm22",
                "corp-mlir-llvm22",
                "acme-small-llvm22",
                "corp-small-llvm22"
            ]
        );
        let json: serde_json::Value = serde_json::from_str(&matrix.to_json().unwrap()).unwrap();
        assert_eq!(json["include"][1]["label"], "corp");
        assert_eq!(json["include"][1]["manifest"], manifests[0].as_str());
        assert!(!matrix.to_json().unwrap().contains('\n'));
    }

    #[test]
    fn versions_are_the_catalogues_or_the_one_that_is_pinned() {
        let (_guard, manifests) = manifests(&[
            ("a.toml", &text("mondo-mlir", "", "22")),
            ("b.toml", &text("mondo-pinned", "", "22.1.8")),
        ]);
        let axes = |at: usize| Axes {
            manifests: vec![manifests[at].clone()],
            ..Axes::default()
        };
        let versions = |at| {
            let jobs = matrix(&axes(at), &Silent).unwrap().include;
            jobs.into_iter().map(|job| job.llvm).collect::<Vec<_>>()
        };
        let known = Catalogue::upstream().unwrap().llvm;
        assert_eq!(
            versions(0),
            known.iter().map(u32::to_string).collect::<Vec<_>>()
        );
        assert_eq!(versions(1), ["22.1.8"]);
    }

    #[test]
    fn an_llvm_without_a_catalogue_is_an_error_where_it_is_asked_for() {
        let (_guard, manifests) = manifests(&[("a.toml", &text("mondo-mlir", "", "22"))]);
        let axes = Axes {
            manifests,
            llvm: vec!["24".into()],
            ..Axes::default()
        };
        let error = matrix(&axes, &Silent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Plan);
        assert_eq!(error.place(), Some("--llvm"));
    }
}
