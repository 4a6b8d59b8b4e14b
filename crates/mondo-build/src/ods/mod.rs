//! The ods phase: the Python classes of the bundle's dialects, which mlir-tblgen writes from ODS.
//!
//! Which files a dialect's operations and enums are in is the catalogue's to say. A dialect's module
//! is what was written for it by hand (`bundle/python/dialects/<module>.py`), or else one that only
//! passes on what was generated.

pub mod described;
mod section;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;

use crate::dialect_crate::{self, Code};
use crate::error::{Error, ErrorKind, Result};
use crate::exec::Tool;
use crate::plan::{Plan, PlannedDialect};
use crate::report::replace;
use crate::stamp;
use crate::toolchain::{self, Toolchain};
use crate::wheel::Stage;

/// The folder of the dialects' modules, below the import root.
pub const DIALECTS_DIR: &str = "dialects";

/// The result of the ods phase: what goes into the bundle's own wheel, and by crate what goes into
/// the wheels of those that have one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Modules {
    /// Of the bundle's own wheel.
    pub bundle: DialectModules,
    /// Of the crates' wheels.
    pub crates: BTreeMap<String, DialectModules>,
}

/// Python modules of dialects, by name, with their text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DialectModules {
    /// What mlir-tblgen wrote: `_func_ops_gen`, `_arith_enum_gen`.
    pub generated: BTreeMap<String, String>,
    /// The modules that the dialects are known by, each as it is where nobody wrote it by hand.
    pub plain: BTreeMap<String, String>,
}

/// What is made from ODS for one dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Operations,
    Enums,
}

impl Part {
    /// The generated module, by upstream's name of it.
    fn module(self, dialect: &str) -> String {
        match self {
            Self::Operations => format!("_{dialect}_ops_gen"),
            Self::Enums => format!("_{dialect}_enum_gen"),
        }
    }
}

/// Makes the modules of every dialect of `plan` that has one. What was generated is kept in `work`,
/// for bundles of the same dialects under another label. `staticlib` holds the descriptions of
/// dialects that are defined in Rust.
pub fn ods(
    plan: &Plan,
    toolchain: &Toolchain,
    staticlib: &Utf8Path,
    work: &Utf8Path,
) -> Result<Modules> {
    let folder = work.join("ods");
    fs_err::create_dir_all(&folder)?;
    let kept = folder.join(format!("{}.json", stamp::ods(plan, toolchain)?));
    let mut generated = match read(&kept) {
        Some(generated) => generated,
        None => {
            let generated = generate_all(plan, toolchain, &folder)?;
            let text = serde_json::to_string(&generated).map_err(|error| {
                Error::new(ErrorKind::Io, "the generated Python cannot be kept")
                    .at(&kept)
                    .caused_by(error)
            })?;
            replace(&kept, text.as_bytes())?;
            generated
        }
    };
    generated.extend(defined_in_rust(plan, staticlib)?);
    Ok(distribute(plan, &generated))
}

/// The modules of dialects that are defined in Rust.
fn defined_in_rust(plan: &Plan, staticlib: &Utf8Path) -> Result<BTreeMap<String, String>> {
    let in_rust = |dialect: &&PlannedDialect| {
        let owner = dialect.of_crate.as_deref();
        let owner = owner.and_then(|name| plan.dialect_crate(name));
        let rust = owner.is_some_and(|owner| matches!(owner.code, Code::Rust(_)));
        rust && dialect.python.is_some()
    };
    let dialects: Vec<&PlannedDialect> = plan.dialects.iter().filter(in_rust).collect();
    if dialects.is_empty() {
        return Ok(BTreeMap::new());
    }
    let found = section::read(staticlib)?;
    dialects
        .into_iter()
        .map(|dialect| {
            let one = found.get(&dialect.name).ok_or_else(|| {
                let name = &dialect.name;
                let known: Vec<&str> = found.keys().map(String::as_str).collect();
                Error::new(
                    ErrorKind::Compile,
                    format!("the dialect `{name}` has no description for Python"),
                )
                .at(staticlib)
                .because(format!("there are those of: {}", known.join(", ")))
                .help("define it with mondo-dialect's `export_dialect!`, under that name")
            })?;
            Ok((
                Part::Operations.module(&dialect.name),
                described::module(one),
            ))
        })
        .collect()
}

