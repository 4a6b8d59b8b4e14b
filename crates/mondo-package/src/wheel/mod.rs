//! From staged files to a wheel: tag, metadata, SBOM, RECORD, and one write.
//!
//! [`write()`] makes the whole archive in memory, reads the finished file back with another reader, and
//! puts it in place with one rename: a wheel is never patched, an earlier one of the same name stays until
//! the new one is complete, and nothing is left after an error. Its bytes are a function of its input alone: entries are sorted with
//! `.dist-info` last and RECORD at the very end, every time is the given epoch, every mode 0644 or
//! 0755. The format is the binary distribution format of packaging.python.org (PEP 427).

mod archive;
mod crates;
mod epoch;
mod pieces;
mod read_back;
pub(crate) mod record;
pub mod sbom;
mod stage;
mod tag;
mod writer;

use std::fmt::Write;
use std::fs::File;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

pub use epoch::Epoch;
pub use read_back::WheelEntry;
pub(crate) use record::Row;
pub(crate) use stage::check_paths;
pub use stage::{Entry, Source, Stage};
pub use tag::{Tag, platform};

use mondo_core::digest::hex;
use mondo_core::error::{Error, ErrorKind, Result};
pub use mondo_plan::metadata;
use mondo_plan::metadata::Metadata;
use sbom::{GENERATOR, SbomInput};

/// The default compression level: no bigger than gzip -6, in a quarter of its time.
pub const DEFAULT_LEVEL: u8 = 5;

/// The compression level of `best`: 4 % less than the default, for 5 s more of processor time for the library
/// of all of MLIR. Level 12 takes another 4 s for 0.1 %, and Zopfli's fifteen rounds minutes for as much.
pub const BEST_LEVEL: u8 = 10;

/// The options of writing a wheel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The time of every entry and of the SBOM.
    pub epoch: Epoch,
    /// The deflate level, 0 (stored) to 12 (smallest). Ctrl-C waits for the pieces of files at work: less than a
    /// second at any level.
    pub level: u8,
    /// True if the wheel is pure Python; one with an extension or a library is not.
    pub root_is_purelib: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            epoch: Epoch::default(),
            level: DEFAULT_LEVEL,
            root_is_purelib: false,
        }
    }
}

/// A written wheel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WheelFile {
    /// Its path.
    pub path: Utf8PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// Its SHA-256 in hex.
    pub sha256: String,
    /// Its files, in the order of the archive.
    pub entries: Vec<WheelEntry>,
}

/// The wheel's file name: `mondo_mlir-22.1.8-cp310-abi3-manylinux_2_36_x86_64.whl`.
///
/// # Errors
/// `ErrorKind::Wheel` where a part of it is not valid.
pub fn file_name(metadata: &Metadata, tag: &Tag) -> Result<String> {
    tag.check()?;
    Ok(format!(
        "{}-{}-{tag}.whl",
        metadata.file_name()?,
        metadata.normal_version()?
    ))
}

/// A complete wheel in memory, which is not on disk yet.
#[derive(Debug)]
pub struct Packed {
    /// Its file name.
    pub name: String,
    /// The folder of its own files.
    pub(crate) dist_info: String,
    /// The files it is made of, without RECORD.
    pub(crate) stage: Stage,
    /// Its files.
    pub(crate) entries: Vec<WheelEntry>,
    pub(crate) bytes: Vec<u8>,
}

/// Writes `stage` and the wheel's own files to `out_dir`, which is made if need be: [`pack`], and
/// then [`Packed::write`].
///
/// # Errors
/// `ErrorKind::Wheel` where it cannot be made, and the errors of `check`.
pub fn write(
    stage: &Stage,
    metadata: &Metadata,
    tag: &Tag,
    sbom: &SbomInput<'_>,
    options: &WriteOptions,
    out_dir: &Utf8Path,
    check: impl FnOnce(&[u8]) -> Result<()> + Send,
) -> Result<WheelFile> {
    pack(stage, metadata, tag, sbom, options)?.write(out_dir, check)
}

impl Packed {
    /// Its files, except RECORD.
    #[must_use]
    pub fn stage(&self) -> &[Entry] {
        &self.stage.entries
    }

    /// Writes the wheel into `out_dir`. `check` gets its bytes. If `check` fails, or if the finished file does not
    /// read back as expected, the call fails, and an earlier wheel of the same name stays.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` where it cannot be made, and the errors of `check`.
    pub fn write(
        self,
        out_dir: &Utf8Path,
        check: impl FnOnce(&[u8]) -> Result<()> + Send,
    ) -> Result<WheelFile> {
        self.write_with(writer::write_through, out_dir, check)
    }

    /// Does what [`Packed::write`] does. `write` puts the bytes into the temporary file, so that tests can inject
    /// errors.
    fn write_with(
        self,
        write: impl FnOnce(&mut File, &[u8]) -> std::io::Result<()> + Send,
        out_dir: &Utf8Path,
        check: impl FnOnce(&[u8]) -> Result<()> + Send,
    ) -> Result<WheelFile> {
        let target = out_dir.join(&self.name);
        let verify = |file: &[u8]| self.read_back(file).map_err(|error| error.at(&target));
        let sha256 = hex(writer::commit(&self.bytes, &target, write, verify, check)?);
        Ok(WheelFile {
            path: target,
            size: self.bytes.len() as u64,
            sha256,
            entries: self.entries,
        })
    }

