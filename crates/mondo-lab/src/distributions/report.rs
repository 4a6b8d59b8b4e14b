//! The tables of docs/reach.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use mondo_build::bundle::{self, Bundle};
use mondo_build::floor::libc::Libc;
use mondo_build::manifest::Overrides;
use mondo_build::{Error, ErrorKind, Result, collect, toolchain};
use mondo_testbed::Context;

use super::results::{ImageResults, Subject};

/// The manifests whose floors are shown.
const MANIFESTS: &[&str] = &["default", "standard", "core"];

const PYTHONS: &str = "\
# One wheel, every Python

Made by `cargo lab distributions`. Each row is the very same wheel, installed for another CPython of the
distribution's releases. That interpreter is unpacked without root and started by its own loader, with
its own release's C library. The suites are the whole of `tests/python`'s folders of these names.

";

const PYTHONS_END: &str = "
CPython 3.10, the oldest that the wheel is for, is in none of the releases. What it has of the stable ABI
is what the audit's rule `abi3` holds the extension against.

## Without the global lock

None of the releases has a free-threaded CPython (no package of trixie or sid has `nogil` in its name, and
3.13, 3.14 and 3.15 come with the lock only), so nothing was run in one. What holds without:

- The wheel is not for it. Before 3.15 a free-threaded CPython has no stable ABI, and installers take no
  `abi3` wheel for it; from 3.15 on it has one of its own (`abi3t`, PEP 803), and importlib looks for
  `.abi3t.so` there. PyO3 has both builds: by itself for 3.13 and 3.14 (tags `cp313t`, `cp314t`), and with
  its feature `abi3t-py315`. Either is another compilation of `mondo-py`, another file name and tag.
- `Guarded` is where the code differs: a mutex in place of the interpreter's lock. `cargo xtask test
  clippy` compiles it (`--cfg Py_GIL_DISABLED`).
- What is not decided: `tie/` looks an object up and then takes a reference to it, and without the lock
  its last reference can go in between. CPython 3.14 has `PyUnstable_TryIncRef` for that, which is in no
  stable ABI. Until this is solved such a build must say `#[pymodule(gil_used = true)]`, since PyO3 says
  the opposite by default; then importing it turns the lock on.
";

/// The table of Pythons.
pub(super) fn pythons(images: &[ImageResults]) -> String {
    let mut text = String::from(
        "| CPython | release | glibc | suite | lifetime | model |\n|---|---|---|---|---|---|\n",
    );
    for image in images.iter().filter(|it| it.subject == Subject::Wheel) {
        let runs: Vec<&str> = image.runs.iter().map(|ran| ran.summary.as_str()).collect();
        text.push_str(&format!(
            "| {} |\n",
            [head(image), runs.join(" | ")].join(" | ")
        ));
    }
    text
}

fn head(image: &ImageResults) -> String {
    let userland = &image.userland;
    format!(
        "{} | {} | {}",
        userland.python_version, userland.suite, userland.glibc
    )
}

/// Writes both pages.
pub(super) fn write(
    context: &Context<'_>,
    wheel: &Utf8Path,
    images: &[ImageResults],
) -> Result<()> {
    let folder = context.workspace.join("docs/reach");
    fs_err::create_dir_all(&folder)?;
    let name = wheel.file_name().unwrap_or_default();
    let page = format!("{PYTHONS}`{name}`\n\n{}{PYTHONS_END}", pythons(images));
    fs_err::write(folder.join("pythons.md"), page)?;
    fs_err::write(folder.join("floor.md"), floor(context, images)?)?;
    Ok(())
}

