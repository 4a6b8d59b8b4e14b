//! The places of mondo's files in a host, and the error of a host's check.

use mondo_build::{Error, ErrorKind};

/// The place of mondo's files in a host.
pub(super) const PREFIX: &str = "opt/mondo";

/// The place of a project with the manifests.
pub(super) const PROJECT: &str = "project";

pub(super) fn failed(why: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Check, format!("mondo on another host: {why}"))
}
