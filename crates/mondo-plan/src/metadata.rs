//! Core metadata (version 2.4, PEP 639).

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::names::distribution;
use crate::requirement;
use crate::version;

/// The fields of METADATA, and the entry points.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// The distribution's name as it is displayed: `mondo-mlir`.
    pub distribution: String,
    /// A PEP 440 version: `22.1.8`.
    pub version: String,
    /// One line.
    pub summary: Option<String>,
    /// An SPDX expression: `Apache-2.0 WITH LLVM-exception`.
    pub license: String,
    /// Licence files of the packager, absolute. LLVM's goes beside them in the stage phase.
    pub license_files: Vec<Utf8PathBuf>,
    /// The package's authors.
    pub authors: Vec<Person>,
    /// Label to address, in the order of the labels.
    pub urls: BTreeMap<String, String>,
    /// A Markdown or reStructuredText file, absolute.
    pub readme: Option<Utf8PathBuf>,
    /// `>=3.10`.
    pub requires_python: String,
    /// Requirement specifiers (PEP 508).
    pub requires: Vec<String>,
    /// Search words.
    pub keywords: Vec<String>,
    /// Trove classifiers, without licence ones.
    pub classifiers: Vec<String>,
    /// The package's maintainers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub maintainers: Vec<Person>,
    /// Requirement specifiers by extra.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub extras: BTreeMap<String, Vec<String>>,
    /// The modules that the wheel has: `None` if the manifest does not say, an empty list if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import_names: Option<Vec<String>>,
    /// The namespace packages that others may add to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub import_namespaces: Vec<String>,
    /// Object references (`package.module:function`) by name, by group (`console_scripts`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub entry_points: BTreeMap<String, BTreeMap<String, String>>,
}

/// A person or team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Person {
    /// Full name.
    pub name: Option<String>,
    /// Email address.
    pub email: Option<String>,
}

impl Person {
    /// The reason that keeps it out of a wheel's metadata.
    pub(crate) fn flaw(&self) -> Option<String> {
        let Self { name, email } = self;
        if name.is_none() && email.is_none() {
            return Some("an author has a name, an address, or both".to_owned());
        }
        if let Some(email) = email
            && !is_email(email)
        {
            return Some(format!("`{email}` is not an email address"));
        }
        let clean = |name: &String| !name.trim().is_empty() && !name.contains(char::is_control);
        (!name.as_ref().is_none_or(clean))
            .then(|| "an author's name is one line of text".to_owned())
    }
}

impl Metadata {
    /// The distribution's name as it stands in file names: `mondo_mlir`.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` for a name that the packaging specifications do not allow.
    pub fn file_name(&self) -> Result<String> {
        distribution(&self.distribution).ok_or_else(|| {
            wrong("Name", &self.distribution)
                .because("a name has ASCII letters, digits, `-`, `_`, `.`, and a letter or digit at both ends")
        })
    }

    /// The version in PEP 440's normal form: `22.1.8`.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` where it is not a version by PEP 440.
    pub fn normal_version(&self) -> Result<String> {
        version::version(&self.version).ok_or_else(|| {
            wrong("Version", &self.version)
                .because("it is not a PEP 440 version, such as 22.1.8 or 22.1.8.post1")
        })
    }

    /// The folder of the wheel's own files: `mondo_mlir-22.1.8.dist-info`.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` where name or version is not one.
    pub fn dist_info(&self) -> Result<String> {
        Ok(format!(
            "{}-{}.dist-info",
            self.file_name()?,
            self.normal_version()?
        ))
    }

