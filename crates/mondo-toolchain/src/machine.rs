//! The machine that a toolchain is for, as the distribution names it.

use camino::{Utf8Path, Utf8PathBuf};

/// The facts about this machine that finding a toolchain depends on; tests make their own.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The root of the file system.
    pub root: Utf8PathBuf,
    /// `VERSION_CODENAME` of os-release(5).
    pub suite: Option<String>,
    /// The architecture as dpkg names it.
    pub architecture: String,
}

impl Machine {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        Self::at(Utf8Path::new("/"))
    }

    /// The machine whose root file system is at `root`.
    #[must_use]
    pub fn at(root: &Utf8Path) -> Self {
        let release = fs_err::read_to_string(root.join("etc/os-release")).unwrap_or_default();
        let suite = release.lines().find_map(|line| {
            let name = line.strip_prefix("VERSION_CODENAME=")?;
            Some(name.trim_matches(['"', '\'']).to_owned())
        });
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            "x86" => "i386",
            other => other,
        };
        Self {
            root: root.to_owned(),
            suite: suite.filter(|name| !name.is_empty()),
            architecture: architecture.to_owned(),
        }
    }
}
