//! Requirement specifiers (PEP 508): a name, extras, versions or an address, and a marker.

use std::str::FromStr;

use pep440_rs::VersionSpecifiers;

/// The variables of markers.
const VARIABLES: [&str; 12] = [
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

/// The operators of markers that are no words; one that another begins with comes after it.
const OPERATORS: [&str; 8] = ["===", "==", "~=", "!=", "<=", ">=", "<", ">"];

/// Checks a requirement.
///
/// # Errors
/// The reason why it is none.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let end = name_length(text).ok_or("it does not begin with the name of a distribution")?;
    let mut rest = text[end..].trim_start();
    if let Some(extras) = rest.strip_prefix('[') {
        let (extras, after) = extras.split_once(']').ok_or("a `[` is not closed")?;
        let is_name = |extra: &str| name_length(extra) == Some(extra.len());
        let mut each = extras.split(',').map(str::trim);
        if !extras.trim().is_empty() && !each.all(is_name) {
            return Err(format!("`[{extras}]` is not a list of extras"));
        }
        rest = after.trim_start();
    }
    if let Some(address) = rest.strip_prefix('@') {
        let address = address.trim_start();
        // A semicolon may be part of the address, unless there is a blank before it.
        let end = address.find(char::is_whitespace).unwrap_or(address.len());
        let (address, after) = address.split_at(end);
        if !address.contains(':') {
            return Err(format!("`{address}` is not an address"));
        }
        return match after.trim_start().strip_prefix(';') {
            None if after.trim().is_empty() => Ok(()),
            None => Err(format!("`{}` follows the address", after.trim())),
            Some(marker) => check_marker(marker),
        };
    }
    let (versions, marker) = match rest.split_once(';') {
        Some((versions, marker)) => (versions.trim(), Some(marker)),
        None => (rest.trim(), None),
    };
    let versions = match versions.strip_prefix('(') {
        Some(inside) => inside.strip_suffix(')').ok_or("a `(` is not closed")?,
        None => versions,
    };
    check_versions(versions)?;
    marker.map_or(Ok(()), check_marker)
}

/// The length of the name that the text begins with, if it begins with one.
pub(crate) fn name_length(text: &str) -> Option<usize> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let end = text.find(|c| !allowed(c)).unwrap_or(text.len());
    let name = &text.as_bytes()[..end];
    let good = name.first()?.is_ascii_alphanumeric() && name.last()?.is_ascii_alphanumeric();
    good.then_some(end)
}

fn check_versions(text: &str) -> Result<(), String> {
    match VersionSpecifiers::from_str(text) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!(
            "`{text}` is not a list of version specifiers (PEP 440)"
        )),
    }
}

fn check_marker(text: &str) -> Result<(), String> {
    let mut tokens = Tokens { rest: text };
    let what = |why: String| format!("`{}` is not a marker: {why}", text.trim());
    tokens.any_of().map_err(what)?;
    match tokens.peek() {
        "" => Ok(()),
        rest => Err(what(format!("`{rest}` is left over"))),
    }
}

/// The rest of a marker.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    fn peek(&mut self) -> &'a str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.peek().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self) -> &'a str {
        let rest = self.peek();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        &rest[..end.unwrap_or(rest.len())]
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.word() == word;
        if is_next {
            self.rest = &self.rest[word.len()..];
        }
        is_next
    }

    fn any_of(&mut self) -> Result<(), String> {
        self.all_of()?;
        while self.take_word("or") {
            self.all_of()?;
        }
        Ok(())
    }

    fn all_of(&mut self) -> Result<(), String> {
        self.comparison()?;
        while self.take_word("and") {
            self.comparison()?;
        }
        Ok(())
    }

    fn comparison(&mut self) -> Result<(), String> {
        if self.take("(") {
            self.any_of()?;
            return match self.take(")") {
                true => Ok(()),
                false => Err("a `(` is not closed".to_owned()),
            };
        }
        self.value()?;
        let known = self.take_word("in")
            || (self.take_word("not") && self.take_word("in"))
            || OPERATORS.iter().any(|operator| self.take(operator));
        if !known {
            return Err("there is no comparison".to_owned());
        }
        self.value()
    }

    /// A variable, or a string.
    fn value(&mut self) -> Result<(), String> {
        let rest = self.peek();
        if let Some(quote) = rest.chars().next().filter(|it| matches!(it, '\'' | '"')) {
            let end = rest[1..].find(quote).ok_or("a string is not closed")?;
            self.rest = &rest[end + 2..];
            return Ok(());
        }
        match self.word() {
            "" => Err("a value is missing".to_owned()),
            word if VARIABLES.contains(&word) => {
                self.rest = &rest[word.len()..];
                Ok(())
            }
            word => Err(format!("`{word}` is not a variable")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_taken() {
        for good in [
            "numpy",
            "numpy>=2",
            "numpy >=2, <3",
            "numpy (>=2,<3)",
            "numpy==1.*",
            "numpy ~= 1.4.2",
            "numpy===1.0",
            "a[b]",
            "a[b, c-d] >1",
            "a[] >1",
            "a.b_c-d; python_version < '3.11'",
            "a; (os_name == \"nt\" or sys_platform=='linux') and extra == 'test'",
            "a; 'x86' not in platform_machine",
            "a @ https://example.org/a.whl",
            "a[b]@file:///a.whl ; python_version>='3.10'",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
    }

    #[test]
    fn what_is_none_is_refused_with_the_reason() {
        for (bad, why) in [
            ("", "name"),
            (">=2", "name"),
            ("-a", "name"),
            ("numpy >>3", "`>>3`"),
            ("numpy 2", "`2`"),
            ("numpy >=x", "`>=x`"),
            ("numpy (>=2", "`(`"),
            ("a[b", "`[`"),
            ("a[b c]", "extras"),
            ("a @ here", "`here`"),
            ("a @ https://example.org/a.whl b", "`b`"),
            ("x; python_version >", "a value is missing"),
            ("x; python_version", "no comparison"),
            ("x; python_versio > '3'", "`python_versio`"),
            ("x; python_version > '3", "string"),
            ("x; (python_version > '3'", "`(`"),
            ("x; python_version > '3' os_name == 'a'", "left over"),
            ("x; os_name not 'a'", "no comparison"),
            ("x;", "missing"),
        ] {
            let said = check(bad).unwrap_err();
            assert!(said.contains(why), "{bad}: {said}");
        }
    }
}
