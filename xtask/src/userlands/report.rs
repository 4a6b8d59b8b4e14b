//! The tables of docs/reach.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_build::bundle::{self, Bundle};
use mondo_build::floor::libc::Libc;
use mondo_build::{Error, ErrorKind, Result, collect, toolchain};

use super::{Subject, Visit};
use crate::test::Context;

/// The manifests whose floors are shown.
const MANIFESTS: &[&str] = &["default", "standard", "core"];

const PYTHONS: &str = "\
# One wheel, every Python

Made by `cargo xtask userlands`. Each row is the very same wheel, installed for another CPython of the
distribution's releases. That interpreter is unpacked without root and started by its own loader, with
its own release's C library. The suites are the whole of `tests/python`'s folders of these names.

";

const PYTHONS_END: &str = "
CPython 3.10, the oldest that the wheel is for, is in no release that can be reached; what it lacks is
watched by the audit's rule `abi3`, which knows since when each function is in the stable ABI.

## Without the global lock

No release has a free-threaded CPython, and no package of it can be had from PyPI, so there is nothing
to run it with. What can be said without one:

- A `cp310-abi3` wheel is not installed there: a free-threaded CPython before 3.15 has no stable ABI at
  all, and from 3.15 on one of its own (`abi3t`, PEP 803). Its extension is another build: no `abi3`
  feature of PyO3, `Py_GIL_DISABLED` set by PyO3's own build script, tag `cp314-cp314t`.
- `Guarded` is the one place where the code differs: a mutex in place of the interpreter's lock.
  `cargo xtask test clippy` compiles that variant (`--cfg Py_GIL_DISABLED`), so it cannot rot.
- What would still have to be decided is in `tie/`: finding an object's wrapper and taking a reference
  to it has to be one step, for which CPython 3.14 has `PyUnstable_TryIncRef`, and it is in no stable
  ABI. Until then the extension does not say `Py_MOD_GIL_NOT_USED`, and importing it turns the lock on.
";

/// The table of Pythons.
pub(super) fn pythons(visits: &[Visit]) -> String {
    let mut text = String::from(
        "| CPython | release | glibc | suite | lifetime | model |\n|---|---|---|---|---|---|\n",
    );
    for visit in visits.iter().filter(|it| it.subject == Subject::Wheel) {
        let runs: Vec<&str> = visit.runs.iter().map(|ran| ran.summary.as_str()).collect();
        text.push_str(&format!(
            "| {} |\n",
            [head(visit), runs.join(" | ")].join(" | ")
        ));
    }
    text
}

fn head(visit: &Visit) -> String {
    let userland = &visit.userland;
    format!(
        "{} | {} | {}",
        userland.python_version, userland.suite, userland.glibc
    )
}

/// Writes both pages.
pub(super) fn write(context: &Context<'_>, wheel: &Utf8Path, visits: &[Visit]) -> Result<()> {
    let folder = context.workspace.join("docs/reach");
    fs_err::create_dir_all(&folder)?;
    let name = wheel.file_name().unwrap_or_default();
    let page = format!("{PYTHONS}`{name}`\n\n{}{PYTHONS_END}", pythons(visits));
    fs_err::write(folder.join("pythons.md"), page)?;
    fs_err::write(folder.join("floor.md"), floor(context, visits)?)?;
    Ok(())
}

fn floor(context: &Context<'_>, visits: &[Visit]) -> Result<String> {
    let mut text = String::from(
        "# The glibc floor\n\nMade by `cargo xtask userlands`. The archives are those of Debian \
         bookworm, whose glibc is 2.36; linked naively they need that one. `link.glibc-floor` in a \
         manifest says for which glibc they are linked instead (`mondo-build/src/floor`).\n\n\
         | manifest | floor | platform | needs | held up by |\n|---|---|---|---|---|\n",
    );
    let linker = toolchain::linker(Some(&context.toolchain))?;
    let libc = Libc::installed(&linker.cxx)?;
    let mut brought: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in MANIFESTS {
        let made = context.bundle(name)?;
        let report = &made.report.floor;
        let plan = bundle::make_plan(&context.workspace.join(format!("manifests/{name}.toml")))?;
        text.push_str(&format!(
            "| {name} | {} | `{}` | {} | `{}` |\n",
            plan.link.glibc_floor.as_deref().unwrap_or("none"),
            report.platform,
            report.glibc,
            report.held_by.join("`, `")
        ));
        for symbol in newer(context, &made, &libc)? {
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
    for visit in visits {
        let userland = &visit.userland;
        let what = match visit.subject {
            Subject::Library => {
                let runs: Vec<&str> = visit.runs.iter().map(|ran| ran.summary.as_str()).collect();
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

/// What the library and the extension define themselves although the installed glibc has it, and a
/// 2.17 has not.
fn newer(context: &Context<'_>, made: &Bundle, libc: &Libc) -> Result<Vec<String>> {
    let folder = bundle::work_dir(context.workspace)
        .join("out")
        .join(&made.report.distribution)
        .join("unstripped");
    let mut found = Vec::new();
    for file in [&made.report.library.file, &made.report.extension.file] {
        let bytes = collect::map(&folder.join(file))?;
        let facts = mondo_audit::read_image(file, &bytes).map_err(|error| {
            Error::new(ErrorKind::Check, "a library cannot be read").because(error.to_string())
        })?;
        let defined = facts.symbols.iter().filter(|it| it.section.is_some());
        let names = defined.filter_map(|it| std::str::from_utf8(it.name).ok());
        found.extend(
            names
                .filter(|name| libc.since(name).is_some_and(|since| since > (2, 17)))
                .map(str::to_owned),
        );
    }
    found.sort();
    found.dedup();
    Ok(found)
}
