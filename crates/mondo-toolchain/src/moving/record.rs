//! The record of what a suite had, in the cache.

use std::time::{Duration, SystemTime};

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_core::file;
use serde::{Deserialize, Serialize};

use crate::lock::{MovingSet, PackageSet};
use crate::request::Request;

/// The packages that were chosen from a suite's list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    /// The time at which the suite was asked, in seconds since 1970.
    pub(super) asked: u64,
    /// The date of the suite's index, as the index says it.
    pub(super) date: String,
    /// SHA-256 of the signed index.
    pub(super) index: String,
    /// The packages.
    pub(super) set: PackageSet,
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}

fn place(row: &MovingSet, request: &Request) -> Utf8PathBuf {
    let name = format!("llvm-{}-{}-{}.json", row.llvm, row.suite, row.architecture);
    request.cache_dir.join("moving").join(name)
}

impl Record {
    /// The record of an earlier build. `None` if it does not exist or cannot be read.
    pub(super) fn read(row: &MovingSet, request: &Request) -> Result<Option<Self>> {
        let place = place(row, request);
        if !place.exists() {
            return Ok(None);
        }
        let text = file::text(&place)?;
        let record = serde_json::from_str(&text)
            .ok()
            .filter(|record: &Self| record.is_of(row));
        if record.is_none() {
            tracing::info!(%place, "a record that is not valid is ignored");
        }
        Ok(record)
    }

    fn is_of(&self, row: &MovingSet) -> bool {
        self.set.major() == Some(row.llvm)
            && self.set.suite == row.suite
            && self.set.architecture == row.architecture
            && self.set.check().is_ok()
    }

    /// Writes the record for later builds.
    pub(super) fn write(&self, row: &MovingSet, request: &Request) -> Result<()> {
        let text = serde_json::to_string(self).map_err(std::io::Error::from)?;
        file::replace(&place(row, request), text.as_bytes())
    }

    /// The time since the suite was asked.
    pub(super) fn age(&self) -> Duration {
        Duration::from_secs(now().saturating_sub(self.asked))
    }
}
