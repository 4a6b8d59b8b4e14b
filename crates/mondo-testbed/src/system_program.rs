//! Programs of the distribution that tests need and that the machine may lack.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::toolchain::package_paragraphs::Offer;
use mondo_build::toolchain::{Host, cache_dir, triplet};
use mondo_build::{Error, ErrorKind, Result};

use crate::context::Context;
use crate::packages::Packages;
use crate::verdict::tool;

/// A program and where its packages are unpacked.
#[derive(Debug, Clone)]
pub struct SystemProgram {
    program: Utf8PathBuf,
    /// None for one that is installed.
    root: Option<Utf8PathBuf>,
}

impl SystemProgram {
    /// The program whose path in the distribution's `packages` is `place`: the installed one, or else that of the
    /// packages, whose libraries come with them.
    pub fn find(packages: &[&str], place: &str, context: &Context<'_>) -> Result<Self> {
        let package = packages.first().copied().unwrap_or_default();
        let name = Utf8Path::new(place).file_name().unwrap_or_default();
        for folder in ["/usr/local/bin", "/usr/bin", "/bin"] {
            let program = Utf8Path::new(folder).join(name);
            if program.is_file() {
                return Ok(Self {
                    program,
                    root: None,
                });
            }
        }
        let root = format!("programs/{package}-{}", Host::here().architecture);
        let root = cache_dir()?.join(root);
        // The package itself may be a stub for one with the program: `lldb` needs `lldb-14`.
        let follows = |_: &Offer, name: &str| {
            let starts = ["lib", "lua", "zlib1g", &format!("{package}-")];
            name != "libc6" && starts.iter().any(|start| name.starts_with(start))
        };
        let wanted = Packages {
            suite: None,
            names: packages,
            follows: &follows,
        };
        wanted
            .unpack(&root, context.sink, |fresh, _| {
                // A program that is a link to one of another package is settled by now.
                if fresh.join(place).exists() {
                    return Ok(());
                }
                let what = format!("the package {package} has no {place}");
                Err(Error::new(ErrorKind::Toolchain, what))
            })
            .map_err(|error| error.help(format!("go online, or: apt-get install {package}")))?;
        Ok(Self {
            program: root.join(place),
            root: Some(root),
        })
    }

    /// Its path.
    #[must_use]
    pub fn program(&self) -> &Utf8Path {
        &self.program
    }

    /// The folder that its packages are unpacked into. None for one that is installed.
    #[must_use]
    pub fn root(&self) -> Option<&Utf8Path> {
        self.root.as_deref()
    }

    /// The variables that [`SystemProgram::tool`] sets. What the program starts gets them too, and may have to
    /// be started without.
    pub const VARIABLES: [&str; 2] = ["LD_LIBRARY_PATH", "PYTHONHOME"];

    /// A run of the program.
    #[must_use]
    pub fn tool(&self, purpose: &str) -> Tool {
        let tool = tool(self.program.as_str(), purpose);
        let Some(root) = &self.root else {
            return tool;
        };
        // PulseAudio's client, which Chromium links, has a private library.
        let folders: Vec<String> = ["usr/lib/@", "lib/@", "usr/lib/@/pulseaudio"]
            .map(|folder| root.join(folder.replace('@', &triplet())).into_string())
            .into();
        let values = [folders.join(":"), root.join("usr").into_string()];
        Self::VARIABLES
            .into_iter()
            .zip(values)
            .fold(tool, |tool, (name, value)| tool.env(name, value))
    }
}
