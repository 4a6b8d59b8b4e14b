//! A foreign host that needs no root and no debootstrap: packages of a newer release of Debian, unpacked by mondo, in
//! which a kit makes a bundle, and that release's Python uses it.

use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::exec::Tool;
use mondo_build::progress::Sink;
use mondo_build::toolchain::{self, Host};
use mondo_build::{ErrorKind, Result};
use mondo_testbed::Context;
use mondo_testbed::files::{copy_tree, expect_same, make_empty, wheel_in};
use mondo_testbed::packages::Packages;
use mondo_testbed::verdict::{expect, tool};

use crate::backend;
use crate::installed::{self, environment::copy_manifests};

/// The place of mondo's files in a host.
pub(super) const PREFIX: &str = "opt/mondo";

/// The place of a project with the manifests.
pub(super) const PROJECT: &str = "project";

/// The release. Its C library is newer than those of the hosts that run these tests, so that they can start the program
/// of this test in it.
const SUITE: &str = "trixie";

/// The packages of the host: a C library, a shell with `readlink`, and Python.
const PACKAGES: [&str; 5] = ["base-files", "libc6", "dash", "coreutils", "python3"];

/// The bundle that is made there.
const BUNDLE: &str = "core";

/// Enters the host's file system `$1` in a mount namespace, with the kernel's folders and the unpacked LLVM of the cache
/// `$2`. No privilege is needed.
const ENTER: &str = "root=$1; toolchains=$2; shift 2\n\
    mount --rbind /proc \"$root/proc\" && mount --rbind /dev \"$root/dev\" &&\n\
    mount --bind \"$toolchains\" \"$root/cache/toolchains\" &&\n\
    exec chroot \"$root\" \"$@\"";

/// Parses a module with the wheel `$1`, and prints the release's C library.
const USE: &str = "import sys, zipfile, os\n\
    zipfile.ZipFile(sys.argv[1]).extractall('/project/site')\n\
    sys.path.insert(0, '/project/site')\n\
    from mlir.ir import Context, Module\n\
    print(Module.parse('func.func private @there()', Context()))\n\
    print(os.confstr('CS_GNU_LIBC_VERSION'), sys.version.split()[0])";

/// Builds a bundle in the foreign host and compares it with the one that cargo compiled here.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let expected = context.bundle(BUNDLE)?.wheel;
    let cache = toolchain::cache_dir()?;
    let (root, suite) = root(&cache, context.sink)?;
    install(&root, context)?;
    let start = Instant::now();
    let script = format!(
        "cd /{PROJECT} && exec /{PREFIX}/bin/mondo bundle --offline --manifest manifests/{BUNDLE}.toml"
    );
    enter(&root, &cache, "build a bundle on a foreign host")
        .args(["sh", "-c", &script])
        .output()?;
    let seconds = start.elapsed().as_secs_f64();
    let wheel = wheel_in(&root.join(PROJECT).join("dist"))?;
    let inside = wheel.strip_prefix(&root).unwrap_or(&wheel);
    let printed = enter(&root, &cache, "use a bundle on a foreign host")
        .args(["python3", "-c", USE, &format!("/{inside}")])
        .output()?
        .stdout;
    let versions = printed.lines().last().unwrap_or_default();
    console::err(format!("{suite} ({versions}): {BUNDLE} in {seconds:.1} s"));
    let works = printed.contains("@there");
    expect(works, "the bundle does not work there", printed)?;
    expect_same(
        &wheel,
        &expected,
        "a foreign host gives another wheel than this one",
    )
}

/// A run of `env` in the host, with an empty environment.
fn enter(root: &Utf8Path, cache: &Utf8Path, purpose: &str) -> Tool {
    tool("unshare", purpose)
        .args(["--map-root-user", "--mount", "sh", "-c", ENTER, "sh"])
        .args([root.as_str(), cache.join("toolchains").as_str()])
        .args(["/usr/bin/env", "-i", "HOME=/nowhere", "PATH=/usr/bin:/bin"])
        .arg("MONDO_CACHE_DIR=/cache")
}

/// Puts mondo and a kit into the host, and a new project.
fn install(root: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let [prefix, project] = [PREFIX, PROJECT].map(|place| root.join(place));
    for folder in [&prefix, &project, &root.join("cache")] {
        make_empty(folder)?;
    }
    for folder in ["proc", "dev", "tmp", "cache/toolchains"] {
        fs_err::create_dir_all(root.join(folder))?;
    }
    let kits = prefix.join("share/mondo/kits");
    let kit = installed::kit(&context.empty_folder("hosts-kit")?, context)?.folder;
    copy_tree(&kit, &kits.join(mondo::DEFAULT_LLVM.to_string()))?;
    fs_err::create_dir_all(prefix.join("bin"))?;
    fs_err::copy(backend::program(context)?, prefix.join("bin/mondo"))?;
    // The work folder is below the nearest repository.
    fs_err::create_dir_all(project.join(".git"))?;
    copy_manifests(&project, context)
}

/// The root of the host's file system in the cache, which is made once, and its release: [`SUITE`], or that of this host
/// where the mirror has no other.
fn root(cache: &Utf8Path, sink: &dyn Sink) -> Result<(Utf8PathBuf, String)> {
    let here = Host::here().suite().unwrap_or_default();
    let place = |suite: &str| cache.join("hosts").join(format!("{suite}-unpacked"));
    let unpack = |suite: &str| -> Result<(Utf8PathBuf, String)> {
        let packages = Packages {
            suite: Some(suite),
            names: &PACKAGES,
            follows: &|_, name| {
                ["lib", "python3", "zlib1g"]
                    .iter()
                    .any(|start| name.starts_with(start))
            },
        };
        packages.unpack(&place(suite), sink, |_, _| Ok(()))?;
        Ok((place(suite), suite.to_owned()))
    };
    if place(&here).is_dir() && !place(SUITE).is_dir() {
        return unpack(&here);
    }
    match unpack(SUITE) {
        Err(error) if error.kind() == ErrorKind::Network => {
            sink.note(&format!(
                "{error}, so the host is of this machine's release, {here}"
            ));
            unpack(&here)
        }
        result => result,
    }
}
