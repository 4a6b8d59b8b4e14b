//! The ods phase: the Python classes of the bundle's dialects, which mlir-tblgen writes from ODS.
//!
//! The catalogue says which files have a dialect's operations and enums. A dialect's module
//! is what was written for it by hand (`bundle/python/dialects/<module>.py`), or else one that only
//! passes on what was generated.

mod adaptors;
mod builders;
mod data_classes;
pub mod described;
mod generate;
mod joined;
mod plain;
mod section;
#[cfg(test)]
mod tests;
mod typed;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use camino::Utf8Path;
use mondo_core::digest::Sha256;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_link::compile::{CompiledCrate, Digests};
use mondo_plan::dialect_crate::Code;
use mondo_plan::plan::{NATIVE_DIR, Plan, PlannedDialect};
use mondo_toolchain::Toolchain;

use crate::wheel::{Source, Stage};
use generate::{Part, generate_all};

/// The folder of the dialects' modules, below the import root.
pub const DIALECTS_DIR: &str = "dialects";

/// The module that defines dialects in Python.
pub const EXT: &str = "ext";
/// The dialect that it needs.
pub const EXT_NEEDS: &str = "irdl";

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
    /// The modules that mlir-tblgen wrote: `_func_ops_gen`, `_arith_enum_gen`.
    pub generated: BTreeMap<String, String>,
    /// The modules that the dialects are known by (`transform`) and those of extensions
    /// (`transform/structured`), each as it is where nobody wrote it by hand.
    pub plain: BTreeMap<String, String>,
}

/// Adds to `state` the sizes and times of mlir-tblgen and of the ODS files that it gets. Files that these include
/// need no entry of their own, because they belong to the same install.
///
/// # Errors
/// [`ErrorKind::Io`] where the system does not tell them.
pub fn digest_into(state: &mut Sha256, plan: &Plan, prefix: &Utf8Path) -> Result<()> {
    for one in &plan.crates {
        one.digest_into(state)?;
    }
    let files = plan
        .dialects
        .iter()
        .flat_map(|dialect| dialect.ods.iter().chain(&dialect.enums));
    let extensions = plan.dialects.iter().flat_map(|dialect| &dialect.extensions);
    let extensions = extensions.flat_map(|extension| extension.ods.iter().chain(&extension.enums));
    let files = files.chain(extensions);
    let files = files.map(|file| prefix.join("include").join(file));
    for path in std::iter::once(prefix.join("bin/mlir-tblgen")).chain(files) {
        // A missing file is reported later, by the ods phase.
        if let Ok(metadata) = fs_err::metadata(&path) {
            state.update(format!("{} {:?}", metadata.len(), metadata.modified()?));
        }
    }
    Ok(())
}

/// Makes the modules of every dialect of `plan` that has one. What was generated is kept in `work`, module by
/// module, for later runs and for bundles under another label; `digests` then knows the files that it was made
/// from. `staticlib` holds the descriptions of dialects that are defined in Rust, and `crates`
/// those of types and attributes.
///
/// # Errors
/// `ErrorKind::Compile` where mlir-tblgen fails.
pub fn ods(
    plan: &Plan,
    toolchain: &Toolchain,
    staticlib: &Utf8Path,
    crates: &[CompiledCrate],
    work: &Utf8Path,
    digests: &Digests,
) -> Result<Modules> {
    let mut generated = generate_all(plan, toolchain, digests, &work.join("ods"))?;
    generated.extend(defined_in_rust(plan, staticlib)?);
    let names = |of_crates: bool| -> Vec<&str> {
        let dialects = plan.dialects.iter();
        let dialects = dialects.filter(|dialect| dialect.of_crate.is_some() == of_crates);
        dialects.map(|dialect| dialect.name.as_str()).collect()
    };
    builders::separate(&mut generated, &names(false), &names(true));
    typed::annotate(&mut generated);
    for text in generated.values_mut() {
        *text = adaptors::with_adaptors(text);
    }
    for data in crates.iter().flat_map(|described| &described.data) {
        let enums = generated.get(&Part::Enums.module(&data.dialect));
        let text = data_classes::text(data, enums.map(String::as_str));
        let module = data_classes::module(&data.dialect);
        // The data classes are imported by the module of operations, so that whatever re-exports that module has them
        // too. Where both define a name, the operation's class wins.
        if let Some(operations) = generated.get_mut(&Part::Operations.module(&data.dialect)) {
            *operations = with_import(operations, &module);
        }
        generated.insert(module, text);
    }
    Ok(distribute(plan, &generated))
}

/// Returns `text`, a module of operations, with an import of all names of `module` before its own definitions.
fn with_import(text: &str, module: &str) -> String {
    let line = format!("from .{module} import *\n");
    // After the module's own imports, of which the first is of the package's `ir`.
    let at = text.find("from ._ods_common import").unwrap_or(0);
    format!("{}{line}{}", &text[..at], &text[at..])
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
                .because(format!(
                    "the available descriptions are: {}",
                    known.join(", ")
                ))
                .help("define it under that name with mondo-dialect's `export_dialect!`")
            })?;
            Ok((
                Part::Operations.module(&dialect.name),
                described::module(one),
            ))
        })
        .collect()
}

