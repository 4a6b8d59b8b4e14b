//! docs/audit/differential.md: what was compared, and why what differs does.

use mondo::console;
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::compared::{Compared, Difference};
use super::explained::Explanations;

/// How many names of a difference are shown.
const SHOWN: usize = 4;

pub(super) fn write(context: &Context<'_>, all: &[Compared]) -> Result<()> {
    let folder = context.workspace.join("docs/audit");
    let explanations = Explanations::read(&folder.join("differences.toml"))?;
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    let mut text = String::from(HEAD);
    table(&mut text, all);
    text.push_str("\n## Differences\n\n");
    for compared in all.iter().filter(|one| !one.differences.is_empty()) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "### {}\n", compared.title);
        for difference in &compared.differences {
            let why = explanations.of(&compared.title, difference);
            used.extend(why.iter().map(|(at, _)| *at));
            let why = why.map(|(_, one)| one.why.as_str());
            if why.is_none() {
                unexplained.push(format!("{}: {}", compared.title, line(difference)));
            }
            let _ = writeln!(
                text,
                "- {}. {}",
                line(difference),
                why.unwrap_or("**Not explained.**")
            );
        }
        text.push('\n');
    }
    fs_err::write(
        folder.join("differential.md"),
        text.trim_end().to_owned() + "\n",
    )?;
    console::out("docs/audit/differential.md");
    unexplained.extend(
        explanations
            .unused(&used)
            .map(|one| format!("explains nothing: {}", one.why)),
    );
    if unexplained.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        "other tools say otherwise, and nothing says why",
    )
    .details(unexplained)
    .help(
        "find out who is right; then mend the audit, or explain it in docs/audit/differences.toml",
    ))
}

/// A difference in a line.
pub(super) fn line(difference: &Difference) -> String {
    let list = |names: &[String]| {
        let shown: Vec<String> = names
            .iter()
            .take(SHOWN)
            .map(|name| format!("`{name}`"))
            .collect();
        let more = names.len().saturating_sub(SHOWN);
        let tail = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        shown.join(", ") + &tail
    };
    let subject = match difference.image.as_str() {
        "" => String::new(),
        image => format!("`{image}`, "),
    };
    let (aspect, reader) = (difference.aspect.name(), difference.reader);
    let mut parts = vec![format!("{subject}{aspect} by {reader}")];
    if !difference.only_ours.is_empty() {
        parts.push(format!(
            "only mondo-audit has {}",
            list(&difference.only_ours)
        ));
    }
    if !difference.only_theirs.is_empty() {
        parts.push(format!(
            "only the other has {}",
            list(&difference.only_theirs)
        ));
    }
    parts.join("; ")
}

fn table(text: &mut String, all: &[Compared]) {
    let readers: BTreeSet<&str> = all
        .iter()
        .flat_map(|one| one.names.keys().copied())
        .collect();
    let head: String = readers
        .iter()
        .map(|reader| format!(" {reader} |"))
        .collect();
    let rule: String = readers.iter().map(|_| "--:|").collect();
    let _ = writeln!(
        text,
        "| wheel | images |{head} differences |\n|---|--:|{rule}--:|"
    );
    let mut sums: BTreeMap<&str, usize> = BTreeMap::new();
    for one in all {
        let mut row = String::new();
        for reader in &readers {
            let count = one.names.get(reader).copied();
            *sums.entry(reader).or_default() += count.unwrap_or_default();
            let _ = write!(
                row,
                " {} |",
                count.map_or_else(String::new, |count| count.to_string())
            );
        }
        let _ = writeln!(
            text,
            "| {} | {} |{row} {} |",
            one.title,
            one.images,
            one.differences.len()
        );
    }
    let sums: String = sums.values().map(|sum| format!(" {sum} |")).collect();
    let images: usize = all.iter().map(|one| one.images).sum();
    let differences: usize = all.iter().map(|one| one.differences.len()).sum();
    let _ = writeln!(text, "| all | {images} |{sums} {differences} |");
}

const HEAD: &str = "\
# The audit against other tools

Made by `cargo lab differential`, which fails where another tool says otherwise and
differences.toml does not say why. Every library, program and static archive of the wheels in
wheels.toml is read by mondo-audit and by binutils' and LLVM's readers. Compared are exports and
imports with their versions or libraries, symbols that are one per process, needed versions and
libraries, RPATH, RUNPATH, SONAME or install name, and the oldest system. Left out are
version nodes as symbols of their own, and symbols that no other image sees. Wheels for Linux are held
against `auditwheel show`, and all extensions, whatever they are made for, against `abi3audit --strict`
for the stable ABI of CPython 3.11. Some extensions are loaded into one process, and what mondo-audit says
that their names are bound to is held against `LD_DEBUG=bindings`.

The numbers are those of names compared.

";
