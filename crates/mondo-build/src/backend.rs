//! The part of the build backend that is not in the pipeline: the requirements that its hooks report, and the copy of
//! results into the frontend's folder.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_link::compile;
use mondo_link::extension::nanobind;
pub use mondo_link::extension::nanobind::REQUIREMENT as NANOBIND;
use mondo_plan::manifest;
use mondo_plan::plan::Plan;
pub use mondo_project::REQUIREMENTS as PROJECT_TOOLS;
use mondo_project::Tools;

use crate::bundle::{self, Options};
use crate::kit;

/// The requirements that a frontend has to install before the build. They include the kit of the manifest's LLVM if
/// there is neither a kit nor a checkout of mondo. They also include the wheels that extensions and projects are
/// built with, as far as these are not in the cache: an isolated environment has no pip that could fetch them later.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan`, by what is wrong with the manifest.
pub fn requires(options: &Options) -> Result<Vec<String>> {
    let plan = bundle::make_plan(&options.manifest, &options.overrides)?;
    let mut requires = Vec::from_iter(kit_of(&plan, options));
    let manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    let has_projects = !manifest.projects.is_empty();
    // A project may have extensions, which is not known before it is configured, so it counts as having some.
    if has_projects || plan.has_extensions() {
        requires.extend(nanobind::missing()?);
    }
    if has_projects {
        requires.extend(Tools::missing()?);
    }
    Ok(requires)
}

/// The kit that must be installed for a plan.
fn kit_of(plan: &Plan, options: &Options) -> Option<String> {
    // A kit has no dialects in Rust. Cargo compiles these from a checkout, so a kit would not help.
    if options.kit.is_some() || compile::needs_cargo(&plan.crates) {
        return None;
    }
    let major = plan.llvm.major;
    let has_kit = kit::source(None, major).is_ok();
    (!has_kit).then(|| format!("mondo-kit-{major}=={}", kit::VERSION))
}

/// The requirements for a source distribution: the kit only, since LLVM's version, which may be part of the project's
/// version, is in the kit's lock.
///
/// # Errors
/// Those of [`requires`].
pub fn sdist_requires(options: &Options) -> Result<Vec<String>> {
    let plan = bundle::make_plan(&options.manifest, &options.overrides)?;
    if plan.version_follows_llvm {
        return Ok(Vec::from_iter(kit_of(&plan, options)));
    }
    Ok(Vec::new())
}

/// Copies a finished wheel into the frontend's folder. Returns its path there.
///
/// # Errors
/// `ErrorKind::Io` where it cannot be read or written.
pub fn copy(wheel: &Utf8Path, out_dir: &Utf8Path) -> Result<Utf8PathBuf> {
    let name = wheel
        .file_name()
        .ok_or_else(|| Error::new(ErrorKind::Wheel, "the wheel has no file name").at(wheel))?;
    let target = out_dir.join(name);
    replace(&target, &fs_err::read(wheel)?)?;
    Ok(target)
}
