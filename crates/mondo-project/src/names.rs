//! Names in a project's entry of the manifest, against what the project has.

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::document::{did_you_mean, suggest};
use mondo_plan::manifest::{Project, Word};

use crate::file_api::Reply;
use crate::ninja::Ninja;
use crate::record::Record;

/// Checks the names of targets in a project's entry of the manifest against the targets that its `CMake` reported.
/// `off` has the options of its `CMake` that are off, and `prefix` is LLVM's.
pub(crate) fn exist_all(
    project: &Project,
    record: &Record,
    off: &[String],
    prefix: &Utf8Path,
) -> Result<()> {
    let name = project.name.get_ref();
    if record.mlir.is_empty() {
        return Err(Error::new(
            ErrorKind::Compile,
            format!("the project `{name}` does not search for MLIR"),
        )
        .at(project.folder.join("CMakeLists.txt"))
        .because("its top-level CMakeLists.txt does not call `find_package(MLIR REQUIRED CONFIG)`")
        .help(
            "add the call; if the project expects to be part of LLVM's own build, set `unified = \
             true` in its `[[project]]`",
        ));
    }
    let modules: Vec<&str> = record
        .modules
        .iter()
        .map(|module| module.name.as_str())
        .collect();
    exist(
        project,
        "modules",
        "add_mlir_python_modules target",
        &project.modules,
        &modules,
    )
    .map_err(|error| match &python_switches(off)[..] {
        [] => error,
        switches => error.details([format!(
            "options of the project that are off; enable them in `define`: {}",
            switches.join(", ")
        )]),
    })?;
    let libraries = libraries(record);
    for (key, words) in [("c-api", &project.c_api), ("libraries", &project.libraries)] {
        exist(project, key, "library", words, &libraries)?;
        have_archives(project, key, words, record)?;
    }
    let programs: Vec<Word> = project.own_programs().map(|(word, _)| word).collect();
    let known = record.targets.iter();
    let known = known.filter(|target| target.kind == "EXECUTABLE");
    let known: Vec<&str> = known.map(|target| target.name.as_str()).collect();
    exist(project, "tools", "program", &programs, &known)?;
    embedded_exist(project, record, prefix)
}

/// The libraries that a project makes.
pub(crate) fn libraries(record: &Record) -> Vec<&str> {
    record
        .targets
        .iter()
        .filter(|target| target.kind.ends_with("_LIBRARY") && !target.name.starts_with("mondo."))
        .map(|target| target.name.as_str())
        .collect()
}

/// Checks the C API libraries that its extensions embed and that it does not make: LLVM has them. One that nobody has
/// would be an error of the link, after all is built.
fn embedded_exist(project: &Project, record: &Record, prefix: &Utf8Path) -> Result<()> {
    let known = libraries(record);
    for name in &record.foreign {
        if prefix.join(format!("lib/lib{name}.a")).exists() {
            continue;
        }
        if let Some(help) = did_you_mean(name, &known) {
            let what = format!(
                "the project `{}` embeds the C API library `{name}`, which neither the \
                 project nor LLVM has",
                project.name.get_ref()
            );
            return Err(Error::new(ErrorKind::Plan, what)
                .at(&project.folder)
                .because("its CMake lists it in `EMBED_CAPI_LINK_LIBS`")
                .help(help));
        }
    }
    Ok(())
}

/// Checks that each library is one that `CMake` makes an archive for.
fn have_archives(project: &Project, key: &str, words: &[Word], record: &Record) -> Result<()> {
    for word in words {
        let name = word.get_ref();
        let target = record.targets.iter().find(|target| &target.name == name);
        let kind = match target.map_or("", |target| target.kind.as_str()) {
            "OBJECT_LIBRARY" => "an object library, which has no archive",
            "INTERFACE_LIBRARY" => "an interface library, which has no code",
            "MODULE_LIBRARY" => "a plug-in that programs load",
            "SHARED_LIBRARY" => "a shared library, which a bundle cannot include",
            _ => continue,
        };
        let what = format!(
            "`project.{key}` of `{}` names `{name}`, which is {kind}",
            project.name.get_ref()
        );
        return Err(project
            .error(ErrorKind::Plan, word, what)
            .help("list the static libraries that contain it, or that it links"));
    }
    Ok(())
}

/// Checks the further targets, which may be files as well.
pub(crate) fn targets_exist(project: &Project, reply: &Reply, ninja: Ninja<'_>) -> Result<()> {
    let known: Vec<&str> = reply.names().collect();
    let mut unknown = Vec::new();
    for word in &project.targets {
        if !known.contains(&word.get_ref().as_str()) && !ninja.knows(word.get_ref())? {
            unknown.push(word.clone());
        }
    }
    exist(project, "targets", "target", &unknown, &known)
}

/// Those of the options by which a project may have Python.
fn python_switches(off: &[String]) -> Vec<&str> {
    let others = ["CMAKE_", "LLVM_", "MLIR_", "Python", "MONDO_"];
    let names = off.iter().map(String::as_str);
    names
        .filter(|name| name.to_uppercase().contains("PYTHON"))
        .filter(|name| !others.iter().any(|other| name.starts_with(other)))
        .collect()
}

/// Checks the words of one key: each is one of `known`, which are of the sort `what`.
pub(crate) fn exist(
    project: &Project,
    key: &str,
    what: &str,
    words: &[Word],
    known: &[&str],
) -> Result<()> {
    let Some(word) = words
        .iter()
        .find(|word| !known.contains(&word.get_ref().as_str()))
    else {
        return Ok(());
    };
    let help = match known {
        [] => format!("the project has no {what}"),
        known => suggest(word.get_ref(), known.iter().copied()),
    };
    let what = format!(
        "`project.{key}` of `{}` names `{}`, which is not a {what} of the project",
        project.name.get_ref(),
        word.get_ref()
    );
    Err(project.error(ErrorKind::Plan, word, what).help(help))
}
