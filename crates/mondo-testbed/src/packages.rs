//! Packages of the distribution, unpacked into the cache without root.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_build::progress::Sink;
use mondo_build::toolchain::apt::{self, Apt};
use mondo_build::toolchain::package_paragraphs::Offer;
use mondo_build::toolchain::{Host, take_lock, unpack};
use mondo_build::{Result, path};

/// Packages that are unpacked together.
pub struct Packages<'a> {
    /// A release of Debian; the system's own if it is `None`.
    pub suite: Option<&'a str>,
    /// The names of the packages.
    pub names: &'a [&'a str],
    /// Whether a dependency is unpacked, too: the package that has it, and its name.
    pub follows: &'a dyn Fn(&Offer, &str) -> bool,
}

impl Packages<'_> {
    /// Makes the folder `place` of the cache, if it is missing. `finish` completes the new tree, which has a temporary
    /// name until then, and gets the unpacked packages by their names.
    pub fn unpack(
        &self,
        place: &Utf8Path,
        sink: &dyn Sink,
        finish: impl FnOnce(&Utf8Path, &BTreeMap<String, Offer>) -> Result<()>,
    ) -> Result<()> {
        if place.is_dir() {
            return Ok(());
        }
        let home = place.parent().unwrap_or(place);
        fs_err::create_dir_all(home)?;
        let _guard = take_lock(home, sink)?;
        // Another run may have made the folder while this one waited.
        if place.is_dir() {
            return Ok(());
        }
        let whose = self.suite.unwrap_or("apt");
        sink.note(&format!("unpacking {} of {whose}", self.names.join(", ")));
        apt::check()?;
        let work = tempfile::Builder::new()
            .prefix(".unpack-")
            .tempdir_in(home)?;
        let work = path::utf8(work.path())?;
        let (folder, architecture) = (work.join("apt"), Host::here().architecture);
        let apt = match self.suite {
            Some(suite) => Apt::of_suite(&folder, &architecture, suite)?,
            None => Apt::prepare(&folder, &architecture)?,
        };
        let complaint = apt.update()?;
        let wanted: Vec<String> = self.names.iter().map(ToString::to_string).collect();
        let offers = apt.closure(&wanted, self.follows, whose, complaint.as_deref())?;
        let files = apt.fetch(&offers, &work.join("files"), &self.names.join(", "))?;
        let fresh = work.join("root");
        unpack::unpack(&files, &fresh)?;
        unpack::settle_links(&fresh)?;
        finish(&fresh, &offers)?;
        Ok(fs_err::rename(&fresh, place)?)
    }
}
