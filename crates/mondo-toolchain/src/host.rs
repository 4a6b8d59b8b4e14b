//! The host, on which mondo runs, and the target, which the bundle is for. Both are x86-64 Linux today; what depends on
//! one never asks the other.

use camino::{Utf8Path, Utf8PathBuf};

/// The facts about the machine that mondo runs on; tests make their own.
#[derive(Debug, Clone)]
pub struct Host {
    /// The root of the file system.
    pub root: Utf8PathBuf,
    /// The architecture as Debian names it: `amd64`.
    pub architecture: String,
}

impl Host {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        Self::at(Utf8Path::new("/"))
    }

    /// A machine like this one, whose file system is below `root`.
    #[must_use]
    pub fn at(root: &Utf8Path) -> Self {
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            "x86" => "i386",
            other => other,
        };
        Self {
            root: root.to_owned(),
            architecture: architecture.to_owned(),
        }
    }

    /// The code name of the host's release: `VERSION_CODENAME` of os-release(5). Provisioning does not ask for it.
    #[must_use]
    pub fn suite(&self) -> Option<String> {
        let release = fs_err::read_to_string(self.root.join("etc/os-release")).ok()?;
        let name = release
            .lines()
            .find_map(|line| line.strip_prefix("VERSION_CODENAME="))?;
        let name = name.trim_matches(['"', '\'']);
        (!name.is_empty()).then(|| name.to_owned())
    }
}

/// The machine that a bundle is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The architecture as Debian names it: `amd64`.
    pub architecture: String,
}

impl Target {
    /// A machine like the host.
    #[must_use]
    pub fn like(host: &Host) -> Self {
        Self {
            architecture: host.architecture.clone(),
        }
    }

    /// The path of the dynamic loader in the C library's package, below the root of a tree.
    #[must_use]
    pub fn loader(&self) -> Option<&'static Utf8Path> {
        match self.architecture.as_str() {
            "amd64" => Some(Utf8Path::new("lib64/ld-linux-x86-64.so.2")),
            "arm64" => Some(Utf8Path::new("lib/ld-linux-aarch64.so.1")),
            _ => None,
        }
    }
}

/// The absolute folders of `PATH`, in its order.
pub(super) fn path_dirs() -> impl Iterator<Item = Utf8PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .filter_map(|dir| Utf8PathBuf::from_path_buf(dir).ok())
        .filter(|dir| dir.is_absolute())
        .collect::<Vec<_>>()
        .into_iter()
}