    /// The text of METADATA. `license_files` are paths below `.dist-info/licenses`, in order.
    ///
    /// Reads the readme. Anything that would start another header, or is not what the header's
    /// specification asks for, is an error.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` for a field that is not what the specification asks for.
    pub fn render(&self, license_files: &[String]) -> Result<String> {
        self.file_name()?;
        let mut headers = Headers::default();
        // Some indexes refuse 2.5, so only who asks for its fields gets it.
        let newer = self.import_names.is_some() || !self.import_namespaces.is_empty();
        headers.add("Metadata-Version", if newer { "2.5" } else { "2.4" })?;
        headers.add("Name", &self.distribution)?;
        headers.add("Version", &self.normal_version()?)?;
        if let Some(summary) = &self.summary {
            headers.add("Summary", summary)?;
        }
        if let Some(word) = self.keywords.iter().find(|word| word.contains(',')) {
            return Err(wrong("Keywords", word).because("commas separate keywords"));
        }
        headers.add_joined("Keywords", &self.keywords, ",")?;
        add_people(&mut headers, "Author", &self.authors)?;
        add_people(&mut headers, "Maintainer", &self.maintainers)?;
        headers.add("License-Expression", check_license(&self.license)?)?;
        for file in license_files {
            headers.add("License-File", file)?;
        }
        for classifier in &self.classifiers {
            if classifier.starts_with("License ::") {
                return Err(wrong("Classifier", classifier)
                    .because(
                        "with a License-Expression, licence classifiers are not allowed (PEP 639)",
                    )
                    .help("remove it; the licence expression replaces it"));
            }
            headers.add("Classifier", classifier)?;
        }
        for (label, url) in &self.urls {
            if label.contains(',') || label.chars().count() > 32 {
                return Err(wrong("Project-URL", label)
                    .because("a label has at most 32 characters and no comma"));
            }
            headers.add("Project-URL", &format!("{label}, {url}"))?;
        }
        check_specifiers(&self.requires_python)?;
        headers.add("Requires-Python", &self.requires_python)?;
        for requirement in &self.requires {
            check_requirement(requirement)?;
            headers.add("Requires-Dist", requirement)?;
        }
        for (extra, requirements) in &self.extras {
            headers.add("Provides-Extra", extra)?;
            for requirement in requirements {
                check_requirement(requirement)?;
                headers.add("Requires-Dist", &of_extra(requirement, extra))?;
            }
        }
        match self.import_names.as_deref() {
            Some([]) => headers.0.push_str("Import-Name:\n"),
            names => {
                for name in names.into_iter().flatten() {
                    headers.add("Import-Name", name)?;
                }
            }
        }
        for name in &self.import_namespaces {
            headers.add("Import-Namespace", name)?;
        }
        let Some(readme) = &self.readme else {
            return Ok(headers.0);
        };
        headers.add("Description-Content-Type", content_type(readme)?)?;
        let body = String::from_utf8(file::read(readme, file::LARGEST_TEXT)?).map_err(|error| {
            Error::new(ErrorKind::Wheel, "the readme is not UTF-8")
                .at(readme.as_str())
                .caused_by(error.utf8_error())
        })?;
        Ok(format!("{}\n{}", headers.0, body.replace("\r\n", "\n")))
    }

    /// The text of `entry_points.txt`, or `None` without entry points.
    #[must_use]
    pub fn entry_points_file(&self) -> Option<String> {
        let groups = self
            .entry_points
            .iter()
            .filter(|(_, names)| !names.is_empty());
        let text: Vec<String> = groups
            .map(|(group, names)| {
                let lines = names
                    .iter()
                    .map(|(name, object)| format!("{name} = {object}\n"));
                format!("[{group}]\n{}", lines.collect::<String>())
            })
            .collect();
        (!text.is_empty()).then(|| text.join("\n"))
    }
}

/// A requirement that holds for an extra alone: its marker, if it has one, and the extra.
fn of_extra(requirement: &str, extra: &str) -> String {
    match requirement.split_once(';') {
        Some((what, marker)) => {
            format!(
                "{}; ({}) and extra == \"{extra}\"",
                what.trim(),
                marker.trim()
            )
        }
        None => format!("{requirement}; extra == \"{extra}\""),
    }
}