/// The crate whose own wheel has the dialect's Python, if there is one.
fn wheel_of<'a>(plan: &'a Plan, dialect: &PlannedDialect) -> Option<&'a str> {
    let mut wheels = plan.wheels.iter().map(|wheel| wheel.of_crate.as_str());
    wheels.find(|name| dialect.of_crate.as_deref() == Some(*name))
}

fn distribute(plan: &Plan, generated: &BTreeMap<String, String>) -> Modules {
    let mut modules = Modules::default();
    for dialect in &plan.dialects {
        let Some(module) = &dialect.python else {
            continue;
        };
        let into = match wheel_of(plan, dialect) {
            Some(name) => modules.crates.entry(name.to_owned()).or_default(),
            None => &mut modules.bundle,
        };
        let operations = generated.contains_key(&Part::Operations.module(&dialect.name));
        into.plain
            .insert(module.clone(), plain_module(dialect, operations));
        for part in [Part::Operations, Part::Enums] {
            let name = part.module(&dialect.name);
            if let Some(text) = generated.get(&name) {
                into.generated.insert(name, text.clone());
            }
        }
    }
    modules
}

/// What an earlier run kept; a file that is not whole is none.
fn read(kept: &Utf8Path) -> Option<BTreeMap<String, String>> {
    serde_json::from_slice(&fs_err::read(kept).ok()?).ok()
}

fn generate_all(
    plan: &Plan,
    toolchain: &Toolchain,
    folder: &Utf8Path,
) -> Result<BTreeMap<String, String>> {
    let mut jobs: Vec<(&PlannedDialect, Part, Vec<&str>)> = Vec::new();
    for dialect in plan.dialects.iter().filter(|it| it.python.is_some()) {
        let operations: Vec<&str> = dialect.ods.iter().map(String::as_str).collect();
        if !operations.is_empty() {
            jobs.push((dialect, Part::Operations, operations));
        }
        if let Some(enums) = &dialect.enums {
            jobs.push((dialect, Part::Enums, vec![enums]));
        }
    }
    jobs.par_iter()
        .map(|(dialect, part, files)| {
            let place = Place::new(plan, dialect, toolchain);
            let text = generate(&dialect.name, *part, files, &place, toolchain, folder)?;
            Ok((part.module(&dialect.name), text))
        })
        .collect()
}

/// Where a dialect's ODS files are, and who says that they are its.
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
                        "correct `dialect.ods` and `dialect.enums` in {}, or the files they name",
                        owner.folder.join(dialect_crate::FILE_NAME)
                    ),
                }
            }
        }
    }

    /// The folder that has this file.
    fn root_of(&self, file: &str) -> Option<&Utf8PathBuf> {
        self.roots.iter().find(|root| root.join(file).is_file())
    }
}

/// The module of a dialect that has nothing but what is generated.
fn plain_module(dialect: &PlannedDialect, has_operations: bool) -> String {
    let name = &dialect.name;
    let operations = Part::Operations.module(name);
    let mut text = format!("\"\"\"The `{name}` dialect.\"\"\"\n\n");
    if dialect.enums.is_some() {
        let enums = Part::Enums.module(name);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "from .{enums} import *");
    }
    if has_operations {
        let _ = writeln!(text, "from .{operations} import *");
        let _ = writeln!(text, "from .{operations} import _Dialect");
    }
    text
}

