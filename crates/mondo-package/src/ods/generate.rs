//! Runs of mlir-tblgen: which modules a dialect and its extensions have, and where their ODS files are.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_link::compile::Digests;
use mondo_link::ods_apart;
use mondo_link::step::Step;
use mondo_plan::dialect_crate;
use mondo_plan::plan::{Plan, PlannedDialect};
use mondo_toolchain::{self as toolchain, Toolchain};
use rayon::prelude::*;

use super::{joined, plain};

/// The parts that are generated from ODS for one dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Operations,
    Enums,
}

impl Part {
    /// The name of the generated module of a dialect or of an extension, which is upstream's.
    pub(super) fn module(self, name: &str) -> String {
        match self {
            Self::Operations => format!("_{name}_ops_gen"),
            Self::Enums => format!("_{name}_enum_gen"),
        }
    }

    /// The classes of the module, in messages.
    fn what(self) -> &'static str {
        match self {
            Self::Operations => "Python classes",
            Self::Enums => "Python enums",
        }
    }
}

/// One module to generate.
struct Job<'a> {
    dialect: &'a PlannedDialect,
    /// The extension that the module is for, or none for the dialect itself.
    extension: Option<&'a str>,
    part: Part,
    files: Vec<&'a str>,
}

impl<'a> Job<'a> {
    /// The jobs for a dialect or for an extension: operations and enums, as far as there are ODS files for them.
    fn both(
        dialect: &'a PlannedDialect,
        extension: Option<&'a str>,
        ods: &'a [String],
        enums: Option<&'a str>,
    ) -> impl Iterator<Item = Self> {
        let job = move |part, files| Self {
            dialect,
            extension,
            part,
            files,
        };
        let operations: Vec<&str> = ods.iter().map(String::as_str).collect();
        let operations = (!operations.is_empty()).then(|| job(Part::Operations, operations));
        let enums = enums.map(|file| job(Part::Enums, vec![file]));
        operations.into_iter().chain(enums)
    }

    fn module(&self) -> String {
        self.part
            .module(self.extension.unwrap_or(&self.dialect.name))
    }

    /// The dialect's or extension's name in messages.
    fn whose(&self) -> String {
        let dialect = &self.dialect.name;
        match self.extension {
            Some(extension) => format!("the extension `{extension}` of the dialect `{dialect}`"),
            None => format!("the dialect `{dialect}`"),
        }
    }
}

/// Generates the modules of all dialects of `plan` that have Python. Each result is cached in `folder`, and generated
/// again if its command or a file that mlir-tblgen read for it has changed.
pub(super) fn generate_all(
    plan: &Plan,
    toolchain: &Toolchain,
    digests: &Digests,
    folder: &Utf8Path,
) -> Result<BTreeMap<String, String>> {
    let dialects = plan
        .dialects
        .iter()
        .filter(|dialect| dialect.python.is_some());
    let jobs: Vec<Job<'_>> = dialects
        .flat_map(|dialect| {
            let job = Job::both(dialect, None, &dialect.ods, dialect.enums.as_deref());
            let extensions = dialect.extensions.iter().flat_map(|extension| {
                let name = Some(extension.name.as_str());
                Job::both(dialect, name, &extension.ods, extension.enums.as_deref())
            });
            job.chain(extensions)
        })
        .collect();
    jobs.par_iter()
        .map(|job| {
            let place = Place::new(plan, job.dialect, toolchain);
            let text = generate(job, &place, toolchain, digests, folder)?;
            Ok((job.module(), text))
        })
        .collect()
}

/// The folders of a dialect's ODS files. The other fields are for messages: `said_by` is who assigned the files to
/// the dialect.
struct Place {
    roots: Vec<Utf8PathBuf>,
    said_by: String,
    kind: ErrorKind,
    help: String,
}

impl Place {
    fn new(plan: &Plan, dialect: &PlannedDialect, toolchain: &Toolchain) -> Self {
        let include = toolchain.prefix.join("include");
        let owner = dialect.of_crate.as_deref();
        match owner.and_then(|name| plan.dialect_crate(name)) {
            None => Self {
                roots: vec![include],
                said_by: "the catalogue".into(),
                kind: ErrorKind::Toolchain,
                help: CATALOGUE_HELP.into(),
            },
            Some(owner) => {
                let mut roots = owner.ods_roots();
                roots.extend(plan.crates.iter().flat_map(|one| one.include().to_vec()));
                roots.push(include);
                Self {
                    roots,
                    said_by: format!("the dialect crate `{}`", owner.name.get_ref()),
                    kind: ErrorKind::Manifest,
                    help: format!(
                        "correct `dialect.ods` and `dialect.enums` in {}, or the files they list",
                        owner.folder.join(dialect_crate::FILE_NAME)
                    ),
                }
            }
        }
    }

    /// The error of mlir-tblgen, with the next step.
    fn explained(&self, error: Error) -> Error {
        match error.kind() {
            ErrorKind::Compile => error.help(&self.help),
            _ => error,
        }
    }

    /// The first of the folders that contains `file`.
    fn root_of(&self, file: &str) -> Option<&Utf8PathBuf> {
        self.roots.iter().find(|root| root.join(file).is_file())
    }
}

