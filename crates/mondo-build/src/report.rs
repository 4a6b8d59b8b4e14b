//! The report phase: what was linked, how large it is and why, how long each phase took.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_link::link::map::{SizeMap, Sized};
use mondo_link::patch::PatchedMember;
use mondo_toolchain::Moved;
use serde::{Deserialize, Serialize};

/// All that is known of a finished bundle. `report.json` is this.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// The format's version: 1.
    pub report: u32,
    /// The distribution's name.
    pub distribution: String,
    /// Its version.
    pub version: String,
    /// The dotted import root.
    pub import_root: String,
    /// The bundle's form: a wheel or a tree.
    pub layout: Layout,
    /// The wheel, or the tree: its name, the sum of its files, the digest of all of them.
    pub wheel: WheelReport,
    /// The mondo library.
    pub library: ImageReport,
    /// The extension module.
    pub extension: ImageReport,
    /// The wheels of dialect crates that have their own, beside this one.
    pub crate_wheels: Vec<CrateWheelReport>,
    /// Projects that were built by their own CMake.
    #[serde(default)]
    pub projects: Vec<ProjectReport>,
    /// The minimum glibc.
    pub minimum_glibc: MinimumGlibcReport,
    /// MLIR's dialects in it, by name.
    pub dialects: Vec<String>,
    /// LLVM code generators in it.
    pub llvm_targets: Vec<String>,
    /// The number of exported functions, and the differences between headers and archives.
    pub exports: ExportReport,
    /// Members of MLIR's archives that were patched.
    pub patched: Vec<PatchedMember>,
    /// Every archive whose code is in the library or its extension, with its digest.
    #[serde(default)]
    pub archives: Vec<LinkedArchive>,
    /// Size by output section and by archive, from the link map.
    pub sizes: SizeMap,
    /// Bytes of the library by dialect, as far as archives tell: see [`crate::cost`].
    pub dialect_bytes: Vec<Sized>,
    /// Bytes of the library by tool of MLIR, by name: of the code that is for the tool alone.
    #[serde(default)]
    pub tool_bytes: Vec<Sized>,
    /// The toolchain that it was made with.
    pub toolchain: ToolchainReport,
    /// Time per phase, in order.
    pub phases: Vec<PhaseReport>,
}

/// An archive whose code is in the library or its extension.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LinkedArchive {
    /// Where it comes from.
    pub origin: ArchiveOrigin,
    /// Its file name.
    pub file: String,
    /// SHA-256 of its bytes as they were before mondo patched any member, hexadecimal.
    pub sha256: String,
}

/// Where an archive comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArchiveOrigin {
    /// LLVM's installation or its packages.
    Llvm,
    /// The C++ compiler's installation: libstdc++, libgcc, and the part of glibc that is linked statically.
    Compiler,
    /// Compiled by the build, or by the one that made the kit.
    Compiled,
}

/// The form of a bundle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// A wheel; dialect crates with extensions have wheels of their own beside it.
    #[default]
    Wheel,
    /// A folder with all of it, for another project's build backend: see [`mondo_package::folder_layout`].
    Tree,
    /// The tree, with the library as a static archive for programs that link it into themselves.
    Static,
}

/// The wheel file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WheelReport {
    /// File name, in the folder of the report.
    pub file: String,
    /// Bytes.
    pub bytes: u64,
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// The number of files in it.
    pub files: usize,
}

/// The wheel of a dialect crate.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CrateWheelReport {
    /// The crate.
    pub dialect_crate: String,
    /// The distribution's name.
    pub distribution: String,
    /// The wheel.
    pub wheel: WheelReport,
    /// Its extensions.
    pub extensions: Vec<ImageReport>,
}

/// A project that was built by its own CMake.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProjectReport {
    /// Its name in the manifest.
    pub name: String,
    /// Its version, by its CMake.
    pub version: Option<String>,
    /// The git revision of its folder.
    pub revision: Option<String>,
    /// Its dialects.
    pub dialects: Vec<String>,
    /// The number of its own archives that are linked.
    pub archives: usize,
    /// The number of steps that Ninja ran.
    pub steps: usize,
    /// Groups of MLIR's own Python package that it embeds; the bundle's modules are in their place.
    pub embedded: Vec<String>,
    /// Each part of it that the bundle lacks, in a sentence.
    #[serde(default)]
    pub excluded: Vec<String>,
    /// A licence that the manifest does not name, parts of MLIR's Python package that it embeds and the bundle
    /// lacks, and targets of LLVM's that it makes itself, each in a sentence.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Files and folders of the machine, outside of the toolchain, that its CMake found: variable and path.
    pub host: Vec<(String, String)>,
}

/// A shared object of the wheel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ImageReport {
    /// File name.
    pub file: String,
    /// Bytes on disk, as it ships.
    pub bytes: u64,
    /// Bytes in the wheel.
    pub compressed: u64,
    /// Bytes with its symbol table.
    pub unstripped: u64,
}

/// The minimum glibc, which decides the platform tag, and the symbols that need it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct MinimumGlibcReport {
    /// The newest glibc version needed: `2.36`.
    pub glibc: String,
    /// The platform tag that follows.
    pub platform: String,
    /// `file: symbol@version` of what needs that version.
    pub required_by: Vec<String>,
}

/// The exported C API.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ExportReport {
    /// The number of functions.
    pub functions: usize,
    /// The symbol version of each.
    pub version_node: String,
    /// Declared in a header, defined by no archive: function to header.
    pub declared_only: BTreeMap<String, String>,
    /// Defined by an archive, declared in no header: function to archive.
    pub defined_only: BTreeMap<String, String>,
}

