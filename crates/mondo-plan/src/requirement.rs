//! Requirements of a manifest (PEP 508), with the words of its errors.

use mondo_audit::{MarkerError, Markers, RequirementError};

/// Checks a requirement.
///
/// # Errors
/// The reason why the text is not a requirement.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let requirement = mondo_audit::requirement(text, Markers::Present).map_err(reason)?;
    match requirement.url {
        Some(url) if !url.contains(':') => Err(format!("`{url}` is not a URL")),
        _ => Ok(()),
    }
}

fn reason(error: RequirementError<'_>) -> String {
    match error {
        RequirementError::Name(_) => "it does not begin with the name of a distribution".to_owned(),
        RequirementError::Extra { list, .. } => format!("`[{list}]` is not a list of extras"),
        RequirementError::OpenVersions(_) => "a `(` is not closed".to_owned(),
        RequirementError::Versions(list) => {
            format!("`{list}` is not a list of version specifiers (PEP 440)")
        }
        RequirementError::AfterUrl(left) => format!("`{left}` follows the URL"),
        RequirementError::Marker { marker, why } => {
            format!(
                "`{}` is not a marker: {}",
                marker.trim(),
                reason_of_marker(why)
            )
        }
        RequirementError::OpenExtras | RequirementError::NoUrl => error.to_string(),
    }
}

fn reason_of_marker(error: MarkerError<'_>) -> String {
    match error {
        MarkerError::TooDeep => "it has too many parentheses".to_owned(),
        MarkerError::Open => "a `(` is not closed".to_owned(),
        MarkerError::NoComparison(_) => "the comparison is missing".to_owned(),
        MarkerError::OpenString => "a string is not closed".to_owned(),
        MarkerError::NoValue => "a value is missing".to_owned(),
        MarkerError::Variable(word) => format!("`{word}` is not a variable"),
        MarkerError::LeftOver(left) => format!("unexpected `{left}`"),
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
            ("x; python_version", "comparison is missing"),
            ("x; python_versio > '3'", "`python_versio`"),
            ("x; python_version > '3", "string"),
            ("x; (python_version > '3'", "`(`"),
            (
                "x; python_version > '3' os_name == 'a'",
                "unexpected `os_name",
            ),
            ("x; os_name not 'a'", "comparison is missing"),
            ("x;", "missing"),
        ] {
            let message = check(bad).unwrap_err();
            assert!(message.contains(why), "{bad}: {message}");
        }
    }
    #[test]
    fn parentheses_without_end_are_refused() {
        let message = check(&format!("x; {}", "(".repeat(100_000))).unwrap_err();
        assert!(message.contains("parentheses"), "{message}");
    }
}
