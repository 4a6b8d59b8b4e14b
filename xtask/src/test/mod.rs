//! `cargo xtask test`: every check of the project, in groups that can also be run alone.

mod crates;
mod downstream;
mod lifetime;
mod older_llvm;
mod page;
pub(crate) mod python;
mod reproducible;
mod rust;
mod rust_dialects;
mod vendoring;
mod wheel;

use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;
use mondo_build::bundle::{self, Bundle};
use mondo_build::progress::Sink;
use mondo_build::toolchain::Toolchain;
use mondo_build::{Error, ErrorKind, Result};

use crate::say;

/// A group of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    /// The architecture's rules and the licences of what is linked.
    Tidy,
    /// rustfmt.
    Fmt,
    /// clippy over both towers.
    Clippy,
    /// cargo test over the build tower, with the tests that need LLVM.
    Unit,
    /// The fuzz targets of mondo-audit, each for some seconds.
    Fuzz,
    /// ruff over the Python sources; check-jsonschema and zizmor over CI's files.
    Lint,
    /// The wheels of manifests/, made and audited.
    Bundle,
    /// The wheels under pip, auditwheel, check-wheel-contents, zipfile, readelf and nm.
    Wheel,
    /// The page with a wheel's sizes, opened and used in Chromium: light and dark, wide and on a phone.
    Page,
    /// pytest and stubtest over each wheel, installed in a fresh venv.
    Python,
    /// The wheel and its library in other releases, with their C library and under their Pythons.
    Userlands,
    /// The other LLVMs of the catalogue: the facts about each, and its bundles under pytest.
    OlderLlvm,
    /// Dialects defined in Rust: the SDK, `units`, and one that fails when told to.
    RustDialects,
    /// Nothing in Python dangles: lifetime scenarios, random edits, memory.
    Lifetime,
    /// Two builds in two folders give the same bytes.
    Reproducible,
    /// A downstream workspace outside this one.
    Downstream,
    /// A bundle's tree in a maturin, a scikit-build-core and a hatch project, built by pip.
    Vendoring,
    /// Dialect crates: new ones in C++ and Rust, and a dialect that is linked twice.
    Crates,
    /// Bad input: exit codes, and what is left behind.
    BadInput,
}

/// What the groups share.
pub(crate) struct Context<'a> {
    pub(crate) workspace: &'a Utf8Path,
    pub(crate) sink: &'a dyn Sink,
    pub(crate) toolchain: Toolchain,
}

impl Context<'_> {
    /// Where tests keep their files between runs.
    pub(crate) fn scratch(&self) -> Utf8PathBuf {
        bundle::work_dir(self.workspace).join("test")
    }

    /// The bundle of `manifests/<name>.toml`, made if it is not there.
    pub(crate) fn bundle(&self, name: &str) -> Result<Bundle> {
        let manifest = self.workspace.join(format!("manifests/{name}.toml"));
        bundle::bundle(&bundle::Options::new(manifest, self.workspace), self.sink)
    }
}

/// The manifests whose wheels are tested.
pub(crate) const MANIFESTS: &[&str] = &["default", "acme", "core"];

/// How long each fuzz target runs: enough to come through its seeds and some hundred thousand inputs
/// made of them. Searching is what `cargo xtask fuzz` is for.
const FUZZ_SECONDS: u32 = 6;

/// Runs `groups`, or all of them, to the end; then says which of them failed. `older` are the bundles
/// of [`Group::OlderLlvm`].
pub(crate) fn run(groups: &[Group], older: &[String], context: &Context<'_>) -> Result<()> {
    let groups = if groups.is_empty() {
        Group::value_variants()
    } else {
        groups
    };
    let mut failed = Vec::new();
    for group in groups {
        let name = group.name();
        say::err(format!("==== {name}"));
        let start = Instant::now();
        match room(context).and_then(|()| group.run(context, older)) {
            Ok(()) => say::err(format!(
                "==== {name}: passed in {:.1} s",
                start.elapsed().as_secs_f64()
            )),
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            Err(error) => {
                say::err(format!("error[{}]: {error}", error.kind().name()));
                say::err(format!(
                    "==== {name}: FAILED in {:.1} s",
                    start.elapsed().as_secs_f64()
                ));
                failed.push(name);
            }
        }
    }
    say::out(format!(
        "{} passed, {} failed",
        groups.len() - failed.len(),
        failed.len()
    ));
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Check, "checks failed")
        .help(format!(
            "run one group alone: cargo xtask test {}",
            failed[0]
        ))
        .offenders(failed))
}

/// What a group may need on the disk, in bytes. Without it, linkers and compilers die in strange ways.
const ROOM: u64 = 2_000_000_000;

fn room(context: &Context<'_>) -> Result<()> {
    let place = bundle::work_dir(context.workspace);
    fs_err::create_dir_all(&place)?;
    let disk = rustix::fs::statvfs(place.as_std_path()).map_err(std::io::Error::from)?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free >= ROOM {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Check, "the disk is nearly full")
        .at(&place)
        .because(format!("{} MB are free, a group may need {}", free / 1_000_000, ROOM / 1_000_000))
        .help("all groups together leave about 9 GB there, of which `target/mondo/test` can be removed"))
}

impl Group {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn run(self, context: &Context<'_>, older: &[String]) -> Result<()> {
        match self {
            Self::Tidy => crate::tidy::run(context.workspace, context.sink),
            Self::Fmt => rust::fmt(context),
            Self::Clippy => rust::clippy(context),
            Self::Unit => rust::unit(context),
            Self::Fuzz => crate::fuzz::run(&[], FUZZ_SECONDS, false, context.workspace),
            Self::Lint => python::lint(context),
            Self::Bundle => MANIFESTS
                .iter()
                .try_for_each(|name| context.bundle(name).map(drop)),
            Self::Wheel => wheel::check(context),
            Self::Page => page::check(context),
            Self::Python => python::suites(context),
            Self::Userlands => crate::userlands::smoke(context),
            Self::OlderLlvm => older_llvm::check(context, older),
            Self::RustDialects => rust_dialects::check(context),
            Self::Lifetime => lifetime::check(context),
            Self::Reproducible => reproducible::check(context),
            Self::Downstream => downstream::check(context),
            Self::Vendoring => vendoring::check(context),
            Self::Crates => crates::check(context),
            Self::BadInput => rust::bad_input(context),
        }
    }
}
