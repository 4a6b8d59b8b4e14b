//! A user without root, without a home directory, and with folders that cannot be written.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_build::path::utf8;
use mondo_testbed::verdict::{expect_end, tool};

/// The user and group `nobody`.
const NOBODY: &str = "65534";

/// A folder that a stranger can enter: the command, its input, and a folder that anyone can write.
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

    /// Runs the command as nobody, with these variables. Without root, it runs as the current user.
    fn run(&self, case: &Case<'_>, variables: &[&str]) -> Tool {
        let tool = if self.is_root {
            Tool::new("setpriv", "become nobody")
                .arg(format!("--reuid={NOBODY}"))
                .arg(format!("--regid={NOBODY}"))
                .args(["--clear-groups", "env"])
        } else {
            Tool::new("env", "run the command without variables")
        };
        let folder = if case.writable {
            &self.writable
        } else {
            &self.input
        };
        tool.args(["-i", "PATH=/usr/local/bin:/usr/bin:/bin"])
            .args(variables)
            .args(["sh", "-c", "umask $1; shift; exec \"$@\"", "sh", case.umask])
            .arg(&self.program)
            .args(case.args)
            .cwd(folder)
    }
}

/// A run, and how it has to end.
struct Case<'a> {
    /// Whether the folder that it is started in can be written.
    writable: bool,
    umask: &'a str,
    args: &'a [&'a str],
    code: i32,
    words: &'a [&'a str],
}

/// Runs the command for a user who has nothing.
pub(super) fn check(program: &Utf8Path) -> Result<()> {
    let place = Place::new(program)?;
    let [library, manifest] = ["liba.so", "bundle.toml"].map(|file| place.input.join(file));
    let audit = ["audit", "--fail-on", "error", library.as_str()];
    let json = [&audit[..], &["--json"]].concat();
    let log = [&audit[..], &["--sarif", "log.sarif"]].concat();
    let read = ["manifest", manifest.as_str()];
    let bundle = ["bundle", "--offline", "--manifest", manifest.as_str()];
    let new = ["new", "reef", "--pick"];
    let case = |writable, umask, args, code, words| Case {
        writable,
        umask,
        args,
        code,
        words,
    };
    let mut cases = vec![
        // A command that writes says where it cannot.
        case(false, "022", &bundle[..], 30, &["error[io]"][..]),
        case(false, "022", &new, 30, &["error[io]"]),
        case(true, "077", &new, 0, &["reef"]),
        case(false, "022", &log, 30, &["error[io]", "log.sarif"]),
        case(true, "022", &log, 0, &["passed"]),
    ];
    // A command that only reads needs no home and no folder to write to.
    for umask in ["077", "000"] {
        cases.push(case(false, umask, &audit, 0, &["passed"]));
        cases.push(case(false, umask, &json, 0, &["\"audits\""]));
        cases.push(case(false, umask, &read, 0, &["ok"]));
    }
    let no_home: &[&str] = &[];
    let no_such_home: &[&str] = &["HOME=/nonexistent", "TMPDIR=/nonexistent"];
    for variables in [no_home, no_such_home] {
        for case in &cases {
            // The project is there the second time.
            if case.args == new && case.writable && !variables.is_empty() {
                continue;
            }
            let name = format!("{:?} with {variables:?}, umask {}", case.args, case.umask);
            let output = place.run(case, variables).output_unchecked()?;
            expect_end(&name, &output, case.code, case.words)?;
        }
    }
    Ok(())
}

/// The manifest of a small bundle.
pub(super) const MANIFEST: &str = "manifest = 1\n\
    [package]\ndistribution = \"stranger\"\nlabel = \"stranger\"\nlicense = \"MIT\"\n\
    [llvm]\nversion = \"22\"\ntargets = []\n\
    [contents]\ndialects = [\"func\"]\n";

/// Links a library in which the audit finds nothing worse than warnings.
pub(super) fn library(folder: &Utf8Path) -> Result<()> {
    fs_err::write(folder.join("a.c"), "int a_one(void) { return 1; }\n")?;
    tool("gcc", "link a library")
        .cwd(folder)
        .args(["-shared", "-fPIC", "-nostdlib", "a.c", "-o", "liba.so"])
        .arg("-Wl,-soname,liba.so,-z,now,-z,noexecstack")
        .output()
        .map(drop)
}
