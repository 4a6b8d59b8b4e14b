//! The check of the wheel's metadata: names and texts that go into METADATA.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_audit::is_distribution_name;
use mondo_core::error::Result;

use super::{LONGEST_NAME, LONGEST_VERSION, Placer};
use crate::index::{CLASSIFIERS, LONGEST_URL_LABEL, is_web_address};
use crate::manifest::file::{Author, Package};
use crate::manifest::model::LlvmRequest;
use crate::metadata::{Metadata, Person};
use crate::names::is_identifier;
use crate::requirement;
use crate::spanned::Spanned;

impl Placer<'_> {
    pub(super) fn metadata(
        &self,
        package: &Package,
        llvm: &LlvmRequest,
        minimum: (u8, u8),
    ) -> Result<Metadata> {
        let distribution = self.needed(package.distribution.as_ref(), "distribution")?;
        let license = self.needed(package.license.as_ref(), "license")?;
        self.distribution(distribution)?;
        let version = match &package.version {
            Some(version) => self.version(version)?,
            None => llvm.exact.clone().unwrap_or_else(|| llvm.major.to_string()),
        };
        self.license(license)?;
        let license_files = self.paths(&package.license_files, "file", Utf8Path::is_file)?;
        self.distinct_names(&package.license_files)?;
        for line in package
            .summary
            .iter()
            .chain(&package.keywords)
            .chain(&package.classifiers)
            .chain(&package.requires)
            .chain(package.more.extras.values().flatten())
        {
            self.one_line(line)?;
        }
        self.keywords(&package.keywords)?;
        self.classifiers(&package.classifiers)?;
        self.requires(&package.requires)?;
        for (extra, requirements) in &package.more.extras {
            self.requires(requirements)?;
            if !is_distribution_name(extra) {
                let what = format!("invalid name of an extra: `{extra}`");
                let first = requirements.first().map_or(0..0, Spanned::span);
                return Err(self.refuse(first, what));
            }
        }
        let names = package.more.import_names.iter().flatten();
        self.imports(names.chain(&package.more.import_namespaces))?;
        let entry_points = self.entry_points(&package.more.entry_points)?;
        Ok(Metadata {
            distribution: distribution.get_ref().clone(),
            version,
            summary: package
                .summary
                .as_ref()
                .map(|summary| summary.get_ref().clone()),
            license: license.get_ref().clone(),
            license_files,
            authors: self.authors(&package.authors)?,
            urls: self.urls(&package.urls)?,
            readme: self.readme(package.readme.as_ref())?,
            requires_python: match &package.more.requires_python {
                Some(whole) => whole.get_ref().replace(' ', ""),
                None => format!(">={}.{}", minimum.0, minimum.1),
            },
            requires: words(&package.requires),
            keywords: words(&package.keywords),
            classifiers: words(&package.classifiers),
            maintainers: self.authors(&package.more.maintainers)?,
            extras: package
                .more
                .extras
                .iter()
                .map(|(extra, requirements)| (extra.clone(), words(requirements)))
                .collect(),
            import_names: package.more.import_names.as_deref().map(words),
            import_namespaces: words(&package.more.import_namespaces),
            entry_points,
        })
    }

    /// A key of `[package]` that no wheel can do without.
    fn needed<'a>(
        &self,
        value: Option<&'a Spanned<String>>,
        key: &str,
    ) -> Result<&'a Spanned<String>> {
        value.ok_or_else(|| self.missing(key))
    }

    /// PEP 794: modules, each once, with the packages that they are in.
    fn imports<'a>(&self, all: impl Iterator<Item = &'a Spanned<String>> + Clone) -> Result<()> {
        let module = |word: &'a Spanned<String>| match word.get_ref().split_once(';') {
            Some((name, private)) if private.trim() == "private" => Some(name.trim()),
            Some(_) => None,
            None => Some(word.get_ref().as_str()),
        };
        let mut names = BTreeSet::new();
        for word in all.clone() {
            let Some(name) = module(word).filter(|name| name.split('.').all(is_identifier)) else {
                let what = format!("invalid module name: `{}`", word.get_ref());
                return Err(self
                    .refuse(word.span(), what)
                    .help("write it like `acme.tools`, or `acme._parts; private`"));
            };
            if !names.insert(name) {
                let what = format!("the module `{name}` is listed twice");
                return Err(self.refuse(word.span(), what));
            }
        }
        for word in all {
            let parent = module(word).and_then(|name| name.rsplit_once('.'));
            if let Some((parent, _)) = parent
                && !names.contains(parent)
            {
                let what = format!(
                    "`{}` is in the package `{parent}`, which is not listed",
                    word.get_ref()
                );
                return Err(self.refuse(word.span(), what).because(
                    "PEP 794 requires a module's package in `import-names` or \
                         `import-namespaces`",
                ));
            }
        }
        Ok(())
    }

    fn entry_points(
        &self,
        groups: &BTreeMap<String, BTreeMap<String, Spanned<String>>>,
    ) -> Result<BTreeMap<String, BTreeMap<String, String>>> {
        for (group, names) in groups {
            for (name, object) in names {
                self.entry_point(group, name, object)?;
            }
        }
        let plain = |names: &BTreeMap<String, Spanned<String>>| {
            let names = names.iter();
            names
                .map(|(name, object)| (name.clone(), object.get_ref().clone()))
                .collect()
        };
        Ok(groups
            .iter()
            .map(|(group, names)| (group.clone(), plain(names)))
            .collect())
    }

    fn entry_point(&self, group: &str, name: &str, object: &Spanned<String>) -> Result<()> {
        let word = object.get_ref();
        let refuse = |what: String| self.refuse(object.span(), what);
        let (reference, _extras) = word.split_once('[').unwrap_or((word, ""));
        let mut parts = reference.trim().split([':', '.']);
        let is_script = matches!(group, "console_scripts" | "gui_scripts");
        let is_plain =
            |character: char| character.is_ascii_alphanumeric() || "._-".contains(character);
        if is_script && (name.is_empty() || !name.chars().all(is_plain)) {
            return Err(refuse(format!("invalid script name: `{name}`"))
                .because("it becomes a file name: use ASCII letters, digits, `.`, `_` and `-`"));
        }
        if name.trim() != name
            || name.is_empty()
            || name.contains(['=', '\n', '['])
            || !parts.all(|part| is_identifier(part.trim()))
        {
            return Err(refuse(format!("invalid entry point: `{name} = {word}`"))
                .help("an entry point names an object: `package.module:function`"));
        }
        Ok(())
    }

    pub(super) fn distribution(&self, name: &Spanned<String>) -> Result<()> {
        self.short(name, "distribution", LONGEST_NAME)?;
        let word = name.get_ref();
        if is_distribution_name(word) {
            return Ok(());
        }
        Err(self
            .refuse(name.span(), format!("invalid distribution name: `{word}`"))
            .because(
                "PEP 508 allows ASCII letters, digits, `.`, `-` and `_`, with a letter or digit at \
                 both ends",
            ))
    }

    /// PEP 440, in its normal form.
    fn version(&self, version: &Spanned<String>) -> Result<String> {
        self.short(version, "version", LONGEST_VERSION)?;
        match pep440_rs::Version::from_str(version.get_ref()) {
            Ok(version) => Ok(version.to_string()),
            Err(error) => Err(self
                .refuse(
                    version.span(),
                    format!("invalid version: `{}` (PEP 440)", version.get_ref()),
                )
                .because(error.to_string())
                .help(
                    "write it like `22.1.8` or `22.1.8.post1`, or remove it to use LLVM's \
                     version",
                )),
        }
    }

    fn license(&self, license: &Spanned<String>) -> Result<()> {
        let word = license.get_ref();
        match spdx::Expression::parse(word) {
            Ok(_) => Ok(()),
            Err(error) => Err(self
                .refuse(
                    license.span(),
                    format!("invalid SPDX licence expression: `{word}`"),
                )
                .because(format!(
                    "{}: `{}`",
                    error.reason,
                    word.get(error.span.clone()).unwrap_or(word)
                ))
                .help(
                    "use identifiers from the SPDX licence list: `MIT`, `Apache-2.0 WITH \
                     LLVM-exception`",
                )),
        }
    }

    /// The wheel keeps licence files by name in one folder.
    fn distinct_names(&self, files: &[Spanned<String>]) -> Result<()> {
        let mut seen = BTreeSet::new();
        for file in files {
            let name = Utf8Path::new(file.get_ref()).file_name();
            if !seen.insert(name) {
                return Err(self
                    .refuse(
                        file.span(),
                        format!("two licence files are named `{}`", name.unwrap_or_default()),
                    )
                    .because("both would be in one folder of the wheel")
                    .help("rename one of them"));
            }
        }
        Ok(())
    }

    /// A line break in one of these would begin another field of the wheel's METADATA.
    fn one_line(&self, line: &Spanned<String>) -> Result<()> {
        if line.get_ref().trim().is_empty() {
            return Err(self
                .refuse(line.span(), "the value is empty")
                .help("remove it"));
        }
        if line.get_ref().contains(char::is_control) {
            return Err(self
                .refuse(line.span(), "the value is not a single line of text")
                .because("it contains a line break or another control character"));
        }
        Ok(())
    }

    fn keywords(&self, keywords: &[Spanned<String>]) -> Result<()> {
        match keywords.iter().find(|word| word.get_ref().contains(',')) {
            None => Ok(()),
            Some(word) => Err(self
                .refuse(
                    word.span(),
                    format!("`{}` is not a single keyword", word.get_ref()),
                )
                .because("the metadata separates keywords with commas")
                .help("split it into separate keywords")),
        }
    }

    fn classifiers(&self, classifiers: &[Spanned<String>]) -> Result<()> {
        for classifier in classifiers {
            let word = classifier.get_ref();
            if word.starts_with("License ::") {
                return Err(self
                    .refuse(
                        classifier.span(),
                        format!("`{word}` is a licence classifier"),
                    )
                    .because("PEP 639 does not allow licence classifiers with a licence expression")
                    .help("remove it; `license` already states the licence"));
            }
            let first = word.split_once(" :: ").map(|(first, _)| first);
            if !first.is_some_and(|first| CLASSIFIERS.contains(&first)) {
                return Err(self
                    .refuse(classifier.span(), format!("unknown classifier: `{word}`"))
                    .because(format!("classifiers begin with {}", CLASSIFIERS.join(", ")))
                    .help("classifiers look like `Topic :: Software Development :: Compilers`"));
            }
        }
        Ok(())
    }

    fn requires(&self, requires: &[Spanned<String>]) -> Result<()> {
        for requirement in requires {
            let word = requirement.get_ref();
            if let Err(why) = requirement::check(word) {
                return Err(self
                    .refuse(
                        requirement.span(),
                        format!("invalid requirement: `{word}` (PEP 508)"),
                    )
                    .because(why)
                    .help("requirements look like `numpy>=2`"));
            }
        }
        Ok(())
    }

    fn authors(&self, authors: &[Spanned<Author>]) -> Result<Vec<Person>> {
        authors
            .iter()
            .map(|author| {
                let Author { name, email } = author.get_ref().clone();
                let person = Person { name, email };
                match person.flaw() {
                    Some(flaw) => Err(self.refuse(author.span(), flaw)),
                    None => Ok(person),
                }
            })
            .collect()
    }

    fn urls(&self, urls: &BTreeMap<String, Spanned<String>>) -> Result<BTreeMap<String, String>> {
        for (label, url) in urls {
            let word = url.get_ref();
            if label.is_empty()
                || label.chars().count() > LONGEST_URL_LABEL
                || label.contains(|c: char| c == ',' || c.is_control())
            {
                return Err(self
                    .refuse(url.span(), format!("invalid URL label: `{label}`"))
                    .because("a label has 1 to 32 characters and no comma"));
            }
            if !is_web_address(word) {
                return Err(self
                    .refuse(url.span(), format!("invalid URL: `{word}`"))
                    .help("write it in full: `https://…`"));
            }
        }
        Ok(urls
            .iter()
            .map(|(label, url)| (label.clone(), url.get_ref().clone()))
            .collect())
    }

    fn readme(&self, readme: Option<&Spanned<String>>) -> Result<Option<Utf8PathBuf>> {
        let Some(readme) = readme else {
            return Ok(None);
        };
        let path = self.path(readme, "file", &Utf8Path::is_file)?;
        match path.extension() {
            Some("md" | "rst" | "txt") => Ok(Some(path)),
            _ => Err(self
                .refuse(
                    readme.span(),
                    format!("invalid readme: `{}`", readme.get_ref()),
                )
                .because("the suffix sets the content type: `.md`, `.rst` or `.txt`")),
        }
    }
}

fn words(list: &[Spanned<String>]) -> Vec<String> {
    list.iter().map(|word| word.get_ref().clone()).collect()
}
