//! Writing the pages pythons.md and glibc.md of docs/measurements.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use mondo_build::bundle::{self, Bundle};
use mondo_build::glibc_stubs::libc::Libc;
use mondo_build::manifest::Overrides;
use mondo_build::{Error, ErrorKind, Result, collect, toolchain};
use mondo_testbed::Context;

use super::results::{ImageResults, Subject};
use crate::folders::{self, write_measurement};

/// The manifests whose minimum glibc is shown.
const MANIFESTS: &[&str] = &["default", "standard", "core"];

/// The text before the wheel's name and the table of Pythons.
fn pythons_head(date: &str) -> String {
    format!(
        "\
# One wheel under several CPythons

Measured with `cargo lab distributions` on {date}. Each row is the same wheel, installed for a CPython of
another release of the distribution. The interpreter is unpacked without root and started by the dynamic
loader of its own release, with that release's C library. The columns are whole folders of `tests/python`.

"
    )
}

const PYTHONS_END: &str = "
CPython 3.10, the oldest that the wheel's tag names, is in none of the releases. The audit's rule `abi3`
compares the extension with the stable ABI of 3.10 instead.

## Free-threaded CPython

None of the releases has a free-threaded CPython, so nothing was run in one. The wheel is not for it:
before 3.15 a free-threaded CPython has no stable ABI, and installers accept no `abi3` wheel for it.
[Ownership](../design/ownership.md#free-threaded-cpython) says what the code lacks.
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
    let system = &image.system;
    format!(
        "{} | {} | {}",
        system.python_version, system.suite, system.glibc
    )
}

/// Writes both pages.
pub(super) fn write(
    context: &Context<'_>,
    wheel: &Utf8Path,
    images: &[ImageResults],
) -> Result<()> {
    let date = folders::today()?;
    let name = wheel.file_name().unwrap_or_default();
    let (head, table) = (pythons_head(&date), pythons(images));
    let page = format!("{head}`{name}`\n\n{table}{PYTHONS_END}");
    write_measurement(context, "pythons.md", &page)?;
    write_measurement(context, "glibc.md", &glibc(context, &date, images)?)
}

/// The text before the rows of the table of minimum glibcs.
fn glibc_head(date: &str) -> String {
    format!(
        "\
# Minimum glibc

Measured with `cargo lab distributions` on {date}. The archives come from Debian bookworm, whose glibc is 2.36. The manifest's key `link.minimum-glibc` names the minimum glibc to link for ([the design](../design/glibc.md)). *Naive* is the version that a plain link on bookworm would need.

| manifest | minimum | platform tag | needs | because of | naive | because of |
|---|---|---|---|---|---|---|
"
    )
}

fn glibc(context: &Context<'_>, date: &str, images: &[ImageResults]) -> Result<String> {
    let mut text = glibc_head(date);
    let linker = toolchain::linker(Some(&context.toolchain))?;
    let libc = Libc::installed(&linker.cxx)?;
    let mut brought: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in MANIFESTS {
        let made = context.bundle(name)?;
        let report = &made.report.minimum_glibc;
        let manifest = context.workspace.join(format!("manifests/{name}.toml"));
        let plan = bundle::make_plan(&manifest, &Overrides::default())?;
        let used = used(context, &made)?;
        let (naive, why) = naive(&libc, &used);
        text.push_str(&format!(
            "| {name} | {} | `{}` | {} | `{}` | {}.{} | `{}` |\n",
            plan.link
                .minimum_glibc
                .map_or_else(|| "none".into(), |minimum| minimum.to_string()),
            report.platform,
            report.glibc,
            report.required_by.join("`, `"),
            naive.0,
            naive.1,
            why.join("`, `"),
        ));
        for symbol in newer(&libc, &used) {
            brought.entry(symbol).or_default().push(name);
        }
    }
    text.push('\n');
    text.push_str(
        "\
Functions that are newer than glibc 2.17 and that mondo-runtime defines for the library; with a minimum of 2.28 only those since 2.32 are needed:

| symbol | in glibc since | in |
|---|---|---|
",
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
    text.push('\n');
    text.push_str(
        "\
Functions with a newer version of the same name (`pow`, `exp` and `log` of 2.29, the functions that moved into libc.so.6 in 2.34) are bound to the version of the minimum glibc.

Systems that it ran on:

| release | glibc | Python | test |
|---|---|---|---|
",
    );
    for image in images {
        let system = &image.system;
        let what = match image.subject {
            Subject::Library => {
                let runs: Vec<&str> = image.runs.iter().map(|ran| ran.summary.as_str()).collect();
                format!("the library through ctypes: {}", runs.join("; "))
            }
            Subject::Wheel => "the whole suites, see [Pythons](pythons.md)".to_owned(),
        };
        text.push_str(&format!(
            "| {} | {} | {} | {what} |\n",
            system.suite, system.glibc, system.python_version
        ));
    }
    Ok(text)
}

/// The symbols that the library and the extension define and need.
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
                // In the symbol table, the name of an undefined symbol ends with its version.
                into.insert(name.split('@').next().unwrap_or(name).to_owned());
            }
        }
    }
    Ok(Used { defined, needed })
}

/// The symbols that the library and the extension define themselves, because glibc 2.17 does not have them
/// and the installed glibc has.
fn newer(libc: &Libc, used: &Used) -> Vec<String> {
    let names = used.defined.iter();
    names
        .filter(|name| libc.since(name).is_some_and(|since| since > (2, 17)))
        .cloned()
        .collect()
}

/// The version of glibc that a link without a minimum glibc would require, and the symbols that require it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_pages_begin_and_end_as_written() {
        let (page, date) = folders::committed("pythons.md");
        assert!(page.starts_with(&pythons_head(&date)));
        assert!(page.ends_with(PYTHONS_END));
        let (page, date) = folders::committed("glibc.md");
        assert!(page.starts_with(&glibc_head(&date)));
    }
}