/// Adds people by name under `field`, and those with an address under the field for these.
fn add_people(headers: &mut Headers, field: &str, people: &[Person]) -> Result<()> {
    let with_mail = format!("{field}-email");
    let (mut names, mut mails) = (Vec::new(), Vec::new());
    for person in people {
        match (&person.name, &person.email) {
            (_, Some(mail))
                if !mail.contains('@')
                    || mail.contains(|c: char| c.is_whitespace() || ",<>\"".contains(c)) =>
            {
                return Err(wrong(&with_mail, mail).because("it is not an email address"));
            }
            (Some(name), Some(mail)) => mails.push(format!("{} <{mail}>", phrase(name))),
            (None, Some(mail)) => mails.push(mail.clone()),
            (Some(name), None) => names.push(name.clone()),
            (None, None) => {}
        }
    }
    headers.add_joined(field, &names, ", ")?;
    headers.add_joined(&with_mail, &mails, ", ")
}

/// The headers written so far.
#[derive(Default)]
struct Headers(String);

impl Headers {
    fn add(&mut self, name: &str, value: &str) -> Result<()> {
        if value.trim().is_empty() || value.trim() != value {
            return Err(wrong(name, value).because("it is empty, or begins or ends with a space"));
        }
        // U+2028 and U+2029 are line ends to Python's str.splitlines, which some readers use.
        if value.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
            return Err(wrong(name, value)
                .because("a line break or control character would begin another header"));
        }
        self.0 += &format!("{name}: {value}\n");
        Ok(())
    }

    fn add_joined(&mut self, name: &str, values: &[String], separator: &str) -> Result<()> {
        if values.is_empty() {
            return Ok(());
        }
        self.add(name, &values.join(separator))
    }
}

fn wrong(field: &str, value: &str) -> Error {
    Error::new(
        ErrorKind::Wheel,
        format!("invalid {field} of the wheel: {value:?}"),
    )
    .at(format!("METADATA, {field}"))
}

/// A display name in a mail header: quoted where RFC 5322 asks for it.
fn phrase(name: &str) -> String {
    if name.contains(|c: char| "()<>[]:;@\\,.\"".contains(c)) {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        name.to_owned()
    }
}

/// The SPDX expression of code under `first` and code under each of `others`.
#[must_use]
pub fn all_of<'a>(first: &'a str, others: impl IntoIterator<Item = &'a str>) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for expression in [first].into_iter().chain(others) {
        // An expression of ANDs alone has its parts.
        let plain = !expression.contains(" OR ") && !expression.contains('(');
        let conjuncts: Vec<&str> = match plain {
            true => expression.split(" AND ").map(str::trim).collect(),
            false => vec![expression.trim()],
        };
        for part in conjuncts {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    if let [only] = parts[..] {
        return only.to_owned();
    }
    let parts = parts.iter().map(|part| match part.contains(" OR ") {
        true => format!("({part})"),
        false => (*part).to_owned(),
    });
    parts.collect::<Vec<_>>().join(" AND ")
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        let good = |part: &str| {
            !part.is_empty()
                && !part.contains(|c: char| {
                    c == '@'
                        || c == ','
                        || c == '<'
                        || c == '>'
                        || c.is_whitespace()
                        || c.is_control()
                })
        };
        good(user) && good(host)
    })
}

pub(crate) fn check_license(expression: &str) -> Result<&str> {
    match spdx::Expression::parse(expression) {
        Ok(_) => Ok(expression),
        Err(error) => {
            let failed = wrong("License-Expression", expression)
                .because(format!("it is not an SPDX expression: {}", error.reason));
            Err(match spdx::Expression::canonicalize(expression) {
                Ok(Some(better)) if spdx::Expression::parse(&better).is_ok() => {
                    failed.help(format!("write `{better}`"))
                }
                _ => failed
                    .help("use identifiers from the SPDX licence list, joined by AND, OR and WITH"),
            })
        }
    }
}