fn floor(context: &Context<'_>, images: &[ImageResults]) -> Result<String> {
    let mut text = String::from(
        "# The glibc floor\n\nMade by `cargo lab distributions`. The archives are those of Debian \
         bookworm, whose glibc is 2.36. `link.glibc-floor` in a manifest says for which glibc they are \
         linked instead (`mondo-link/src/glibc_stubs`). *Naive* is what they would need without it: the \
         newest version that this system's glibc has of what they use.\n\n\
         | manifest | floor | platform | needs | held up by | naive | for |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let linker = toolchain::linker(Some(&context.toolchain))?;
    let libc = Libc::installed(&linker.cxx)?;
    let mut brought: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in MANIFESTS {
        let made = context.bundle(name)?;
        let report = &made.report.floor;
        let manifest = context.workspace.join(format!("manifests/{name}.toml"));
        let plan = bundle::make_plan(&manifest, &Overrides::default())?;
        let used = used(context, &made)?;
        let (naive, why) = naive(&libc, &used);
        text.push_str(&format!(
            "| {name} | {} | `{}` | {} | `{}` | {}.{} | `{}` |\n",
            plan.link
                .glibc_floor
                .map_or_else(|| "none".into(), |floor| floor.to_string()),
            report.platform,
            report.glibc,
            report.held_by.join("`, `"),
            naive.0,
            naive.1,
            why.join("`, `"),
        ));
        for symbol in newer(&libc, &used) {
            brought.entry(symbol).or_default().push(name);
        }
    }
    text.push_str(
        "\nWhat they use of a newer glibc than 2.17 and bring along from `mondo-runtime/floor`; for a \
         floor of 2.28, those since 2.32 are left:\n\n\
         | symbol | in glibc since | in |\n|---|---|---|\n",
    );
    for (symbol, manifests) in &brought {
        let since = libc.since(symbol).unwrap_or_default();
        text.push_str(&format!(
            "| `{symbol}` | {}.{} | {} |\n",
            since.0,
            since.1,
            manifests.join(", ")
        ));
    }
    text.push_str(
        "\nFunctions that only have a newer version (`pow`, `exp` and `log` of 2.29, what moved into \
         libc.so.6 in 2.34) are bound to the version that the floor had.\n\n\
         Where it ran:\n\n| release | glibc | Python | what |\n|---|---|---|---|\n",
    );
    for image in images {
        let userland = &image.userland;
        let what = match image.subject {
            Subject::Library => {
                let runs: Vec<&str> = image.runs.iter().map(|ran| ran.summary.as_str()).collect();
                format!("the library through ctypes: {}", runs.join("; "))
            }
            Subject::Wheel => "the wheel: its whole suites, see pythons.md".to_owned(),
        };
        text.push_str(&format!(
            "| {} | {} | {} | {what} |\n",
            userland.suite, userland.glibc, userland.python_version
        ));
    }
    Ok(text)
}

/// Every symbol that the library and the extension define or need.
struct Used {
    defined: BTreeSet<String>,
    needed: BTreeSet<String>,
}

fn used(context: &Context<'_>, made: &Bundle) -> Result<Used> {
    let folder = bundle::work_dir(context.workspace)
        .join("out")
        .join(&made.report.distribution)
        .join("unstripped");
    let (mut defined, mut needed) = (BTreeSet::new(), BTreeSet::new());
    for file in [&made.report.library.file, &made.report.extension.file] {
        let bytes = collect::map(&folder.join(file))?;
        let facts = mondo_audit::read_image(file, &bytes).map_err(|error| {
            Error::new(ErrorKind::Check, "a library cannot be read").because(error.to_string())
        })?;
        for symbol in &facts.symbols {
            let into = match symbol.section {
                Some(_) => &mut defined,
                None => &mut needed,
            };
            if let Ok(name) = std::str::from_utf8(symbol.name) {
                // In the symbol table, what is needed has its version behind it.
                into.insert(name.split('@').next().unwrap_or(name).to_owned());
            }
        }
    }
    Ok(Used { defined, needed })
}

/// What they define themselves although the installed glibc has it, and a 2.17 has not.
fn newer(libc: &Libc, used: &Used) -> Vec<String> {
    let names = used.defined.iter();
    names
        .filter(|name| libc.since(name).is_some_and(|since| since > (2, 17)))
        .cloned()
        .collect()
}

/// The glibc that a link without a floor would need, and what for.
fn naive(libc: &Libc, used: &Used) -> ((u32, u32), Vec<String>) {
    let mut versions: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for entries in libc.at(libc.version()).into_values() {
        for (name, entry) in entries {
            let version = (entry.version.0, entry.version.1);
            let newest = versions.entry(name).or_default();
            *newest = version.max(*newest);
        }
    }
    let brought = newer(libc, used);
    let names = used.needed.iter().chain(&brought);
    let with_version = |name: &String| Some((*versions.get(name.as_str())?, name.clone()));
    let all: Vec<_> = names.filter_map(with_version).collect();
    let newest = all.iter().map(|(version, _)| *version).max();
    let newest = newest.unwrap_or_default();
    let why = all.into_iter().filter(|(version, _)| *version == newest);
    (newest, why.map(|(_, name)| name).collect())
}
