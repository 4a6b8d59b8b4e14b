//! Whether a manifest's words mean what they should, and the checked form they become.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::str::FromStr;

use camino::{Utf8Path, Utf8PathBuf};
use toml::Spanned;

use super::file::{Author, File, Link, Llvm, Package};
use super::names::{is_identifier, is_keyword, reserved};
use super::source::Source;
use super::{LinkOptions, LlvmRequest, Manifest, PythonPlan};
use crate::error::{Error, ErrorKind, Result};
use crate::wheel::metadata::{Metadata, Person};

/// The stable ABI that PyO3 is built for here; a lower floor would load an extension that calls
/// functions its interpreter does not have.
const LOWEST_PYTHON: (u8, u8) = (3, 10);

/// Core metadata allows no longer label of a `Project-URL`.
const LONGEST_URL_LABEL: usize = 32;

pub(super) fn check(file: File, source: Source) -> Result<Manifest> {
    let at = Placer(&source);
    let File {
        package,
        llvm,
        contents,
        link,
        ..
    } = file;
    let label = at.label(package.label.as_ref())?;
    let import_root = at.import_root(package.import_root.as_ref(), label.as_deref())?;
    let request = at.llvm(&llvm)?;
    let floor = at.python_floor(package.python.as_ref())?;
    let sources = at.paths(&package.python_sources, "folder", Utf8Path::is_dir)?;
    let link = at.link(&link)?;
    let metadata = at.metadata(&package, &request, floor)?;
    Ok(Manifest {
        label,
        import_root,
        llvm_span: llvm.version.span(),
        llvm: request,
        targets: llvm.targets,
        dialects: contents.dialects,
        passes: contents.passes,
        translations: contents.translations,
        execution_engine: contents.execution_engine,
        python: PythonPlan { floor, sources },
        link,
        metadata,
        version_follows_llvm: package.version.is_none(),
        source,
    })
}

/// Checks words, and places what is wrong with them.
struct Placer<'a>(&'a Source);

