//! A headless browser for the test of the pages that mondo writes: Debian's `chromium-headless-shell`, with the fonts
//! that it needs. The packages are of the system's own release, so that the browser uses the system's C library.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::{Context, SystemProgram};

/// The packages of the program, and of the font in which all pages are shown.
const PACKAGES: &[&str] = &[
    "chromium-headless-shell",
    "chromium-common",
    "fonts-dejavu-core",
];

/// A Chromium that can be started.
pub(super) struct Browser {
    program: SystemProgram,
    /// The configuration that fontconfig reads in place of the system's: pages look the same, whatever fonts the
    /// system has. None for an installed browser, which finds its fonts itself.
    fonts: Option<Utf8PathBuf>,
}

impl Browser {
    /// The installed browser, or else that of the distribution's packages.
    pub(super) fn find(context: &Context<'_>) -> Result<Self> {
        let place = "usr/lib/chromium/chromium-headless-shell";
        let program = SystemProgram::find(PACKAGES, place, context)?;
        let fonts = match program.root() {
            Some(root) => {
                let file = context.scratch().join("fonts.conf");
                let text = format!(
                    "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\
                     <dir>{root}/usr/share/fonts</dir><cachedir prefix=\"xdg\">fontconfig</cachedir>\
                     </fontconfig>\n",
                );
                fs_err::write(&file, text)?;
                Some(file)
            }
            None => None,
        };
        Ok(Self { program, fonts })
    }

    /// The browser as a program to start for `purpose`, with its profile in `profile`. It runs without its
    /// sandbox, which needs a setuid helper or permission to create namespaces, and so may open only pages
    /// that mondo wrote.
    pub(super) fn tool(&self, profile: &Utf8Path, purpose: &str) -> Tool {
        let tool = self
            .program
            .tool(purpose)
            .env("HOME", profile)
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .arg("--disable-dev-shm-usage")
            .arg(format!("--user-data-dir={profile}"));
        match &self.fonts {
            Some(fonts) => tool.env("FONTCONFIG_FILE", fonts),
            None => tool,
        }
    }
}
