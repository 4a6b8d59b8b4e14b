//! The conversion of the phases' results to a report.

use camino::Utf8Path;
use mondo_audit::MinimumVersions;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::glibc::GlibcVersion;
use mondo_link::compile::{self, Staticlibs};
use mondo_link::exports::Exports;
use mondo_link::extension::{Extensions, LinkedExtension};
use mondo_link::link::Linked;
use mondo_link::link::map::SizeMap;
use mondo_link::patch::PatchedMember;
use mondo_package::wheel::{Tag, WheelFile};
use mondo_plan::plan::{Plan, PlannedWheel};
use mondo_project::Prepared;
use mondo_toolchain::Origin;

use super::layouts::Written;
use crate::report::{
    CrateWheelReport, ExportReport, ImageReport, Layout, LinkedArchive, MinimumGlibcReport,
    PhaseReport, ProjectReport, Report, ToolchainReport, WheelReport,
};
use crate::{audit, cost, kit};

/// The results of the phases, with the times that they took.
pub(super) struct Made<'a> {
    pub(super) request: compile::Request<'a>,
    pub(super) projects: &'a [Prepared],
    pub(super) layout: Layout,
    pub(super) written: &'a Written,
    pub(super) linked: &'a Linked,
    pub(super) extensions: Option<&'a Extensions>,
    pub(super) exports: &'a Exports,
    pub(super) patched: Vec<PatchedMember>,
    pub(super) archives: Vec<LinkedArchive>,
    pub(super) sizes: SizeMap,
    /// The tag of the bundle's own wheel.
    pub(super) tag: &'a Tag,
    /// The glibc that the library and its extension need.
    pub(super) needs: &'a MinimumVersions,
    pub(super) phases: Vec<PhaseReport>,
}

impl Made<'_> {
    pub(super) fn report(self) -> Result<Report> {
        let plan = self.request.plan;
        let (linked, exports, file) = (self.linked, self.exports, &self.written.file);
        Ok(Report {
            report: 1,
            distribution: plan.metadata.distribution.clone(),
            version: plan.metadata.version.clone(),
            import_root: plan.identity.import_root.clone(),
            layout: self.layout,
            wheel: wheel_report(file),
            crate_wheels: crate_wheels(plan, self.extensions, &self.written.others)?,
            library: image(&linked.library, &linked.library_unstripped, file)?,
            extension: image(&linked.extension, &linked.extension_unstripped, file)?,
            projects: self.projects.iter().map(project_report).collect(),
            minimum_glibc: MinimumGlibcReport {
                glibc: measured(self.needs).to_string(),
                platform: self.tag.platform.clone(),
                required_by: audit::required_by(self.needs),
            },
            dialects: plan
                .dialects
                .iter()
                .map(|dialect| dialect.name.clone())
                .collect(),
            llvm_targets: plan.llvm_targets.clone(),
            exports: ExportReport {
                functions: exports.functions.len(),
                version_node: plan.identity.version_node.clone(),
                declared_only: exports.declared_only.clone(),
                defined_only: exports.defined_only.clone(),
            },
            patched: self.patched,
            archives: self.archives,
            dialect_bytes: cost::by_dialect(plan, &self.sizes),
            tool_bytes: cost::by_tool(&plan.tools, &self.sizes),
            sizes: SizeMap {
                members: Vec::new(),
                ..self.sizes
            },
            toolchain: toolchain_report(self.request, self.projects)?,
            phases: self.phases,
        })
    }
}

/// The newest glibc that images need.
pub(super) fn measured(needs: &MinimumVersions) -> GlibcVersion {
    needs.glibc().map_or(GlibcVersion::OLDEST, Into::into)
}

fn project_report(one: &Prepared) -> ProjectReport {
    ProjectReport {
        name: one.name.clone(),
        version: one.origin.version.clone(),
        revision: one.origin.revision.clone(),
        dialects: one.dialects.clone(),
        archives: one.archives,
        steps: one.steps,
        embedded: one.embedded.clone(),
        excluded: one.excluded.clone(),
        notes: one.notes.clone(),
        host: one.host.clone(),
    }
}

fn wheel_report(file: &WheelFile) -> WheelReport {
    WheelReport {
        file: file.path.file_name().unwrap_or_default().to_owned(),
        bytes: file.size,
        sha256: file.sha256.clone(),
        files: file.entries.len(),
    }
}

fn crate_wheels(
    plan: &Plan,
    extensions: Option<&Extensions>,
    files: &[WheelFile],
) -> Result<Vec<CrateWheelReport>> {
    // A tree has no wheels of crates: it contains their files.
    let wheels = plan.wheels.iter().enumerate().zip(files);
    let report = |((index, planned), file): ((usize, &PlannedWheel), &WheelFile)| {
        let image = |one: &LinkedExtension| image(&one.shipped, &one.unstripped, file);
        let linked = extensions.and_then(|extensions| extensions.wheels.get(index));
        let linked = linked.map_or(&[][..], Vec::as_slice);
        Ok(CrateWheelReport {
            dialect_crate: planned.of_crate.clone(),
            distribution: planned.distribution.clone(),
            wheel: wheel_report(file),
            extensions: linked.iter().map(image).collect::<Result<_>>()?,
        })
    };
    wheels.map(report).collect()
}

fn image(shipped: &Utf8Path, unstripped: &Utf8Path, wheel: &WheelFile) -> Result<ImageReport> {
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

fn toolchain_report(
    request: compile::Request<'_>,
    projects: &[Prepared],
) -> Result<ToolchainReport> {
    let (toolchain, linker) = (request.toolchain, request.linker);
    let rustc = match request.staticlibs {
        Staticlibs::Cargo(_) => kit::rustc()?,
        Staticlibs::Kit(kit) => kit.record.rustc.clone(),
    };
    let origin = serde_json::to_value(toolchain.origin)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default();
    let not_locked = not_locked(request, projects);
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
        rustc,
        archives: toolchain
            .traits
            .names()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        hermetic: not_locked.is_empty(),
        not_locked,
        moved: toolchain.moved.clone(),
    })
}

/// The parts of a bundle that the toolchain lock does not determine.
fn not_locked(request: compile::Request<'_>, projects: &[Prepared]) -> Vec<String> {
    let (toolchain, linker) = (request.toolchain, request.linker);
    let mut parts = Vec::new();
    if toolchain.origin != Origin::Provisioned {
        let named = toolchain.named.as_ref().unwrap_or(&toolchain.prefix);
        parts.push(format!("LLVM in {named}"));
        let supplement = toolchain.supplement.as_deref();
        let locked = supplement.and_then(|locked| locked.prefix.parent());
        if !locked.is_some_and(|root| linker.lld_dir.starts_with(root)) {
            parts.push(format!("the linker in {}", linker.lld_dir));
        }
        // The prefix of a supplement may have links to the lock's libraries.
        let folders = toolchain
            .library_dirs
            .iter()
            .filter(|dir| !supplement.is_some_and(|locked| locked.library_dirs.contains(dir)));
        parts.extend(folders.map(|dir| format!("zlib or zstd in {dir}")));
    }
    if let Some(moved) = &toolchain.moved {
        parts.push(format!(
            "LLVM {} with the C and C++ libraries, as Debian {} had them on {}",
            toolchain.version, moved.suite, moved.date
        ));
    }
    if linker.locked.is_none() {
        parts.push(format!(
            "the C++ compiler `{}` with its headers and libraries",
            linker.cxx
        ));
    }
    for project in projects {
        let found = project.host.iter();
        parts.extend(found.map(|(name, path)| format!("{path}, {name} of {}", project.name)));
    }
    parts
}
