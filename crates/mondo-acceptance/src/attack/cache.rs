//! A cache whose bytes change, that cannot be written, and that two builds share while one of them is killed. The wheel
//! is always that of a sound cache, or the build fails and the earlier wheel stays.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::{Output, Tool};
use mondo_build::toolchain::{self, Origin};
use mondo_build::{ErrorKind, Result};
use mondo_testbed::files::{copy_tree, wheel_in};
use mondo_testbed::verdict::{expect, expect_end, failed};
use mondo_testbed::{Context, Extent};

use super::input::MANIFEST;

/// The command that builds.
const BUNDLE: [&str; 4] = ["bundle", "--offline", "--manifest", "bundle.toml"];

/// The number of builds that are killed.
const KILLS: u32 = 10;

/// A copy of the cache, and projects that build with it.
struct Bench<'a> {
    program: &'a Utf8Path,
    workspace: &'a Utf8Path,
    dir: Utf8PathBuf,
    cache: Utf8PathBuf,
}

/// Damages results of links and compiled code in a copy of the cache. With `--all` also has damaged code compiled again,
/// damages LLVM, takes away the disk, and kills builds.
pub(super) fn check(program: &Utf8Path, extent: Extent, context: &Context<'_>) -> Result<()> {
    let is_locked = context.toolchain.origin == Origin::Provisioned;
    let what = "the cases of a damaged cache need the locked LLVM, and another one is in use";
    expect(is_locked, what, context.toolchain.prefix.as_str())?;
    // The bundle puts what it is compiled from into the cache.
    context.bundle("core")?;
    let dir = context.empty_folder("damaged-cache")?;
    let bench = Bench::new(program, context.workspace, &dir)?;
    bench.builds("the first build", "sound", &[], 0, &[])?;
    let sound = bench.wheel("sound")?;
    bench.against_packages(&context.toolchain.prefix)?;
    bench.damaged_results(&sound)?;
    if extent.is_all() {
        bench.cannot_be_written(&sound)?;
        bench.killed(&sound)?;
        // Entries that no build of this test uses stay damaged.
        bench.damaged_code(&sound)?;
        bench.damaged_llvm(&context.toolchain.prefix, &sound)?;
    }
    fs_err::remove_dir_all(&dir)?;
    Ok(())
}

impl<'a> Bench<'a> {
    fn new(program: &'a Utf8Path, workspace: &'a Utf8Path, dir: &Utf8Path) -> Result<Self> {
        let cache = dir.join("cache");
        fs_err::create_dir_all(&cache)?;
        let real = toolchain::cache_dir()?;
        for entry in real.join("compiled").read_dir_utf8()? {
            let entry = entry?;
            // An older mondo leaves entries without a record, which no build reads.
            if entry.path().join("contents.json").is_file() {
                let place = cache.join("compiled").join(entry.file_name());
                copy_tree(entry.path(), &place)?;
            }
        }
        fs_err::os::unix::fs::symlink(real.join("toolchains"), cache.join("toolchains"))?;
        // Only such a bundle keeps results of links.
        let manifest = format!("{MANIFEST}[link]\nunwind-tables = \"callbacks\"\n");
        fs_err::write(dir.join("bundle.toml"), manifest)?;
        Ok(Self {
            program,
            workspace,
            dir: dir.to_owned(),
            cache,
        })
    }

    fn mondo(&self, work: &str, args: &[&str]) -> Tool {
        let tool = Tool::new(self.program, "run the command with a copy of the cache");
        self.with_cache(tool.args(args), work)
    }

    fn with_cache(&self, tool: Tool, work: &str) -> Tool {
        tool.cwd(&self.dir)
            .env("MONDO_CACHE_DIR", &self.cache)
            .env("MONDO_SOURCE_DIR", self.workspace)
            .env("MONDO_WORKSPACE_DIR", self.dir.join(work))
            .env("CARGO_TARGET_DIR", self.dir.join(work).join("target"))
    }

    fn build(&self, work: &str, more: &[&str]) -> Result<Output> {
        let dist = format!("{work}/dist");
        let args = [&BUNDLE[..], &["--out-dir", &dist], more].concat();
        self.mondo(work, &args).output_unchecked()
    }

    /// A build that is killed after `seconds`, if it takes so long.
    fn build_killed_after(&self, seconds: &str, work: &str) -> Result<Output> {
        let dist = format!("{work}/dist");
        let tool = Tool::new("timeout", "kill a build")
            .args(["--signal=KILL", seconds, self.program.as_str()])
            .args(BUNDLE)
            .args(["--out-dir", &dist, "--force"]);
        self.with_cache(tool, work).output_unchecked()
    }

    /// Builds, and checks how that ends.
    fn builds(
        &self,
        case: &str,
        work: &str,
        more: &[&str],
        code: i32,
        words: &[&str],
    ) -> Result<Output> {
        let output = self.build(work, more)?;
        expect_end(case, &output, code, words)?;
        Ok(output)
    }

