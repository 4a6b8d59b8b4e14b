//! Kits: folders with all parts of mondo that a bundle of one LLVM needs, compiled, so that making the bundle needs
//! no Rust. A kit has the layout of a checkout, without the sources of the compiled parts. `kit.json` describes the
//! kit and has the digest of each of its files.

use std::collections::BTreeMap;
use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::{digest, file};

/// The format of kits; another number is refused.
pub const FORMAT: u32 = 1;

/// The file that describes a kit.
pub const RECORD: &str = "kit.json";

/// The folder of a kit with the objects of mondo's C++ of tools.
pub const TOOLS: &str = "lib/tools";

/// The distribution of the command and the build backend. `mondo` on PyPI is another project.
pub const DISTRIBUTION: &str = "mondo-bundle";

/// The version of mondo that this code is part of, which a kit's must be.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The contents of `kit.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub kit: u32,
    /// The version of mondo that made it.
    pub mondo: String,
    /// The fingerprint of that mondo's pipeline.
    pub pipeline: String,
    /// The full version of the LLVM that it is for: `22.1.8`.
    pub llvm: String,
    /// The machine that its code is for: `x86_64`.
    pub architecture: String,
    /// The Rust compiler that made it, as it says itself.
    pub rustc: String,
    /// The staticlib of the library.
    pub library: Staticlib,
    /// The staticlib of the extension.
    pub extension: Staticlib,
    /// Every other file by its path in the kit, with its SHA-256 in hex.
    pub files: BTreeMap<Utf8PathBuf, String>,
}

/// A compiled staticlib of a kit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Staticlib {
    /// Its path in the kit.
    pub file: Utf8PathBuf,
    /// The digest of the inputs. It equals the cache's key of a staticlib that cargo compiles from the same inputs,
    /// so that caches of later results work for both.
    pub key: String,
}

/// The requirements for a kit.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// LLVM's major version.
    pub llvm: u32,
    /// The fingerprint of the running pipeline.
    pub pipeline: &'a str,
}

/// A complete kit that meets the requirements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kit {
    /// Its folder, absolute.
    pub folder: Utf8PathBuf,
    /// Its description.
    pub record: Record,
}

impl Record {
    /// The record's text, as `kit.json` has it.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] where it cannot be written as JSON.
    pub fn render(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| {
            Error::new(ErrorKind::Io, "cannot write the kit's record").caused_by(error)
        })?;
        Ok(text + "\n")
    }
}

impl Kit {
    /// Opens the kit in `folder`, if it is the one that is wanted and none of its files has changed.
    ///
    /// # Errors
    /// [`ErrorKind::Toolchain`] for what is not a kit, or one of another mondo, LLVM or machine;
    /// [`ErrorKind::Integrity`] for a damaged one.
    pub fn open(folder: &Utf8Path, wanted: Wanted<'_>) -> Result<Self> {
        let again = remedy(wanted.llvm);
        let path = folder.join(RECORD);
        let text = file::text(&path).map_err(|error| {
            Error::new(ErrorKind::Toolchain, "this folder contains no kit")
                .at(folder)
                .caused_by(error)
                .help(&again)
        })?;
        let folder = folder
            .canonicalize_utf8()
            .unwrap_or_else(|_| folder.to_owned());
        #[derive(Deserialize)]
        struct Format {
            kit: u32,
        }
        let damaged = |why: String| {
            Error::new(ErrorKind::Integrity, "the kit is damaged")
                .at(&path)
                .because(why)
                .help(format!("install it again, or {again}"))
        };
        let format: Format =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if format.kit != FORMAT {
            return Err(other(
                &folder,
                format!("its format is {}; this mondo supports {FORMAT}", format.kit),
                &again,
            ));
        }
        let record: Record =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if let Some(why) = record.unfit(wanted) {
            return Err(other(&folder, why, &again));
        }
        let kit = Self { folder, record };
        let changed = kit.changed();
        if changed.is_empty() {
            return Ok(kit);
        }
        Err(damaged("these files are missing or have changed".into()).details(changed))
    }

    /// The path of one of its staticlibs.
    #[must_use]
    pub fn staticlib(&self, one: &Staticlib) -> Utf8PathBuf {
        self.folder.join(&one.file)
    }

    /// The path of the object that one of mondo's C++ files of tools is compiled to.
    #[must_use]
    pub fn tool_object(&self, file: &str) -> Utf8PathBuf {
        self.folder.join(TOOLS).join(format!("{file}.o"))
    }

    /// The files that are missing or differ from the record.
    fn changed(&self) -> Vec<String> {
        let files = self.record.files.iter();
        files
            .filter(|(path, digest)| {
                !digest::of_file(&self.folder.join(path)).is_ok_and(|now| now == **digest)
            })
            .map(|(path, _)| path.to_string())
            .collect()
    }
}