/// Compilers, linker and LLVM.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ToolchainReport {
    /// LLVM's version.
    pub llvm: String,
    /// `flag`, `environment`, `system` or `provisioned`.
    pub origin: String,
    /// The distribution's packages: `name version`.
    pub packages: Vec<String>,
    /// The linker.
    pub linker: String,
    /// The C++ compiler.
    pub cxx: String,
    /// The Rust compiler.
    pub rustc: String,
    /// The way in which archives that are not locked were compiled: `assertions`, `rtti`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub archives: Vec<String>,
    /// True if everything that entered the binaries is locked: LLVM, the compiler, its libraries, the linker, and Rust
    /// by its version.
    #[serde(default)]
    pub hermetic: bool,
    /// The parts that are not.
    #[serde(default)]
    pub not_locked: Vec<String>,
    /// The suite that the packages are from, and the date and digest of its index, where LLVM's packages are not in the lock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
}

/// One phase's time.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PhaseReport {
    /// `compile`, `link`, …
    pub name: String,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl PhaseReport {
    /// The time of a finished phase, to the millisecond.
    #[must_use]
    pub fn new(name: &str, elapsed: Duration) -> Self {
        #[expect(
            clippy::cast_precision_loss,
            reason = "milliseconds of a build fit in 52 bits"
        )]
        let seconds = elapsed.as_millis() as f64 / 1000.0;
        Self {
            name: name.into(),
            seconds,
        }
    }
}

/// The number of archives that the table shows; `report.json` has them all.
const ARCHIVES_SHOWN: usize = 8;

impl Report {
    /// Every wheel of the bundle, its own first.
    pub fn wheels(&self) -> impl Iterator<Item = &WheelReport> {
        let others = self.crate_wheels.iter().map(|one| &one.wheel);
        std::iter::once(&self.wheel).chain(others)
    }

    /// Writes `report.json` into `folder`, a copy under the wheel's own name, so that reports of several
    /// bundles can stand side by side, and the file `elsewhere`.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` or `ErrorKind::Io` where it cannot be written.
    pub fn write(&self, folder: &Utf8Path, elsewhere: Option<&Utf8Path>) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self).map_err(|error| {
            Error::new(ErrorKind::Wheel, "cannot write the report").caused_by(error)
        })?;
        text.push('\n');
        let name = format!("{}.report.json", self.wheel.file.trim_end_matches(".whl"));
        for path in [folder.join(name), folder.join("report.json")] {
            replace(&path, text.as_bytes())?;
        }
        elsewhere.map_or(Ok(()), |path| replace(path, text.as_bytes()))
    }

    /// The table for the terminal.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        let mut row = |key: &str, value: String| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "  {key:<18} {value}");
        };
        let layout = match self.layout {
            Layout::Wheel => "wheel",
            Layout::Tree => "tree",
            Layout::Static => "static",
        };
        row(
            layout,
            format!("{} ({})", self.wheel.file, mega(self.wheel.bytes)),
        );
        for (name, image) in [("library", &self.library), ("extension", &self.extension)] {
            row(
                name,
                format!(
                    "{}: {} on disk, {} compressed, {} with symbols",
                    image.file,
                    mega(image.bytes),
                    mega(image.compressed),
                    mega(image.unstripped)
                ),
            );
        }
        for one in &self.crate_wheels {
            row(
                "crate's wheel",
                format!(
                    "{}: {} ({})",
                    one.dialect_crate,
                    one.wheel.file,
                    mega(one.wheel.bytes)
                ),
            );
        }
        row(
            "exports",
            format!(
                "{} C API functions under {}",
                self.exports.functions, self.exports.version_node
            ),
        );
        for (what, list) in [
            ("declared only", &self.exports.declared_only),
            ("defined only", &self.exports.defined_only),
        ] {
            if let Some((first, place)) = list.first_key_value() {
                row(
                    what,
                    format!("{}: {first} ({place}), … see report.json", list.len()),
                );
            }
        }
        row("dialects", format!("{}", self.dialects.len()));
        row("code generators", none_or(self.llvm_targets.join(", ")));
        let required = match self.minimum_glibc.required_by.as_slice() {
            [] => String::new(),
            [only] => format!(", required by {only}"),
            [first, rest @ ..] => format!(", required by {first} and {} more", rest.len()),
        };
        row(
            "minimum glibc",
            format!("{}{required}", self.minimum_glibc.glibc),
        );
        row(
            "llvm",
            format!("{} ({})", self.toolchain.llvm, self.toolchain.origin),
        );
        for (index, part) in self.toolchain.not_locked.iter().enumerate() {
            row(if index == 0 { "not locked" } else { "" }, part.clone());
        }
        let linked: u64 = self
            .sizes
            .archives
            .iter()
            .map(|archive| archive.bytes)
            .sum();
        for (index, archive) in self.sizes.archives.iter().take(ARCHIVES_SHOWN).enumerate() {
            let key = if index == 0 { "largest archives" } else { "" };
            row(
                key,
                format!(
                    "{:>9}  {:>4.1}%  {}",
                    mega(archive.bytes),
                    percent(archive.bytes, linked),
                    archive.name
                ),
            );
        }
        let phases: Vec<String> = self
            .phases
            .iter()
            .map(|phase| format!("{} {:.2} s", phase.name, phase.seconds))
            .collect();
        row("phases", phases.join(", "));
        text
    }
}

fn none_or(text: String) -> String {
    if text.is_empty() { "none".into() } else { text }
}

/// Decimal megabytes, as package indexes count.
fn mega(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with two decimals")]
    let mega = bytes as f64 / 1e6;
    format!("{mega:.2} MB")
}

#[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 * 100.0 / whole as f64
    }
}