    /// Reads `file`, the bytes of a written file, with the `zip` crate, and compares each member with
    /// the wheel's: name, order, size, permissions, CRC-32 and SHA-256.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` with every difference.
    pub fn read_back(&self, file: &[u8]) -> Result<()> {
        read_back::compare(file, &self.entries)
    }
}

/// Makes a wheel of `stage` and its own files.
///
/// The licence files of `metadata` go to `.dist-info/licenses` under their own names; whatever the
/// stage puts there (in folders, to tell equal names apart) is listed in METADATA as well.
///
/// # Errors
/// `ErrorKind::Wheel` where it cannot be made.
pub fn pack(
    stage: &Stage,
    metadata: &Metadata,
    tag: &Tag,
    sbom: &SbomInput<'_>,
    options: &WriteOptions,
) -> Result<Packed> {
    let name = file_name(metadata, tag)?;
    let dist_info = metadata.dist_info()?;
    let record_path = format!("{dist_info}/RECORD");

    let mut whole = stage.clone();
    add_own_files(&mut whole, &dist_info, metadata, tag, sbom, options)?;
    let paths = whole.entries.iter().map(|entry| entry.path.as_str());
    stage::check_paths(paths.chain([record_path.as_str()]))?;
    check_dist_info(&whole, &dist_info)?;
    let metadata = format!("{dist_info}/");
    whole.entries.sort_by(|a, b| {
        (a.path.starts_with(&metadata), &a.path).cmp(&(b.path.starts_with(&metadata), &b.path))
    });

    let mut packed = writer::pack(&whole.entries, options.level)?;
    let rows = packed.iter().map(|packed| record::Row {
        path: &packed.member.path,
        content: Some((packed.sha256, packed.member.size)),
    });
    let record = record::render(rows.chain([record::Row {
        path: &record_path,
        content: None,
    }]));
    let record = Entry {
        path: record_path,
        source: Source::Bytes(record.into_bytes()),
        executable: false,
    };
    packed.extend(writer::pack(&[record], options.level)?);

    let entries = packed.iter().map(|packed| WheelEntry {
        path: packed.member.path.clone(),
        size: packed.member.size,
        compressed: packed.member.deflated.len() as u64,
        sha256: hex(packed.sha256),
        permissions: packed.member.permissions,
    });
    let entries = entries.collect();
    let members: Vec<_> = packed.into_iter().map(|packed| packed.member).collect();
    let bytes = archive::assemble(&members, options.epoch.dos(), archive::Limits::FORMAT);
    drop(members);
    Ok(Packed {
        name,
        dist_info,
        stage: whole,
        entries,
        bytes,
    })
}

fn add_own_files(
    stage: &mut Stage,
    dist_info: &str,
    metadata: &Metadata,
    tag: &Tag,
    sbom: &SbomInput<'_>,
    options: &WriteOptions,
) -> Result<()> {
    let licenses = format!("{dist_info}/licenses/");
    for file in &metadata.license_files {
        let name = file.file_name().ok_or_else(|| {
            Error::new(ErrorKind::Wheel, "a licence file has no file name").at(file.as_str())
        })?;
        stage.file(format!("{licenses}{name}"), file, false);
    }
    let mut license_files: Vec<String> = stage
        .entries
        .iter()
        .filter_map(|entry| entry.path.strip_prefix(&licenses))
        .map(str::to_owned)
        .collect();
    license_files.sort();
    stage.bytes(
        format!("{dist_info}/METADATA"),
        metadata.render(&license_files)?,
    );
    stage.bytes(format!("{dist_info}/WHEEL"), wheel_file(tag, options));
    if let Some(text) = metadata.entry_points_file() {
        stage.bytes(format!("{dist_info}/entry_points.txt"), text);
    }
    let sbom_path = format!("{dist_info}/sboms/{}.cdx.json", metadata.file_name()?);
    stage.bytes(sbom_path, sbom::render(sbom, metadata, options.epoch)?);
    Ok(())
}

/// A wheel has one `.dist-info`, its own.
fn check_dist_info(stage: &Stage, own: &str) -> Result<()> {
    let foreign: Vec<&str> = stage
        .entries
        .iter()
        .filter(|entry| {
            let top = entry.path.split('/').next().unwrap_or_default();
            top.ends_with(".dist-info") && top != own
        })
        .map(|entry| entry.path.as_str())
        .collect();
    if foreign.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Wheel,
        "the wheel would contain files of another distribution",
    )
    .because(format!(
        "the only .dist-info folder of this wheel must be {own}"
    ))
    .details(foreign))
}

fn wheel_file(tag: &Tag, options: &WriteOptions) -> String {
    let mut text = format!(
        "Wheel-Version: 1.0\nGenerator: {} {}\nRoot-Is-Purelib: {}\n",
        GENERATOR,
        env!("CARGO_PKG_VERSION"),
        options.root_is_purelib,
    );
    for tag in tag.expanded() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Tag: {tag}");
    }
    text
}

#[cfg(test)]
mod tests;
