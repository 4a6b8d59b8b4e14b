//! `cargo xtask test`: every check of the project, in groups that can also be run alone. Without `--all`
//! it is the gate, which covers every part of the project once.

mod crates;
mod docs;
mod downstream;
mod extent;
mod lifetime;
mod older_llvm;
mod page;
pub(crate) mod python;
mod reproducible;
mod rust;
mod rust_dialects;
mod table;
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
pub(crate) use extent::Extent;
use table::Row;

/// A group of checks. The gate has all of it where nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    /// The architecture's rules, the licences of what is linked, and the locks of other workspaces.
    Tidy,
    /// rustfmt.
    Fmt,
    /// clippy over both towers.
    Clippy,
    /// cargo test over the build tower, with the tests that need LLVM.
    Unit,
    /// The readers of mondo-audit over each seed of the fuzz targets. --all: libFuzzer, for some seconds
    /// each.
    Fuzz,
    /// ruff over the Python sources; check-jsonschema and zizmor over CI's files.
    Lint,
    /// The links and commands of the pages, the generated pages, and rustdoc. --all: the book.
    Docs,
    /// The wheels of default and core, made and audited. --all: acme.
    Bundle,
    /// Those wheels under pip, auditwheel, check-wheel-contents, zipfile, readelf and nm. --all: acme.
    Wheel,
    /// --all: the page with a wheel's sizes, used in Chromium: light and dark, wide and on a phone.
    Page,
    /// pytest, stubtest and mypy over default and core, each in a fresh venv. --all: acme, wheels beside
    /// each other and in other places, and the dialect crate fixed-point.
    Python,
    /// --all: the wheel and its library in other releases, with their C library and their Pythons.
    Userlands,
    /// --all: the other LLVMs of the catalogue: the facts about each, and its bundles under pytest.
    OlderLlvm,
    /// --all: dialects defined in Rust: the SDK, `units`, and one that fails when told to.
    RustDialects,
    /// Nothing in Python dangles: lifetime scenarios, random edits, memory.
    Lifetime,
    /// --all: two builds in two folders give the same bytes.
    Reproducible,
    /// --all: a downstream workspace outside this one.
    Downstream,
    /// A bundle's tree in a scikit-build-core project, built by pip. --all: maturin and hatch, and the
    /// three wheels in one process.
    Vendoring,
    /// New dialect crates in C++ and Rust. --all: one in a tree, and a dialect that is linked twice.
    Crates,
    /// Bad input: exit codes, and what is left behind.
    BadInput,
}

/// What the groups share.
pub(crate) struct Context<'a> {
    pub(crate) workspace: &'a Utf8Path,
    pub(crate) sink: &'a dyn Sink,
    pub(crate) extent: Extent,
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

/// Runs `groups`, or those that the extent has, to the end; then says how long each took and which of
/// them failed. `older` are the bundles of [`Group::OlderLlvm`].
pub(crate) fn run(groups: &[Group], older: &[String], context: &Context<'_>) -> Result<()> {
    let groups = match groups {
        [] => context.extent.groups(Group::value_variants()),
        named => named.to_vec(),
    };
    let mut rows = Vec::new();
    for group in groups {
        let name = group.name();
        say::err(format!("==== {name}"));
        let start = Instant::now();
        let result = room(context).and_then(|()| group.run(context, older));
        let time = start.elapsed();
        let seconds = time.as_secs_f64();
        match &result {
            Ok(()) => say::err(format!("==== {name}: passed in {seconds:.1} s")),
            Err(error) if error.kind() == ErrorKind::Interrupted => return result,
            Err(error) => {
                say::err(format!("error[{}]: {error}", error.kind().name()));
                say::err(format!("==== {name}: FAILED in {seconds:.1} s"));
            }
        }
        rows.push(Row {
            group: name,
            time,
            passed: result.is_ok(),
        });
    }
    say::out(table::table(&rows));
    let failed = rows.into_iter().filter(|row| !row.passed);
    let failed: Vec<String> = failed.map(|row| row.group).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let all = if context.extent.is_all() {
        "--all "
    } else {
        ""
    };
    Err(Error::new(ErrorKind::Check, "checks failed")
        .help(format!(
            "run one group alone: cargo xtask test {all}{}",
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

    /// Whether a run without `--all` that names no group has this one.
    fn in_gate(self) -> bool {
        !matches!(
            self,
            Self::Page
                | Self::Userlands
                | Self::OlderLlvm
                | Self::RustDialects
                | Self::Reproducible
                | Self::Downstream
        )
    }

    fn run(self, context: &Context<'_>, older: &[String]) -> Result<()> {
        match self {
            Self::Tidy => crate::tidy::run(context.workspace, context.sink)
                .and_then(|()| rust::locks(context)),
            Self::Fmt => rust::fmt(context),
            Self::Clippy => rust::clippy(context),
            Self::Unit => rust::unit(context),
            Self::Fuzz => fuzz(context),
            Self::Lint => python::lint(context),
            Self::Docs => docs::check(context),
            Self::Bundle => context
                .extent
                .manifests()
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

/// The gate calls the targets' functions; `--all` also has libFuzzer build and search.
fn fuzz(context: &Context<'_>) -> Result<()> {
    crate::fuzz::over_seeds(context.workspace)?;
    context.extent.fuzz_seconds().map_or(Ok(()), |seconds| {
        crate::fuzz::run(&[], seconds, false, context.workspace)
    })
}
