//! Kits, mondo's precompiled parts: choosing the kit for a bundle, and making kits.

mod command;
mod contents;
mod make;
mod wheel;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file;
use mondo_core::kit::{Kit, Wanted};
use mondo_core::source::Source;
use mondo_link::compile;
use mondo_package::wheel::sbom::Crate;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::dialect_crate::{self, DialectCrate};
use mondo_plan::manifest::Manifest;
use mondo_toolchain as toolchain;

pub use command::{CommandOptions, command};
pub use make::{Built, Options, build};
pub use mondo_core::kit::{VERSION, place_in_prefix, remedy};

use crate::stamp::PIPELINE;

/// The list of the Rust crates whose code a kit has, in the kit.
const CRATES: &str = "crates.json";

/// The sources for bundles of LLVM `llvm`: a kit where one is named, by `folder` or `MONDO_KIT`, or is
/// installed beside the program; else a checkout of mondo.
///
/// # Errors
/// [`ErrorKind::Toolchain`] for a kit that does not fit, or where there is neither;
/// [`ErrorKind::Integrity`] for a damaged kit.
pub fn source(folder: Option<&Utf8Path>, llvm: u32) -> Result<Source> {
    let wanted = Wanted {
        llvm,
        pipeline: PIPELINE,
    };
    // An unknown LLVM version is reported as such. A version in a manifest has been refused before, by the plan, with
    // its place in the manifest.
    Source::find(folder, wanted).map_err(|error| known(llvm).err().unwrap_or(error))
}

/// Refuses an LLVM version for which no kit can be made.
///
/// # Errors
/// [`ErrorKind::Toolchain`], which lists the supported versions.
pub fn known(llvm: u32) -> Result<()> {
    let all = Catalogue::upstream()?.llvm;
    if all.contains(&llvm) {
        return Ok(());
    }
    let all: Vec<String> = all.iter().map(u32::to_string).collect();
    let what = format!("no kit for LLVM {llvm}");
    let why = format!("this mondo supports LLVM {}", all.join(", "));
    Err(Error::new(ErrorKind::Toolchain, what)
        .because(why)
        .help("choose a supported version with `--llvm`"))
}

/// The sources for the bundle of `manifest`, and the dialect crates that it names. The sources are those of [`source`],
/// or a checkout if these are a kit and a crate is in Rust, which cargo must compile.
pub(crate) fn source_and_crates(
    folder: Option<&Utf8Path>,
    manifest: &Manifest,
) -> Result<(Source, Vec<DialectCrate>)> {
    let source = source(folder, manifest.llvm.major)?;
    let crates = dialect_crate::load_all(manifest, &source.dialect_crates())?;
    if source.kit().is_none() || !compile::needs_cargo(&crates) {
        return Ok((source, crates));
    }
    let checkout = Source::locate().map_err(|error| {
        Error::new(
            ErrorKind::Toolchain,
            "building a bundle with a Rust dialect requires more than a kit",
        )
        .at(source.root())
        .because(format!(
            "the dialect is compiled with mondo's runtime, but {}",
            error.what()
        ))
        .help("install Rust with rustup, and set MONDO_SOURCE_DIR to a checkout of the same mondo")
    })?;
    Ok((checkout, crates))
}

/// The Rust crates whose code is in a kit.
pub(crate) fn crates(kit: &Kit) -> Result<Vec<Crate>> {
    let path = kit.folder.join(CRATES);
    serde_json::from_str(&file::text(&path)?).map_err(|error| {
        Error::new(ErrorKind::Integrity, "the kit is damaged")
            .at(path)
            .caused_by(error)
    })
}

/// The Rust compiler, as it says itself.
pub(crate) fn rustc() -> Result<String> {
    let output = Tool::new(toolchain::rustc(), "ask rustc for its version")
        .arg("--version")
        .output()?;
    Ok(output.stdout.trim().to_owned())
}
