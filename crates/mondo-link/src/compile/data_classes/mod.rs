//! Types and attributes of dialect crates for Python: what ODS says of them, and C functions that make them and
//! return their parameters.

mod cpp;
mod model;
mod records;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_plan::dialect_crate::{self, Code, DataClasses, Dialect, DialectCrate};
use mondo_plan::document::suggest;
use mondo_toolchain as toolchain;

use crate::cpp::Compiler;
use crate::ods_apart;
use crate::step::Step;

pub use model::{DataClass, Kind, Parameter};

/// The types and attributes of a dialect that have C functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DialectData {
    /// The dialect.
    pub dialect: String,
    /// The header of the functions, as it is included.
    pub header: String,
    /// The types and attributes, by name.
    pub classes: Vec<DataClass>,
}

/// The generated files of a crate.
#[derive(Debug, Default)]
pub(super) struct Generated {
    pub(super) data: Vec<DialectData>,
    /// C++ to compile.
    pub(super) sources: Vec<Utf8PathBuf>,
    /// The folder of the headers.
    pub(super) include: Option<Utf8PathBuf>,
}

/// Reads the ODS files of a crate's dialects and writes the functions of their types and attributes into
/// `folder`. `include` are the folders with ODS files, those of other crates among them.
pub(super) fn generate(
    one: &DialectCrate,
    include: &[Utf8PathBuf],
    folder: &Utf8Path,
    compiler: Compiler<'_>,
) -> Result<Generated> {
    let mut generated = Generated::default();
    // A header may be one of LLVM's own packages, as Flang's are.
    let of_llvm = compiler.toolchain.prefix.join("include");
    let folders: Vec<Utf8PathBuf> = include.iter().cloned().chain([of_llvm]).collect();
    for dialect in &one.dialects {
        let Some(wanted) = &dialect.classes else {
            continue;
        };
        let name = dialect.name.get_ref();
        there_is_a_header(one, dialect, wanted, &folders)?;
        let place = folder.join("data-classes");
        let all = all_classes(one, dialect, include, &place, compiler)?;
        let classes = chosen(one, dialect, wanted, all)?;
        let header = format!("mondo-c/{name}_data.h");
        let functions = cpp::functions(&classes, name, wanted.header.get_ref(), &header);
        write(&place.join("include").join(&header), &functions.header)?;
        let source = place.join(format!("{name}_data.cpp"));
        write(&source, &functions.implementation)?;
        generated.sources.push(source);
        generated.include = Some(place.join("include"));
        generated.data.push(DialectData {
            dialect: name.clone(),
            header,
            classes,
        });
    }
    Ok(generated)
}

/// Refuses a header that is in none of these folders, unless mlir-tblgen makes it.
fn there_is_a_header(
    one: &DialectCrate,
    dialect: &Dialect,
    wanted: &DataClasses,
    folders: &[Utf8PathBuf],
) -> Result<()> {
    let name = wanted.header.get_ref();
    let is_generated = match &one.code {
        Code::Cpp(cpp) => cpp.tblgen.iter().any(|run| run.to.get_ref() == name),
        Code::Prebuilt(_) | Code::Rust(_) => false,
    };
    if is_generated || folders.iter().any(|folder| folder.join(name).is_file()) {
        return Ok(());
    }
    let folders: Vec<&str> = folders.iter().map(|folder| folder.as_str()).collect();
    let error = one
        .classes_error(
            (dialect, wanted),
            ("header", &wanted.header),
            "which is not in any of its include folders",
        )
        .because(format!("searched for `{name}` in {}", folders.join(", ")));
    Err(error.help("set the header that declares the types and attributes, as in `#include`"))
}

