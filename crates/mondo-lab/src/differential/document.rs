//! Writing docs/measurements/audit-differential.md: the numbers of compared names, and the differences with
//! their reasons.

use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::compared::{Compared, Difference};
use super::explained::Explanations;
use crate::folders::{self, write_measurement};

/// The maximum number of names of a difference that are shown.
const SHOWN: usize = 4;

pub(super) fn write(context: &Context<'_>, all: &[Compared]) -> Result<()> {
    let explanations = Explanations::read(&folders::data(context, "differences.toml"))?;
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    let mut text = head(&folders::today()?);
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
    write_measurement(context, "audit-differential.md", &text)?;
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
        "other tools disagree, and nothing explains why",
    )
    .details(unexplained)
    .help(
        "find out who is right; then correct the audit, or explain it in crates/mondo-lab/data/differences.toml",
    ))
}

/// A difference as one line of text.
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

/// The text before the table.
fn head(date: &str) -> String {
    format!(
        "\
# The audit compared with other tools

Measured with `cargo lab differential` on {date}. The command fails where another tool disagrees
and `crates/mondo-lab/data/differences.toml` does not explain why. Every library, program and static archive of the
wheels in `crates/mondo-lab/data/wheels.toml` is read by mondo-audit and by the readers of binutils and LLVM.
Compared are exports and imports with their versions or libraries, symbols that are one per process,
needed versions and libraries, RPATH, RUNPATH, SONAME or install name, and the oldest system. Symbols
of version nodes and symbols that no other image sees are excluded. Wheels for Linux are compared with
`auditwheel show`, and all extensions with `abi3audit --strict` for the stable ABI of CPython 3.11. Some
extensions are loaded into one process, and the predicted bindings are compared with `LD_DEBUG=bindings`.

The numbers count the compared names.

"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_begins_as_written() {
        let (page, date) = folders::committed("audit-differential.md");
        assert!(page.starts_with(&head(&date)), "{}", head(&date));
    }
}
