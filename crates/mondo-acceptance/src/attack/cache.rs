//! A cache whose bytes change, that cannot be written, and that two builds share while one of them is killed. The wheel
//! is always that of a sound cache, or the build fails and the earlier wheel stays.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use fs_err::os::unix::fs::symlink;
use mondo_build::Result;
use mondo_build::exec::{Output, Tool};
use mondo_build::toolchain::{self, Origin};
use mondo_testbed::files::{copy_tree, make_empty, newest_in, wheel_in};
use mondo_testbed::verdict::{expect, expect_end, failed, tool};
use mondo_testbed::{Context, Extent};

use super::strangers::MANIFEST;

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
    /// The wheel of a sound cache; empty before the first build.
    sound: Vec<u8>,
}

/// Damages results of links and compiled code in a copy of the cache. With `--all` also has damaged code compiled again,
/// damages LLVM, takes away the disk, and kills builds.
pub(super) fn check(program: &Utf8Path, extent: Extent, context: &Context<'_>) -> Result<()> {
    let is_locked = context.toolchain.origin == Origin::Provisioned;
    let what = "the cases of a damaged cache need the locked LLVM, and another one is in use";
    expect(is_locked, what, &context.toolchain.prefix)?;
    // The bundle puts what it is compiled from into the cache.
    context.bundle("core")?;
    let dir = context.empty_folder("damaged-cache")?;
    let mut bench = Bench::new(program, context.workspace, &dir)?;
    bench.builds("the first build", "sound", &[], 0, &[])?;
    bench.sound = bench.wheel("sound")?;
    bench.against_packages(&context.toolchain.prefix)?;
    bench.damaged_results()?;
    if extent.is_all() {
        bench.cannot_be_written()?;
        bench.killed()?;
        // Entries that no build of this test uses stay damaged.
        bench.damaged_code()?;
        bench.damaged_llvm(&context.toolchain.prefix)?;
    }
    Ok(fs_err::remove_dir_all(&dir)?)
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
        symlink(real.join("toolchains"), cache.join("toolchains"))?;
        // Only such a bundle keeps results of links.
        let manifest = format!("{MANIFEST}[link]\nunwind-tables = \"callbacks\"\n");
        fs_err::write(dir.join("bundle.toml"), manifest)?;
        Ok(Self {
            program,
            workspace,
            dir: dir.to_owned(),
            cache,
            sound: Vec::new(),
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

    /// A build that is killed after `seconds`, if it takes so long.
    fn build_killed_after(&self, seconds: &str, work: &str) -> Result<Output> {
        let tool = Tool::new("timeout", "kill a build")
            .args(["--signal=KILL", seconds, self.program.as_str()])
            .args(BUNDLE)
            .args(["--out-dir", &format!("{work}/dist"), "--force"]);
        self.with_cache(tool, work).output_unchecked()
    }

    /// Builds in the folder `work`, and checks how that ends: the wheel there is that of a sound cache, in any case.
    fn builds(
        &self,
        case: &str,
        work: &str,
        more: &[&str],
        code: i32,
        words: &[&str],
    ) -> Result<Output> {
        let out = ["--out-dir", &format!("{work}/dist")];
        let args = [&BUNDLE[..], &out, more].concat();
        let output = self.mondo(work, &args).output_unchecked()?;
        expect_end(case, &output, code, words)?;
        self.is_sound(case, work)?;
        Ok(output)
    }

    fn is_sound(&self, case: &str, work: &str) -> Result<()> {
        let same = self.sound.is_empty() || self.wheel(work)? == self.sound;
        let what = format!("{case}: the wheel differs from the first one");
        expect(same, what, work)
    }

    /// Runs `mondo cache verify`, and checks how that ends.
    fn verify(&self, case: &str, code: i32, words: &[&str]) -> Result<()> {
        let verify = self.mondo("verified", &["cache", "verify"]);
        expect_end(case, &verify.output_unchecked()?, code, words)
    }

    fn wheel(&self, work: &str) -> Result<Vec<u8>> {
        Ok(fs_err::read(wheel_in(&self.dir.join(work).join("dist"))?)?)
    }

    /// The documented command for a third party finds the linked archives in the packages, and reports a changed one.
    fn against_packages(&self, prefix: &Utf8Path) -> Result<()> {
        let page = self.workspace.join("docs/design/reproducibility.md");
        let text = fs_err::read_to_string(&page)?;
        let block = text.split("```sh\n").nth(1);
        let block = block.and_then(|rest| rest.split("```").next());
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
        let case = "a wheel against changed packages";
        expect_end(case, &output, 0, &[" libMLIRIR.a"])
    }

    /// A build repeats damaged links; `cache verify` removes damaged compiled code.
    fn damaged_results(&self) -> Result<()> {
        flip(&newest_in(&self.cache.join("link"), "-members")?.join("members.json"))?;
        let case = "a damaged list of members";
        self.builds(case, "damaged", &[], 0, &["is damaged, rebuilding"])?;
        self.verify("the repaired cache", 0, &["are intact"])?;
        let compiled = newest_in(&self.cache.join("compiled"), "")?;
        flip(&compiled.join("record.json"))?;
        let words = ["record.json has other bytes", "removed"];
        self.verify("a damaged cache", 15, &words)?;
        let what = "a damaged entry was not removed";
        expect(!compiled.exists(), what, &compiled)?;
        let real = toolchain::cache_dir()?.join("compiled");
        let name = compiled.file_name().unwrap_or_default();
        copy_tree(&real.join(name), &compiled)
    }

    /// A build compiles damaged code again, and one line says so.
    fn damaged_code(&self) -> Result<()> {
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
        expect(one_line, what, &output.stderr)
    }

    /// On a full disk and on a read-only one, the build continues without the entries that it cannot write.
    fn cannot_be_written(&self) -> Result<()> {
        let link = self.cache.join("link");
        for (case, options) in [("full", "size=4k"), ("read-only", "ro")] {
            make_empty(&link)?;
            let mount = Mount::tmpfs(&link, options)?;
            let output = self.builds(case, case, &[], 0, &[])?;
            drop(mount);
            let is_noted = output.stderr.contains("continues without it");
            let what = format!("{case}: the note about the cache");
            expect(is_noted == (case == "full"), what, &output.stderr)?;
        }
        // LLVM has no other place. The earlier wheel stays.
        let toolchains = self.cache.join("toolchains");
        fs_err::remove_file(&toolchains)?;
        fs_err::create_dir(&toolchains)?;
        let mount = Mount::tmpfs(&toolchains, "ro")?;
        let words = ["error[io]", "toolchains", "MONDO_CACHE_DIR"];
        self.builds("no place for LLVM", "full", &["--force"], 30, &words)?;
        drop(mount);
        fs_err::remove_dir(&toolchains)?;
        let real = toolchain::cache_dir()?.join("toolchains");
        Ok(symlink(real, toolchains)?)
    }

    /// Kills builds while others use the same cache.
    fn killed(&self) -> Result<()> {
        for kill in 0..KILLS {
            // Both builds link.
            fs_err::remove_dir_all(self.cache.join("link"))?;
            let after = Duration::from_millis(u64::from(kill) * 300 + 50);
            let limit = format!("{}.{:03}", after.as_secs(), after.subsec_millis());
            let victim = std::thread::scope(|scope| {
                let victim = scope.spawn(|| self.build_killed_after(&limit, "victim"));
                let case = "the build next to a killed one";
                self.builds(case, "survivor", &["--force"], 0, &[])?;
                victim.join().map_err(|_| failed("a thread panicked"))?
            })?;
            if victim.status.success() {
                self.is_sound("a build that was not killed", "victim")?;
            }
            self.verify("the cache after a kill", 0, &["are intact"])?;
        }
        Ok(())
    }

    /// Damage to an archive of LLVM is an error offline; once the bytes are back, the build succeeds.
    fn damaged_llvm(&self, prefix: &Utf8Path) -> Result<()> {
        let toolchains = self.cache.join("toolchains");
        fs_err::remove_file(&toolchains)?;
        fs_err::create_dir(&toolchains)?;
        // The tree with `usr/lib/llvm-22`. It has links, which a copy must keep.
        let real = prefix.ancestors().nth(3).unwrap_or(prefix);
        Tool::new("cp", "copy LLVM")
            .args(["-a", real.as_str(), toolchains.as_str()])
            .output()?;
        self.builds("a copied cache", "llvm", &[], 0, &[])?;
        let inside = prefix.strip_prefix(real.parent().unwrap_or(real));
        let archive = toolchains
            .join(inside.unwrap_or(prefix))
            .join("lib/libMLIRIR.a");
        let words = [
            "error[integrity]",
            "libMLIRIR.a has other bytes",
            "MONDO_DEB_DIR",
        ];
        flip(&archive)?;
        self.builds("a damaged archive", "llvm", &["--force"], 15, &words)?;
        flip(&archive)?;
        self.builds("the archive as it was", "llvm", &["--force"], 0, &[])
            .map(drop)
    }
}

/// Inverts seven bytes in the middle of a file, in place.
fn flip(path: &Utf8Path) -> Result<()> {
    let mut bytes = fs_err::read(path)?;
    let middle = bytes.len() / 2;
    let damaged = bytes[middle..].iter_mut().take(7);
    damaged.for_each(|byte| *byte = !*byte);
    Ok(fs_err::write(path, bytes)?)
}

/// A mounted file system, which is unmounted at the end.
struct Mount(Utf8PathBuf);

impl Mount {
    fn tmpfs(folder: &Utf8Path, options: &str) -> Result<Self> {
        tool("mount", "mount a small disk; this needs root")
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
