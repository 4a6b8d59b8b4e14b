//! A headless browser, for the test of the pages that mondo writes: Debian's `chromium-headless-shell`,
//! unpacked into the per-user cache with the libraries and the fonts that it needs. No lock pins its version,
//! because a distribution keeps only the newest version of a browser.
//!
//! The packages are of the system's own release, so that the browser uses the system's C library.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::path::{utf8, variable};
use mondo_build::progress::Sink;
use mondo_build::{Error, ErrorKind, Result};

use mondo_build::toolchain::apt::{self, Apt, Offer};
use mondo_build::toolchain::{Host, take_lock, triplet, unpack};

/// A Chromium that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Browser {
    program: Utf8PathBuf,
    /// The folder of the unpacked packages in the cache; None if `MONDO_CHROMIUM` names the program, which
    /// finds its files itself.
    root: Option<Utf8PathBuf>,
}

/// The packages of the program, and of the font in which all pages are shown.
const WANTED: [&str; 3] = [
    "chromium-headless-shell",
    "chromium-common",
    "fonts-dejavu-core",
];
const PROGRAM: &str = "usr/lib/chromium/chromium-headless-shell";
/// The name of the configuration that fontconfig reads in place of the system's.
const FONTS: &str = "mondo-fonts.conf";

/// The browser that `MONDO_CHROMIUM` names, or else the one in the cache, which is downloaded if it is
/// missing.
///
/// # Errors [`ErrorKind::MissingTool`] if there is no browser and the distribution has no such package,
/// [`ErrorKind::Network`] if the packages cannot be downloaded.
pub(crate) fn browser(cache_dir: &Utf8Path, sink: &dyn Sink) -> Result<Browser> {
    if let Some(program) = variable("MONDO_CHROMIUM")? {
        return Ok(Browser {
            program,
            root: None,
        });
    }
    let host = Host::here();
    let instead = "or give a Chromium that is installed with MONDO_CHROMIUM";
    let Some(suite) = &host.suite() else {
        return Err(Error::new(
            ErrorKind::MissingTool,
            "there is no Chromium to open pages in",
        )
        .because("/etc/os-release names no Debian release (VERSION_CODENAME)")
        .help(format!("run this on Debian, {instead}")));
    };
    let home = cache_dir.join("browsers");
    let root = home.join(format!("{suite}-{}", host.architecture));
    if !root.is_dir() {
        fs_err::create_dir_all(&home)?;
        let _guard = take_lock(&home, sink)?;
        // Another run may have unpacked the packages while this one waited for the lock.
        if !root.is_dir() {
            let help = || format!("go online and run this again, {instead}");
            make(&host, &home, &root, sink).map_err(|error| error.help(help()))?;
        }
    }
    Ok(Browser {
        program: root.join(PROGRAM),
        root: Some(root),
    })
}

fn make(host: &Host, home: &Utf8Path, root: &Utf8Path, sink: &dyn Sink) -> Result<()> {
    apt::check()?;
    let work = tempfile::Builder::new()
        .prefix(".unpack-")
        .tempdir_in(home)?;
    let work = utf8(work.path())?;
    let apt = Apt::prepare(&work.join("apt"), &host.architecture)?;
    let complaint = apt.update()?;
    let libraries =
        |_: &Offer, name: &str| name != "libc6" && (name.starts_with("lib") || name == "zlib1g");
    let wanted = WANTED.map(str::to_owned);
    let offers = apt.closure(&wanted, libraries, "apt", complaint.as_deref())?;
    let bytes: u64 = offers.values().map(|offer| offer.size).sum();
    sink.note(&format!(
        "downloading Chromium for the tests of pages: {} packages, {} MB, once",
        offers.len(),
        bytes / 1_000_000
    ));
    let debs = apt.fetch(&offers, &work.join("files"), "Chromium")?;
    let fresh = work.join("root");
    unpack::unpack(&debs, &fresh)?;
    unpack::settle_links(&fresh)?;
    // With this configuration pages look the same, whatever fonts the system has.
    let fonts = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\
         <dir>{root}/usr/share/fonts</dir><cachedir prefix=\"xdg\">fontconfig</cachedir>\
         </fontconfig>\n",
    );
    fs_err::write(fresh.join(FONTS), fonts)?;
    if !fresh.join(PROGRAM).is_file() {
        return Err(Error::new(ErrorKind::Toolchain, "the packages have no browser").at(PROGRAM));
    }
    fs_err::rename(&fresh, root)?;
    Ok(())
}

impl Browser {
    /// The browser as a program to start for `purpose`, with its profile in `profile`. It runs without its
    /// sandbox, which needs a setuid helper or permission to create namespaces, and so may open only pages
    /// that mondo wrote.
    #[must_use]
    pub(crate) fn tool(&self, profile: &Utf8Path, purpose: impl Into<String>) -> Tool {
        let tool = Tool::new(self.program.as_str(), purpose)
            .fails_as(ErrorKind::Check)
            .env("HOME", profile)
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .arg("--disable-dev-shm-usage")
            .arg(format!("--user-data-dir={profile}"));
        let Some(root) = &self.root else { return tool };
        let of = |dir: &str| root.join(dir).join(triplet());
        // PulseAudio's client has a private library.
        let dirs = [of("usr/lib"), of("lib"), of("usr/lib").join("pulseaudio")];
        tool.env(
            "LD_LIBRARY_PATH",
            dirs.map(Utf8PathBuf::into_string).join(":"),
        )
        .env("FONTCONFIG_FILE", root.join(FONTS))
    }
}
