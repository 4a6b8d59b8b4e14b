//! Requirement specifiers (PEP 508): a name, extras, versions or a URL, and a marker. Nothing is evaluated, so that it takes
//! time in proportion to the text.
//!
//! The published crate for this, `pep508_rs`, does not fit the audit, whose input is anybody's. Version 0.9.2, the latest,
//! makes a decision diagram of each marker and keeps it until the process ends: `'a1' in platform_release and extra == 'e1'
//! or …` takes four times as long for each two alternatives more (18 of them, 879 bytes: 6.5 s and 980 MB). A hundred
//! thousand parentheses overflow its stack. It accepts a word after a URL, and refuses the markers of lock files. With
//! `url` and `regex` among them it would add 37 crates. That of uv, `uv-pep508`, says of itself that it is internal to uv.
//! Version specifiers, whose rules are many, are read by `pep440_rs`.

use std::str::FromStr as _;

use pep440_rs::VersionSpecifiers;
use thiserror::Error;

/// The variables of markers.
const VARIABLES: &[&str] = &[
    "extra",
    "implementation_name",
    "implementation_version",
    "os_name",
    "platform_machine",
    "platform_python_implementation",
    "platform_release",
    "platform_system",
    "platform_version",
    "python_full_version",
    "python_version",
    "sys_platform",
];

/// Older names of variables, and the variables of lock files.
const FORMER_VARIABLES: &[&str] = &[
    "dependency_groups",
    "extras",
    "os.name",
    "platform.machine",
    "platform.python_implementation",
    "platform.version",
    "python_implementation",
    "sys.platform",
];

/// The operators of markers, except `in` and `not in`. A longer operator comes before its prefixes.
const OPERATORS: &[&str] = &["===", "==", "~=", "!=", "<=", ">=", "<", ">"];

/// The deepest nesting of parentheses in a marker.
const DEEPEST: usize = 64;

/// The set of variables that a marker may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markers {
    /// The variables of PEP 508.
    Present,
    /// Those of PEP 508, and the former variables and those of lock files that installers accept, too.
    WithFormer,
}

/// A requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement<'t> {
    /// The address to download from, in `name @ url`.
    pub url: Option<&'t str>,
}

