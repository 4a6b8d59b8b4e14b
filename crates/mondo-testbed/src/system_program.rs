//! Programs of the distribution that tests need and that the machine may lack: unpacked from packages into
//! the cache, without root.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::toolchain::apt::{self, Apt};
use mondo_build::toolchain::package_paragraphs::Offer;
use mondo_build::toolchain::{Host, cache_dir, take_lock, triplet, unpack};
use mondo_build::{Error, ErrorKind, Result, path};

use crate::context::Context;

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
    ///
    /// # Errors
    ///
    /// If it is not installed, and the package cannot be downloaded.
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
        let host = Host::here();
        let home = cache_dir()?.join("programs");
        let root = home.join(format!("{package}-{}", host.architecture));
        if !root.is_dir() {
            fs_err::create_dir_all(&home)?;
            let _guard = take_lock(&home, context.sink)?;
            // Another run may have made it while this one waited.
            if !root.is_dir() {
                provision(packages, place, &host, &home, &root).map_err(|error| {
                    error.help(format!("go online, or: apt-get install {package}"))
                })?;
            }
        }
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
        let tool = Tool::new(self.program.as_str(), purpose).fails_as(ErrorKind::Check);
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

fn provision(
    packages: &[&str],
    place: &str,
    host: &Host,
    home: &Utf8Path,
    root: &Utf8Path,
) -> Result<()> {
    apt::check()?;
    let work = tempfile::Builder::new()
        .prefix(".unpack-")
        .tempdir_in(home)?;
    let work = path::utf8(work.path())?;
    let apt = Apt::prepare(&work.join("apt"), &host.architecture)?;
    let complaint = apt.update()?;
    let package = packages.first().copied().unwrap_or_default();
    // The package itself may be a stub for one with the program: `lldb` needs `lldb-14`.
    let needed = |_: &Offer, name: &str| {
        let own = name.starts_with(&format!("{package}-"));
        let library = ["lib", "lua", "zlib1g"];
        let library = library.iter().any(|start| name.starts_with(start));
        name != "libc6" && (library || own)
    };
    let wanted: Vec<String> = packages.iter().map(ToString::to_string).collect();
    let offers = apt.closure(&wanted, needed, "apt", complaint.as_deref())?;
    let files = apt.fetch(&offers, &work.join("files"), package)?;
    let fresh = work.join("root");
    unpack::unpack(&files, &fresh)?;
    unpack::settle_links(&fresh)?;
    // A program that is a link to one of another package is settled by now.
    if !fresh.join(place).exists() {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!("the package {package} has no {place}"),
        ));
    }
    fs_err::rename(&fresh, root)?;
    Ok(())
}
