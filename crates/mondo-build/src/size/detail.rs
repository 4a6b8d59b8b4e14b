//! The sizes of a library's archive members. The link phase writes them to a file in the folder of reports,
//! since the wheel does not contain them; `mondo size` reads that file.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::{self, replace};
use mondo_link::link::map::{SizeMap, Sized};
use mondo_plan::plan::Plan;
use serde::{Deserialize, Serialize};

use crate::cost;

/// The link map of a wheel's library, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// SHA-256 of the wheel that this file belongs to, hexadecimal.
    pub sha256: String,
    /// The library's file name.
    pub library: String,
    /// Largest first.
    pub archives: Vec<ArchiveDetail>,
}

/// An archive's part of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveDetail {
    /// `libMLIRFuncDialect.a`.
    pub name: String,
    /// The dialect it belongs to, if it belongs to one.
    pub dialect: Option<String>,
    /// Its object files.
    pub members: Vec<MemberDetail>,
}

/// An object file's part of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberDetail {
    /// `FuncOps.cpp.o`.
    pub name: String,
    /// Bytes by section of the library.
    pub sections: Vec<Sized>,
}

impl Detail {
    /// The details of a bundle's library.
    #[must_use]
    pub fn new(plan: &Plan, sizes: &SizeMap, sha256: &str) -> Self {
        let owners = cost::owners(plan, sizes);
        let archives = sizes.archives.iter().map(|archive| ArchiveDetail {
            name: archive.name.clone(),
            dialect: owners.get(&archive.name).cloned(),
            members: sizes
                .members
                .iter()
                .filter(|member| member.archive == archive.name)
                .map(|member| MemberDetail {
                    name: member.name.clone(),
                    sections: member.sections.clone(),
                })
                .collect(),
        });
        Self {
            sha256: sha256.to_owned(),
            library: plan.identity.soname.clone(),
            archives: archives.collect(),
        }
    }

    /// The path of the details of `wheel` in the folder `reports`.
    #[must_use]
    pub fn path(reports: &Utf8Path, wheel: &Utf8Path) -> Utf8PathBuf {
        let name = wheel.file_name().unwrap_or_default();
        reports.join(name).with_extension("sizes.json")
    }

    /// Writes the details of `wheel` to a file in the folder `reports`.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` or `ErrorKind::Io` where it cannot be written.
    pub fn write(&self, reports: &Utf8Path, wheel: &Utf8Path) -> Result<()> {
        let text = serde_json::to_string(self).map_err(|error| {
            Error::new(ErrorKind::Wheel, "cannot write the sizes").caused_by(error)
        })?;
        replace(&Self::path(reports, wheel), text.as_bytes())
    }

    /// Reads the details of `wheel` in the folder `reports`, or none if there is no such file.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` where it cannot be read.
    pub fn read(reports: &Utf8Path, wheel: &Utf8Path) -> Result<Option<Self>> {
        let path = Self::path(reports, wheel);
        if !path.is_file() {
            return Ok(None);
        }
        let detail = serde_json::from_str(&file::text(&path)?).map_err(|error| {
            Error::new(ErrorKind::Wheel, "cannot read the sizes of the wheel")
                .at(&path)
                .caused_by(error)
                .help("build the bundle again with `--force`, or remove the file")
        })?;
        Ok(Some(detail))
    }
}
