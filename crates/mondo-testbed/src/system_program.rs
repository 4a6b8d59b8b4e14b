//! Programs of the distribution that tests need and that the machine may lack: unpacked from packages into
//! the cache, without root.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::toolchain::apt::{self, Apt, Offer};
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
    /// The program `name`: that of the machine, else that of the distribution's package `package`, whose
    /// libraries come with it. `place` is its place in the package.
    ///
    /// # Errors
    ///
    /// If it is not installed, and the package cannot be downloaded.
    pub fn find(name: &str, package: &str, place: &str, context: &Context<'_>) -> Result<Self> {
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
                provision(package, place, &host, &home, &root).map_err(|error| {
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
        let folders: Vec<String> = ["usr/lib", "lib"]
            .map(|folder| format!("{}/{}", root.join(folder), triplet()))
            .into();
        let values = [folders.join(":"), root.join("usr").into_string()];
        Self::VARIABLES
            .into_iter()
            .zip(values)
            .fold(tool, |tool, (name, value)| tool.env(name, value))
    }
}

fn provision(
    package: &str,
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
    // The package itself may be a stub for one with the program: `redis-server` needs `redis-tools`, `lldb`
    // needs `lldb-14`.
    let needed = |_: &Offer, name: &str| {
        let own = name.starts_with(&format!("{package}-"));
        let library = ["lib", "lua"].iter().any(|start| name.starts_with(start));
        name != "libc6" && (library || own || name == "redis-tools")
    };
    let wanted = [package.to_owned()];
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