/// The crate whose own wheel has the dialect's Python, if there is one.
fn wheel_of<'a>(plan: &Plan, dialect: &'a PlannedDialect) -> Option<&'a str> {
    let owner = dialect.of_crate.as_deref();
    owner.filter(|name| plan.has_wheel(name))
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
        into.plain.extend(plain_modules(module, dialect, generated));
        let data = data_classes::module(&dialect.name);
        if let Some(text) = generated.get(&data) {
            into.generated.insert(data, text.clone());
        }
        let extensions = dialect.extensions.iter().map(|extension| &extension.name);
        for name in std::iter::once(&dialect.name).chain(extensions) {
            for part in [Part::Operations, Part::Enums] {
                let name = part.module(name);
                if let Some(text) = generated.get(&name) {
                    into.generated.insert(name, text.clone());
                }
            }
        }
    }
    modules
}

/// The default modules of a dialect and of its extensions, which a dialect has if nobody wrote its module by hand.
fn plain_modules(
    module: &str,
    dialect: &PlannedDialect,
    generated: &BTreeMap<String, String>,
) -> Vec<(String, String)> {
    let name = &dialect.name;
    let title = format!("The `{name}` dialect.");
    let main_module = plain_module(&title, ".", name, &dialect.native, generated);
    let extensions = dialect.extensions.iter().map(|extension| {
        let title = format!(
            "The extension `{}` of the `{name}` dialect.",
            extension.name
        );
        let text = plain_module(&title, "..", &extension.name, &[], generated);
        (format!("{module}/{}", extension.python), text)
    });
    std::iter::once((module.to_owned(), main_module))
        .chain(extensions)
        .collect()
}

/// The text of a default module. It re-exports the generated modules, which are in the package `from`, and the
/// `native` modules of the extension.
fn plain_module(
    title: &str,
    from: &str,
    name: &str,
    native: &[String],
    generated: &BTreeMap<String, String>,
) -> String {
    let mut text = format!("\"\"\"{title}\"\"\"\n\n");
    // Writing to a String cannot fail.
    for module in native {
        let _ = writeln!(text, "from .{from}{NATIVE_DIR}.{module} import *");
    }
    let enums = Part::Enums.module(name);
    if generated.contains_key(&enums) {
        let _ = writeln!(text, "from {from}{enums} import *");
    }
    let operations = Part::Operations.module(name);
    if generated.contains_key(&operations) {
        let _ = writeln!(text, "from {from}{operations} import *");
        let _ = writeln!(text, "from {from}{operations} import _Dialect");
    }
    text
}

impl DialectModules {
    /// Removes from `stage` the hand-written modules of those dialects and extensions that this bundle does not have.
    pub fn keep_wanted(&self, stage: &mut Stage, root: &str) {
        let folder = format!("{root}/{DIALECTS_DIR}/");
        stage.entries.retain(|entry| {
            let Some(path) = entry.path.strip_prefix(&folder) else {
                return true;
            };
            // A module whose name begins with an underscore, such as `__init__`, belongs to no one
            // dialect.
            let mut modules = modules_of(path).into_iter();
            path.starts_with('_') || modules.all(|module| self.plain.contains_key(module))
        });
    }

    /// Puts the modules into `stage`, which has those written by hand already, below `root`.
    pub fn lay_out(&self, stage: &mut Stage, root: &str) {
        let folder = format!("{root}/{DIALECTS_DIR}/");
        let by_hand: BTreeSet<String> = stage
            .entries
            .iter()
            .filter_map(|entry| entry.path.strip_prefix(&folder).map(modules_of))
            .flatten()
            .map(str::to_owned)
            .collect();
        let plain = self.plain.iter();
        let plain = plain.filter(|(module, _)| !by_hand.contains(*module));
        let generated = self.visible(stage, &folder);
        for (module, text) in plain.chain(&generated) {
            stage.bytes(format!("{folder}{module}.py"), text.as_bytes());
        }
    }

    /// The generated modules as type checkers are to see them: without the names that hand-written modules in
    /// `folder` of `stage` define again.
    fn visible(&self, stage: &Stage, folder: &str) -> BTreeMap<String, String> {
        let mut by_hand = BTreeMap::new();
        for entry in &stage.entries {
            let Some(path) = entry.path.strip_prefix(folder) else {
                continue;
            };
            if !path.ends_with(".py") {
                continue;
            }
            let bytes = match &entry.source {
                // A file that cannot be read is reported by what writes the wheel.
                Source::File(path) => fs_err::read(path).unwrap_or_default(),
                Source::Bytes(bytes) => bytes.clone(),
            };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            by_hand.insert(path.to_owned(), text);
        }
        let mut generated = self.generated.clone();
        typed::hide_overridden(&mut generated, &by_hand);
        generated
    }
}

/// The modules that a path below the folder belongs to: the dialect's (`scf.py`, `gpu/__init__.py`,
/// `gpu/passes/__init__.py`) and, of a file beside a package's `__init__`, the extension's
/// (`transform/structured.py`).
fn modules_of(path: &str) -> Vec<&str> {
    let Some((dialect, inside)) = path.split_once('/') else {
        let stem = stem(path);
        return vec![if stem == EXT { EXT_NEEDS } else { stem }];
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