/// The types and attributes that a dialect's ODS files define, by name.
fn all_classes(
    one: &DialectCrate,
    dialect: &Dialect,
    include: &[Utf8PathBuf],
    place: &Utf8Path,
    compiler: Compiler<'_>,
) -> Result<Vec<DataClass>> {
    let name = dialect.name.get_ref();
    let read = |ods: &[String], root: &str| {
        let printed = records_of(one, (dialect, ods), include, &place.join(root), compiler)?;
        Ok(model::classes(&printed, name))
    };
    match read(&dialect.ods, name) {
        Err(error) if dialect.ods.len() > 1 && ods_apart::is_needed(&error) => {
            let mut all = BTreeMap::new();
            for (at, file) in dialect.ods.iter().enumerate() {
                for class in read(std::slice::from_ref(file), &format!("{name}.{at}"))? {
                    all.entry(class.name.clone()).or_insert(class);
                }
            }
            Ok(all.into_values().collect())
        }
        together => together,
    }
}

/// The records that mlir-tblgen prints of some ODS files of a dialect. They are kept, at `place` with different endings, as long
/// as none of the files changes.
fn records_of(
    one: &DialectCrate,
    (dialect, ods): (&Dialect, &[String]),
    include: &[Utf8PathBuf],
    place: &Utf8Path,
    compiler: Compiler<'_>,
) -> Result<String> {
    let name = dialect.name.get_ref();
    let root = Utf8PathBuf::from(format!("{place}.td"));
    let includes = ods.iter();
    let includes: String = includes
        .map(|file| format!("include \"{file}\"\n"))
        .collect();
    write(&root, &includes)?;
    let toolchain = compiler.toolchain;
    let upstream = toolchain.prefix.join("include");
    let depfile = Utf8PathBuf::from(format!("{place}.d"));
    let output = Utf8PathBuf::from(format!("{place}.records"));
    let program = toolchain.prefix.join("bin/mlir-tblgen");
    let tool = Tool::new(
        program.as_str(),
        format!("read the types and attributes of the dialect `{name}`"),
    )
    .fails_as(ErrorKind::Compile);
    let tool = toolchain::with_libraries(tool, toolchain)
        .arg("--print-records")
        .args(["-I", one.folder.as_str()])
        .args(include.iter().flat_map(|dir| ["-I", dir.as_str()]))
        .args(["-I", upstream.as_str()])
        .args(["-d", depfile.as_str(), "-o", output.as_str()])
        .arg(root.as_str());
    let step = Step {
        tool,
        version: toolchain.version.clone(),
        output,
        folder: Utf8PathBuf::new(),
        depfile,
        launcher: None,
        what: format!("could not read the types and attributes of the dialect `{name}`"),
        place: root,
    };
    step.run(compiler.digests).map_err(|error| {
        error.help(format!(
            "correct `dialect.ods` in {}, or the files it lists",
            one.folder.join(dialect_crate::FILE_NAME)
        ))
    })?;
    Ok(fs_err::read_to_string(&step.output)?)
}

/// The classes that the crate asks for.
fn chosen(
    one: &DialectCrate,
    dialect: &Dialect,
    wanted: &DataClasses,
    all: Vec<DataClass>,
) -> Result<Vec<DataClass>> {
    let name = dialect.name.get_ref();
    if all.is_empty() {
        let what =
            format!("but the ODS files of the dialect `{name}` define no types or attributes");
        return Err(one
            .classes_error((dialect, wanted), ("header", &wanted.header), &what)
            .because(format!(
                "mondo read `dialect.classes` from {}",
                dialect.ods.join(", ")
            ))
            .help("add the ODS file of its types to `dialect.ods`, or remove `classes`"));
    }
    let known: Vec<&str> = all.iter().map(|class| class.name.as_str()).collect();
    let unknown = wanted
        .only
        .iter()
        .find(|word| !known.contains(&word.get_ref().as_str()));
    if let Some(word) = unknown {
        let what = format!("which is not a type or attribute of `{name}`");
        return Err(one
            .classes_error((dialect, wanted), ("only", word), &what)
            .help(suggest(word.get_ref(), known)));
    }
    let wants = |class: &DataClass| {
        wanted.only.is_empty() || wanted.only.iter().any(|word| word.get_ref() == &class.name)
    };
    Ok(all.into_iter().filter(wants).collect())
}

fn write(path: &Utf8Path, text: &str) -> Result<()> {
    if fs_err::read_to_string(path).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    replace(path, text.as_bytes())
}
