//! The kit of an older LLVM: made, and bundles made with it alone, without Rust.

use camino::Utf8PathBuf;
use mondo_build::Result;
use mondo_build::kit::{self, Options};
use mondo_testbed::Context;
use mondo_testbed::files::{expect_same, wheel_in};
use mondo_testbed::verdict::tool;

use crate::backend;
use crate::no_rust::{NoRust, SYSTEM};

/// Makes the kit of LLVM `major`, and with it the bundles of `compiled`: the name of each bundle's manifest,
/// and its wheel as cargo made it. `work_dir` is the work folder of those.
pub fn check(
    major: u32,
    compiled: &[(&str, Utf8PathBuf)],
    work_dir: Utf8PathBuf,
    older: &Context<'_>,
) -> Result<()> {
    let scratch = older.empty_folder(&format!("kit-{major}"))?;
    let options = Options {
        llvm: major,
        llvm_dir: None,
        offline: false,
        out_dir: scratch.join("dist"),
        work_dir,
    };
    let kit = kit::build(&options, older.sink)?;
    let program = backend::program(older)?;
    let no_rust = NoRust::new(&scratch)?;
    for (name, wheel) in compiled {
        let out = scratch.join(name);
        tool(program.as_str(), "make a bundle with a kit")
            .cwd(&scratch)
            .env("PATH", format!("{}:{SYSTEM}", no_rust.folder))
            .env_remove("MONDO_KIT")
            .args(["bundle", "--quiet", "--offline"])
            .args(["--llvm", &major.to_string(), "--kit", kit.folder.as_str()])
            .args(["--manifest", older.manifest(name).as_str()])
            .args(["--out-dir", out.as_str()])
            .output()?;
        expect_same(
            &wheel_in(&out)?,
            wheel,
            "a kit and cargo give different wheels",
        )?;
    }
    no_rust.was_not_started()
}