    /// Runs `mondo cache verify`, and checks how that ends.
    fn verify(&self, case: &str, code: i32, words: &[&str]) -> Result<()> {
        let output = self
            .mondo("verified", &["cache", "verify"])
            .output_unchecked()?;
        expect_end(case, &output, code, words)
    }

    fn wheel(&self, work: &str) -> Result<Vec<u8>> {
        Ok(fs_err::read(wheel_in(&self.dir.join(work).join("dist"))?)?)
    }

    fn same(&self, case: &str, work: &str, sound: &[u8]) -> Result<()> {
        let what = format!("{case}: the wheel differs from the first one");
        expect(self.wheel(work)? == sound, what, work)
    }

    /// The documented command for a third party finds the linked archives in the packages, and reports a changed one.
    fn against_packages(&self, prefix: &Utf8Path) -> Result<()> {
        let page = self.workspace.join("docs/design/reproducibility.md");
        let text = fs_err::read_to_string(&page)?;
        let block = text
            .split("```sh\n")
            .nth(1)
            .and_then(|rest| rest.split("```").next());
        let block = block.ok_or_else(|| failed("no command").at(&page))?;
        let script = block.lines().skip(2).collect::<Vec<_>>().join("\n");
        let wheel = wheel_in(&self.dir.join("sound/dist"))?;
        let run = |packages: &Utf8Path| {
            Tool::new("bash", "compare a wheel with packages")
                .args(["-c", &script])
                .env("wheel", &wheel)
                .env("packages", packages)
                .cwd(&self.dir)
                .output_unchecked()
        };
        let whole = run(prefix.ancestors().nth(3).unwrap_or(prefix))?;
        // grep ends with 1 if it prints nothing.
        expect_end("a wheel against its packages", &whole, 1, &[])?;
        let linked = fs_err::read_to_string(self.dir.join("linked.txt"))?;
        let listed = [" libMLIRIR.a\n", " libstdc++.a\n", " libgcc_eh.a\n"];
        let all = whole.stdout.is_empty() && listed.iter().all(|file| linked.contains(file));
        expect(all, "the digests in the SBOM", whole.stdout + &linked)?;
        let changed = self.dir.join("changed");
        fs_err::create_dir_all(&changed)?;
        fs_err::copy(prefix.join("lib/libMLIRIR.a"), changed.join("libMLIRIR.a"))?;
        flip(&changed.join("libMLIRIR.a"))?;
        let output = run(&changed)?;
        fs_err::remove_dir_all(&changed)?;
        expect_end(
            "a wheel against changed packages",
            &output,
            0,
            &[" libMLIRIR.a"],
        )
    }

    /// A build repeats damaged links; `cache verify` removes damaged compiled code.
    fn damaged_results(&self, sound: &[u8]) -> Result<()> {
        flip(&newest_entry(&self.cache.join("link"), "-members")?.join("members.json"))?;
        let case = "a damaged list of members";
        self.builds(case, "damaged", &[], 0, &["is damaged, rebuilding"])?;
        self.same(case, "damaged", sound)?;
        self.verify("the repaired cache", 0, &["are intact"])?;
        let compiled = newest_entry(&self.cache.join("compiled"), "")?;
        flip(&compiled.join("record.json"))?;
        self.verify(
            "a damaged cache",
            15,
            &["record.json has other bytes", "removed"],
        )?;
        let what = "a damaged entry was not removed";
        expect(!compiled.exists(), what, compiled.as_str())?;
        let real = toolchain::cache_dir()?.join("compiled");
        copy_tree(
            &real.join(compiled.file_name().unwrap_or_default()),
            &compiled,
        )
    }

    /// A build compiles damaged code again, and one line says so.
    fn damaged_code(&self, sound: &[u8]) -> Result<()> {
        let mut damaged = 0;
        for entry in self.cache.join("compiled").read_dir_utf8()? {
            let archive = entry?.path().join("libmondo_py.a");
            if archive.is_file() {
                flip(&archive)?;
                damaged += 1;
            }
        }
        let case = "a damaged libmondo_py.a";
        let notice = "the compiled libmondo_py.a in the cache is damaged, rebuilding";
        let output = self.builds(case, "recompiled", &[], 0, &[notice])?;
        let one_line = damaged > 0 && output.stderr.matches("is damaged").count() == 1;
        let what = format!("{case}: one line for one of {damaged}");
        expect(one_line, what, &output.stderr)?;
        self.same(case, "recompiled", sound)
    }