/// Runs mlir-tblgen once. Several ODS files become one by a file of ours that includes them.
fn generate(
    dialect: &str,
    part: Part,
    files: &[&str],
    place: &Place,
    toolchain: &Toolchain,
    folder: &Utf8Path,
) -> Result<String> {
    let listed = files.join(", ");
    let missing: Vec<&str> = files
        .iter()
        .copied()
        .filter(|file| place.root_of(file).is_none())
        .collect();
    if !missing.is_empty() {
        return Err(Error::new(
            place.kind,
            format!("the dialect `{dialect}` cannot have Python classes: an ODS file is missing"),
        )
        .at(searched(&place.roots))
        .because(format!(
            "{} says that its classes are made from these",
            place.said_by
        ))
        .offenders(missing)
        .help(&place.help));
    }
    let module = part.module(dialect);
    let root = folder.join(format!("{module}.td"));
    let includes: String = files
        .iter()
        .map(|file| format!("include \"{file}\"\n"))
        .collect();
    fs_err::write(&root, includes)?;
    let what = match part {
        Part::Operations => "Python classes",
        Part::Enums => "Python enums",
    };
    let program = toolchain.prefix.join("bin/mlir-tblgen");
    let purpose = format!("make the {what} of the dialect `{dialect}` from {listed}");
    let failed = |error: Error| error.help(&place.help);
    let mut tool = Tool::new(program.as_str(), purpose).fails_as(ErrorKind::Compile);
    if let Some(path) = toolchain::tool_path(toolchain) {
        tool = tool.env("LD_LIBRARY_PATH", path);
    }
    tool = match part {
        Part::Operations => tool
            .arg("-gen-python-op-bindings")
            .arg(format!("-bind-dialect={dialect}")),
        Part::Enums => tool.arg("-gen-python-enum-bindings"),
    };
    for root in &place.roots {
        tool = tool.args(["-I", root.as_str()]);
    }
    // Some ODS files name others of their own folder without it.
    let folders: BTreeSet<Utf8PathBuf> = files
        .iter()
        .filter_map(|file| Some(place.root_of(file)?.join(Utf8Path::new(file).parent()?)))
        .collect();
    for folder in folders {
        tool = tool.args(["-I", folder.as_str()]);
    }
    let tool = tool.arg(root.as_str());
    let output = tool.output_unchecked()?;
    if !output.status.success() {
        return Err(failed(tool.failure(&output)));
    }
    // A file without operations of this dialect is no error to mlir-tblgen.
    let sign = match part {
        Part::Operations => "register_operation(_Dialect)",
        Part::Enums => "(Int",
    };
    if !output.stdout.contains(sign) {
        return Err(failed(
            Error::new(
                ErrorKind::Compile,
                format!("mlir-tblgen found no {what} of the dialect `{dialect}`"),
            )
            .at(listed)
            .because("nothing in these files is of that dialect"),
        ));
    }
    let twice = defined_twice(&output.stdout);
    if !twice.is_empty() {
        return Err(failed(
            Error::new(
                ErrorKind::Compile,
                format!("the dialect `{dialect}` defines an operation more than once"),
            )
            .at(listed)
            .because("MLIR would take one of the classes, and Python another")
            .offenders(twice),
        ));
    }
    Ok(output.stdout)
}

/// Names of operations that more than one generated class has, which is no error to mlir-tblgen.
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

const CATALOGUE_HELP: &str = "correct `ods` and `enums` of the dialect in crates/dialects/upstream/dialect.toml, for this LLVM";

impl DialectModules {
    /// Takes out of `stage` the modules by hand of dialects that this bundle does not have.
    pub fn keep_wanted(&self, stage: &mut Stage, root: &str) {
        let folder = format!("{root}/{DIALECTS_DIR}/");
        stage.entries.retain(|entry| {
            let module = entry.path.strip_prefix(&folder).map(module_name);
            // What begins with an underscore, `__init__` among them, belongs to no one dialect.
            module.is_none_or(|name| name.starts_with('_') || self.plain.contains_key(name))
        });
    }

    /// Puts the modules into `stage`, which has those written by hand already, below `root`.
    pub fn lay_out(&self, stage: &mut Stage, root: &str) {
        let folder = format!("{root}/{DIALECTS_DIR}/");
        let by_hand: BTreeSet<String> = stage
            .entries
            .iter()
            .filter_map(|entry| entry.path.strip_prefix(&folder).map(module_name))
            .map(str::to_owned)
            .collect();
        let plain = self.plain.iter();
        let plain = plain.filter(|(module, _)| !by_hand.contains(*module));
        for (module, text) in plain.chain(&self.generated) {
            stage.bytes(format!("{folder}{module}.py"), text.as_bytes());
        }
    }
}

/// The module that a path below the folder belongs to: `scf.py`, `scf.pyi`, `scf/loops.py`.
fn module_name(path: &str) -> &str {
    let end = path.find(['/', '.']).unwrap_or(path.len());
    &path[..end]
}
