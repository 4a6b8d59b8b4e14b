//! The wheels of dialect crates: extensions, Python, and the requirement of the bundle's own wheel.

use camino::{Utf8Path, Utf8PathBuf};

use super::{Extensions, LinkedExtension, nanobind};
use crate::audit;
use crate::dialect_crate::DialectCrate;
use crate::error::Result;
use crate::ods::Modules;
use crate::plan::{Plan, PlannedWheel};
use crate::stage::NATIVE_DIR;
use crate::toolchain::{Package, Toolchain};
use crate::wheel::metadata::Metadata;
use crate::wheel::sbom::{Native, SbomInput};
use crate::wheel::{self, Epoch, Stage, WheelFile, WriteOptions};

/// What writing the wheels borrows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made<'a> {
    /// What is audited against what.
    pub(crate) subject: audit::Subject<'a>,
    /// LLVM's licence.
    pub(crate) toolchain: &'a Toolchain,
    /// What was linked.
    pub(crate) extensions: &'a Extensions,
    /// The dialects' generated Python.
    pub(crate) modules: &'a Modules,
    /// The platform that what was linked needs.
    pub(crate) platform: &'a str,
    /// For the SBOM: packages whose code may be in an extension.
    pub(crate) packages: &'a [Package],
    /// And native libraries.
    pub(crate) native: &'a [Native],
}

/// Writes one wheel for each crate with an extension. Returns them in the plan's order.
pub(crate) fn write(made: Made<'_>, dir: &Utf8Path) -> Result<Vec<WheelFile>> {
    let plan = made.subject.plan;
    let wheels = plan.wheels.iter().zip(&made.extensions.wheels);
    wheels
        .map(|(planned, linked)| write_one(made, planned, linked, dir))
        .collect()
}

fn write_one(
    made: Made<'_>,
    planned: &PlannedWheel,
    linked: &[LinkedExtension],
    dir: &Utf8Path,
) -> Result<WheelFile> {
    let plan = made.subject.plan;
    let metadata = metadata(plan, planned, made.extensions);
    let tag = made.extensions.tag(made.platform.to_owned());
    let owner = plan.dialect_crate(&planned.of_crate);
    let stage = stage(made, &metadata, owner, linked)?;
    let name = wheel::file_name(&metadata, &tag)?;
    let mut native = made.native.to_vec();
    native.push(Native {
        name: "nanobind".into(),
        version: Some(nanobind::VERSION.into()),
        license: Some("BSD-3-Clause".into()),
        purl: Some(format!("pkg:pypi/nanobind@{}", nanobind::VERSION)),
        sha256: Some(nanobind::SHA256.into()),
    });
    let sbom = SbomInput {
        packages: made.packages,
        crates: Vec::new(),
        native,
    };
    let options = WriteOptions {
        epoch: Epoch::from_environment()?,
        ..WriteOptions::default()
    };
    let check = |bytes: &[u8]| audit::crate_wheel(made.subject, linked, &name, bytes);
    wheel::write(&stage, &metadata, &tag, &sbom, &options, dir, check)
}

fn metadata(plan: &Plan, planned: &PlannedWheel, extensions: &Extensions) -> Metadata {
    let base = &plan.metadata;
    let (major, minor) = extensions.interpreter.version;
    Metadata {
        distribution: planned.distribution.clone(),
        summary: Some(format!(
            "The dialect crate {} for {}",
            planned.of_crate, base.distribution
        )),
        readme: None,
        requires_python: format!("=={major}.{minor}.*"),
        // The extension calls the library's functions of just this build.
        requires: vec![format!("{} == {}", base.distribution, base.version)],
        ..base.clone()
    }
}

fn stage(
    made: Made<'_>,
    metadata: &Metadata,
    owner: Option<&DialectCrate>,
    linked: &[LinkedExtension],
) -> Result<Stage> {
    let root = made.subject.plan.identity.import_root.replace('.', "/");
    let mut stage = Stage::default();
    for one in linked {
        stage.file(
            format!("{root}/{NATIVE_DIR}/{}", one.file),
            &one.shipped,
            true,
        );
    }
    if let Some(owner) = owner {
        if let Some(python) = &owner.python {
            stage.tree(python, &root)?;
        }
        if let Some(modules) = made.modules.crates.get(owner.name.get_ref()) {
            modules.lay_out(&mut stage, &root);
        }
    }
    let licenses = format!("{}/licenses", metadata.dist_info()?);
    let texts: [(&str, Option<&Utf8PathBuf>); 2] = [
        ("llvm", made.toolchain.license_file.as_ref()),
        ("nanobind", made.extensions.nanobind.license.as_ref()),
    ];
    for (of, path) in texts {
        if let Some(path) = path {
            let name = path.file_name().unwrap_or("LICENSE");
            stage.file(format!("{licenses}/{of}/{name}"), path, false);
        }
    }
    Ok(stage)
}
