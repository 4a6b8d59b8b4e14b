//! The ods phase: the Python classes of the bundle's dialects, which mlir-tblgen writes from ODS.
//!
//! Which files a dialect's operations and enums are in is the catalogue's to say. A dialect's module
//! is what was written for it by hand (`bundle/python/dialects/<module>.py`), or else one that only
//! passes on what was generated.

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
    /// The modules that the dialects are known by (`transform`) and those of extensions
    /// (`transform/structured`), each as it is where nobody wrote it by hand.
    pub plain: BTreeMap<String, String>,
}

/// What is made from ODS for one dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Operations,
    Enums,
}

impl Part {
    /// The generated module, by upstream's name of it, of a dialect or of an extension.
    fn module(self, name: &str) -> String {
        match self {
            Self::Operations => format!("_{name}_ops_gen"),
            Self::Enums => format!("_{name}_enum_gen"),
        }
    }
}

/// One module to generate.
struct Job<'a> {
    dialect: &'a str,
    /// The extension that the module is for, or none for the dialect itself.
    extension: Option<&'a str>,
    part: Part,
    files: Vec<&'a str>,
}

impl<'a> Job<'a> {
    /// Those of a dialect or of an extension: operations always, and perhaps enums.
    fn both(
        dialect: &'a str,
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
        let operations = ods.iter().map(String::as_str).collect();
        let enums = enums.map(|file| job(Part::Enums, vec![file]));
        std::iter::once(job(Part::Operations, operations)).chain(enums)
    }

    fn module(&self) -> String {
        self.part.module(self.extension.unwrap_or(self.dialect))
    }

    /// What messages call it.
    fn whose(&self) -> String {
        let dialect = self.dialect;
        match self.extension {
            Some(extension) => format!("the extension `{extension}` of the dialect `{dialect}`"),
            None => format!("the dialect `{dialect}`"),
        }
    }
}

/// Makes the modules of every dialect of `plan` that has one. What was generated is kept in `work`,
/// for bundles of the same dialects under another label.
pub fn ods(plan: &Plan, toolchain: &Toolchain, work: &Utf8Path) -> Result<DialectModules> {
    let folder = work.join("ods");
    fs_err::create_dir_all(&folder)?;
    let known = plan.dialects.iter();
    let known = known.filter_map(|dialect| Some((dialect.python.as_ref()?, dialect)));
    let plain = known.flat_map(|(module, dialect)| plain_modules(module, dialect));
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
    let dialects = plan.dialects.iter().filter(|it| it.python.is_some());
    let jobs: Vec<Job<'_>> = dialects
        .flat_map(|dialect| {
            let own = Job::both(&dialect.name, None, &dialect.ods, dialect.enums.as_deref());
            let extensions = dialect.extensions.iter().flat_map(|it| {
                let name = Some(it.name.as_str());
                Job::both(&dialect.name, name, &it.ods, it.enums.as_deref())
            });
            own.chain(extensions)
        })
        .collect();
    jobs.par_iter()
        .map(|job| Ok((job.module(), generate(job, toolchain, folder)?)))
        .collect()
}

/// The modules of a dialect and of its extensions, as they are with nothing but what is generated.
fn plain_modules(module: &str, dialect: &PlannedDialect) -> Vec<(String, String)> {
    let name = &dialect.name;
    let title = format!("The `{name}` dialect.");
    let own = plain_module(&title, ".", name, dialect.enums.is_some());
    let extensions = dialect.extensions.iter().map(|it| {
        let title = format!("The extension `{}` of the `{name}` dialect.", it.name);
        let text = plain_module(&title, "..", &it.name, it.enums.is_some());
        (format!("{module}/{}", it.python), text)
    });
    std::iter::once((module.to_owned(), own))
        .chain(extensions)
        .collect()
}

