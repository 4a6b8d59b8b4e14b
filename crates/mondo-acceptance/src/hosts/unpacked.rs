//! A foreign host that needs no root and no debootstrap: packages of a newer release of Debian, unpacked by mondo, in
//! which a kit makes a bundle, and that release's Python uses it.

use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::exec::Tool;
use mondo_build::kit::{self, Options};
use mondo_build::path::utf8;
use mondo_build::progress::Sink;
use mondo_build::toolchain::apt::{self, Apt};
use mondo_build::toolchain::package_paragraphs::Offer;
use mondo_build::toolchain::{self, Host, PackageFile, take_lock, unpack};
use mondo_build::{ErrorKind, Result, bundle, digest};
use mondo_testbed::Context;
use mondo_testbed::files::wheel_in;

use super::places::{PREFIX, PROJECT, failed};
use crate::installed::environment::copy_manifests;

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
    let expected = digest::of_file(&context.bundle(BUNDLE)?.wheel)?;
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
    let found = digest::of_file(&wheel)?;
    let wheel = wheel.strip_prefix(&root).unwrap_or(&wheel);
    let printed = enter(&root, &cache, "use a bundle on a foreign host")
        .args(["python3", "-c", USE, &format!("/{wheel}")])
        .output()?
        .stdout;
    if !printed.contains("@there") {
        return Err(failed("the bundle does not work there").because(printed));
    }
    let versions = printed.lines().last().unwrap_or_default();
    console::err(format!(
        "{suite} ({versions}): {BUNDLE} in {seconds:.1} s, {found}"
    ));
    if found != expected {
        let what = format!("the wheel of {BUNDLE} differs from that of this host");
        return Err(failed(what).details([expected, found]));
    }
    Ok(())
}

/// A run of `env` in the host, with an empty environment.
fn enter(root: &Utf8Path, cache: &Utf8Path, purpose: &str) -> Tool {
    Tool::new("unshare", purpose)
        .fails_as(ErrorKind::Check)
        .args(["--map-root-user", "--mount", "sh", "-c", ENTER, "sh"])
        .args([root.as_str(), cache.join("toolchains").as_str()])
        .args(["/usr/bin/env", "-i", "HOME=/nowhere", "PATH=/usr/bin:/bin"])
        .arg("MONDO_CACHE_DIR=/cache")
}

/// The command `mondo`, compiled like the program that runs these tests.
fn program(context: &Context<'_>) -> Result<Utf8PathBuf> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    Tool::new(cargo, "compile mondo")
        .cwd(context.workspace)
        .args(["build", "--locked", "--quiet", "--profile", "xtask"])
        .args(["--package", "mondo"])
        .output()?;
    let tests = std::env::current_exe()?;
    Ok(utf8(&tests)?.with_file_name("mondo"))
}

/// Puts mondo and a kit into the host, and a new project.
fn install(root: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let [prefix, project] = [PREFIX, PROJECT].map(|place| root.join(place));
    for folder in [&prefix, &project, &root.join("cache")] {
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
    }
    for folder in ["proc", "dev", "tmp", "cache/toolchains"] {
        fs_err::create_dir_all(root.join(folder))?;
    }
    let kits = prefix.join("share/mondo/kits");
    let out_dir = context.empty_folder("hosts-kit")?;
    let options = Options {
        llvm: mondo::DEFAULT_LLVM,
        llvm_dir: None,
        offline: false,
        out_dir,
        work_dir: bundle::work_dir(context.workspace),
    };
    let kit = kit::build(&options, context.sink)?.folder;
    mondo_testbed::files::copy_tree(&kit, &kits.join(mondo::DEFAULT_LLVM.to_string()))?;
    fs_err::create_dir_all(prefix.join("bin"))?;
    fs_err::copy(program(context)?, prefix.join("bin/mondo"))?;
    // The work folder is below the nearest repository.
    fs_err::create_dir_all(project.join(".git"))?;
    copy_manifests(&project, context)
}

/// The root of the host's file system in the cache, which is made once, and its release: [`SUITE`], or that of this host
/// where the mirror has no other.
fn root(cache: &Utf8Path, sink: &dyn Sink) -> Result<(Utf8PathBuf, String)> {
    let home = cache.join("hosts");
    fs_err::create_dir_all(&home)?;
    let _guard = take_lock(&home, sink)?;
    let here = Host::here().suite().unwrap_or_default();
    let place = |suite: &str| home.join(format!("{suite}-unpacked"));
    for suite in [SUITE, &here] {
        if place(suite).is_dir() {
            return Ok((place(suite), suite.to_owned()));
        }
    }
    sink.note(&format!("unpacking a host: {SUITE}"));
    apt::check()?;
    let work = tempfile::Builder::new()
        .prefix(".host-")
        .tempdir_in(&home)?;
    let work = utf8(work.path())?;
    let (suite, files) = match packages(SUITE, work) {
        Err(error) if error.kind() == ErrorKind::Network => {
            sink.note(&format!(
                "{error}, so the host is of this machine's release, {here}"
            ));
            (here.as_str(), packages(&here, work)?)
        }
        files => (SUITE, files?),
    };
    let fresh = work.join("root");
    unpack::unpack(&files, &fresh)?;
    unpack::settle_links(&fresh)?;
    fs_err::rename(&fresh, place(suite))?;
    Ok((place(suite), suite.to_owned()))
}

/// Downloads [`PACKAGES`] of a release of Debian, with the libraries that they need.
fn packages(suite: &str, work: &Utf8Path) -> Result<Vec<PackageFile>> {
    let dir = work.join(suite);
    let apt = Apt::of_suite(&dir.join("apt"), &Host::here().architecture, suite)?;
    let complaint = apt.update()?;
    let libraries = |_: &Offer, name: &str| {
        ["lib", "python3", "zlib1g"]
            .iter()
            .any(|start| name.starts_with(start))
    };
    let wanted = PACKAGES.map(str::to_owned);
    let offers = apt.closure(&wanted, libraries, suite, complaint.as_deref())?;
    apt.fetch(&offers, &dir.join("files"), suite)
}
