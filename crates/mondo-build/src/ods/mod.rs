//! The ods phase: the Python classes of the bundle's dialects, which mlir-tblgen writes from ODS.
//!
//! Which files a dialect's operations and enums are in is the catalogue's to say. A dialect's module
//! is what was written for it by hand (`bundle/python/dialects/<module>.py`), or else one that only
//! passes on what was generated.

pub mod described;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use camino::Utf8Path;
use rayon::prelude::*;

use crate::error::{Error, ErrorKind, Result};
use crate::exec::Tool;
use crate::plan::{Plan, PlannedDialect};
use crate::report::replace;
use crate::stamp;
use crate::toolchain::{self, Toolchain};
use crate::wheel::Stage;

/// The folder of the dialects' modules, below the import root.
pub const DIALECTS_DIR: &str = "dialects";

/// The result of the ods phase: Python modules, by name, with their text.
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
/// for bundles of the same dialects under another label.
pub fn ods(plan: &Plan, toolchain: &Toolchain, work: &Utf8Path) -> Result<DialectModules> {
    let folder = work.join("ods");
    fs_err::create_dir_all(&folder)?;
    let known = plan.dialects.iter();
    let known = known.filter_map(|dialect| Some((dialect.python.clone()?, dialect)));
    let plain = known.map(|(module, dialect)| (module, plain_module(dialect)));
    let plain = plain.collect();
    let kept = folder.join(format!("{}.json", stamp::ods(plan, toolchain)?));
    let generated = match read(&kept) {
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
    Ok(DialectModules { generated, plain })
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
        let operations = dialect.ods.iter().map(String::as_str).collect();
        jobs.push((dialect, Part::Operations, operations));
        if let Some(enums) = &dialect.enums {
            jobs.push((dialect, Part::Enums, vec![enums]));
        }
    }
    jobs.par_iter()
        .map(|(dialect, part, files)| {
            let text = generate(&dialect.name, *part, files, toolchain, folder)?;
            Ok((part.module(&dialect.name), text))
        })
        .collect()
}

/// The module of a dialect that has nothing but what is generated.
fn plain_module(dialect: &PlannedDialect) -> String {
    let name = &dialect.name;
    let operations = Part::Operations.module(name);
    let mut text = format!("\"\"\"The `{name}` dialect.\"\"\"\n\n");
    if dialect.enums.is_some() {
        let enums = Part::Enums.module(name);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "from .{enums} import *");
    }
    let _ = writeln!(text, "from .{operations} import *");
    let _ = writeln!(text, "from .{operations} import _Dialect");
    text
}

/// Runs mlir-tblgen once. Several ODS files become one by a file of ours that includes them.
fn generate(
    dialect: &str,
    part: Part,
    files: &[&str],
    toolchain: &Toolchain,
    folder: &Utf8Path,
) -> Result<String> {
    let include = toolchain.prefix.join("include");
    let listed = files.join(", ");
    let missing: Vec<&str> = files
        .iter()
        .copied()
        .filter(|file| !include.join(file).is_file())
        .collect();
    if !missing.is_empty() {
        return Err(Error::new(
            ErrorKind::Toolchain,
            format!("the dialect `{dialect}` cannot have Python classes: an ODS file is missing"),
        )
        .at(include)
        .because("the catalogue says that its classes are made from these")
        .offenders(missing)
        .help(CATALOGUE_HELP));
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
    tool = tool.args(["-I", include.as_str()]);
    // Some ODS files name others of their own folder without it.
    let folders: BTreeSet<&Utf8Path> = files
        .iter()
        .filter_map(|file| Utf8Path::new(file).parent())
        .collect();
    for folder in folders {
        tool = tool.args(["-I", include.join(folder).as_str()]);
    }
    let tool = tool.arg(root.as_str());
    let output = tool.output_unchecked()?;
    if !output.status.success() {
        return Err(tool.failure(&output).help(CATALOGUE_HELP));
    }
    // A file without operations of this dialect is no error to mlir-tblgen.
    let sign = match part {
        Part::Operations => "register_operation(_Dialect)",
        Part::Enums => "(Int",
    };
    if !output.stdout.contains(sign) {
        return Err(Error::new(
            ErrorKind::Compile,
            format!("mlir-tblgen found no {what} of the dialect `{dialect}`"),
        )
        .at(listed)
        .because("nothing in these files is of that dialect")
        .help(CATALOGUE_HELP));
    }
    Ok(output.stdout)
}

const CATALOGUE_HELP: &str = "correct `ods` and `enums` of the dialect in crates/dialects/upstream/dialect.toml, for this LLVM";

impl DialectModules {
    /// Puts the modules into `stage`, which has those written by hand already, below `root`. A
    /// module by hand of a dialect that this bundle does not have is taken out.
    pub fn lay_out(&self, stage: &mut Stage, root: &str) {
        let folder = format!("{root}/{DIALECTS_DIR}/");
        let mut by_hand = BTreeSet::new();
        stage.entries.retain(|entry| {
            let Some(module) = entry.path.strip_prefix(&folder).map(module_name) else {
                return true;
            };
            // What begins with an underscore, `__init__` among them, belongs to no one dialect.
            let wanted = module.starts_with('_') || self.plain.contains_key(module);
            if wanted {
                by_hand.insert(module.to_owned());
            }
            wanted
        });
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
