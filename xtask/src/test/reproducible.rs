//! Builds of the same sources give the same bytes: in two folders, with one job and with several, and
//! twice in one folder.

use camino::Utf8PathBuf;
use mondo_build::{Result, toolchain};
use mondo_testbed::Context;
use mondo_testbed::files::{copy_tracked, expect_same, wheel_in};
use mondo_testbed::verdict::tool;

/// A bundle without code in Rust but the runtime's, and one with a dialect in Rust, which is a package
/// outside of cargo's workspace.
const MANIFESTS: [&str; 2] = ["manifests/core.toml", "manifests/units.toml"];

/// Copies the tracked files to two folders whose names differ in length, builds the bundles in each
/// with nothing shared but the toolchain, in the second one twice, and compares the wheels.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let scratch = context.empty_folder("reproducible")?;
    let first = Folder::new(context, scratch.join("a"), 1)?;
    let second = Folder::new(context, scratch.join("another folder"), 4)?;
    for manifest in MANIFESTS {
        let one = first.build(manifest)?;
        let other = second.build(manifest)?;
        expect_same(&one, &other, "two builds in different folders differ")?;
        // Nothing compiled is left for the second time.
        second.forget()?;
        let again = second.build(manifest)?;
        expect_same(&one, &again, "two builds in one folder differ")?;
    }
    // The copies hold a whole cargo target each.
    fs_err::remove_dir_all(&scratch)?;
    Ok(())
}

/// A copy of the sources with a cache and a target folder of its own.
struct Folder {
    root: Utf8PathBuf,
    cache: Utf8PathBuf,
    jobs: usize,
}

impl Folder {
    fn new(context: &Context<'_>, root: Utf8PathBuf, jobs: usize) -> Result<Self> {
        copy_tracked(context.workspace, &root)?;
        let cache = root.join("cache");
        fs_err::create_dir_all(&cache)?;
        // LLVM is the same; what was compiled must not be.
        fs_err::os::unix::fs::symlink(
            toolchain::cache_dir()?.join("toolchains"),
            cache.join("toolchains"),
        )?;
        Ok(Self { root, cache, jobs })
    }

    fn build(&self, manifest: &str) -> Result<Utf8PathBuf> {
        let folder = &self.root;
        let dist = folder.join("dist");
        if dist.exists() {
            fs_err::remove_dir_all(&dist)?;
        }
        let xtask = std::env::current_exe()?;
        let jobs = self.jobs.to_string();
        tool(xtask, "build in another folder")
            .args(["bundle", "--quiet", "--manifest", manifest])
            .cwd(folder)
            .env("MONDO_SOURCE_DIR", folder)
            .env("MONDO_WORKSPACE_DIR", folder)
            .env("MONDO_CACHE_DIR", &self.cache)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .env("CARGO_BUILD_JOBS", &jobs)
            .env("RAYON_NUM_THREADS", &jobs)
            .output()?;
        wheel_in(&dist)
    }

    /// Removes all that a build has compiled.
    fn forget(&self) -> Result<()> {
        fs_err::remove_dir_all(self.root.join("target"))?;
        fs_err::remove_dir_all(self.cache.join("compiled"))?;
        Ok(())
    }
}
