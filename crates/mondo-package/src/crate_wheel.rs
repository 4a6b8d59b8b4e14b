//! The wheels of dialect crates and projects: their extensions, their Python, and the requirement of exactly one
//! version of the bundle's own wheel.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_core::error::Result;
use mondo_link::extension::{Extensions, Interpreter, LinkedExtension, nanobind};
use mondo_plan::dialect_crate::DialectCrate;
use mondo_plan::metadata::{Metadata, all_of};
use mondo_plan::plan::{NATIVE_DIR, Plan, PlannedWheel};
use mondo_toolchain::{Package, Toolchain};

use crate::alias_stubs::{self, Stubs};
use crate::ods::Modules;
use crate::wheel::sbom::{DialectComponent, Native, SbomInput};
use crate::wheel::{self, Epoch, Stage, Tag, WheelFile, WriteOptions};

/// A check that may refuse a finished wheel. Its arguments are the wheel's extensions, its file name and its bytes.
pub type Check<'a> = dyn Fn(&[&LinkedExtension], &str, &[u8]) -> Result<()> + Sync + 'a;

/// The borrowed inputs of writing the wheels.
#[derive(Debug, Clone, Copy)]
pub struct Made<'a> {
    /// The wheels, and the names that are in them.
    pub plan: &'a Plan,
    /// LLVM's licence.
    pub toolchain: &'a Toolchain,
    /// The linked extensions. `None` if no crate has one.
    pub extensions: Option<&'a Extensions>,
    /// The dialects' generated Python.
    pub modules: &'a Modules,
    /// The stubs for the modules of the bundle's own wheel: [`stubs_of`].
    pub of_bundle: &'a Stubs,
    /// The platform tag that the linked extensions need.
    pub platform: &'a str,
    /// Packages whose code may be in an extension, for the SBOM.
    pub packages: &'a [Package],
    /// Native libraries whose code may be in an extension, for the SBOM.
    pub native: &'a [Native],
}

/// The stubs that alias packages of projects have for the modules of the bundle's own wheel, which is staged as
/// `bundle`. Empty where no wheel of a project has an alias package.
///
/// # Errors
/// `ErrorKind::Io` where a module cannot be read.
pub fn stubs_of(bundle: &Stage, plan: &Plan) -> Result<Stubs> {
    let mut owners = plan.python.aliases.values();
    match owners.any(|owner| plan.has_wheel(owner)) {
        true => alias_stubs::stubs(bundle, &plan.identity.import_root),
        false => Ok(Stubs::new()),
    }
}

/// Writes one wheel for each crate that has its own. A wheel appears under its name only after `check` has accepted
/// its bytes. Returns the wheels in the plan's order.
///
/// # Errors
/// `ErrorKind::Wheel` where one cannot be made, and the errors of `check`.
pub fn write(made: Made<'_>, dir: &Utf8Path, check: &Check<'_>) -> Result<Vec<WheelFile>> {
    let wheels = made.plan.wheels.iter().zip(made.linked());
    wheels
        .map(|(planned, linked)| write_one(made, planned, linked, dir, check))
        .collect()
}

impl<'a> Made<'a> {
    /// The extensions of each wheel, in the plan's order.
    fn linked(self) -> impl Iterator<Item = &'a [LinkedExtension]> {
        let wheels = self.plan.wheels.iter().enumerate();
        wheels.map(move |(index, _)| {
            let linked = self
                .extensions
                .and_then(|extensions| extensions.wheels.get(index));
            linked.map_or(&[][..], Vec::as_slice)
        })
    }

    /// The extensions, if the wheel `planned` has one of them.
    fn native(self, planned: &PlannedWheel) -> Option<&'a Extensions> {
        self.extensions.filter(|_| !planned.extensions.is_empty())
    }
}

fn write_one(
    made: Made<'_>,
    planned: &PlannedWheel,
    linked: &[LinkedExtension],
    dir: &Utf8Path,
    check: &Check<'_>,
) -> Result<WheelFile> {
    let plan = made.plan;
    let owner = plan.dialect_crate(&planned.of_crate);
    let extensions = made.native(planned);
    let metadata = metadata(plan, planned, owner, extensions);
    let tag = match extensions {
        Some(extensions) => tag(&extensions.interpreter, made.platform.to_owned()),
        None => Tag {
            python: "py3".to_owned(),
            abi: "none".to_owned(),
            platform: "any".to_owned(),
        },
    };
    let mut stage = Stage::default();
    lay_out(made, &mut stage, planned, linked)?;
    licenses(made, &mut stage, owner, (extensions, &metadata))?;
    let name = wheel::file_name(&metadata, &tag)?;
    let (mut native, mut packages) = (Vec::new(), &[][..]);
    if extensions.is_some() {
        native.extend_from_slice(made.native);
        native.push(nanobind());
        packages = made.packages;
    }
    let sbom = SbomInput {
        packages,
        crates: Vec::new(),
        native,
        dialects: owner.into_iter().filter_map(DialectComponent::of).collect(),
        archives: Vec::new(),
    };
    let options = WriteOptions {
        epoch: Epoch::from_environment()?,
        ..WriteOptions::default()
    };
    let linked: Vec<&LinkedExtension> = linked.iter().collect();
    let check = |bytes: &[u8]| check(&linked, &name, bytes);
    wheel::write(&stage, &metadata, &tag, &sbom, &options, dir, check)
}