/// The reason why a text is not a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RequirementError<'t> {
    /// It begins with this, and not with the name of a distribution.
    #[error("`{0}` is not a name")]
    Name(&'t str),
    /// The list of extras does not end.
    #[error("a `[` is not closed")]
    OpenExtras,
    /// An extra has no name.
    #[error("`{extra}` is not the name of an extra")]
    Extra {
        /// The extra.
        extra: &'t str,
        /// The whole list.
        list: &'t str,
    },
    /// There is nothing after `@`.
    #[error("there is no URL after `@`")]
    NoUrl,
    /// The list of versions begins with a parenthesis, and does not end with one.
    #[error("`{0}` is not a list of versions")]
    OpenVersions(&'t str),
    /// It is not a list of version specifiers (PEP 440).
    #[error("`{0}` is not a list of versions")]
    Versions(&'t str),
    /// This follows the URL, and is not a marker.
    #[error("`{0}` is left over")]
    AfterUrl(&'t str),
    /// The text after the semicolon is not a marker.
    #[error("{why}")]
    Marker {
        /// The text.
        marker: &'t str,
        /// The reason.
        why: MarkerError<'t>,
    },
}

/// The reason why a text is not a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MarkerError<'t> {
    /// There are more parentheses in one another than anybody writes.
    #[error("its marker has too many parentheses")]
    TooDeep,
    /// A parenthesis is not closed.
    #[error("a `(` of its marker is not closed")]
    Open,
    /// No operator is there.
    #[error("its marker has no comparison at `{0}`")]
    NoComparison(&'t str),
    /// A string does not end.
    #[error("a quote of its marker is not closed")]
    OpenString,
    /// A comparison has nothing on one side.
    #[error("`` is not a variable of markers")]
    NoValue,
    /// There is no such variable.
    #[error("`{0}` is not a variable of markers")]
    Variable(&'t str),
    /// This follows the marker.
    #[error("`{0}` is left over")]
    LeftOver(&'t str),
}

/// Reads a requirement.
///
/// # Errors
/// The reason why the text is not a requirement.
pub fn of(text: &str, markers: Markers) -> Result<Requirement<'_>, RequirementError<'_>> {
    let mut rest = text.trim();
    let name = taken(&mut rest, is_name_part);
    if !is_name(name) {
        return Err(RequirementError::Name(name));
    }
    if eat(&mut rest, "[") {
        let (list, after) = rest.split_once(']').ok_or(RequirementError::OpenExtras)?;
        let mut extras = list.split(',').map(str::trim);
        let wrong = extras.find(|extra| !is_name(extra));
        if let Some(extra) = wrong.filter(|_| !list.trim().is_empty()) {
            return Err(RequirementError::Extra { extra, list });
        }
        rest = after;
    }
    if eat(&mut rest, "@") {
        let url = rest.trim_start();
        // A semicolon may be part of the URL, unless there is a blank before it.
        let end = url.find(char::is_whitespace).unwrap_or(url.len());
        let (url, after) = url.split_at(end);
        if url.is_empty() {
            return Err(RequirementError::NoUrl);
        }
        match (after.trim(), after.trim_start().strip_prefix(';')) {
            (_, Some(marker)) => check_marker(marker, markers)?,
            ("", None) => {}
            (left, None) => return Err(RequirementError::AfterUrl(left)),
        }
        return Ok(Requirement { url: Some(url) });
    }
    let (versions, marker) = match rest.split_once(';') {
        Some((versions, marker)) => (versions.trim(), Some(marker)),
        None => (rest.trim(), None),
    };
    let list = match versions.strip_prefix('(') {
        Some(inside) => inside
            .strip_suffix(')')
            .ok_or(RequirementError::OpenVersions(versions))?,
        None => versions,
    };
    if VersionSpecifiers::from_str(list).is_err() {
        return Err(RequirementError::Versions(list));
    }
    marker.map_or(Ok(()), |marker| check_marker(marker, markers))?;
    Ok(Requirement { url: None })
}

/// True for a requirement that names a file to download (`name @ url`).
pub fn is_direct(text: &str) -> bool {
    let name = text.find(|c: char| !is_name_part(c)).unwrap_or(text.len());
    let rest = text[name..].trim_start();
    let after = match rest
        .strip_prefix('[')
        .and_then(|inside| inside.split_once(']'))
    {
        Some((_, after)) => after,
        None => rest,
    };
    after.trim_start().starts_with('@')
}

/// True for a name that distributions, and their extras, can have.
pub fn is_name(name: &str) -> bool {
    let ends = |c: char| c.is_ascii_alphanumeric();
    name.chars().all(is_name_part) && name.starts_with(ends) && name.ends_with(ends)
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-".contains(c)
}

fn check_marker(marker: &str, markers: Markers) -> Result<(), RequirementError<'_>> {
    let mut rest = marker;
    let read = either(&mut rest, markers, DEEPEST);
    let read = read.and_then(|()| match rest.trim() {
        "" => Ok(()),
        left => Err(MarkerError::LeftOver(left)),
    });
    read.map_err(|why| RequirementError::Marker { marker, why })
}

/// `marker or marker`.
fn either<'t>(rest: &mut &'t str, markers: Markers, depth: usize) -> Result<(), MarkerError<'t>> {
    loop {
        both(rest, markers, depth)?;
        if !eat_word(rest, "or") {
            return Ok(());
        }
    }
}

/// `marker and marker`.
fn both<'t>(rest: &mut &'t str, markers: Markers, depth: usize) -> Result<(), MarkerError<'t>> {
    loop {
        if eat(rest, "(") {
            let depth = depth.checked_sub(1).ok_or(MarkerError::TooDeep)?;
            either(rest, markers, depth)?;
            if !eat(rest, ")") {
                return Err(MarkerError::Open);
            }
        } else {
            comparison(rest, markers)?;
        }
        if !eat_word(rest, "and") {
            return Ok(());
        }
    }
}

fn comparison<'t>(rest: &mut &'t str, markers: Markers) -> Result<(), MarkerError<'t>> {
    operand(rest, markers)?;
    let operator = OPERATORS.iter().any(|operator| eat(rest, operator))
        || eat_word(rest, "in")
        || (eat_word(rest, "not") && eat_word(rest, "in"));
    if !operator {
        return Err(MarkerError::NoComparison(rest.trim()));
    }
    operand(rest, markers)
}

