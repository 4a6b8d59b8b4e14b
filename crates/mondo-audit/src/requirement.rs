//! The syntax of `Requires-Dist` (PEP 508). Nothing is evaluated, so that it takes time in proportion to the text.

use std::str::FromStr as _;

use pep440_rs::VersionSpecifiers;

/// The variables of markers, with the older names of some.
const VARIABLES: &[&str] = &[
    "python_version",
    "python_full_version",
    "os_name",
    "sys_platform",
    "platform_release",
    "platform_system",
    "platform_version",
    "platform_machine",
    "platform_python_implementation",
    "implementation_name",
    "implementation_version",
    "extra",
    "extras",
    "dependency_groups",
    "os.name",
    "sys.platform",
    "platform.version",
    "platform.machine",
    "platform.python_implementation",
    "python_implementation",
];

/// The operators of markers but for `in` and `not in`, those first that others begin.
const OPERATORS: &[&str] = &["===", "==", "~=", "!=", "<=", ">=", "<", ">"];

/// The deepest nesting of parentheses in a marker.
const DEEPEST: usize = 64;

/// The reason for which `text` is no requirement, if there is one.
pub(crate) fn fault(text: &str) -> Option<String> {
    requirement(text).err()
}

/// True for a requirement that names a file to download (`name @ url`).
pub fn is_direct(text: &str) -> bool {
    let name = text.find(|c: char| !is_name_part(c)).unwrap_or(text.len());
    let rest = text[name..].trim_start();
    let after = match rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((_, after)) => after,
        None => rest,
    };
    after.trim_start().starts_with('@')
}

/// A name that projects, and their extras, can have.
pub(crate) fn is_name(name: &str) -> bool {
    let ends = |c: char| c.is_ascii_alphanumeric();
    name.chars().all(is_name_part) && name.starts_with(ends) && name.ends_with(ends)
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || "._-".contains(c)
}

fn requirement(text: &str) -> Result<(), String> {
    let mut rest = text.trim();
    let name = taken(&mut rest, is_name_part);
    if !is_name(name) {
        return Err(format!("`{name}` is no name"));
    }
    if eat(&mut rest, "[") {
        let Some((extras, after)) = rest.split_once(']') else {
            return Err("a `[` is not closed".to_owned());
        };
        let mut extras = extras.split(',').map(str::trim);
        let only = extras.clone().count() == 1;
        let allowed = |it: &str| is_name(it) || (only && it.is_empty());
        let wrong = extras.find(|it| !allowed(it));
        if let Some(extra) = wrong {
            return Err(format!("`{extra}` is no name of an extra"));
        }
        rest = after;
    }
    let marker_of = if eat(&mut rest, "@") {
        let rest = rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if end == 0 {
            return Err("there is no URL after `@`".to_owned());
        }
        rest[end..].trim_start()
    } else {
        let end = rest.find(';').unwrap_or(rest.len());
        let (versions, marker) = rest.split_at(end);
        let versions = versions.trim();
        let inside = versions
            .strip_prefix('(')
            .and_then(|it| it.strip_suffix(')'));
        let versions = inside.unwrap_or(versions);
        if VersionSpecifiers::from_str(versions).is_err() {
            return Err(format!("`{versions}` is no list of versions"));
        }
        marker
    };
    let mut rest = marker_of;
    if eat(&mut rest, ";") {
        either(&mut rest, DEEPEST)?;
    }
    match rest.trim() {
        "" => Ok(()),
        left => Err(format!("`{left}` is left over")),
    }
}

/// `marker or marker`.
fn either(rest: &mut &str, depth: usize) -> Result<(), String> {
    loop {
        both(rest, depth)?;
        if !eat_word(rest, "or") {
            return Ok(());
        }
    }
}

/// `marker and marker`.
fn both(rest: &mut &str, depth: usize) -> Result<(), String> {
    loop {
        if eat(rest, "(") {
            let Some(depth) = depth.checked_sub(1) else {
                return Err("its marker has too many parentheses".to_owned());
            };
            either(rest, depth)?;
            if !eat(rest, ")") {
                return Err("a `(` of its marker is not closed".to_owned());
            }
        } else {
            comparison(rest)?;
        }
        if !eat_word(rest, "and") {
            return Ok(());
        }
    }
}

fn comparison(rest: &mut &str) -> Result<(), String> {
    operand(rest)?;
    let operator = OPERATORS.iter().any(|it| eat(rest, it))
        || eat_word(rest, "in")
        || (eat_word(rest, "not") && eat_word(rest, "in"));
    if !operator {
        return Err(format!("its marker has no comparison at `{}`", rest.trim()));
    }
    operand(rest)
}

/// A variable, or a text in quotes.
fn operand(rest: &mut &str) -> Result<(), String> {
    *rest = rest.trim_start();
    if let Some(quote) = rest.chars().next().filter(|it| "'\"".contains(*it)) {
        let Some((_, after)) = rest[1..].split_once(quote) else {
            return Err("a quote of its marker is not closed".to_owned());
        };
        *rest = after;
        return Ok(());
    }
    let variable = taken(rest, |c| c.is_ascii_alphanumeric() || "._".contains(c));
    if VARIABLES.contains(&variable) {
        return Ok(());
    }
    Err(format!("`{variable}` is no variable of markers"))
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
            assert_eq!(fault(good), None, "{good}");
        }
        for (bad, why) in [
            ("", "is no name"),
            ("-a", "is no name"),
            ("numpy >>3", "`>>3` is no list of versions"),
            ("numpy 3", "is no list of versions"),
            ("a[b", "not closed"),
            ("a[b c]", "`b c` is no name of an extra"),
            ("a @", "no URL"),
            ("a @ https://example.org/a b", "`b` is left over"),
            ("a; python > '3'", "`python` is no variable"),
            ("a; python_version '3'", "no comparison"),
            ("a; python_version > '3", "quote"),
            ("a; (python_version > '3'", "not closed"),
            ("a; python_version > '3' or", "is no variable"),
            ("a; python_version > '3' extra", "left over"),
            ("a; python_version not '3'", "no comparison"),
        ] {
            let found = fault(bad).unwrap_or_default();
            assert!(found.contains(why), "{bad}: {found}");
        }
        let deep = format!("a; {}", "(".repeat(100_000));
        assert!(fault(&deep).is_some_and(|it| it.contains("too many parentheses")));
    }

    #[test]
    fn direct_ones_are_told_from_versions() {
        assert!(is_direct("a @ https://example.org/a.whl") && is_direct("a[b,c]@file:///a"));
        assert!(!is_direct("a>=1; extra == 'x@y'") && !is_direct("a") && !is_direct("a[b]==1"));
    }
}