/// The licence of LLVM and of mondo.
const LLVM_LICENSE: &str = "Apache-2.0 WITH LLVM-exception";

/// The tag of a wheel that this interpreter alone takes.
pub fn tag(interpreter: &Interpreter, platform: String) -> Tag {
    let (major, minor) = interpreter.version;
    Tag {
        python: format!("cp{major}{minor}"),
        abi: interpreter.abi(),
        platform,
    }
}

fn metadata(
    plan: &Plan,
    planned: &PlannedWheel,
    owner: Option<&DialectCrate>,
    extensions: Option<&Extensions>,
) -> Metadata {
    let base = &plan.metadata;
    let package = owner.map(|owner| &owner.package);
    let authors = package
        .map(|package| &package.authors)
        .filter(|authors| !authors.is_empty());
    let license = package.and_then(|package| package.license.as_deref());
    // An extension has nanobind's and LLVM's support library in it.
    let linked = extensions.map_or(&[][..], |_| &["BSD-3-Clause", LLVM_LICENSE]);
    Metadata {
        distribution: planned.distribution.clone(),
        summary: Some(format!(
            "The dialect crate {} for {}",
            planned.of_crate, base.distribution
        )),
        license: license.map_or_else(
            || base.license.clone(),
            |license| all_of(license, linked.iter().copied()),
        ),
        license_files: match license {
            Some(_) => Vec::new(),
            None => base.license_files.clone(),
        },
        authors: authors.unwrap_or(&base.authors).clone(),
        readme: None,
        requires_python: extensions.map_or_else(
            || base.requires_python.clone(),
            |extensions| {
                let (major, minor) = extensions.interpreter.version;
                format!("=={major}.{minor}.*")
            },
        ),
        // An extension calls the library's functions of just this build, and generated classes fit its
        // dialects.
        requires: vec![format!("{} == {}", base.distribution, base.version)],
        extras: BTreeMap::new(),
        import_names: None,
        import_namespaces: Vec::new(),
        entry_points: BTreeMap::new(),
        ..base.clone()
    }
}

/// Adds to `stage`, which has the bundle's files already, the files of all crates with a wheel of their own: a tree
/// (`--layout tree`) has in one folder what is otherwise several wheels.
///
/// # Errors
/// `ErrorKind::Io` where a file is missing.
pub fn lay_out_all(made: Made<'_>, stage: &mut Stage) -> Result<()> {
    let plan = made.plan;
    for (planned, linked) in plan.wheels.iter().zip(made.linked()) {
        lay_out(made, stage, planned, linked)?;
    }
    if let Some(extensions) = made.extensions {
        let text = extensions.nanobind.license.as_ref();
        stage.license(&plan.metadata.dist_info()?, "nanobind", text);
    }
    Ok(())
}

/// nanobind as a component of the SBOM, for each wheel with an extension that is compiled with nanobind.
pub fn nanobind() -> Native {
    Native {
        name: "nanobind".into(),
        version: Some(nanobind::VERSION.into()),
        license: Some("BSD-3-Clause".into()),
        purl: Some(format!("pkg:pypi/nanobind@{}", nanobind::VERSION)),
        sha256: Some(nanobind::SHA256.into()),
    }
}

fn lay_out(
    made: Made<'_>,
    stage: &mut Stage,
    planned: &PlannedWheel,
    linked: &[LinkedExtension],
) -> Result<()> {
    for folder in &planned.sources {
        stage.tree(folder, "")?;
    }
    let root = made.plan.identity.import_root.replace('.', "/");
    for one in linked {
        stage.file(
            format!("{root}/{NATIVE_DIR}/{}", one.file),
            &one.shipped,
            true,
        );
    }
    let Some(owner) = made.plan.dialect_crate(&planned.of_crate) else {
        return Ok(());
    };
    stage.crate_python(owner, &made.plan.identity.import_root)?;
    if let Some(modules) = made.modules.crates.get(owner.name.get_ref()) {
        modules.lay_out(stage, &root);
    }
    alias_stubs::lay_out(made.plan, Some(&planned.of_crate), made.of_bundle, stage)
}

fn licenses(
    made: Made<'_>,
    stage: &mut Stage,
    owner: Option<&DialectCrate>,
    (extensions, metadata): (Option<&Extensions>, &Metadata),
) -> Result<()> {
    let dist_info = metadata.dist_info()?;
    if let Some(owner) = owner {
        stage.crate_licenses(&dist_info, owner);
    }
    // LLVM's licence applies to such a wheel: mlir-tblgen generated its classes, and its extensions include LLVM's
    // headers.
    stage.license(&dist_info, "llvm", made.toolchain.license_file.as_ref());
    if let Some(extensions) = extensions {
        let text = extensions.nanobind.license.as_ref();
        stage.license(&dist_info, "nanobind", text);
    }
    Ok(())
}