impl Placer<'_> {
    fn refuse(&self, span: Range<usize>, what: impl Into<String>) -> Error {
        self.0.error(ErrorKind::Manifest, span, what)
    }

    fn label(&self, label: Option<&Spanned<String>>) -> Result<Option<String>> {
        let Some(label) = label else {
            return Ok(None);
        };
        let word = label.get_ref();
        let refuse = |why: &str| {
            Err(self
                .refuse(label.span(), format!("`{word}` cannot be a label"))
                .because(why)
                .help("choose a word of your own, such as your project's name: `acme`"))
        };
        if !is_identifier(word) || word.starts_with('_') {
            return refuse(
                "a label is a Python identifier that begins with a letter: it becomes a package's \
                 name and part of a file's",
            );
        }
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return refuse("a label is in lower case: file systems differ in telling case apart");
        }
        if is_keyword(word) {
            return refuse("it is a keyword of Python, so nothing could import it");
        }
        if let Some(why) = reserved(word) {
            return refuse(why);
        }
        Ok(Some(word.clone()))
    }

    /// Without a label the root is `mlir`: the library's name is taken from the label, and two
    /// packages with one library name would clash. With a label it is any package but upstream's.
    fn import_root(&self, root: Option<&Spanned<String>>, label: Option<&str>) -> Result<String> {
        let Some(root) = root else {
            return Ok(label.map_or_else(|| "mlir".to_owned(), |label| format!("{label}.mlir")));
        };
        let word = root.get_ref();
        let refused = || self.refuse(root.span(), format!("`{word}` cannot be the import root"));
        for part in word.split('.') {
            if !is_identifier(part) || is_keyword(part) {
                return Err(refused()
                    .because(format!("its part `{part}` is not a Python identifier"))
                    .help("write identifiers with dots between them: `acme.mlir`"));
            }
        }
        let first = word.split('.').next().unwrap_or_default();
        match label {
            None if word == "mlir" => Ok(word.clone()),
            None => Err(refused()
                .because("a bundle without a label is upstream's `mlir`")
                .help("give the bundle a label, or leave `import-root` out")),
            Some(label) => match reserved(first) {
                None => Ok(word.clone()),
                Some(why) => Err(refused()
                    .because(format!("it clashes: {why}"))
                    .help(format!("put it under your own package: `{label}.mlir`"))),
            },
        }
    }

    fn llvm(&self, llvm: &Llvm) -> Result<LlvmRequest> {
        let word = llvm.version.get_ref();
        let numbers: Option<Vec<u32>> = word.split('.').map(number).collect();
        match numbers.as_deref() {
            Some([major]) => Ok(LlvmRequest {
                major: *major,
                exact: None,
            }),
            Some([major, _, _]) => Ok(LlvmRequest {
                major: *major,
                exact: Some(word.clone()),
            }),
            _ => Err(self
                .refuse(
                    llvm.version.span(),
                    format!("`{word}` is not an LLVM version"),
                )
                .help("write a major version, `\"22\"`, or a full one, `\"22.1.8\"`")),
        }
    }

    fn python_floor(&self, floor: Option<&Spanned<String>>) -> Result<(u8, u8)> {
        let Some(floor) = floor else {
            return Ok(LOWEST_PYTHON);
        };
        let word = floor.get_ref();
        let refused = || self.refuse(floor.span(), format!("`{word}` cannot be the Python floor"));
        let parsed = word
            .strip_prefix("3.")
            .and_then(number)
            .and_then(|minor| u8::try_from(minor).ok())
            .ok_or_else(|| refused().help("write it as `\"3.10\"`"))?;
        if (3, parsed) < LOWEST_PYTHON {
            return Err(refused()
                .because("the extension is built for the stable ABI of CPython 3.10")
                .help("write `\"3.10\"` or later, or leave `python` out"));
        }
        Ok((3, parsed))
    }

    fn link(&self, link: &Link) -> Result<LinkOptions> {
        if let Some(floor) = &link.glibc_floor {
            let word = floor.get_ref();
            if word.strip_prefix("2.").and_then(number).is_none() {
                return Err(self
                    .refuse(floor.span(), format!("`{word}` is not a glibc version"))
                    .help("write it as `\"2.36\"`"));
            }
        }
        if *link.optimize.get_ref() > 2 {
            return Err(self
                .refuse(link.optimize.span(), "`link.optimize` is out of range")
                .because("the linker has the levels 0, 1 and 2"));
        }
        Ok(LinkOptions {
            glibc_floor: link
                .glibc_floor
                .as_ref()
                .map(|floor| floor.get_ref().clone()),
            gc_sections: link.gc_sections,
            icf: link.icf,
            optimize: *link.optimize.get_ref(),
            strip: link.strip,
        })
    }

    fn metadata(&self, package: &Package, llvm: &LlvmRequest, floor: (u8, u8)) -> Result<Metadata> {
        self.distribution(&package.distribution)?;
        let version = match &package.version {
            Some(version) => self.version(version)?,
            None => llvm.exact.clone().unwrap_or_else(|| llvm.major.to_string()),
        };
        self.license(&package.license)?;
        let license_files = self.paths(&package.license_files, "file", Utf8Path::is_file)?;
        self.distinct_names(&package.license_files)?;
        for line in package
            .summary
            .iter()
            .chain(&package.keywords)
            .chain(&package.classifiers)
            .chain(&package.requires)
        {
            self.one_line(line)?;
        }
        self.keywords(&package.keywords)?;
        self.classifiers(&package.classifiers)?;
        self.requires(&package.requires)?;
        Ok(Metadata {
            distribution: package.distribution.get_ref().clone(),
            version,
            summary: package
                .summary
                .as_ref()
                .map(|summary| summary.get_ref().clone()),
            license: package.license.get_ref().clone(),
            license_files,
            authors: self.authors(&package.authors)?,
            urls: self.urls(&package.urls)?,
            readme: self.readme(package.readme.as_ref())?,
            requires_python: format!(">={}.{}", floor.0, floor.1),
            requires: words(&package.requires),
            keywords: words(&package.keywords),
            classifiers: words(&package.classifiers),
        })
    }

    fn distribution(&self, name: &Spanned<String>) -> Result<()> {
        let word = name.get_ref();
        if distribution_name_length(word) == Some(word.len()) {
            return Ok(());
        }
        Err(self
            .refuse(name.span(), format!("`{word}` is not a distribution name"))
            .because(
                "PEP 508 allows ASCII letters, digits, `.`, `-` and `_`, with a letter or digit at \
                 both ends",
            ))
    }

    /// PEP 440, in its normal form.
    fn version(&self, version: &Spanned<String>) -> Result<String> {
        match pep440_rs::Version::from_str(version.get_ref()) {
            Ok(version) => Ok(version.to_string()),
            Err(error) => Err(self
                .refuse(
                    version.span(),
                    format!("`{}` is not a version (PEP 440)", version.get_ref()),
                )
                .because(error.to_string())
                .help("write it as `22.1.8`, or `22.1.8.post1`, or leave it out for LLVM's")),
        }
    }

    fn license(&self, license: &Spanned<String>) -> Result<()> {
        let word = license.get_ref();
        match spdx::Expression::parse(word) {
            Ok(_) => Ok(()),
            Err(error) => Err(self
                .refuse(
                    license.span(),
                    format!("`{word}` is not an SPDX licence expression"),
                )
                .because(format!(
                    "{}: `{}`",
                    error.reason,
                    word.get(error.span.clone()).unwrap_or(word)
                ))
                .help(
                    "write identifiers of the SPDX licence list: `MIT`, `Apache-2.0 WITH \
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
                    .because("they share one folder in the wheel")
                    .help("rename one of them"));
            }
        }
        Ok(())
    }

    /// A line break in one of these would begin another field of the wheel's METADATA.
    fn one_line(&self, line: &Spanned<String>) -> Result<()> {
        if line.get_ref().trim().is_empty() {
            return Err(self
                .refuse(line.span(), "this is empty")
                .help("leave it out"));
        }
        if line.get_ref().contains(char::is_control) {
            return Err(self
                .refuse(line.span(), "this is more than one line of text")
                .because("it has a line break or another control character in it"));
        }
        Ok(())
    }

    fn keywords(&self, keywords: &[Spanned<String>]) -> Result<()> {
        match keywords.iter().find(|word| word.get_ref().contains(',')) {
            None => Ok(()),
            Some(word) => Err(self
                .refuse(
                    word.span(),
                    format!("`{}` is not one keyword", word.get_ref()),
                )
                .because("metadata separates keywords by commas")
                .help("make it several")),
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
                    .because("PEP 639 does not allow them beside a licence expression")
                    .help("remove it; `license` says it"));
            }
            if !word.contains(" :: ") {
                return Err(self
                    .refuse(classifier.span(), format!("`{word}` is not a classifier"))
                    .help("classifiers look like `Topic :: Software Development :: Compilers`"));
            }
        }
        Ok(())
    }

    /// Only the name and what may follow it; pip reads the rest.
    fn requires(&self, requires: &[Spanned<String>]) -> Result<()> {
        for requirement in requires {
            let word = requirement.get_ref();
            let rest = distribution_name_length(word).map(|end| word[end..].trim_start());
            let follows = |rest: &str| {
                rest.is_empty() || rest.starts_with(['<', '>', '=', '!', '~', '[', '(', ';', '@'])
            };
            if !rest.is_some_and(follows) {
                return Err(self
                    .refuse(
                        requirement.span(),
                        format!("`{word}` is not a requirement (PEP 508)"),
                    )
                    .help("requirements look like `numpy>=2`"));
            }
        }
        Ok(())
    }

    fn authors(&self, authors: &[Spanned<Author>]) -> Result<Vec<Person>> {
        authors
            .iter()
            .map(|author| {
                let Author { name, email } = author.get_ref();
                let refused = |what: &str| Err(self.refuse(author.span(), what));
                if name.is_none() && email.is_none() {
                    return refused("an author has a name, an address, or both");
                }
                if let Some(email) = email
                    && !is_email(email)
                {
                    return refused(&format!("`{email}` is not a mail address"));
                }
                let clean =
                    |name: &String| !name.trim().is_empty() && !name.contains(char::is_control);
                if !name.as_ref().is_none_or(clean) {
                    return refused("an author's name is one line of text");
                }
                Ok(Person {
                    name: name.clone(),
                    email: email.clone(),
                })
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
                    .refuse(
                        url.span(),
                        format!("`{label}` cannot be the label of an address"),
                    )
                    .because("it has 1 to 32 characters and no comma"));
            }
            let host = word
                .strip_prefix("https://")
                .or_else(|| word.strip_prefix("http://"))
                .map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
            let bad = |c: char| c.is_whitespace() || c.is_control();
            if host.is_none_or(str::is_empty) || word.contains(bad) {
                return Err(self
                    .refuse(url.span(), format!("`{word}` is not a web address"))
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
                    format!("`{}` cannot be the readme", readme.get_ref()),
                )
                .because("its content type is told by its ending: `.md`, `.rst` or `.txt`")),
        }
    }

    fn paths(
        &self,
        paths: &[Spanned<String>],
        what: &str,
        is_there: impl Fn(&Utf8Path) -> bool,
    ) -> Result<Vec<Utf8PathBuf>> {
        paths
            .iter()
            .map(|path| self.path(path, what, &is_there))
            .collect()
    }

    fn path(
        &self,
        written: &Spanned<String>,
        what: &str,
        is_there: &dyn Fn(&Utf8Path) -> bool,
    ) -> Result<Utf8PathBuf> {
        let joined = self.0.folder().join(written.get_ref());
        if is_there(&joined) {
            return resolve(&joined);
        }
        Err(self
            .refuse(
                written.span(),
                format!("there is no {what} `{}`", written.get_ref()),
            )
            .because(format!("`{joined}` was looked for"))
            .help("paths are relative to the manifest's folder"))
    }
}

/// The absolute path without `..`; a link in the last part stays, as its name is the file's.
fn resolve(path: &Utf8Path) -> Result<Utf8PathBuf> {
    let absolute = camino::absolute_utf8(path)?;
    match (absolute.parent(), absolute.file_name()) {
        (Some(folder), Some(name)) => Ok(folder.canonicalize_utf8()?.join(name)),
        _ => Ok(absolute.canonicalize_utf8()?),
    }
}

/// The length of the PEP 508 name that the text begins with, if it begins with one.
fn distribution_name_length(text: &str) -> Option<usize> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let end = text.find(|c| !allowed(c)).unwrap_or(text.len());
    let name = text[..end].as_bytes();
    let good = name.first()?.is_ascii_alphanumeric() && name.last()?.is_ascii_alphanumeric();
    good.then_some(end)
}

/// A decimal number without sign or leading zero.
fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = text == "0" || !text.starts_with('0');
    (plain && canonical).then(|| text.parse().ok()).flatten()
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

fn words(list: &[Spanned<String>]) -> Vec<String> {
    list.iter().map(|word| word.get_ref().clone()).collect()
}
