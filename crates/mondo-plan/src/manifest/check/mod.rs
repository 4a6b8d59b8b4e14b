//! The check of the values in a manifest, and the checked form that they become.

mod metadata;

use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::glibc::GlibcVersion;

use super::file::{File, Link, Llvm, Package, Sdist, Wheel};
use super::model::{
    LinkOptions, LlvmRequest, Manifest, Overrides, PythonPlan, SdistPlan, UnwindTables, WheelPlan,
};
use super::project;
use super::project_folders;
use super::project_names;
use super::pyproject::FILE_NAME;
use crate::document::Document;
use crate::names::{is_identifier, is_keyword, reserved};
use crate::spanned::Spanned;

/// The stable ABI that PyO3 is built for here; a lower minimum would load an extension that calls
/// functions its interpreter does not have.
const LOWEST_PYTHON: (u8, u8) = (3, 10);

/// The most bytes of a label. A file's name has at most 255, and holds more than the label.
const LONGEST_LABEL: usize = 64;

/// The most bytes of the name of a distribution or of an import root.
const LONGEST_NAME: usize = 128;

/// The most bytes of a version.
const LONGEST_VERSION: usize = 64;

pub(super) fn check(file: File, source: Document, overrides: &Overrides) -> Result<Manifest> {
    let at = Placer(&source);
    let File {
        package,
        llvm,
        contents,
        mut projects,
        link,
        wheel,
        sdist,
        ..
    } = file;
    let mut package = package.unwrap_or_default();
    let label = match &overrides.label {
        None => at.label(package.label.as_ref())?,
        Some(label) => {
            relabel(&mut package, &mut projects, label);
            let label = Spanned::new(0..0, label.clone());
            at.label(Some(&label))
                .map_err(|error| error.at("--label"))?
        }
    };
    let import_root = at.import_root(package.import_root.as_ref(), label.as_deref())?;
    let (request, llvm_place) = match &overrides.llvm {
        None => {
            let place = source.place(llvm.version.span().start);
            (at.llvm(&llvm.version, &llvm)?, place)
        }
        Some(version) => {
            let version = Spanned::new(0..0, version.clone());
            let request = at
                .llvm(&version, &llvm)
                .map_err(|error| error.at("--llvm"))?;
            (request, "--llvm".to_owned())
        }
    };
    let minimum = at.python_minimum(package.python.as_ref())?;
    let sources = at.paths(&package.python_sources, "folder", Utf8Path::is_dir)?;
    let link = at.link(&link)?;
    let mut wheel = at.wheel(&wheel)?;
    wheel.single |= overrides.one_wheel;
    // The budget is that of the manifest's own LLVM.
    let major = at.llvm(&llvm.version, &llvm).map(|own| own.major);
    if major.is_ok_and(|major| major != request.major) {
        wheel.size_budget = None;
    }
    let metadata = at.metadata(&package, &request, minimum)?;
    for wheel in package.wheels.values() {
        at.distribution(wheel)?;
    }
    let projects = project::check(projects, &source)?;
    project_folders::check(&projects)?;
    project_names::check_commands(&projects)?;
    project_names::check_tools(&projects, &contents.tools)?;
    for wheel in projects.iter().filter_map(|project| project.wheel.as_ref()) {
        at.distribution(wheel)?;
    }
    let version_follows_llvm = package.version.is_none();
    let wheels = package.wheels;
    let manifest = Manifest {
        label,
        import_root,
        llvm_place,
        llvm: request,
        targets: llvm.targets,
        crates: contents.crates,
        wheels,
        wheel_sources: BTreeMap::new(),
        dialects: contents.dialects,
        passes: contents.passes,
        translations: contents.translations,
        execution_engine: contents.execution_engine,
        runtime: contents.runtime,
        tools: contents.tools,
        projects,
        python: PythonPlan {
            minimum,
            sources,
            aliases: BTreeMap::new(),
        },
        link,
        wheel,
        sdist: at.sdist(&sdist)?,
        metadata,
        version_follows_llvm,
        source,
    };
    project_names::check_wheels(&manifest)?;
    Ok(manifest)
}

/// The names of wheels under another label than the manifest's: `acme` makes `acme-mlir` of
/// `mondo-mlir`, and of `corp-mlir` under the label `corp`. So wheels of several labels never take
/// each other's place.
fn relabel(package: &mut Package, projects: &mut [project::File], label: &str) {
    let written = package.label.as_ref();
    let before = written.map_or("mondo", |label| label.get_ref().as_str());
    if before == label {
        return;
    }
    let (before, after) = (before.replace('_', "-"), label.replace('_', "-"));
    let renamed = |name: &str| match name.strip_prefix(before.as_str()) {
        Some(rest) if rest.is_empty() || rest.starts_with('-') => format!("{after}{rest}"),
        _ => format!("{after}-{name}"),
    };
    for name in package
        .distribution
        .iter_mut()
        .chain(package.wheels.values_mut())
        .chain(projects.iter_mut().filter_map(project::File::wheel_mut))
    {
        *name = Spanned::new(name.span(), renamed(name.get_ref()));
    }
}

