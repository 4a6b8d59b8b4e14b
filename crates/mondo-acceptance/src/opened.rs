//! The files that a build opens, as strace tells: those of the locked packages, mondo's own, and the few that any program
//! of the host needs to start.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::Result;
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, SystemProgram};

/// Folders of the kernel.
const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// The libraries of `/bin/sh` and of mondo, and the list that the loader finds them by.
const TO_START: [&str; 6] = [
    "ld.so.cache",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
];

/// The files by which Clang tells distributions apart. Two options of the linker depend on them, `--hash-style` and
/// `-z relro`, and mondo's links set both.
const OF_DISTRIBUTIONS: [&str; 3] = ["debian_version", "lsb-release", "os-release"];

/// Builds the bundle core with the mondo at `prefix` in `project`, and looks at what it opened for reading.
pub(crate) fn check(
    prefix: &Utf8Path,
    project: &Utf8Path,
    cache: &Utf8Path,
    context: &Context<'_>,
) -> Result<()> {
    let strace = SystemProgram::find(&["strace"], "usr/bin/strace", context)?;
    let log = project.join("opened.log");
    let mondo = prefix.join("bin/mondo");
    strace
        .tool("look at the files that a build opens")
        .args(["-f", "-qq", "-y", "-e", "trace=open,openat,execve"])
        .args(["-o", log.as_str()])
        .args(["env", "-i", "HOME=/nowhere", "PATH=/usr/bin:/bin"])
        .arg(format!("MONDO_CACHE_DIR={cache}"))
        .arg(&mondo)
        .args(["bundle", "--manifest", "manifests/core.toml", "--force"])
        .args(["--out-dir", "dist-opened"])
        .cwd(project)
        .output()?;
    let text = fs_err::read_to_string(&log)?;
    let mut inside: Vec<Utf8PathBuf> = KERNEL.map(Utf8PathBuf::from).into();
    for folder in [prefix, project, cache, Utf8Path::new("/tmp")] {
        inside.push(folder.canonicalize_utf8()?);
    }
    // `env` itself opens the files of its own language.
    let (_, of_mondo) = text
        .split_once(&format!("execve(\"{mondo}\""))
        .unwrap_or(("", &text));
    let opened: BTreeSet<&str> = of_mondo.lines().filter_map(read).collect();
    let is_inside = |path: &str| {
        inside
            .iter()
            .any(|folder| Utf8Path::new(path).starts_with(folder))
    };
    let is_known = |path: &&str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        TO_START.contains(&name) || OF_DISTRIBUTIONS.contains(&name) || name.starts_with("ld-")
    };
    let of_host = opened.iter().filter(|path| !is_inside(path));
    let (known, outside): (Vec<&str>, Vec<&str>) = of_host.copied().partition(is_known);
    console::out(format!(
        "a build of core opened {} files, of which {} are the host's: {}",
        opened.len(),
        known.len(),
        known.join(", ")
    ));
    expect(!opened.is_empty(), "strace saw no file", log)?;
    let what = "a build opened files of the host";
    expect(outside.is_empty(), what, outside.join("\n"))
}

/// The absolute path that a line of strace's log has opened for reading.
fn read(line: &str) -> Option<&str> {
    if line.contains("O_WRONLY") || !line.contains("open") {
        return None;
    }
    let (_, descriptor) = line.rsplit_once(" = ")?;
    let path = descriptor.split_once('<')?.1.strip_suffix('>')?;
    path.starts_with('/').then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_opened_for_reading_counts() {
        let line = "12 openat(AT_FDCWD</a>, \"b\", O_RDONLY|O_CLOEXEC) = 3</a/b>";
        assert_eq!(read(line), Some("/a/b"));
        for line in [
            "12 openat(AT_FDCWD</a>, \"b\", O_WRONLY|O_CREAT, 0666) = 3</a/b>",
            "12 openat(AT_FDCWD</a>, \"b\", O_RDONLY) = -1 ENOENT (No such file or directory)",
            "12 execve(\"/bin/sh\", [\"sh\"], 0x1) = 0",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
