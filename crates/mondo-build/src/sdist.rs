//! The source distribution of a project that builds a bundle.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::progress::{self, Sink};
use mondo_core::source::Source;
use mondo_package::sdist;
pub use mondo_package::sdist::files;
use mondo_package::wheel::Epoch;
use mondo_plan::manifest::{self, Manifest};
use mondo_plan::plan::Plan;
use mondo_toolchain as toolchain;

use crate::bundle::{self, Options};
use crate::kit;

/// Writes the source distribution of the project in `folder` to the output folder of `options`.
/// Returns its path. A kit and LLVM are looked for only where the version follows it.
///
/// # Errors
/// `ErrorKind::Plan` for a project that needs files outside of its folder, and the kinds of a plan.
pub fn sdist(options: &Options, folder: &Utf8Path, sink: &dyn Sink) -> Result<Utf8PathBuf> {
    let folder = folder.canonicalize_utf8()?;
    let manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    let source = kit::source(options.kit.as_deref(), manifest.llvm.major);
    let plan = bundle::make_plan(&options.manifest, &options.overrides)?;
    let in_tree = source.as_ref().ok().map(Source::dialect_crates);
    check_inside(&plan, &manifest, &options.manifest, in_tree, &folder)?;
    let plan = if plan.version_follows_llvm {
        let source = source?;
        let request = bundle::toolchain_request(&manifest, options, &source)?;
        let found = toolchain::find(&request, sink)?;
        plan.settle(&found.version)?
    } else {
        plan
    };
    let (path, _) = progress::phase(sink, "sdist", &plan.metadata.distribution, || {
        let epoch = Epoch::from_environment()?;
        let sdist = &manifest.sdist;
        let path = sdist::write(&folder, &plan.metadata, sdist, epoch, &options.out_dir)?;
        let name = path.file_name().unwrap_or_default().to_owned();
        Ok::<_, Error>((path, name))
    })?;
    Ok(path)
}

/// Refuses a project that needs files outside of its folder, other than mondo's `own` dialect crates.
fn check_inside(
    plan: &Plan,
    manifest: &Manifest,
    path: &Utf8Path,
    own: Option<Utf8PathBuf>,
    folder: &Utf8Path,
) -> Result<()> {
    let own = own.map(|folder| folder.canonicalize_utf8().unwrap_or(folder));
    let path = path.canonicalize_utf8()?;
    let metadata = &manifest.metadata;
    let crates = plan.crates.iter().map(|one| &one.folder);
    let outside: Vec<String> = crates
        .filter(|crate_folder| {
            !own.as_ref()
                .is_some_and(|own| crate_folder.starts_with(own))
        })
        .chain(manifest.projects.iter().map(|project| &project.folder))
        .chain(&plan.python.sources)
        .chain(&metadata.license_files)
        .chain(&metadata.readme)
        .chain([&path])
        .filter(|path| !path.starts_with(folder))
        .map(ToString::to_string)
        .collect();
    if outside.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Plan,
        "the sdist would lack files that the build needs",
    )
    .at(folder)
    .because("these files are outside the project's folder")
    .details(outside)
    .help("move them into the project, or build the wheel without an sdist"))
}
