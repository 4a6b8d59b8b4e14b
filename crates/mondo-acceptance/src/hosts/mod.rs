//! Bundles on other hosts. In the gate: packages of another release that mondo unpacks. With `--all`: file systems of
//! Debian's releases without a compiler, in which mondo's two wheels are the only programs that were added. All bundles
//! have the same bytes, and a build opens nothing of the host's.

mod unpacked;

use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_build::progress::Sink;
use mondo_build::toolchain::{self, Host, NamedMirrors};
use mondo_testbed::files::{expect_same, make_empty, wheel_in};
use mondo_testbed::{Context, Extent};

use self::unpacked::{PREFIX, PROJECT};
use crate::installed::environment::copy_manifests;
use crate::{installed, opened};

/// The hosts: releases of Debian, and whether apt, dpkg and their configuration are removed. Such a host is like one of
/// another distribution.
const GUESTS: [(&str, bool); 4] = [
    ("trixie", false),
    ("bookworm", false),
    ("bullseye", false),
    ("sid", true),
];

/// The bundles.
const BUNDLES: [&str; 2] = ["core", "standard"];

/// What a stripped host lacks.
const STRIPPED: [&str; 6] = [
    "etc/apt",
    "usr/bin/apt",
    "usr/bin/apt-get",
    "usr/bin/apt-cache",
    "usr/bin/dpkg",
    "usr/bin/dpkg-deb",
];

/// Enters a host's file system with the kernel's folder of processes, which no other process sees there.
const ENTER: &str = "mount -t proc proc \"$1/proc\" && exec chroot \"$@\"";

/// Builds bundles with the same wheels of mondo on each host, the first of them from nothing.
pub fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    unpacked::check(context)?;
    if !extent.is_all() {
        return Ok(());
    }
    // A host without it learns so before the wheels of the command and the kit are built.
    debootstrap().arg("--version").output()?;
    let scratch = context.empty_folder("hosts")?;
    let wheels = installed::wheels(&scratch.join("dist"), context)?;
    let here = scratch.join("here");
    install(&here, &wheels, context)?;
    // The cache of this host has the packages.
    let cache = toolchain::cache_dir()?;
    let mut expected = Vec::new();
    for bundle in BUNDLES {
        let tool = Tool::new("env", "build a bundle on this host")
            .args(["-i", "HOME=/nowhere", "PATH=/usr/bin:/bin"])
            .arg(format!("MONDO_CACHE_DIR={cache}"));
        expected.push(built("here", bundle, &here, tool, here.as_str())?);
    }
    opened::check(&here.join(PREFIX), &here.join(PROJECT), &cache, context)?;
    for (suite, stripped) in GUESTS {
        Guest { suite, stripped }.check(&wheels, &expected, context)?;
    }
    Ok(())
}

/// Unpacks mondo's wheels and writes a project below `root`.
fn install(root: &Utf8Path, wheels: &[Utf8PathBuf], context: &Context<'_>) -> Result<()> {
    let [prefix, project] = [PREFIX, PROJECT].map(|place| root.join(place));
    make_empty(&prefix)?;
    make_empty(&project)?;
    Tool::new("python3", "install mondo's wheels")
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index"])
        .args(["--ignore-installed", "--root-user-action", "ignore"])
        .args(["--prefix", prefix.as_str()])
        .args(wheels)
        .output()?;
    // The work folder is below the nearest repository.
    fs_err::create_dir(project.join(".git"))?;
    copy_manifests(&project, context)
}

/// Builds a bundle with `tool`, a run of `env` that sees the file system of `root` at `seen`.
fn built(host: &str, bundle: &str, root: &Utf8Path, tool: Tool, seen: &str) -> Result<Utf8PathBuf> {
    let start = Instant::now();
    let script = format!(
        "cd {seen}/{PROJECT} && exec {seen}/{PREFIX}/bin/mondo bundle --manifest \
         manifests/{bundle}.toml --out-dir dist-{bundle}"
    );
    let tool = tool.args(["sh", "-c", &script]);
    tool.output().map_err(|error| error.at(host))?;
    console::err(format!(
        "{host}: {bundle} in {:.1} s",
        start.elapsed().as_secs_f64()
    ));
    wheel_in(&root.join(PROJECT).join(format!("dist-{bundle}")))
}

fn debootstrap() -> Tool {
    Tool::new("debootstrap", "make a host, as root").installed_by("apt-get install debootstrap")
}

/// A host.
struct Guest {
    suite: &'static str,
    stripped: bool,
}

impl Guest {
    fn name(&self) -> String {
        match self.stripped {
            true => format!("{}, no apt", self.suite),
            false => self.suite.to_owned(),
        }
    }

    /// Builds the bundles on the host, and compares them with the `expected` ones.
    fn check(
        &self,
        wheels: &[Utf8PathBuf],
        expected: &[Utf8PathBuf],
        context: &Context<'_>,
    ) -> Result<()> {
        let root = self.root(context.sink)?;
        install(&root, wheels, context)?;
        let cache = root.join("root/.cache");
        make_empty(&cache)?;
        for (bundle, expected) in BUNDLES.into_iter().zip(expected) {
            let mut tool = Tool::new("unshare", "build a bundle on another host")
                .args(["--mount", "sh", "-c", ENTER, "sh", root.as_str()])
                .args(["/usr/bin/env", "-i", "HOME=/root"])
                .arg("PATH=/usr/bin:/bin");
            if self.stripped {
                tool = tool.arg(format!("MONDO_DEB_MIRROR={}", mirrors()?.join(" ")));
            }
            let wheel = built(&self.name(), bundle, &root, tool, "")?;
            expect_same(
                &wheel,
                expected,
                "another host gives another wheel than this one",
            )?;
        }
        Ok(fs_err::remove_dir_all(&cache)?)
    }

    /// The root of the host's file system, which is made once.
    fn root(&self, sink: &dyn Sink) -> Result<Utf8PathBuf> {
        let home = toolchain::cache_dir()?.join("hosts");
        let root = home.join(self.name().replace(", ", "-").replace(' ', "-"));
        if root.is_dir() {
            return Ok(root);
        }
        sink.update(&format!("making a host: {}", self.name()));
        fs_err::create_dir_all(&home)?;
        let work = tempfile::Builder::new()
            .prefix(".host-")
            .tempdir_in(&home)?;
        let work = mondo_build::path::utf8(work.path())?;
        let fresh = work.join("root");
        let mirrors = mirrors()?;
        debootstrap()
            .args(["--variant=minbase", self.suite, fresh.as_str()])
            .args(mirrors.first())
            .output()?;
        for name in ["resolv.conf", "hosts"] {
            fs_err::copy(format!("/etc/{name}"), fresh.join("etc").join(name))?;
        }
        for path in STRIPPED.iter().filter(|_| self.stripped) {
            let path = fresh.join(path);
            match path.is_dir() {
                true => fs_err::remove_dir_all(&path)?,
                false => fs_err::remove_file(&path)?,
            }
        }
        fs_err::rename(&fresh, &root)?;
        Ok(root)
    }
}

/// The mirrors of this host.
fn mirrors() -> Result<Vec<String>> {
    let named = NamedMirrors::from_environment()?;
    Ok(toolchain::mirrors(&named, &Host::here())?.addresses)
}