fn check_specifiers(specifiers: &str) -> Result<()> {
    const OPERATORS: [&str; 7] = ["===", "~=", "==", "!=", "<=", ">=", "<"];
    let good = |clause: &str| {
        let clause = clause.trim();
        let operators = OPERATORS.into_iter().chain([">"]);
        let Some((operator, version)) = operators
            .into_iter()
            .find_map(|op| Some((op, clause.strip_prefix(op)?.trim())))
        else {
            return false;
        };
        let version = match operator {
            "==" | "!=" => version.strip_suffix(".*").unwrap_or(version),
            _ => version,
        };
        version::version(version).is_some()
    };
    if specifiers.split(',').all(good) {
        return Ok(());
    }
    Err(wrong("Requires-Python", specifiers)
        .because("it is not a list of version specifiers, such as >=3.10"))
}

fn check_requirement(requirement: &str) -> Result<()> {
    requirement::check(requirement).map_err(|why| {
        wrong("Requires-Dist", requirement)
            .because(format!("it is not a PEP 508 requirement: {why}"))
            .help("requirements look like `numpy>=1.24`")
    })
}

fn content_type(readme: &Utf8Path) -> Result<&'static str> {
    match readme.extension().map(str::to_ascii_lowercase).as_deref() {
        Some("md") => Ok("text/markdown; charset=UTF-8; variant=GFM"),
        Some("rst") => Ok("text/x-rst; charset=UTF-8"),
        Some("txt") => Ok("text/plain; charset=UTF-8"),
        _ => Err(
            Error::new(ErrorKind::Wheel, "the readme has an unknown suffix")
                .at(readme.as_str())
                .because(
                    "a description is Markdown (.md), reStructuredText (.rst) or plain text (.txt)",
                ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Metadata {
        Metadata {
            distribution: "mondo-mlir".to_owned(),
            version: "22.1.8".to_owned(),
            summary: Some("MLIR, packaged".to_owned()),
            license: "Apache-2.0 WITH LLVM-exception".to_owned(),
            license_files: Vec::new(),
            authors: vec![
                Person {
                    name: Some("A. Ünal".to_owned()),
                    email: Some("a@example.org".to_owned()),
                },
                Person {
                    name: Some("The Team".to_owned()),
                    email: None,
                },
                Person {
                    name: None,
                    email: Some("b@example.org".to_owned()),
                },
            ],
            urls: BTreeMap::from([("Source".to_owned(), "https://example.org/src".to_owned())]),
            readme: None,
            requires_python: ">=3.10".to_owned(),
            requires: vec!["numpy>=1.24; extra == \"numpy\"".to_owned()],
            keywords: vec!["mlir".to_owned(), "compiler".to_owned()],
            classifiers: vec!["Programming Language :: Python :: 3".to_owned()],
            ..Metadata::default()
        }
    }

    #[test]
    fn extras_maintainers_and_entry_points_are_rendered() {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        let metadata = Metadata {
            maintainers: vec![Person {
                name: Some("M".to_owned()),
                email: None,
            }],
            extras: BTreeMap::from([(
                "test".to_owned(),
                words(&[
                    "pytest",
                    "tomli>=2; python_version < '3.11' or os_name == 'nt'",
                ]),
            )]),
            entry_points: BTreeMap::from([(
                "console_scripts".to_owned(),
                BTreeMap::from([("toy".to_owned(), "toy.main:run".to_owned())]),
            )]),
            ..sample()
        };
        let text = metadata.render(&[]).unwrap();
        assert!(text.starts_with("Metadata-Version: 2.4\n"), "{text}");
        let found = |line: &str| assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        found("Maintainer: M");
        found("Provides-Extra: test");
        found("Requires-Dist: pytest; extra == \"test\"");
        found(
            "Requires-Dist: tomli>=2; (python_version < '3.11' or os_name == 'nt') and extra == \"test\"",
        );
        assert_eq!(
            metadata.entry_points_file().unwrap(),
            "[console_scripts]\ntoy = toy.main:run\n"
        );
        assert_eq!(sample().entry_points_file(), None);
    }

    #[test]
    fn names_to_import_are_of_version_2_5() {
        let rendered = |names: Option<&[&str]>, namespaces: &[&str]| {
            let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
            let metadata = Metadata {
                import_names: names.map(words),
                import_namespaces: words(namespaces),
                ..sample()
            };
            metadata.render(&[]).unwrap()
        };
        let text = rendered(Some(&["acme.tools", "acme._parts; private"]), &["acme"]);
        assert!(text.starts_with("Metadata-Version: 2.5\n"), "{text}");
        assert!(
            text.ends_with(
                "Import-Name: acme.tools\nImport-Name: acme._parts; private\nImport-Namespace: acme\n"
            ),
            "{text}"
        );
        let text = rendered(Some(&[]), &[]);
        assert!(text.starts_with("Metadata-Version: 2.5\n"), "{text}");
        assert!(text.ends_with("\nImport-Name:\n"), "{text}");
    }

    #[test]
    fn every_field_is_rendered() {
        let dir = tempfile::tempdir().unwrap();
        let readme = Utf8PathBuf::from_path_buf(dir.path().join("README.md")).unwrap();
        fs_err::write(&readme, "# Title\r\n\nName: not-a-header\n").unwrap();
        let metadata = Metadata {
            readme: Some(readme),
            ..sample()
        };
        let text = metadata
            .render(&["LICENSE".to_owned(), "llvm/LICENSE.TXT".to_owned()])
            .unwrap();
        insta::assert_snapshot!(text, @r#"
        Metadata-Version: 2.4
        Name: mondo-mlir
        Version: 22.1.8
        Summary: MLIR, packaged
        Keywords: mlir,compiler
        Author: The Team
        Author-email: "A. Ünal" <a@example.org>, b@example.org
        License-Expression: Apache-2.0 WITH LLVM-exception
        License-File: LICENSE
        License-File: llvm/LICENSE.TXT
        Classifier: Programming Language :: Python :: 3
        Project-URL: Source, https://example.org/src
        Requires-Python: >=3.10
        Requires-Dist: numpy>=1.24; extra == "numpy"
        Description-Content-Type: text/markdown; charset=UTF-8; variant=GFM

        # Title

        Name: not-a-header
        "#);
    }

    #[test]
    fn wrong_values_are_refused() {
        type Change = fn(&mut Metadata);
        let changes: [(&str, Change); 14] = [
            ("Name", |m| m.distribution = "a b".to_owned()),
            ("Version", |m| m.version = "22.x".to_owned()),
            ("Summary", |m| m.summary = Some("a\nName: evil".to_owned())),
            ("Summary", |m| {
                m.summary = Some("a\u{2028}Name: evil".to_owned());
            }),
            ("Summary", |m| m.summary = Some(String::new())),
            ("Keywords", |m| m.keywords.push("a,b".to_owned())),
            ("Author-email", |m| {
                m.authors[0].email = Some("a, b@c".to_owned());
            }),
            ("Author", |m| m.authors[1].name = Some("x\r\ny".to_owned())),
            ("License-Expression", |m| m.license = "Apache 2".to_owned()),
            ("Classifier", |m| {
                m.classifiers.push("License :: OSI Approved".to_owned());
            }),
            ("Project-URL", |m| {
                drop(m.urls.insert("a,b".to_owned(), "x".to_owned()));
            }),
            ("Requires-Python", |m| {
                m.requires_python = "3.10+".to_owned();
            }),
            ("Requires-Dist", |m| m.requires.push("-bad".to_owned())),
            ("Requires-Dist", |m| m.requires.push("numpy 1.2".to_owned())),
        ];
        for (field, change) in changes {
            let mut metadata = sample();
            change(&mut metadata);
            let error = metadata.render(&[]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Wheel);
            assert_eq!(
                error.place(),
                Some(format!("METADATA, {field}").as_str()),
                "{error}"
            );
        }
    }

    #[test]
    fn a_near_miss_of_a_licence_is_helped() {
        let metadata = Metadata {
            license: "apache with LLVM-exception".to_owned(),
            ..sample()
        };
        let error = metadata.render(&[]).unwrap_err();
        assert_eq!(
            error.next_step(),
            Some("write `Apache-2.0 WITH LLVM-exception`")
        );
    }
}