    /// On a full disk and on a read-only one, the build continues without the entries that it cannot write.
    fn cannot_be_written(&self, sound: &[u8]) -> Result<()> {
        let link = self.cache.join("link");
        for (case, options) in [("full", "size=4k"), ("read-only", "ro")] {
            fs_err::remove_dir_all(&link)?;
            fs_err::create_dir(&link)?;
            let mount = Mount::tmpfs(&link, options)?;
            let output = self.builds(case, case, &[], 0, &[])?;
            drop(mount);
            let is_noted = output.stderr.contains("continues without it");
            let what = format!("{case}: the note about the cache");
            expect(is_noted == (case == "full"), what, &output.stderr)?;
            self.same(case, case, sound)?;
        }
        // LLVM has no other place. The earlier wheel stays.
        let toolchains = self.cache.join("toolchains");
        fs_err::remove_file(&toolchains)?;
        fs_err::create_dir(&toolchains)?;
        let mount = Mount::tmpfs(&toolchains, "ro")?;
        let (case, words) = (
            "no place for LLVM",
            ["error[io]", "toolchains", "MONDO_CACHE_DIR"],
        );
        self.builds(case, "full", &["--force"], 30, &words)?;
        drop(mount);
        self.same(case, "full", sound)?;
        fs_err::remove_dir(&toolchains)?;
        let real = toolchain::cache_dir()?.join("toolchains");
        Ok(fs_err::os::unix::fs::symlink(real, toolchains)?)
    }

    /// Kills builds while others use the same cache.
    fn killed(&self, sound: &[u8]) -> Result<()> {
        for kill in 0..KILLS {
            // Both builds link.
            fs_err::remove_dir_all(self.cache.join("link"))?;
            let after = Duration::from_millis(u64::from(kill) * 300 + 50);
            let limit = format!("{}.{:03}", after.as_secs(), after.subsec_millis());
            let victim = std::thread::scope(|scope| {
                let victim = scope.spawn(|| self.build_killed_after(&limit, "victim"));
                self.builds(
                    "the build next to a killed one",
                    "survivor",
                    &["--force"],
                    0,
                    &[],
                )?;
                victim.join().map_err(|_| failed("a thread panicked"))?
            })?;
            if victim.status.success() {
                self.same("a build that was not killed", "victim", sound)?;
            }
            self.same("the build next to a killed one", "survivor", sound)?;
            self.verify("the cache after a kill", 0, &["are intact"])?;
        }
        Ok(())
    }

    /// Damage to an archive of LLVM is an error offline; once the bytes are back, the build succeeds.
    fn damaged_llvm(&self, prefix: &Utf8Path, sound: &[u8]) -> Result<()> {
        let toolchains = self.cache.join("toolchains");
        fs_err::remove_file(&toolchains)?;
        fs_err::create_dir(&toolchains)?;
        // The tree with `usr/lib/llvm-22`. It has links, which a copy must keep.
        let real = prefix.ancestors().nth(3).unwrap_or(prefix);
        Tool::new("cp", "copy LLVM")
            .args(["-a", real.as_str(), toolchains.as_str()])
            .output()?;
        self.builds("a copied cache", "llvm", &[], 0, &[])?;
        self.same("a copied cache", "llvm", sound)?;
        let inside = prefix
            .strip_prefix(real.parent().unwrap_or(real))
            .unwrap_or(prefix);
        let archive = toolchains.join(inside).join("lib/libMLIRIR.a");
        let words = [
            "error[integrity]",
            "libMLIRIR.a has other bytes",
            "MONDO_DEB_DIR",
        ];
        for (case, code, words) in [
            ("a damaged archive", 15, &words[..]),
            ("the archive as it was", 0, &[]),
        ] {
            flip(&archive)?;
            self.builds(case, "llvm", &["--force"], code, words)?;
            self.same(case, "llvm", sound)?;
        }
        Ok(())
    }
}

/// Inverts seven bytes in the middle of a file, in place.
fn flip(path: &Utf8Path) -> Result<()> {
    use std::os::unix::fs::FileExt;
    let file = fs_err::OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)?;
    let mut bytes = [0; 7];
    let middle = file.metadata()?.len() / 2;
    file.file().read_exact_at(&mut bytes, middle)?;
    let bytes = bytes.map(|byte| !byte);
    Ok(file.file().write_all_at(&bytes, middle)?)
}

/// Returns the newest entry of `folder` whose name contains `part`.
fn newest_entry(folder: &Utf8Path, part: &str) -> Result<Utf8PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name().contains(part) {
            found.push((entry.metadata()?.modified()?, entry.into_path()));
        }
    }
    found.sort();
    let newest = found.pop().map(|(_, path)| path);
    newest.ok_or_else(|| failed("the cache has no such entry").at(folder))
}

/// A mounted file system, which is unmounted at the end.
struct Mount(Utf8PathBuf);

impl Mount {
    fn tmpfs(folder: &Utf8Path, options: &str) -> Result<Self> {
        Tool::new("mount", "mount a small disk; this needs root")
            .fails_as(ErrorKind::Check)
            .args(["-t", "tmpfs", "-o", options, "tmpfs", folder.as_str()])
            .output()?;
        Ok(Self(folder.to_owned()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let unmount = Tool::new("umount", "unmount a small disk").arg(&self.0);
        // A test that fails already must not panic; a mount that stays makes the removal of the folder fail.
        let _ = unmount.output();
    }
}
