//! Metadata values that are well formed but that a package index refuses.

use mondo_audit::is_direct_requirement;
use mondo_plan::index::{CLASSIFIERS, LONGEST_URL_LABEL, is_web_address};

use super::about::About;

/// The longest summary, in characters.
const LONGEST_SUMMARY: usize = 512;

/// The values that an index refuses, a sentence for each.
pub(super) fn complaints(about: &About) -> Vec<String> {
    let mut wrong = Vec::new();
    let summary = about.one("Summary").chars().count();
    if summary > LONGEST_SUMMARY {
        wrong.push(format!(
            "its summary has {summary} characters, but an index accepts at most \
             {LONGEST_SUMMARY}"
        ));
    }
    for value in about.all("Classifier") {
        match value.split(" :: ").next() {
            Some("Private") => wrong.push(format!("an index refuses the classifier {value}")),
            Some(first)
                if (first == "License" || CLASSIFIERS.contains(&first)) && first != value => {}
            _ => wrong.push(format!("unknown classifier {value}")),
        }
    }
    for value in about.all("Requires-Dist") {
        if is_direct_requirement(value) {
            wrong.push(format!(
                "it requires {value}, but an index refuses requirements with a URL"
            ));
        }
    }
    for value in about.all("Project-URL") {
        if let Some(why) = url_with_label(value) {
            wrong.push(format!("its Project-URL {value} {why}"));
        }
    }
    for field in ["Home-page", "Download-URL"] {
        for value in about
            .all(field)
            .iter()
            .filter(|value| !is_web_address(value.trim()))
        {
            wrong.push(format!("its {field} {value} is not an http or https URL"));
        }
    }
    for field in ["Author-email", "Maintainer-email"] {
        for value in about.all(field) {
            if let Some(part) = addresses(value).find(|part| !is_address(part)) {
                wrong.push(format!("its {field} {part} is not an email address"));
            }
        }
    }
    wrong
}

/// The fault of `label, url`.
fn url_with_label(value: &str) -> Option<&'static str> {
    let Some((label, url)) = value.split_once(',') else {
        return Some("has no label");
    };
    let label = label.trim();
    if label.is_empty() {
        return Some("has no label");
    }
    if label.chars().count() > LONGEST_URL_LABEL {
        return Some("has a label of more than 32 characters");
    }
    (!is_web_address(url.trim())).then_some("has no http or https URL")
}

/// The parts of a list of addresses; a comma in quotes is part of a name.
fn addresses(value: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    value
        .split(move |c: char| {
            quoted ^= c == '"';
            c == ',' && !quoted
        })
        .map(str::trim)
}

/// True for `Name <user@host>` and for `user@host`.
fn is_address(text: &str) -> bool {
    let address = match text.strip_suffix('>') {
        Some(rest) => rest.rsplit_once('<').map_or("", |(_, address)| address),
        None => text,
    };
    let Some((user, host)) = address.rsplit_once('@') else {
        return false;
    };
    let odd = |c: char| c.is_whitespace() || "<>()[],;:\\\"".contains(c);
    !user.is_empty()
        && !user.contains(odd)
        && host.contains('.')
        && host.split('.').all(|part| {
            let legal = |c: char| c.is_alphanumeric() || c == '-';
            !part.is_empty() && part.chars().all(legal)
        })
}

#[cfg(test)]
mod tests {
    use super::super::about::of as about;
    use super::*;

    #[test]
    fn what_an_index_refuses_is_named() {
        let long = "s".repeat(513);
        for (field, value, why) in [
            ("Summary", long.as_str(), "513 characters"),
            (
                "Classifier",
                "Private :: Do Not Upload",
                "refuses the classifier",
            ),
            ("Classifier", "Foo :: Bar", "unknown classifier Foo"),
            ("Classifier", "Typing", "unknown classifier"),
            (
                "Requires-Dist",
                "y @ https://example.org/y.whl",
                "refuses requirements with a URL",
            ),
            ("Project-URL", "nolabel", "no label"),
            ("Project-URL", ", https://example.org", "no label"),
            (
                "Project-URL",
                "home, javascript:alert(1)",
                "no http or https URL",
            ),
            (
                "Project-URL",
                &format!("{}, https://example.org", &long[..33]),
                "32",
            ),
            ("Home-page", "example.org", "not an http or https URL"),
            ("Author-email", "not an email", "not an email address"),
            (
                "Author-email",
                "A <a@b.c>, someone",
                "someone is not an email address",
            ),
            ("Maintainer-email", "a@b", "not an email address"),
        ] {
            let found = complaints(&about(&[(field, value)], &[])).join("\n");
            assert!(found.contains(why), "{field}: {value}: {found}");
        }
    }

    #[test]
    fn what_an_index_takes_is_not() {
        let fields = [
            ("Summary", "s"),
            ("Classifier", "Typing :: Typed"),
            ("Classifier", "Programming Language :: Python :: 3"),
            ("Requires-Dist", "numpy>=1; extra == 'a@b'"),
            ("Project-URL", "home, https://example.org/a,b"),
            ("Author-email", "\"A, B\" <a.b+c@d-e.org>, f@xn--g.org"),
        ];
        let none: [String; 0] = [];
        assert_eq!(complaints(&about(&fields, &[])), none);
    }
}
