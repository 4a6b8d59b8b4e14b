//! A user without root, without a home directory, and with folders that cannot be written.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_build::path::utf8;

use super::case::{MANIFEST, expect, library};

/// The user and group `nobody`.
const NOBODY: &str = "65534";

/// A folder that a stranger can enter: the command, its input, and folders with and without the right to write.
struct Place {
    _dir: tempfile::TempDir,
    program: Utf8PathBuf,
    input: Utf8PathBuf,
    writable: Utf8PathBuf,
    is_root: bool,
}

impl Place {
    fn new(program: &Utf8Path) -> Result<Self> {
        let dir = tempfile::tempdir()?;
        let path = utf8(dir.path())?.to_owned();
        let place = Self {
            _dir: dir,
            program: path.join("mondo"),
            input: path.join("input"),
            writable: path.join("writable"),
            is_root: fs_err::metadata("/proc/self")?.uid() == 0,
        };
        fs_err::copy(program, &place.program)?;
        for folder in [&place.input, &place.writable] {
            fs_err::create_dir(folder)?;
        }
        fs_err::write(place.input.join("bundle.toml"), MANIFEST)?;
        library(&place.input)?;
        for (folder, mode) in [
            (&path, 0o755),
            (&place.input, 0o555),
            (&place.writable, 0o777),
        ] {
            fs_err::set_permissions(folder, Permissions::from_mode(mode))?;
        }
        Ok(place)
    }

    /// Runs the command as nobody, with `umask`, `PATH` and these variables. Without root, it runs as the current user.
    fn run(&self, cwd: &Utf8Path, umask: &str, variables: &[&str], args: &[&str]) -> Tool {
        let tool = if self.is_root {
            Tool::new("setpriv", "become nobody")
                .arg(format!("--reuid={NOBODY}"))
                .arg(format!("--regid={NOBODY}"))
                .args(["--clear-groups", "env"])
        } else {
            Tool::new("env", "run the command without variables")
        };
        tool.args(["-i", "PATH=/usr/local/bin:/usr/bin:/bin"])
            .args(variables)
            .args(["sh", "-c", "umask $1; shift; exec \"$@\"", "sh", umask])
            .arg(&self.program)
            .args(args)
            .cwd(cwd)
    }
}

/// Runs the command for a user who has nothing.
pub(super) fn check(program: &Utf8Path) -> Result<()> {
    let place = Place::new(program)?;
    let library = place.input.join("liba.so");
    let manifest = place.input.join("bundle.toml");
    let (library, manifest) = (library.as_str(), manifest.as_str());
    let no_home: &[&str] = &[];
    let no_such_home: &[&str] = &["HOME=/nonexistent", "TMPDIR=/nonexistent"];
    for variables in [no_home, no_such_home] {
        for umask in ["077", "000"] {
            // A command that only reads needs no home and no folder to write to.
            for (args, code, word) in [
                (&["audit", "--fail-on", "error", library][..], 0, "passed"),
                (
                    &["audit", "--json", "--fail-on", "error", library],
                    0,
                    "\"audits\"",
                ),
                (&["manifest", manifest], 0, "ok"),
            ] {
                let output = place
                    .run(&place.input, umask, variables, args)
                    .output_unchecked()?;
                expect(
                    &format!("{args:?} with {variables:?}"),
                    &output,
                    code,
                    &[word],
                )?;
            }
        }
        // A command that writes says where it cannot.
        let bundle = ["bundle", "--offline", "--manifest", manifest];
        let output = place
            .run(&place.input, "022", variables, &bundle)
            .output_unchecked()?;
        expect("a bundle without a cache", &output, 30, &["error[io]"])?;
    }
    let new = ["new", "reef", "--pick"];
    let output = place
        .run(&place.input, "022", no_home, &new)
        .output_unchecked()?;
    expect(
        "a project in a folder of others",
        &output,
        30,
        &["error[io]"],
    )?;
    let output = place
        .run(&place.writable, "077", no_home, &new)
        .output_unchecked()?;
    expect("a project of nobody", &output, 0, &["reef"])?;
    let log = [
        "audit",
        "--fail-on",
        "error",
        "--sarif",
        "log.sarif",
        library,
    ];
    let output = place
        .run(&place.input, "022", no_home, &log)
        .output_unchecked()?;
    expect(
        "a log in a folder of others",
        &output,
        30,
        &["error[io]", "log.sarif"],
    )?;
    let output = place
        .run(&place.writable, "022", no_home, &log)
        .output_unchecked()?;
    expect("a log of nobody", &output, 0, &["passed"])
}
