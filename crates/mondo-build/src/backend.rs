//! The build backend's own part: what its hooks need, and where their files go.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_link::compile;

use crate::bundle::{self, Options};
use crate::kit;

/// The distributions that a frontend has to install before it builds: the kit of the manifest's
/// LLVM, where there is neither a kit nor a checkout of mondo to compile.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan`, by what is wrong with the manifest.
pub fn requires(options: &Options) -> Result<Vec<String>> {
    let plan = bundle::make_plan(&options.manifest, &options.overrides)?;
    // A kit has no dialects in Rust: cargo compiles those, from a checkout.
    if options.kit.is_some() || compile::needs_cargo(&plan) {
        return Ok(Vec::new());
    }
    let major = plan.llvm.major;
    Ok(match kit::source(None, major) {
        Ok(_) => Vec::new(),
        Err(_) => vec![format!("mondo-kit-{major}=={}", kit::VERSION)],
    })
}

/// The same for the source distribution: LLVM's version is in the lock of a kit. Nothing else of a kit is in it.
///
/// # Errors
/// Those of [`requires`].
pub fn sdist_requires(options: &Options) -> Result<Vec<String>> {
    let plan = bundle::make_plan(&options.manifest, &options.overrides)?;
    if plan.version_follows_llvm {
        return requires(options);
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