/// A variable, or a text in quotes.
fn operand<'t>(rest: &mut &'t str, markers: Markers) -> Result<(), MarkerError<'t>> {
    *rest = rest.trim_start();
    if let Some(quote) = rest.chars().next().filter(|c| "'\"".contains(*c)) {
        let (_, after) = rest[1..].split_once(quote).ok_or(MarkerError::OpenString)?;
        *rest = after;
        return Ok(());
    }
    match taken(rest, |c| c.is_ascii_alphanumeric() || "._".contains(c)) {
        "" => Err(MarkerError::NoValue),
        word if VARIABLES.contains(&word) => Ok(()),
        word if markers == Markers::WithFormer && FORMER_VARIABLES.contains(&word) => Ok(()),
        word => Err(MarkerError::Variable(word)),
    }
}

/// Takes the characters of a kind off the beginning.
fn taken<'t>(rest: &mut &'t str, part: impl Fn(char) -> bool) -> &'t str {
    let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
    let (found, after) = rest.split_at(end);
    *rest = after;
    found
}

/// Takes a token off, if it is the next one.
fn eat(rest: &mut &str, token: &str) -> bool {
    match rest.trim_start().strip_prefix(token) {
        Some(after) => {
            *rest = after;
            true
        }
        None => false,
    }
}

/// Takes a word off, if it is the next one: not one that only begins so.
fn eat_word(rest: &mut &str, word: &str) -> bool {
    let mut after = *rest;
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    if eat(&mut after, word) && (after.is_empty() || after.starts_with(ends)) {
        *rest = after;
        return true;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_those_of_pep_508() {
        for good in [
            "numpy",
            "numpy>=1.26",
            "numpy (>=1.26,<3)",
            "A.b-c[x, y-z] ~= 1.0 ; python_version < '3.12'",
            "a[] == 1.*",
            "a;extra=='test'",
            "a; (os_name == \"nt\" or sys_platform in 'linux darwin') and 'x' not in platform_version",
            "a @ https://example.org/a;b.whl ; python_version>'3'",
            "a[b] @ file:///a.whl",
        ] {
            assert!(of(good, Markers::WithFormer).is_ok(), "{good}");
        }
        for (bad, why) in [
            ("", "is not a name"),
            ("-a", "is not a name"),
            ("numpy >>3", "`>>3` is not a list of versions"),
            ("numpy 3", "is not a list of versions"),
            ("a[b", "not closed"),
            ("a[b c]", "`b c` is not the name of an extra"),
            ("a @", "no URL"),
            ("a @ https://example.org/a b", "`b` is left over"),
            ("a; python > '3'", "`python` is not a variable"),
            ("a; python_version '3'", "no comparison"),
            ("a; python_version > '3", "quote"),
            ("a; (python_version > '3'", "not closed"),
            ("a; python_version > '3' or", "is not a variable"),
            ("a; python_version > '3' extra", "left over"),
            ("a; python_version not '3'", "no comparison"),
        ] {
            let found = of(bad, Markers::WithFormer).unwrap_err().to_string();
            assert!(found.contains(why), "{bad}: {found}");
        }
        let deep = format!("a; {}", "(".repeat(100_000));
        let error = of(&deep, Markers::WithFormer).unwrap_err();
        assert!(error.to_string().contains("too many parentheses"));
        let alternatives =
            (0..10_000).map(|i| format!("'a{i}' in platform_release and extra == 'b{i}'"));
        let long = format!("a; {}", alternatives.collect::<Vec<_>>().join(" or "));
        assert!(of(&long, Markers::Present).is_ok());
        for former in ["os.name == 'a'", "'a' in extras"] {
            let text = format!("a; {former}");
            assert!(of(&text, Markers::WithFormer).is_ok() && of(&text, Markers::Present).is_err());
        }
    }

    #[test]
    fn direct_ones_are_told_from_versions() {
        assert!(is_direct("a @ https://example.org/a.whl") && is_direct("a[b,c]@file:///a"));
        assert!(!is_direct("a>=1; extra == 'x@y'") && !is_direct("a") && !is_direct("a[b]==1"));
    }
}
