//! What the phases made, in the report's words.

use camino::Utf8Path;

use crate::report::{CrateWheelReport, ImageReport, ToolchainReport, WheelReport};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_link::extension::{Extensions, LinkedExtension};
use mondo_package::wheel::WheelFile;
use mondo_plan::plan::{Plan, PlannedWheel};
use mondo_toolchain::{Linker, Toolchain};

pub(super) fn wheel_report(file: &WheelFile) -> WheelReport {
    WheelReport {
        file: file.path.file_name().unwrap_or_default().to_owned(),
        bytes: file.size,
        sha256: file.sha256.clone(),
        files: file.entries.len(),
    }
}

pub(super) fn crate_wheels(
    plan: &Plan,
    extensions: Option<&Extensions>,
    files: &[WheelFile],
) -> Result<Vec<CrateWheelReport>> {
    let linked = extensions.map_or(&[][..], |it| &it.wheels);
    // A tree holds what would be in them.
    let wheels = plan.wheels.iter().zip(linked).zip(files);
    let report = |((planned, linked), file): ((&PlannedWheel, &Vec<_>), &WheelFile)| {
        let image = |one: &LinkedExtension| image(&one.shipped, &one.unstripped, file);
        Ok(CrateWheelReport {
            dialect_crate: planned.of_crate.clone(),
            distribution: planned.distribution.clone(),
            wheel: wheel_report(file),
            extensions: linked.iter().map(image).collect::<Result<_>>()?,
        })
    };
    wheels.map(report).collect()
}

pub(super) fn image(
    shipped: &Utf8Path,
    unstripped: &Utf8Path,
    wheel: &WheelFile,
) -> Result<ImageReport> {
    let name = shipped.file_name().unwrap_or_default();
    let entry = wheel
        .entries
        .iter()
        .find(|entry| entry.path.rsplit('/').next() == Some(name))
        .ok_or_else(|| Error::new(ErrorKind::Wheel, format!("{name} is not in the wheel")))?;
    Ok(ImageReport {
        file: name.to_owned(),
        bytes: entry.size,
        compressed: entry.compressed,
        unstripped: fs_err::metadata(unstripped)?.len(),
    })
}

pub(super) fn toolchain(toolchain: &Toolchain, linker: &Linker) -> Result<ToolchainReport> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let rustc = Tool::new(rustc, "ask rustc for its version")
        .arg("--version")
        .output()?
        .stdout;
    let origin = serde_json::to_value(toolchain.origin)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default();
    Ok(ToolchainReport {
        llvm: toolchain.version.clone(),
        origin,
        packages: toolchain
            .packages
            .iter()
            .map(|package| format!("{} {}", package.name, package.version))
            .collect(),
        linker: linker.lld_version.clone(),
        cxx: linker.cxx_version.clone(),
        rustc: rustc.trim().to_owned(),
    })
}