/// Runs mlir-tblgen if its result is not cached. Where a dialect has several ODS files, the input is a generated file
/// that includes all of them; where these define the same names, each is read by itself.
fn generate(
    job: &Job<'_>,
    place: &Place,
    toolchain: &Toolchain,
    digests: &Digests,
    folder: &Utf8Path,
) -> Result<String> {
    let files = &job.files;
    let whose = job.whose();
    let missing: Vec<&str> = files
        .iter()
        .copied()
        .filter(|file| place.root_of(file).is_none())
        .collect();
    if !missing.is_empty() {
        return Err(Error::new(
            place.kind,
            format!("cannot generate Python classes for {whose}: an ODS file is missing"),
        )
        .at(searched(&place.roots))
        .because(format!("{} lists these files", place.said_by))
        .details(missing)
        .help(&place.help));
    }
    let python = match run(job, files, place, toolchain, digests, folder) {
        Err(error) if files.len() > 1 && ods_apart::is_needed(&error) => {
            let each = files.iter().map(|file| {
                let file = std::slice::from_ref(file);
                run(job, file, place, toolchain, digests, folder)
            });
            joined::one_module(&each.collect::<Result<Vec<_>>>()?)
        }
        together => together?,
    };
    let python = match job.part {
        Part::Operations => plain::plain(&python),
        Part::Enums => plain::shared_builders(&python),
    };
    checked(job, place, python)
}

/// The output of mlir-tblgen over these files of a module.
fn run(
    job: &Job<'_>,
    files: &[&str],
    place: &Place,
    toolchain: &Toolchain,
    digests: &Digests,
    folder: &Utf8Path,
) -> Result<String> {
    let (module, whose, listed) = (job.module(), job.whose(), files.join(", "));
    let includes: String = files
        .iter()
        .map(|file| format!("include \"{file}\"\n"))
        .collect();
    let what = job.part.what();
    let program = toolchain.prefix.join("bin/mlir-tblgen");
    let purpose = format!("make the {what} of {whose} from {listed}");
    let tool = Tool::new(program.as_str(), &purpose).fails_as(ErrorKind::Compile);
    let mut tool = toolchain::with_libraries(tool, toolchain);
    tool = match job.part {
        Part::Operations => tool
            .arg("-gen-python-op-bindings")
            .arg(format!("-bind-dialect={}", job.dialect.name)),
        Part::Enums => tool.arg("-gen-python-enum-bindings"),
    };
    if let (Part::Operations, Some(extension)) = (job.part, job.extension) {
        tool = tool.arg(format!("-dialect-extension={extension}"));
    }
    for root in &place.roots {
        tool = tool.args(["-I", root.as_str()]);
    }
    // Some ODS files include a file of their own folder by its name alone.
    let folders: BTreeSet<Utf8PathBuf> = files
        .iter()
        .filter_map(|file| Some(place.root_of(file)?.join(Utf8Path::new(file).parent()?)))
        .collect();
    for folder in folders {
        tool = tool.args(["-I", folder.as_str()]);
    }
    // The folder is shared with bundles that have other dialects or another LLVM, so the command is part of the key.
    let key = digest::short(format!("{}\n{includes}", tool.command_line()));
    let folder = folder.join(key);
    let root = folder.join(format!("{module}.td"));
    if fs_err::read(&root).ok().as_deref() != Some(includes.as_bytes()) {
        replace(&root, includes.as_bytes())?;
    }
    let output = folder.join(format!("{module}.py"));
    let depfile = folder.join(format!("{module}.d"));
    let first = files
        .iter()
        .find_map(|file| Some(place.root_of(file)?.join(file)));
    let step = Step {
        tool: tool
            .args(["-d", depfile.as_str(), "-o", output.as_str()])
            .arg(&root),
        version: format!("{} {}", toolchain.version, installed(&program)),
        output: output.clone(),
        folder,
        depfile,
        launcher: None,
        what: format!("could not {purpose}"),
        place: first.unwrap_or(root),
    };
    step.run(digests).map_err(|error| place.explained(error))?;
    Ok(fs_err::read_to_string(&output)?)
}

/// A module's text, unless it has nothing of the dialect or an operation twice.
fn checked(job: &Job<'_>, place: &Place, python: String) -> Result<String> {
    let (whose, what, listed) = (job.whose(), job.part.what(), job.files.join(", "));
    // mlir-tblgen succeeds for a file without operations of this dialect, so its output is checked.
    let sign = match job.part {
        Part::Operations => "register_operation(_Dialect)",
        Part::Enums => "(Int",
    };
    if !python.contains(sign) {
        return Err(place.explained(
            Error::new(
                ErrorKind::Compile,
                format!("mlir-tblgen found no {what} of {whose}"),
            )
            .at(listed)
            .because("these files define nothing in that dialect"),
        ));
    }
    let twice = defined_twice(&python);
    if !twice.is_empty() {
        return Err(place.explained(
            Error::new(
                ErrorKind::Compile,
                format!("{whose} defines an operation more than once"),
            )
            .at(listed)
            .because("MLIR and Python would use different classes")
            .details(twice),
        ));
    }
    Ok(python)
}

/// The size and the modification time of a program, as part of a cache's key: users may rebuild their own LLVM in
/// place.
fn installed(program: &Utf8Path) -> String {
    // The run reports one that is missing.
    fs_err::metadata(program).map_or_else(
        |_| String::new(),
        |metadata| format!("{} {:?}", metadata.len(), metadata.modified().ok()),
    )
}

/// Names of operations that more than one generated class has. mlir-tblgen does not report them as an error.
fn defined_twice(python: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    python
        .lines()
        .filter_map(|line| {
            let name = line.trim().strip_prefix("OPERATION_NAME = ")?;
            Some(name.trim_matches('"'))
        })
        .filter(|name| !seen.insert(*name))
        .map(str::to_owned)
        .collect()
}

fn searched(roots: &[Utf8PathBuf]) -> String {
    let roots: Vec<&str> = roots.iter().map(|root| root.as_str()).collect();
    roots.join(", ")
}

const CATALOGUE_HELP: &str =
    "correct `ods` and `enums` of it in crates/dialects/upstream/dialect.toml, for this LLVM";