/// Checks words, and places what is wrong with them.
struct Placer<'a>(&'a Document);

impl Placer<'_> {
    fn refuse(&self, span: Range<usize>, what: impl Into<String>) -> Error {
        self.0.error(ErrorKind::Manifest, span, what)
    }

    /// The error of a key that `[package]` lacks.
    fn missing(&self, key: &str) -> Error {
        self.0
            .error(
                ErrorKind::Manifest,
                self.0.table_span("package"),
                format!("missing key `{key}` in [package]"),
            )
            .help(format!("add `{key} = …`"))
    }

    fn sdist(&self, sdist: &Sdist) -> Result<SdistPlan> {
        for pattern in sdist.include.iter().chain(&sdist.exclude) {
            let word = pattern.get_ref();
            if word.trim().is_empty() || word.starts_with(['!', '#']) || word.contains('\n') {
                return Err(self
                    .refuse(pattern.span(), format!("invalid file pattern: `{word}`"))
                    .help("use the syntax of .gitignore: `docs/`, `*.log`, `/data`"));
            }
        }
        let words =
            |list: &[Spanned<String>]| list.iter().map(|word| word.get_ref().clone()).collect();
        Ok(SdistPlan {
            include: words(&sdist.include),
            exclude: words(&sdist.exclude),
        })
    }

    fn label(&self, label: Option<&Spanned<String>>) -> Result<Option<String>> {
        let Some(label) = label else {
            return Ok(None);
        };
        self.short(label, "label", LONGEST_LABEL)?;
        let word = label.get_ref();
        let refuse = |why: &str| {
            Err(self
                .refuse(label.span(), format!("invalid label: `{word}`"))
                .because(why)
                .help("choose a distinctive word, such as your project's name: `acme`"))
        };
        if !is_identifier(word) || word.starts_with('_') {
            return refuse(
                "a label becomes a package name and part of a file name, so it must be a \
                 Python identifier that begins with a letter",
            );
        }
        if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return refuse("a label must be lower case, because some file systems ignore case");
        }
        if is_keyword(word) {
            return refuse("it is a Python keyword, so it cannot be imported");
        }
        if let Some(why) = reserved(word) {
            return refuse(why);
        }
        Ok(Some(word.clone()))
    }

    /// Refuses a word that makes names of files too long.
    fn short(&self, word: &Spanned<String>, key: &str, most: usize) -> Result<()> {
        let length = word.get_ref().len();
        if length <= most {
            return Ok(());
        }
        let start: String = word.get_ref().chars().take(most).collect();
        Err(self
            .refuse(word.span(), format!("`{start}…` is too long for `{key}`"))
            .because(format!(
                "it has {length} bytes; the limit is {most}, because it becomes part of file \
                 names"
            )))
    }

    /// Without a label the root is `mlir`: the library's name is taken from the label, and two
    /// packages with one library name would clash. With a label it is any package but upstream's.
    fn import_root(&self, root: Option<&Spanned<String>>, label: Option<&str>) -> Result<String> {
        let Some(root) = root else {
            return Ok(label.map_or_else(|| "mlir".to_owned(), |label| format!("{label}.mlir")));
        };
        self.short(root, "import-root", LONGEST_NAME)?;
        let word = root.get_ref();
        let refused = || self.refuse(root.span(), format!("invalid import root: `{word}`"));
        for part in word.split('.') {
            if !is_identifier(part) || is_keyword(part) {
                return Err(refused()
                    .because(format!("its part `{part}` is not a Python identifier"))
                    .help("join identifiers with dots: `acme.mlir`"));
            }
        }
        let first = word.split('.').next().unwrap_or_default();
        match label {
            None if word == "mlir" => Ok(word.clone()),
            None => Err(refused()
                .because("the import root of a bundle without a label is `mlir`, as upstream's")
                .help("set a label, or remove `import-root`")),
            Some(label) => match reserved(first) {
                None => Ok(word.clone()),
                Some(why) => Err(refused()
                    .because(format!("name conflict: {why}"))
                    .help(format!("put it into your own package: `{label}.mlir`"))),
            },
        }
    }

    fn llvm(&self, version: &Spanned<String>, llvm: &Llvm) -> Result<LlvmRequest> {
        let word = version.get_ref();
        let mirror = llvm.mirror.clone();
        let packages = llvm
            .packages
            .iter()
            .map(|package| package.get_ref().clone())
            .collect();
        let numbers: Option<Vec<u32>> = word.split('.').map(number).collect();
        match numbers.as_deref() {
            Some([major]) => Ok(LlvmRequest {
                major: *major,
                exact: None,
                packages,
                mirror,
            }),
            Some([major, _, _]) => Ok(LlvmRequest {
                major: *major,
                exact: Some(word.clone()),
                packages,
                mirror,
            }),
            _ => Err(self
                .refuse(version.span(), format!("invalid LLVM version: `{word}`"))
                .help("write a major version, `\"22\"`, or a full version, `\"22.1.8\"`")),
        }
    }

    fn python_minimum(&self, minimum: Option<&Spanned<String>>) -> Result<(u8, u8)> {
        let Some(minimum) = minimum else {
            return Ok(LOWEST_PYTHON);
        };
        let word = minimum.get_ref();
        let refused = || self.refuse(minimum.span(), format!("invalid minimum Python: `{word}`"));
        let parsed = word
            .strip_prefix("3.")
            .and_then(number)
            .and_then(|minor| u8::try_from(minor).ok())
            .ok_or_else(|| refused().help("write it like `\"3.10\"`"))?;
        if (3, parsed) < LOWEST_PYTHON {
            return Err(refused()
                .because("the extension uses the stable ABI of CPython 3.10")
                .help("write `\"3.10\"` or later, or remove `python`"));
        }
        Ok((3, parsed))
    }

    fn link(&self, link: &Link) -> Result<LinkOptions> {
        let minimum_glibc = match &link.minimum_glibc {
            None => GlibcVersion::DEFAULT,
            Some(minimum) => {
                let word = minimum.get_ref();
                let refused = |_| {
                    self.refuse(minimum.span(), format!("invalid glibc version: `{word}`"))
                        .help("write it like `\"2.36\"`")
                };
                GlibcVersion::from_str(word).map_err(refused)?
            }
        };
        if *link.optimize.get_ref() > 2 {
            return Err(self
                .refuse(link.optimize.span(), "`link.optimize` is out of range")
                .because("the linker has the levels 0, 1 and 2"));
        }
        Ok(LinkOptions {
            minimum_glibc: Some(minimum_glibc),
            gc_sections: link.gc_sections,
            icf: link.icf,
            optimize: *link.optimize.get_ref(),
            sort_for_compression: link.sort_for_compression,
            unwind_tables: self.unwind_tables(link)?,
            strip: link.strip,
        })
    }

    fn unwind_tables(&self, link: &Link) -> Result<UnwindTables> {
        let Some(word) = &link.unwind_tables else {
            return Ok(UnwindTables::default());
        };
        match word.get_ref().as_str() {
            "all" => Ok(UnwindTables::All),
            "callbacks" => Ok(UnwindTables::Callbacks),
            "none" => Ok(UnwindTables::None),
            other => Err(self
                .refuse(
                    word.span(),
                    format!("invalid `link.unwind-tables`: `{other}`"),
                )
                .help("write `\"all\"`, `\"callbacks\"` or `\"none\"`")),
        }
    }

    fn wheel(&self, wheel: &Wheel) -> Result<WheelPlan> {
        let best = match wheel.compression.as_ref().map(Spanned::get_ref) {
            None => false,
            Some(word) if word == "fast" => false,
            Some(word) if word == "best" => true,
            Some(word) => {
                let span = wheel.compression.as_ref().map_or(0..0, Spanned::span);
                return Err(self
                    .refuse(span, format!("invalid compression: `{word}`"))
                    .help("write `\"fast\"` or `\"best\"`"));
            }
        };
        let size_budget = wheel.size_budget.as_ref().map(|budget| {
            megabytes(budget.get_ref()).ok_or_else(|| {
                self.refuse(
                    budget.span(),
                    format!("invalid size: `{}`", budget.get_ref()),
                )
                .help("write it like `\"2.5 MB\"`: millions of bytes, with at most six decimals")
            })
        });
        Ok(WheelPlan {
            best,
            size_budget: size_budget.transpose()?,
            single: wheel.single || self.0.file_name() == FILE_NAME,
        })
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
                format!("the {what} `{}` does not exist", written.get_ref()),
            )
            .because(format!("`{joined}` does not exist"))
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

/// `2.5 MB` in bytes.
fn megabytes(text: &str) -> Option<u64> {
    let number_text = text.strip_suffix(" MB")?;
    let (whole, part) = number_text.split_once('.').unwrap_or((number_text, "0"));
    if part.is_empty() || part.len() > 6 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let millionths: u64 = format!("{part:0<6}").parse().ok()?;
    u64::from(number(whole)?)
        .checked_mul(1_000_000)?
        .checked_add(millionths)
}

/// A decimal number without sign or leading zero.
fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = text == "0" || !text.starts_with('0');
    (plain && canonical).then(|| text.parse().ok()).flatten()
}