impl Record {
    /// The reason for which the kit is not the wanted one, or none if it is.
    fn unfit(&self, wanted: Wanted<'_>) -> Option<String> {
        let major = self.llvm.split('.').next().unwrap_or_default();
        if self.mondo != VERSION {
            return Some(format!(
                "it is for mondo {}, but this is mondo {VERSION}",
                self.mondo
            ));
        }
        if major != wanted.llvm.to_string() {
            return Some(format!(
                "it is for LLVM {}, but the bundle uses LLVM {}",
                self.llvm, wanted.llvm
            ));
        }
        if self.architecture != std::env::consts::ARCH {
            return Some(format!(
                "it is for {}, but this machine is {}",
                self.architecture,
                std::env::consts::ARCH
            ));
        }
        // The version may be the same in two builds of mondo, one of them with local changes, so the pipelines are
        // compared, too.
        (self.pipeline != wanted.pipeline).then(|| {
            format!(
                "another build of mondo {VERSION} made it: its pipeline is {}, this one's is {}",
                self.pipeline, wanted.pipeline
            )
        })
    }
}

fn other(folder: &Utf8Path, why: String, again: &str) -> Error {
    Error::new(ErrorKind::Toolchain, "the kit is for another build")
        .at(folder)
        .because(why)
        .help(again)
}

/// The commands that bring a kit for an LLVM.
#[must_use]
pub fn remedy(llvm: u32) -> String {
    format!(
        "run `pip install mondo-kit-{llvm}=={VERSION}`, or `mondo kit build --llvm {llvm}` in \
         a checkout of mondo {VERSION}"
    )
}

/// The place of a kit relative to the prefix that a wheel is installed into.
#[must_use]
pub fn place_in_prefix(llvm: impl fmt::Display) -> String {
    format!("share/mondo/kits/{llvm}")
}

/// The folder of the kit that is installed in the prefix of the running program (`<prefix>/bin/mondo`), if there is
/// one for this LLVM. The contents are not checked.
#[must_use]
pub fn beside_program(llvm: u32) -> Option<Utf8PathBuf> {
    let program = Utf8PathBuf::from_path_buf(std::env::current_exe().ok()?).ok()?;
    let kit = program.parent()?.parent()?.join(place_in_prefix(llvm));
    kit.join(RECORD).is_file().then_some(kit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: Wanted<'_> = Wanted {
        llvm: 22,
        pipeline: "abc",
    };

    fn record() -> Record {
        let staticlib = |name: &str| Staticlib {
            file: format!("lib/{name}").into(),
            key: "k".into(),
        };
        Record {
            kit: FORMAT,
            mondo: VERSION.into(),
            pipeline: "abc".into(),
            llvm: "22.1.8".into(),
            architecture: std::env::consts::ARCH.into(),
            rustc: "rustc 1".into(),
            library: staticlib("a.a"),
            extension: staticlib("b.a"),
            files: BTreeMap::from([("LICENSE".into(), digest::of("text"))]),
        }
    }

    fn open(record: &Record, license: &str) -> Result<Kit> {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        fs_err::write(dir.join("LICENSE"), license).unwrap();
        fs_err::write(dir.join(RECORD), record.render().unwrap()).unwrap();
        Kit::open(dir, WANTED)
    }

    #[test]
    fn a_whole_kit_opens() {
        assert_eq!(open(&record(), "text").unwrap().record, record());
    }

    #[test]
    fn each_misfit_is_named_with_the_command_that_helps() {
        type Change = fn(&mut Record);
        let misfits: [(&str, Change); 5] = [
            ("its format is 2", |record| record.kit = 2),
            ("it is for mondo 9.9", |record| record.mondo = "9.9".into()),
            ("it is for LLVM 19.1.7", |record| {
                record.llvm = "19.1.7".into();
            }),
            ("it is for m68k", |record| {
                record.architecture = "m68k".into();
            }),
            ("another build of mondo", |record| {
                record.pipeline = "def".into();
            }),
        ];
        for (why, change) in misfits {
            let mut record = record();
            change(&mut record);
            let error = open(&record, "text").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Toolchain, "{why}");
            let text = error.to_string();
            assert!(text.contains(why), "{text}");
            assert!(text.contains("mondo kit build --llvm 22"), "{text}");
        }
    }

    #[test]
    fn damage_is_named() {
        let error = open(&record(), "changed").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Integrity);
        assert!(error.to_string().contains("LICENSE"), "{error}");
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let error = Kit::open(dir, WANTED).unwrap_err();
        assert!(error.to_string().contains("no kit"), "{error}");
        fs_err::write(dir.join(RECORD), "{\"kit\": 1, ").unwrap();
        let error = Kit::open(dir, WANTED).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Integrity);
    }
}