/// A module that passes on what is generated, which is in the package `from`.
fn plain_module(title: &str, from: &str, name: &str, has_enums: bool) -> String {
    let operations = Part::Operations.module(name);
    let mut text = format!("\"\"\"{title}\"\"\"\n\n");
    if has_enums {
        let enums = Part::Enums.module(name);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "from {from}{enums} import *");
    }
    let _ = writeln!(text, "from {from}{operations} import *");
    let _ = writeln!(text, "from {from}{operations} import _Dialect");
    text
}

/// Runs mlir-tblgen once. Several ODS files become one by a file of ours that includes them.
fn generate(job: &Job<'_>, toolchain: &Toolchain, folder: &Utf8Path) -> Result<String> {
    let files = &job.files;
    let whose = job.whose();
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
            format!("{whose} cannot have Python classes: an ODS file is missing"),
        )
        .at(include)
        .because("the catalogue says that its classes are made from these")
        .offenders(missing)
        .help(CATALOGUE_HELP));
    }
    let module = job.module();
    let root = folder.join(format!("{module}.td"));
    let includes: String = files
        .iter()
        .map(|file| format!("include \"{file}\"\n"))
        .collect();
    fs_err::write(&root, includes)?;
    let what = match job.part {
        Part::Operations => "Python classes",
        Part::Enums => "Python enums",
    };
    let program = toolchain.prefix.join("bin/mlir-tblgen");
    let purpose = format!("make the {what} of {whose} from {listed}");
    let mut tool = Tool::new(program.as_str(), purpose).fails_as(ErrorKind::Compile);
    if let Some(path) = toolchain::tool_path(toolchain) {
        tool = tool.env("LD_LIBRARY_PATH", path);
    }
    tool = match job.part {
        Part::Operations => tool
            .arg("-gen-python-op-bindings")
            .arg(format!("-bind-dialect={}", job.dialect)),
        Part::Enums => tool.arg("-gen-python-enum-bindings"),
    };
    if let (Part::Operations, Some(extension)) = (job.part, job.extension) {
        tool = tool.arg(format!("-dialect-extension={extension}"));
    }
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
    let sign = match job.part {
        Part::Operations => "register_operation(_Dialect)",
        Part::Enums => "(Int",
    };
    if !output.stdout.contains(sign) {
        return Err(Error::new(
            ErrorKind::Compile,
            format!("mlir-tblgen found no {what} of {whose}"),
        )
        .at(listed)
        .because("nothing in these files is of that dialect")
        .help(CATALOGUE_HELP));
    }
    Ok(output.stdout)
}

const CATALOGUE_HELP: &str =
    "correct `ods` and `enums` of it in crates/dialects/upstream/dialect.toml, for this LLVM";

impl DialectModules {
    /// Puts the modules into `stage`, which has those written by hand already, below `root`. A
    /// module by hand of a dialect or of an extension that this bundle does not have is taken out.
    pub fn lay_out(&self, stage: &mut Stage, root: &str) {
        let folder = format!("{root}/{DIALECTS_DIR}/");
        let mut by_hand = BTreeSet::new();
        stage.entries.retain(|entry| {
            let Some(path) = entry.path.strip_prefix(&folder) else {
                return true;
            };
            let modules = modules_of(path);
            // What begins with an underscore, `__init__` among them, belongs to no one dialect.
            let wanted =
                path.starts_with('_') || modules.iter().all(|it| self.plain.contains_key(*it));
            if wanted {
                by_hand.extend(modules.into_iter().map(str::to_owned));
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

/// The modules that a path below the folder belongs to: the dialect's (`scf.py`, `gpu/__init__.py`,
/// `gpu/passes/__init__.py`) and, of a file beside a package's `__init__`, the extension's
/// (`transform/structured.py`).
fn modules_of(path: &str) -> Vec<&str> {
    let Some((dialect, inside)) = path.split_once('/') else {
        return vec![stem(path)];
    };
    if inside.contains('/') || inside.starts_with('_') {
        return vec![dialect];
    }
    vec![dialect, stem(path)]
}

/// A file without what follows its name: `.py` or `.pyi`.
fn stem(path: &str) -> &str {
    path.split_once('.').map_or(path, |(stem, _)| stem)
}
