//! The metadata of a wheel that a package index checks before it accepts the file.

use std::collections::{BTreeMap, BTreeSet};

use mondo_audit::Wheel;
use mondo_core::error::Result;

use crate::cross_check::unreadable;

/// The parts of a wheel that an index looks at.
pub(super) struct About {
    /// The headers of METADATA by name.
    fields: BTreeMap<String, Vec<String>>,
    /// Paths in the `.dist-info` folder.
    pub(super) own: BTreeSet<String>,
}

impl About {
    /// None for a wheel without METADATA.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` where METADATA cannot be unpacked.
    pub(super) fn read(wheel: &Wheel<'_>) -> Result<Option<Self>> {
        let Some(folder) = wheel.dist_info() else {
            return Ok(None);
        };
        let Some(entry) = wheel.entry(&format!("{folder}/METADATA")) else {
            return Ok(None);
        };
        let text = wheel.contents(entry).map_err(unreadable)?;
        let text = String::from_utf8_lossy(&text);
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // Malformed lines are skipped here, because the audit reports them.
        for line in text.lines().take_while(|line| !line.is_empty()) {
            if let Some((name, value)) = line.split_once(": ") {
                let values = fields.entry(name.to_owned()).or_default();
                values.push(value.trim().to_owned());
            }
        }
        let files = wheel.entries.iter().filter_map(|entry| {
            let path = entry.name.strip_prefix(folder)?.strip_prefix('/')?;
            Some(path.to_owned())
        });
        Ok(Some(Self {
            fields,
            own: files.collect(),
        }))
    }

    pub(super) fn all(&self, name: &str) -> &[String] {
        self.fields.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn one(&self, name: &str) -> &str {
        self.all(name).first().map_or("", String::as_str)
    }
}

/// A wheel's parts for tests: its headers by name, and the paths in its `.dist-info` folder.
#[cfg(test)]
pub(super) fn of(fields: &[(&str, &str)], own: &[&str]) -> About {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in fields {
        let values = all.entry((*name).to_owned()).or_default();
        values.push((*value).to_owned());
    }
    About {
        fields: all,
        own: own.iter().map(ToString::to_string).collect(),
    }
}
